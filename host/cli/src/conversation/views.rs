//! Items as they are drawn here: with the widget types that the plugins declare, and as much of them
//! as fits.
//!
//! A [`Brush`] turns items into views for [`Ui`](crate::terminal::ui::Ui); `draw/record.rs` turns whole turns
//! into text, Markdown or a page.

use footlight::Plugin;
use footlight_render::lower::{Limits, Lower};
use footlight_render::registry::Registry;
use footlight_render::view::{Frame, View};
use footlight_vocabulary::item::{CallId, Content, Item};
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;
use std::collections::HashMap;

/// How much there may be of something where somebody wants to see all of it.
const EVERYTHING: Limits = Limits {
    text: 64 << 20,
    lines: 1 << 20,
    rows: 1 << 20,
    columns: 1_000,
    cell: 1 << 20,
    values: 1 << 20,
    depth: 32,
    points: 10_000,
};

/// How much of an item is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Most {
    /// About as much as a screen with so many rows shows.
    Screen(usize),
    /// What anybody would want to read.
    Usual,
    /// All of it, unfolded.
    Everything,
}

impl Most {
    fn limits(self) -> Limits {
        match self {
            Self::Usual => Limits::default(),
            Self::Everything => EVERYTHING,
            Self::Screen(height) => {
                // Something else has to be seen beside it.
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

/// Draws items.
#[derive(Debug, Default)]
pub(crate) struct Brush {
    registry: Registry,
    /// Whose call it was.
    plugins: HashMap<CallId, String>,
}

impl Brush {
    /// With the widget types that these plugins declare.
    pub(crate) fn of(plugins: &[Plugin]) -> Self {
        let mut brush = Self::default();
        for plugin in plugins {
            for declared in plugin.widgets() {
                let (of, name) = (plugin.clone(), declared.name.clone());
                let fits = move |data: &Value| of.fits(&name, data);
                brush.registry.declare(plugin.id(), declared.clone(), fits);
            }
        }
        brush
    }

    /// Remembers who made which call.
    pub(crate) fn learn(&mut self, item: &Item) {
        if let Content::Tool(tool) = &item.content {
            let plugin = tool.function.split('.').next().unwrap_or_default();
            let call = CallId::from(item.id.as_str());
            self.plugins.insert(call, plugin.to_owned());
        }
    }

    /// What makes views.
    pub(crate) fn lower(&self, most: Most) -> Lower<'_> {
        Lower::default().with(&self.registry).within(most.limits())
    }

    /// An item, and whether something of it was left out.
    pub(crate) fn item(&self, item: &Item, most: Most) -> (View, bool) {
        let from = item.content.call().and_then(|call| self.plugins.get(call));
        let draw = |most: Most| {
            let lower = self.lower(most);
            lower.item_from(item, from.map(String::as_str))
        };
        cut_to(most, draw)
    }

    /// A result, and whether something of it was left out.
    pub(crate) fn result(&self, result: &SemanticResult, most: Most) -> (View, bool) {
        cut_to(most, |most| self.lower(most).result(result))
    }
}

fn cut_to(most: Most, draw: impl Fn(Most) -> View) -> (View, bool) {
    let view = draw(most);
    match most {
        Most::Usual => (view, false),
        Most::Everything => (unfolded(view), false),
        Most::Screen(height) => {
            let is_cut = view != draw(Most::Usual);
            (no_taller(view, height), is_cut)
        }
    }
}

/// A call's result, or a result, that is at most so many lines tall.
fn no_taller(view: View, height: usize) -> View {
    let most = height.saturating_sub(4).max(10) as u64;
    match view {
        View::Call(mut call) => {
            call.body = Box::new(no_taller(*call.body, height));
            View::Call(call)
        }
        View::Frame(frame) => View::Frame(Frame {
            max_height: Some(frame.max_height.map_or(most, |own| own.min(most))),
            ..frame
        }),
        view => view,
    }
}

/// A call's result, or a result, with nothing folded away.
fn unfolded(view: View) -> View {
    match view {
        View::Call(mut call) => {
            call.body = Box::new(unfolded(*call.body));
            View::Call(call)
        }
        View::Frame(frame) => View::Frame(Frame {
            collapsed: false,
            max_height: None,
            ..frame
        }),
        view => view,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_longer_than_the_screen_is_cut_and_all_of_it_is_not() {
        let rows: Vec<Value> = (0..200).map(|n| json!({ "n": n })).collect();
        let result = json!({ "kind": "table", "data": { "columns": [{ "key": "n" }], "rows": rows },
                             "display": { "collapsed": true } });
        let result = serde_json::from_value(result).expect("a result");
        let brush = Brush::default();
        let (view, is_cut) = brush.result(&result, Most::Screen(24));
        let View::Frame(frame) = &view else {
            panic!("{view:?}")
        };
        let View::Table(table) = &*frame.body else {
            panic!("{view:?}")
        };
        assert_eq!((table.rows.len(), is_cut), (16, true));
        assert_eq!(table.more_rows.map(|cut| cut.count), Some(184));
        let (view, is_cut) = brush.result(&result, Most::Everything);
        let View::Frame(frame) = &view else {
            panic!("{view:?}")
        };
        let View::Table(table) = &*frame.body else {
            panic!("{view:?}")
        };
        assert_eq!(
            (table.rows.len(), frame.collapsed, is_cut),
            (200, false, false)
        );
    }
}
