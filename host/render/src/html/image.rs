//! Images and stored content.

use super::{HtmlWriter, span};
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
                let size = match source {
                    Source::Inline(picture) => picture.size(),
                    _ => None,
                };
                let img = Element::new(Tag::Img)
                    .text_attr(TextAttr::Alt, image.alt.as_str())
                    .src(source)
                    .keyword(Keyword::Loading, "lazy")
                    .number(Number::Width, size.map(|(width, _)| width.into()))
                    .number(Number::Height, size.map(|(_, height)| height.into()));
                figure.child(img)
            }
            Source::Remote(address) => {
                let link = Element::new(Tag::A).href(address).text(image.alt.as_str());
                let host = format!(" (picture at {})", address.host());
                figure.child(link).child(span("fl-muted", host))
            }
            Source::Refused(reason) => self.described(image, &reason.to_string()),
        }
    }

    fn described(self, image: &Image, reason: &str) -> Element {
        let figure = Element::of(Tag::Figure, "fl-image").text(image.alt.as_str());
        figure.child(span("fl-muted", format!(" ({reason})")))
    }

    pub(super) fn output(self, output: &crate::view::Output) -> Element {
        let name = match self.inert || output.is_expired {
            true => Element::new(Tag::Strong),
            false => Element::new(Tag::A).href_output(&output.id),
        };
        let size = format::size(output.size);
        let about = format!("{} · {size} · {}", output.mime_type, output.until());
        let image = output.image.as_ref().filter(|_| !self.inert);
        Element::of(Tag::Section, "fl-output")
            .text_attr(TextAttr::DataItem, output.id.as_str())
            .child(name.text(output.name()))
            .child(Element::of(Tag::P, "fl-caption").text(about))
            .children(image.map(|image| self.image(image)))
    }
}
