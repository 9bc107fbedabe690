//! Source code and diffs.

use super::{HtmlWriter, badge, cut, scrollable, span};
use crate::filter::clean;
use crate::highlight::Class;
use crate::markup::{Element, Keyword, Number, Tag, TextAttr};
use crate::view::{Code, Diff, DiffHunk, DiffLine, Mark, Tone};

impl HtmlWriter<'_> {
    pub(super) fn code(self, code: &Code) -> Element {
        let path = code.path.as_deref();
        let path = path.map(|path| Element::of(Tag::Figcaption, "fl-path").text(path));
        let text = clean(&code.text);
        let language = code.language.as_deref();
        let mut inner = Element::new(Tag::Code).text_attr(TextAttr::DataLanguage, language);
        let lines = self.colours.lines(&text, language);
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
                        inner = inner.child(span(class, token.text));
                    }
                }
            }
        }
        if !plain.is_empty() {
            inner = inner.text(plain);
        }
        // A region that scrolls sideways must be reachable by keyboard.
        let pre = Element::of(Tag::Pre, "fl-pre").number(Number::TabIndex, 0.0);
        Element::of(Tag::Figure, "fl-code")
            .children(path)
            .child(pre.child(inner))
            .children(code.cut.map(cut))
    }

    pub(super) fn diff(self, diff: &Diff) -> Element {
        let mut caption = Element::of(Tag::Figcaption, "fl-path")
            .text(diff.path.as_str())
            .text(" ");
        if diff.is_new {
            caption = caption.child(badge("new", Tone::Info)).text(" ");
        }
        caption = match (diff.added, diff.removed) {
            (0, 0) => caption.child(span("fl-muted", diff.counts())),
            (added, removed) => caption
                .child(span("fl-success", format!("+{added}")))
                .text(" ")
                .child(span("fl-danger", format!("-{removed}"))),
        };
        let table = if self.split { split } else { unified };
        let table = (!diff.hunks.is_empty()).then(|| scrollable(table(diff)));
        Element::of(Tag::Figure, "fl-diff")
            .child(caption)
            .children(table)
            .children(diff.cut.map(cut))
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
    let cell = |name: &&str| {
        Element::new(Tag::Th)
            .keyword(Keyword::Scope, "col")
            .text(*name)
    };
    let row = Element::new(Tag::Tr).children(names.iter().map(cell));
    Element::of(Tag::Thead, "fl-unseen").child(row)
}

fn hunk_row(hunk: &DiffHunk) -> Element {
    let cell = Element::of(Tag::Td, "fl-hunk")
        .number(Number::ColSpan, 4.0)
        .text(hunk.header());
    Element::new(Tag::Tr).child(cell)
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
        let source = Element::of(Tag::Td, "fl-source");
        let Some(line) = line else {
            return [Element::of(Tag::Td, "fl-line-number"), source];
        };
        let number = number(if old { line.old } else { line.new });
        let text = match line.mark {
            Mark::Same => line.text.clone(),
            mark => format!("{}{}", mark.symbol(), line.text),
        };
        [number, source.class(row_class(line.mark)).text(text)]
    };
    let mut body = Element::new(Tag::Tbody);
    for hunk in &diff.hunks {
        body = body.child(hunk_row(hunk));
        for (old, new) in hunk.split() {
            let cells = side(old, true).into_iter().chain(side(new, false));
            body = body.child(Element::new(Tag::Tr).children(cells));
        }
    }
    let head = head(&["Line before", "Text before", "Line after", "Text after"]);
    Element::of(Tag::Table, "fl-split").child(head).child(body)
}
