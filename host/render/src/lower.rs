//! From the vocabulary to views: results, widgets, component trees, questions, items.
//!
//! [`Lower`] is the one way to a [`View`](crate::view::View). It decides what a thing is drawn as (`result` has the
//! order of precedence), reads the data, formats it, and cuts it to the [`Limits`].
//!
//! Invariant: it never fails and never panics (R-33). What does not fit the view it asks for
//! degrades: table to tree, text to tree, picture to its words. Its work is bounded by what it
//! shows, except for counting what it does not.

mod ansi;
mod chart;
mod component;
mod controls;
mod cut;
mod data;
mod diff;
mod generic;
mod image;
mod item;
mod known;
mod prose;
mod question;
mod result;
mod widget;

#[cfg(test)]
mod tests;

pub use widget::WidgetRef;

use crate::registry::Registry;

/// How much of something is drawn. The rest is counted (R-32).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// How many bytes of one text, and of all the cells of a table or the lines of a log together.
    pub text: usize,
    /// How many lines of one text.
    pub lines: usize,
    /// How many rows of a table, items of a list, entries of a folder, lines of a log.
    pub rows: usize,
    /// How many columns of a table.
    pub columns: usize,
    /// How many characters of one cell, or of one value in a tree.
    pub cell: usize,
    /// How many values of a tree.
    pub values: usize,
    /// How deep a tree goes.
    pub depth: usize,
    /// How many points of a chart.
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

/// How many series of a chart are drawn: more cannot be told apart.
const MAX_SERIES: usize = 12;

/// How many characters of a name: a key, a header, a label, a path.
const MAX_NAME: usize = 300;

/// Makes views, with what is registered and within limits.
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
pub struct Lower<'a> {
    registry: Option<&'a Registry>,
    limits: Limits,
}

impl<'a> Lower<'a> {
    /// Draws with these renderers where they know a kind or a widget.
    #[must_use]
    pub fn with(mut self, registry: &'a Registry) -> Self {
        self.registry = Some(registry);
        self
    }

    /// Draws at most this much.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How much is drawn.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }
}
