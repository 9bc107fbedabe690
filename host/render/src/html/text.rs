//! Text.

use super::{HtmlWriter, math, span, tone_class};
use crate::filter::clean;
use crate::markup::{Element, Keyword, Node, Number, Tag};
use crate::view::{Align, Ansi, Inline, Role, Span, Text, Tone};

impl HtmlWriter<'_> {
    pub(super) fn text(self, text: &Text) -> Element {
        let element = match &text.role {
            Role::Body => Element::of(Tag::P, "fl-text"),
            Role::Lines => Element::of(Tag::Div, "fl-lines"),
            // The page itself uses the first two heading levels.
            Role::Heading(level) => Element::new(match level {
                1 => Tag::H3,
                2 => Tag::H4,
                3 => Tag::H5,
                _ => Tag::H6,
            }),
            Role::Caption => Element::of(Tag::P, "fl-caption"),
            Role::Label { .. } => Element::of(Tag::P, "fl-label"),
        };
        let clamp = |lines| match lines {
            1 => "fl-clamp1",
            2 => "fl-clamp2",
            3 => "fl-clamp3",
            _ => "fl-clamp5",
        };
        let element = element
            .keyword(Keyword::Dir, "auto")
            .class(text.align.map(align_class))
            .class(text.max_lines.map(clamp))
            .number(Number::MaxLines, text.max_lines.map(|lines| lines as f64));
        match text.role {
            Role::Lines => element.children(self.spans(&text.inline, false)),
            _ => element.children(self.inline(&text.inline)),
        }
    }

    /// Renders inline text; a line feed becomes a line break.
    pub(super) fn inline(self, inline: &Inline) -> Vec<Node> {
        self.spans(inline, true)
    }

    /// Renders runs of text. After a link stands its host, which its text need not name.
    pub(super) fn spans(self, inline: &Inline, breaks: bool) -> Vec<Node> {
        let mut nodes = Vec::new();
        for (run, end) in inline.spans_and_link_ends() {
            nodes.push(self.span(run, breaks));
            let host = end.and_then(|end| end.host());
            nodes.extend(host.map(|host| span("fl-muted", host).into()));
        }
        nodes
    }

    fn span(self, span: &Span, breaks: bool) -> Node {
        let style = span.style;
        let text = clean(&span.text);
        let mut nodes: Vec<Node> = Vec::new();
        if let Some(formula) = &span.math {
            nodes.push(math::formula(formula).into());
        } else if breaks && text.contains('\n') {
            for (n, line) in text.split('\n').enumerate() {
                if n > 0 {
                    nodes.push(Element::new(Tag::Br).into());
                }
                if !line.is_empty() {
                    nodes.push(Node::Text(line.to_owned()));
                }
            }
        } else {
            nodes.push(Node::Text(text.into_owned()));
        }
        for (on, tag) in [
            (style.code && span.math.is_none(), Tag::Code),
            (style.bold, Tag::Strong),
            (style.italic, Tag::Em),
            (style.strike, Tag::S),
            (style.underline, Tag::U),
        ] {
            if on {
                nodes = vec![Element::new(tag).children(nodes).into()];
            }
        }
        let tone = Some(style.tone).filter(|tone| *tone != Tone::Plain);
        let number = |color: Ansi| usize::from(color.number());
        if style.dim || tone.is_some() || style.color.or(style.background).is_some() {
            let look = Element::new(Tag::Span)
                .class(style.dim.then_some("fl-muted"))
                .class(tone.map(tone_class))
                .with(style.color, |look, color| {
                    look.numbered_class("fl-fg", number(color))
                })
                // A background is drawn as a bar below the text, because not all pairs of colours
                // are readable.
                .with(style.background, |look, color| {
                    look.numbered_class("fl-bg", number(color))
                });
            nodes = vec![look.children(nodes).into()];
        }
        if let Some(address) = &span.link {
            nodes = vec![Element::new(Tag::A).href(address).children(nodes).into()];
        }
        if nodes.len() == 1 {
            nodes.remove(0)
        } else {
            Element::new(Tag::Span).children(nodes).into()
        }
    }
}

pub(super) fn align_class(align: Align) -> &'static str {
    match align {
        Align::Start => "fl-align-start",
        Align::Center => "fl-align-center",
        Align::End => "fl-align-end",
    }
}
