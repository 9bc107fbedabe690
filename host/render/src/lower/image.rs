//! Images: which ones may be shown, and how the others are described.

use super::{Lower, cut, text};
use crate::view::{Address, Image, Picture, PictureError, Source};
use footlight_vocabulary::item::is_output_id;
use serde_json::Value;

impl Lower<'_> {
    /// Lowers the data of the kind `image`; `None` if it has neither an address nor bytes.
    pub(super) fn image_kind(&self, data: &Value, mime: Option<&str>) -> Option<Image> {
        let source = match (text(data, "base64"), text(data, "url")) {
            (Some(base64), _) => inline(base64, mime),
            (None, Some(url)) => source(url),
            (None, None) => return None,
        };
        Some(image(text(data, "alt").unwrap_or(""), source))
    }

    /// Lowers data of another kind that is declared to be an image: an object like that of `image`,
    /// an address, or base64. `None` for any other data.
    pub(super) fn picture_of(&self, data: &Value, mime: Option<&str>) -> Option<Image> {
        let Value::String(text) = data else {
            return self.image_kind(data, mime);
        };
        match source(text) {
            Source::Refused(_) if !text.starts_with("data:") => match inline(text, mime) {
                Source::Refused(reason) if reason != PictureError::Svg => None,
                source => Some(image("", source)),
            },
            source => Some(image("", source)),
        }
    }
}

/// Creates an image with a non-empty alternative text.
pub(super) fn image(alt: &str, source: Source) -> Image {
    let alt = match alt.trim() {
        "" => "Picture".to_owned(),
        alt => cut::name(alt),
    };
    Image { alt, source }
}

fn inline(base64: &str, mime: Option<&str>) -> Source {
    if mime.is_some_and(|mime| mime.to_ascii_lowercase().starts_with("image/svg")) {
        return Source::Refused(PictureError::Svg);
    }
    Picture::from_base64(base64).map_or_else(Source::Refused, Source::Inline)
}

/// Classifies the address of an image. Images of other sites are never loaded: a request would tell
/// the site who looks, and when.
pub(super) fn source(address: &str) -> Source {
    let address = address.trim();
    let output = address.strip_prefix("/api/outputs/");
    if let Some(id) = output.filter(|id| is_output_id(id)) {
        return Source::Output { id: id.to_owned() };
    }
    if let Some(data) = address.strip_prefix("data:") {
        return match data.split_once(',') {
            Some((head, body)) if head.ends_with(";base64") => inline(body, Some(head)),
            _ => Source::Refused(PictureError::NotBase64),
        };
    }
    match Address::parse(address) {
        Some(address) if address.as_str().starts_with("http") => Source::Remote(address),
        _ => Source::Refused(PictureError::InvalidAddress),
    }
}
