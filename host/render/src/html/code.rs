//! Source code and diffs.

use super::{HtmlWriter, badge, cut, scrollable};
use crate::filter::clean;
use crate::highlight::Class;
use crate::markup::{Element, Keyword, Node, Number, Tag, TextAttr};
use crate::view::{Code, Diff, DiffHunk, DiffLine, Mark, Tone};

impl HtmlWriter<'_> {
    pub(super) fn code(self, code: &Code) -> Element {
        let mut figure = Element::of(Tag::Figure, "fl-code");
        if let Some(path) = &code.path {
            figure = figure.child(Element::of(Tag::Figcaption, "fl-path").text(path.as_str()));
        }
        let text = clean(&code.text);
        let mut inner = Element::new(Tag::Code);
        if let Some(language) = &code.language {
            inner = inner.text_attr(TextAttr::DataLanguage, language.as_str());
        }
        let lines = self.colours.lines(&text, code.language.as_deref());
        let mut plain = String::new();
        for (n, line) in lines.iter().enumerate() {
            if n > 0 {
                plain.push('\n');
            }
            for token in line {
                match class(token.class) {
                    None => plain.push_str(token.text),
                    Some(class) => {
                        if !plain.is_empty() {
                            inner = inner.text(std::mem::take(&mut plain));
                        }
                        inner = inner.child(Element::of(Tag::Span, class).text(token.text));
                    }
                }
            }
        }
        if !plain.is_empty() {
            inner = inner.text(plain);
        }
        // A region that scrolls sideways must be reachable by keyboard.
        figure = figure.child(
            Element::of(Tag::Pre, "fl-pre")
                .number(Number::TabIndex, 0.0)
                .child(inner),
        );
        figure.children(code.cut.map(cut))
    }

    pub(super) fn diff(self, diff: &Diff) -> Element {
        let mut caption = Element::of(Tag::Figcaption, "fl-path")
            .text(diff.path.as_str())
            .text(" ");
        if diff.is_new {
            caption = caption.child(badge("new", Tone::Info)).text(" ");
        }
        let counts = |class, text: String| Element::of(Tag::Span, class).text(text);
        caption = if diff.added == 0 && diff.removed == 0 {
            caption.child(counts("fl-muted", diff.counts()))
        } else {
            caption
                .child(counts("fl-success", format!("+{}", diff.added)))
                .text(" ")
                .child(counts("fl-danger", format!("-{}", diff.removed)))
        };
        let mut figure = Element::of(Tag::Figure, "fl-diff").child(caption);
        if !diff.hunks.is_empty() {
            let table = if self.split {
                split(diff)
            } else {
                unified(diff)
            };
            figure = figure.child(scrollable(table));
        }
        figure.children(diff.cut.map(cut))
    }
}

fn class(class: Class) -> Option<&'static str> {
    Some(match class {
        Class::Plain => return None,
        Class::Comment => "hl-comment",
        Class::Keyword => "hl-keyword",
        Class::String => "hl-string",
        Class::Number => "hl-number",
        Class::Constant => "hl-constant",
        Class::Function => "hl-function",
        Class::Type => "hl-type",
        Class::Property => "hl-property",
        Class::Tag => "hl-tag",
        Class::Heading => "hl-heading",
        Class::Added => "hl-added",
        Class::Removed => "hl-removed",
    })
}

/// Creates a table header that only assistive technology sees.
fn head(names: &[&'static str]) -> Element {
    let cell = |name: &&'static str| {
        Node::from(
            Element::new(Tag::Th)
                .keyword(Keyword::Scope, "col")
                .text(*name),
        )
    };
    let row = Element::new(Tag::Tr).children(names.iter().map(cell));
    Element::of(Tag::Thead, "fl-unseen").child(row)
}

fn hunk_row(hunk: &DiffHunk) -> Node {
    let cell = Element::of(Tag::Td, "fl-hunk")
        .number(Number::ColSpan, 4.0)
        .text(hunk.header());
    Element::new(Tag::Tr).child(cell).into()
}

fn number(line: Option<u64>) -> Element {
    let text = line.map(|line| line.to_string()).unwrap_or_default();
    Element::of(Tag::Td, "fl-line-number").text(text)
}

fn row_class(mark: Mark) -> &'static str {
    match mark {
        Mark::Same => "fl-same",
        Mark::Added => "fl-added",
        Mark::Removed => "fl-removed",
    }
}

fn unified(diff: &Diff) -> Element {
    let mut body = Element::new(Tag::Tbody);
    for hunk in &diff.hunks {
        body = body.child(hunk_row(hunk));
        for line in &hunk.lines {
            let row = Element::of(Tag::Tr, row_class(line.mark))
                .child(number(line.old))
                .child(number(line.new))
                .child(Element::of(Tag::Td, "fl-mark").text(line.mark.symbol().to_string()))
                .child(Element::of(Tag::Td, "fl-source").text(line.text.as_str()));
            body = body.child(row);
        }
    }
    Element::new(Tag::Table)
        .child(head(&["Line before", "Line after", "Change", "Text"]))
        .child(body)
}

fn split(diff: &Diff) -> Element {
    let side = |line: Option<&DiffLine>, old: bool| {
        let Some(line) = line else {
            return [
                Element::of(Tag::Td, "fl-line-number"),
                Element::of(Tag::Td, "fl-source"),
            ];
        };
        let number = number(if old { line.old } else { line.new });
        let text = match line.mark {
            Mark::Same => line.text.clone(),
            mark => format!("{}{}", mark.symbol(), line.text),
        };
        [
            number,
            Element::of(Tag::Td, "fl-source")
                .class(row_class(line.mark))
                .text(text),
        ]
    };
    let mut body = Element::new(Tag::Tbody);
    for hunk in &diff.hunks {
        body = body.child(hunk_row(hunk));
        for (old, new) in hunk.split() {
            let cells = side(old, true).into_iter().chain(side(new, false));
            body = body.child(Element::new(Tag::Tr).children(cells.map(Node::from)));
        }
    }
    let head = head(&["Line before", "Text before", "Line after", "Text after"]);
    Element::of(Tag::Table, "fl-split").child(head).child(body)
}
