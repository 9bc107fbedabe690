//! Kind `image`: a picture, by URL or by its bytes.

use crate::outcome::Typed;
use serde::{Deserialize, Serialize};

/// A picture with an alternative text.
pub type Image = Typed<ImageData>;

/// The data of kind `image`. The result's `mimeType` is the media type of the picture.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ImageData {
    /// The URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The bytes, in Base64.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// The alternative text.
    #[serde(default)]
    pub alt: String,
}

impl ImageData {
    /// The accepted media types.
    pub const MIME_TYPES: &'static [&'static str] =
        &["image/png", "image/jpeg", "image/svg+xml", "image/gif"];
}

impl Image {
    /// Creates a picture by its URL.
    pub fn url(
        url: impl Into<String>,
        mime_type: impl Into<String>,
        alt: impl Into<String>,
    ) -> Self {
        Self::of(ImageData {
            url: Some(url.into()),
            base64: None,
            alt: alt.into(),
        })
        .mime_type(mime_type)
    }

    /// Creates a picture by its bytes.
    pub fn bytes(bytes: &[u8], mime_type: impl Into<String>, alt: impl Into<String>) -> Self {
        Self::of(ImageData {
            url: None,
            base64: Some(base64(bytes)),
            alt: alt.into(),
        })
        .mime_type(mime_type)
    }
}

/// Encodes Base64 with padding (RFC 4648, section 4). Written by hand to keep guests small.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |n: usize| u32::from(chunk.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..4 {
            if n <= chunk.len() {
                let letter = bits >> (18 - 6 * n) & 63;
                text.push(char::from(LETTERS[letter as usize]));
            } else {
                text.push('=');
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_follows_rfc_4648() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xfb, 0xff, 0xfe]), "+//+");
    }
}
