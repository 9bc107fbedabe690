//! Source code and diffs.

use super::{HtmlWriter, badge, cut, scrollable, span};
use crate::filter::clean;
use crate::highlight::Class;
use crate::markup::{Element, Generate, Generated, Keyword, Number, Tag, TextAttr};
use crate::view::{Code, Diff, DiffHunk, DiffLine, Mark, Tone};
use std::sync::Arc;

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
        let table = (!diff.hunks.is_empty()).then(|| scrollable(table(diff, self.split)));
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
fn head(names: &[&'static str; 4]) -> Element {
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

/// Draws a number, or an empty cell.
fn number(line: Option<u64>) -> Element {
    let cell = Element::new(Tag::Td);
    match line {
        Some(line) => cell.text(line.to_string()),
        None => cell,
    }
}

/// Unchanged lines have no class: most lines are unchanged.
fn class_of(mark: Mark) -> Option<&'static str> {
    match mark {
        Mark::Same => None,
        Mark::Added => Some("fl-added"),
        Mark::Removed => Some("fl-removed"),
    }
}

/// Draws the table. The style sheet tells its columns apart by their position, because a class in every cell
/// would be longer than most lines.
fn table(diff: &Diff, split: bool) -> Element {
    let (class, names) = match split {
        true => (
            "fl-split",
            ["Line before", "Text before", "Line after", "Text after"],
        ),
        false => (
            "fl-unified",
            ["Line before", "Line after", "Change", "Text"],
        ),
    };
    let hunks = Arc::clone(&diff.hunks);
    let rows = Generated::from(Rows { hunks, split });
    Element::of(Tag::Table, class)
        .child(head(&names))
        .child(Element::new(Tag::Tbody).child(rows))
}

/// The rows of a diff.
#[derive(Debug)]
struct Rows {
    hunks: Arc<[DiffHunk]>,
    split: bool,
}

impl Generate for Rows {
    fn generate(&self, write: &mut dyn FnMut(Element)) {
        for hunk in self.hunks.iter() {
            write(hunk_row(hunk));
            if self.split {
                for (old, new) in hunk.split() {
                    let cells = side(old, true).into_iter().chain(side(new, false));
                    write(Element::new(Tag::Tr).children(cells));
                }
            } else {
                hunk.lines.iter().map(unified).for_each(&mut *write);
            }
        }
    }
}

fn unified(line: &DiffLine) -> Element {
    Element::new(Tag::Tr)
        .class(class_of(line.mark))
        .child(number(line.old))
        .child(number(line.new))
        .child(Element::new(Tag::Td).text(line.mark.symbol().to_string()))
        .child(Element::new(Tag::Td).text(line.text.as_str()))
}

/// Draws one side of a diff in two columns.
fn side(line: Option<&DiffLine>, old: bool) -> [Element; 2] {
    let source = Element::new(Tag::Td);
    let Some(line) = line else {
        return [number(None), source];
    };
    let number = number(if old { line.old } else { line.new });
    let text = match line.mark {
        Mark::Same => line.text.clone(),
        mark => format!("{}{}", mark.symbol(), line.text),
    };
    [number, source.class(class_of(line.mark)).text(text)]
}
