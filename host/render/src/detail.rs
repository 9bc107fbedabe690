//! Builds views of the items of a session, in the amount of detail that fits.

use crate::lower::{Limits, Lower};
use crate::view::{Frame, View};
use footlight_vocabulary::item::{CallId, CallResult, Content, Item, ItemId};
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

/// The limits for [`Detail::Full`].
const FULL: Limits = Limits {
    text: 64 << 20,
    lines: 1 << 20,
    rows: 1 << 20,
    columns: 1_000,
    cell: 1 << 20,
    values: 1 << 20,
    depth: 32,
    points: 10_000,
};

/// How much of an item a view contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// About as much as fits on a screen with this many rows.
    Screen(usize),
    /// About as much as a page shows at once.
    Page,
    /// The default limits of the renderer.
    Default,
    /// Everything, with nothing collapsed.
    Full,
}

impl Detail {
    /// Returns the limits of what is drawn.
    #[must_use]
    pub fn limits(self) -> Limits {
        match self {
            Self::Page => Limits {
                rows: 200,
                ..Limits::default()
            },
            Self::Default => Limits::default(),
            Self::Full => FULL,
            Self::Screen(height) => {
                // Leave room for other output.
                let rows = height.saturating_sub(8).max(10);
                Limits {
                    lines: rows,
                    rows,
                    values: rows,
                    ..Limits::default()
                }
            }
        }
    }
}

/// What the model knows an output by, before its id.
const OUTPUT: &str = "[output:";

/// The most characters of an output's title in a sentence.
const MAX_TITLE: usize = 80;

/// Returns the part of a text that can be shown while more of it is on its way: all of it but the beginning of a
/// reference to an output, which [`ViewBuilder::name_outputs`] names once it is whole.
#[must_use]
pub fn without_open_reference(text: &str) -> &str {
    /// The most bytes of an id. What is longer is text.
    const MAX_ID: usize = 128;
    let Some(at) = text.rfind('[') else {
        return text;
    };
    let (before, last) = text.split_at(at);
    let is_open = match last.strip_prefix(OUTPUT) {
        Some(id) => id.len() <= MAX_ID && !id.contains(|c: char| c == ']' || c.is_whitespace()),
        None => OUTPUT.starts_with(last),
    };
    if is_open { before } else { text }
}

/// Builds views.
#[derive(Debug, Default)]
pub struct ViewBuilder {
    /// The plugin that made each call.
    plugins: HashMap<CallId, String>,
    /// The titles of outputs, as they stand in a sentence.
    titles: HashMap<ItemId, String>,
}

impl ViewBuilder {
    /// Records what later items refer to: which plugin made a call, and the title of an output.
    pub fn learn(&mut self, item: &Item) {
        match &item.content {
            Content::Tool(tool) => {
                let plugin = tool.function.split('.').next().unwrap_or_default();
                let call = CallId::from(item.id.as_str());
                self.plugins.insert(call, plugin.to_owned());
            }
            Content::Output(output) => {
                self.titles.insert(item.id.clone(), spoken(&output.title));
            }
            _ => {}
        }
    }

    /// Puts the titles of outputs in place of `[output:<id>]`, which is for the model.
    #[must_use]
    pub fn name_outputs<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut named = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(OUTPUT) {
            let id = after.split_once(']');
            let title = id.and_then(|(id, _)| self.titles.get(&ItemId::from(id)));
            named.push_str(before);
            rest = match (id, title) {
                (Some((_, after)), Some(title)) => {
                    named.push_str(title);
                    after
                }
                _ => {
                    named.push_str(OUTPUT);
                    after
                }
            };
        }
        match named.is_empty() && rest.len() == text.len() {
            true => Cow::Borrowed(text),
            false => Cow::Owned(named + rest),
        }
    }

    /// Returns an item with the titles of outputs in its texts; none if it names no output.
    fn with_titles(&self, item: &Item) -> Option<Item> {
        if self.titles.is_empty() {
            return None;
        }
        let mut named = item.clone();
        let is_named = match &mut named.content {
            Content::Text(text) => self.name_in(&mut text.text),
            Content::Reasoning(reasoning) => self.name_in(&mut reasoning.text),
            Content::Tool(tool) => match &mut tool.result {
                CallResult::Success { output } => self.name_in_value(output),
                CallResult::Error { error, .. } => self.name_in(error),
                CallResult::Pending { .. } => false,
            },
            _ => false,
        };
        is_named.then_some(named)
    }

    fn name_in(&self, text: &mut String) -> bool {
        let Cow::Owned(named) = self.name_outputs(text) else {
            return false;
        };
        *text = named;
        true
    }

    /// Names outputs in the strings of a value, whose depth was checked when it was parsed.
    fn name_in_value(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => self.name_in(text),
            Value::Array(values) => {
                let named = values.iter_mut().map(|value| self.name_in_value(value));
                named.fold(false, |any, is_named| any | is_named)
            }
            Value::Object(members) => {
                let named = members.values_mut().map(|value| self.name_in_value(value));
                named.fold(false, |any, is_named| any | is_named)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// Returns the renderer's view factory with these limits.
    pub fn lower(&self, detail: Detail) -> Lower<'_> {
        Lower::default().within(detail.limits())
    }

    /// Returns the view of an item.
    pub fn item(&self, item: &Item, detail: Detail) -> View {
        let from = item.content.call().and_then(|call| self.plugins.get(call));
        let named = self.with_titles(item);
        let item = named.as_ref().unwrap_or(item);
        let lower = self.lower(detail);
        within(detail, lower.item_from(item, from.map(String::as_str)))
    }

    /// Returns the view of a result.
    pub fn result(&self, result: &SemanticResult, detail: Detail) -> View {
        within(detail, self.lower(detail).result(result))
    }
}

/// Quotes the title of an output for a sentence. It is the plugin's, and the sentence may be Markdown of
/// somebody else, so only characters that mean nothing there stay.
fn spoken(title: &str) -> String {
    let plain = |c: char| match c {
        _ if c.is_alphanumeric() => c,
        '.' | ',' | '-' | '/' | '(' | ')' => c,
        _ => ' ',
    };
    let words: String = title.chars().map(plain).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    let title: String = words.join(" ").chars().take(MAX_TITLE).collect();
    match title.as_str() {
        "" => "an output".to_owned(),
        title => format!("“{title}”"),
    }
}

/// Unfolds the reasoning or the frame of a view, or bounds the frame's height.
fn within(detail: Detail, mut view: View) -> View {
    if let View::Thought(thought) = &mut view {
        thought.folded = detail != Detail::Full;
    }
    match (detail, frame_mut(&mut view)) {
        (Detail::Full, Some(frame)) => {
            frame.collapsed = false;
            frame.max_height = None;
        }
        (Detail::Screen(height), Some(frame)) => {
            let most = height.saturating_sub(4).max(10) as u64;
            frame.max_height = Some(frame.max_height.map_or(most, |own| own.min(most)));
        }
        _ => {}
    }
    view
}

/// Returns the frame of a result, or of the result in a call.
fn frame_mut(view: &mut View) -> Option<&mut Frame> {
    match view {
        View::Call(call) => frame_mut(&mut call.body),
        View::Frame(frame) => Some(frame),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Terminal;
    use serde_json::{Value, json};

    fn builder(titles: &[(&str, &str)]) -> ViewBuilder {
        let mut builder = ViewBuilder::default();
        for (id, title) in titles {
            builder.titles.insert(ItemId::from(*id), spoken(title));
        }
        builder
    }

    #[test]
    fn an_output_is_named_by_its_title() {
        let builder = builder(&[("out_1_abc", "CSV report"), ("out_2_abc", " ")]);
        for (text, named) in [
            ("Shown: [output:out_1_abc].", "Shown: “CSV report”."),
            (
                "[output:out_1_abc][output:out_2_abc]",
                "“CSV report”an output",
            ),
            ("[output:out_9_abc]", "[output:out_9_abc]"),
            ("[output:[output:out_1_abc]", "[output:“CSV report”"),
            ("[output:out_1_abc", "[output:out_1_abc"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(builder.name_outputs(text), named);
        }
        let mut value = json!({ "a": ["[output:out_1_abc]"], "b": 1 });
        assert!(builder.name_in_value(&mut value));
        assert_eq!(value, json!({ "a": ["“CSV report”"], "b": 1 }));
    }

    #[test]
    fn a_text_that_grows_never_shows_a_part_of_a_reference() {
        let builder = builder(&[("out_1_abc", "CSV report")]);
        let whole = "See [1], [output:out_1_abc] and [output of a]";
        for end in 0..=whole.len() {
            let shown = builder.name_outputs(without_open_reference(&whole[..end]));
            assert!(!shown.contains("out_1"), "{shown}");
            let complete = builder.name_outputs(whole);
            assert!(complete.starts_with(&*shown), "{shown}");
        }
        for text in ["a [x", "[output: no id", "[output:out_1_abc]", ""] {
            assert_eq!(without_open_reference(text), text);
        }
        let long = format!("[output:{}", "x".repeat(200));
        assert_eq!(without_open_reference(&long), long);
    }

    #[test]
    fn a_title_is_no_markdown_of_somebody_else() {
        let named = spoken("[x](https://evil.example) `a` *b* <i>\n# c\u{202e}");
        assert_eq!(named, "“x (https //evil.example) a b i c”");
        assert_eq!(spoken(&"x".repeat(500)).chars().count(), MAX_TITLE + 2);
    }

    #[test]
    fn screen_detail_is_shortened_and_full_detail_is_not() {
        let rows: Vec<Value> = (0..200).map(|n| json!({ "n": n })).collect();
        let result = json!({ "kind": "table", "data": { "columns": [{ "key": "n" }], "rows": rows },
                             "display": { "collapsed": true } });
        let result = serde_json::from_value(result).expect("a result");
        let builder = ViewBuilder::default();
        let view = builder.result(&result, Detail::Screen(24));
        let View::Frame(frame) = &view else {
            panic!("{view:?}")
        };
        let View::Table(table) = &*frame.body else {
            panic!("{view:?}")
        };
        assert_eq!(table.rows.len(), 16);
        assert_eq!(table.more_rows.map(|cut| cut.count), Some(184));
        let view = builder.result(&result, Detail::Full);
        let View::Frame(frame) = &view else {
            panic!("{view:?}")
        };
        let View::Table(table) = &*frame.body else {
            panic!("{view:?}")
        };
        assert_eq!((table.rows.len(), frame.collapsed), (200, false));
    }

    #[test]
    fn what_is_left_out_is_counted_once_and_whole() {
        let lines: String = (0..10_000).map(|n| format!("line {n}\n")).collect();
        let text = |display: Value| {
            let result =
                json!({ "kind": "text", "data": { "content": lines }, "display": display });
            serde_json::from_value(result).expect("a result")
        };
        let builder = ViewBuilder::default();
        let last = |result: SemanticResult, detail: Detail| {
            let drawing = Terminal::new(80).draw(&builder.result(&result, detail));
            let last = drawing.text.trim_end().lines().last().map(str::to_owned);
            (last.expect("a line"), drawing.is_cut)
        };
        for (display, detail, expected) in [
            (json!({}), Detail::Screen(24), "… 9984 more lines"),
            // The height of the frame leaves out more than the limit of lines does.
            (
                json!({ "maxHeight": 5 }),
                Detail::Screen(24),
                "… 9995 more lines",
            ),
            (
                json!({ "collapsed": true }),
                Detail::Default,
                "… 10,000 more lines (folded)",
            ),
        ] {
            let (last, is_cut) = last(text(display.clone()), detail);
            assert_eq!((last.as_str(), is_cut), (expected, true), "{display}");
        }
        let (last, is_cut) = last(text(json!({ "maxHeight": 5 })), Detail::Full);
        assert_eq!((last.as_str(), is_cut), ("line 9999", false));
        let rows: Vec<Value> = (0..200).map(|n| json!({ "n": n })).collect();
        let table = json!({ "kind": "table", "display": { "maxHeight": 6 },
                            "data": { "columns": [{ "key": "n" }], "rows": rows } });
        let table: SemanticResult = serde_json::from_value(table).expect("a result");
        let drawing = Terminal::new(80).draw(&builder.result(&table, Detail::Screen(24)));
        let last = drawing.text.lines().last().expect("a line").to_owned();
        // 4 rows below the header and its line, of the 16 that a screen has.
        assert_eq!(last, "… 12 more lines, 184 more rows");
    }
}
