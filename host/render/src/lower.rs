//! Lowers the vocabulary to views: results, widgets, component trees, questions, requests for
//! approval and items.
//!
//! The term comes from compilers: lowering replaces many high-level constructs by few simpler ones.
//! [`Lower`] is the only way to build a [`View`] from untrusted data. It chooses
//! the view (`result` documents the order of precedence), reads the data, formats it, and truncates
//! it to the [`Limits`].
//!
//! Invariant: lowering never fails and never panics. Data that does not fit the requested view
//! degrades: a table or a text to a tree, an image to its alternative text. The work is bounded by
//! what is shown, except for counting what is omitted.

mod ansi;
mod approval;
mod chart;
mod component;
mod cut;
mod data;
mod diff;
mod generic;
mod image;
mod item;
mod kinds;
mod markdown;
mod power;
mod question;
mod result;
mod widget;

#[cfg(test)]
mod tests;

pub use approval::Approval;
pub use data::tabular;
pub use power::{is_notable_use, power_line};
pub use widget::WidgetRef;

use crate::registry::Registry;
use crate::view::{Log, LogLine, View};
use serde_json::Value;

/// Limits on how much of a value is drawn. The remainder is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one text, and of all cells of a table or all lines of a log together.
    pub text: usize,
    /// Lines of one text.
    pub lines: usize,
    /// Rows of a table, items of a list, entries of a folder, lines of a log.
    pub rows: usize,
    /// Columns of a table.
    pub columns: usize,
    /// Characters of one cell, or of one value in a tree.
    pub cell: usize,
    /// Values of a tree.
    pub values: usize,
    /// Depth of a tree.
    pub depth: usize,
    /// Points of a chart.
    pub points: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            text: 200_000,
            lines: 5_000,
            rows: 1_000,
            columns: 60,
            cell: 2_000,
            values: 2_000,
            depth: 32,
            points: 500,
        }
    }
}

/// The maximum number of series in a chart; more cannot be told apart.
const MAX_SERIES: usize = 12;

/// The maximum length of a name (key, header, label, path) in characters.
const MAX_NAME: usize = 300;

/// Returns the string member `name` of a JSON object.
fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str()
}

/// Reports whether the member `name` of a JSON object is `true`.
fn is(object: &Value, name: &str) -> bool {
    object.get(name) == Some(&Value::Bool(true))
}

/// Returns the elements of the list member `name` of a JSON object; none if there is no such list.
fn list<'a>(object: &'a Value, name: &str) -> &'a [Value] {
    let list = object.get(name).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

/// Returns the view of text with the colours of a terminal (SGR), line by line.
pub fn terminal_text(text: &str) -> View {
    let line = |line: &str| LogLine {
        time: None,
        level: None,
        text: ansi::spans(line),
    };
    View::Log(Log {
        cut: None,
        lines: text.lines().map(line).collect(),
    })
}

/// Builds views, with optional registered renderers and within limits.
///
/// ```
/// use footlight_render::lower::Lower;
/// use footlight_render::view::View;
/// use footlight_vocabulary::kinds::Table;
/// use footlight_vocabulary::result::SemanticResult;
///
/// let table = Table::rows([serde_json::json!({ "city": "Oslo" })]);
/// let view = Lower::default().result(&SemanticResult::of(table)?);
/// let View::Frame(frame) = view else { panic!("a result is framed") };
/// assert!(matches!(*frame.body, View::Table(_)));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Lower<'a> {
    registry: Option<&'a Registry>,
    limits: Limits,
}

impl<'a> Lower<'a> {
    /// Uses the renderers and widget types in `registry`.
    pub fn with(mut self, registry: &'a Registry) -> Self {
        self.registry = Some(registry);
        self
    }

    /// Sets the limits.
    pub fn within(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}
