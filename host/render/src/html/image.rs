//! Images and stored content.

use super::HtmlWriter;
use crate::format;
use crate::markup::{Element, Keyword, Number, Tag, TextAttr};
use crate::view::{Image, Source};

impl HtmlWriter<'_> {
    pub(super) fn image(self, image: &Image) -> Element {
        let figure = Element::of(Tag::Figure, "fl-image");
        match &image.source {
            // A static file has no origin from which stored content could be fetched.
            Source::Output { .. } if self.inert => self.described(image, "not part of this file"),
            source @ (Source::Output { .. } | Source::Inline(_)) => {
                let mut img = Element::new(Tag::Img)
                    .text_attr(TextAttr::Alt, image.alt.as_str())
                    .src(source)
                    .keyword(Keyword::Loading, "lazy");
                if let Source::Inline(picture) = source
                    && let Some((width, height)) = picture.size()
                {
                    img = img
                        .number(Number::Width, width.into())
                        .number(Number::Height, height.into());
                }
                figure.child(img)
            }
            Source::Remote(address) => {
                let link = Element::new(Tag::A).href(address).text(image.alt.as_str());
                let host = Element::of(Tag::Span, "fl-muted")
                    .text(format!(" (picture at {})", address.host()));
                figure.child(link).child(host)
            }
            Source::Refused(reason) => self.described(image, &reason.to_string()),
        }
    }

    fn described(self, image: &Image, reason: &str) -> Element {
        let why = Element::of(Tag::Span, "fl-muted").text(format!(" ({reason})"));
        Element::of(Tag::Figure, "fl-image")
            .text(image.alt.as_str())
            .child(why)
    }

    pub(super) fn output(self, output: &crate::view::Output) -> Element {
        let title = match output.title.trim() {
            "" => output.kind.as_str(),
            title => title,
        };
        let mut element = Element::of(Tag::Section, "fl-output")
            .text_attr(TextAttr::DataItem, output.id.as_str());
        let name = if self.inert {
            Element::new(Tag::Strong).text(title)
        } else {
            Element::new(Tag::A).href_output(&output.id).text(title)
        };
        let about = format!(
            "{} · {} · until {}",
            output.mime_type,
            format::size(output.size),
            output.expires
        );
        element = element
            .child(name)
            .child(Element::of(Tag::P, "fl-caption").text(about));
        match &output.image {
            Some(image) if !self.inert => element.child(self.image(image)),
            _ => element,
        }
    }
}
