//! Builds views of the items of a session, in the amount of detail that fits.

use crate::lower::{Limits, Lower};
use crate::view::{Frame, View};
use footlight_vocabulary::item::{CallId, Content, Item};
use footlight_vocabulary::result::SemanticResult;
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

/// Builds views.
#[derive(Debug, Default)]
pub struct ViewBuilder {
    /// The plugin that made each call.
    plugins: HashMap<CallId, String>,
}

impl ViewBuilder {
    /// Records which plugin made a call.
    pub fn learn_owner(&mut self, item: &Item) {
        if let Content::Tool(tool) = &item.content {
            let plugin = tool.function.split('.').next().unwrap_or_default();
            let call = CallId::from(item.id.as_str());
            self.plugins.insert(call, plugin.to_owned());
        }
    }

    /// Returns the renderer's view factory with these limits.
    pub fn lower(&self, detail: Detail) -> Lower<'_> {
        Lower::default().within(detail.limits())
    }

    /// Returns the view of an item.
    pub fn item(&self, item: &Item, detail: Detail) -> View {
        let from = item.content.call().and_then(|call| self.plugins.get(call));
        let lower = self.lower(detail);
        within(detail, lower.item_from(item, from.map(String::as_str)))
    }

    /// Returns the view of a result.
    pub fn result(&self, result: &SemanticResult, detail: Detail) -> View {
        within(detail, self.lower(detail).result(result))
    }
}

/// Unfolds the frame of a view, or bounds its height.
fn within(detail: Detail, mut view: View) -> View {
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
            let last = drawing.text.lines().last().map(str::to_owned);
            (last.expect("a line"), drawing.is_cut)
        };
        for (display, detail, expected) in [
            (json!({}), Detail::Screen(24), "… 9,984 more lines"),
            // The height of the frame leaves out more than the limit of lines does.
            (
                json!({ "maxHeight": 5 }),
                Detail::Screen(24),
                "… 9,995 more lines",
            ),
            (
                json!({ "collapsed": true }),
                Detail::Default,
                "… 9,999 more lines (folded)",
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
