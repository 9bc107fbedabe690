//! Tables, trees, charts, facts, lists, logs and progress bars.

use super::{Content, Cut, Inline};
use crate::format;
use std::iter::once;

pub use footlight_vocabulary::kinds::Level as LogLevel;

/// A table.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Table {
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// Whether there is a header row.
    pub has_header: bool,
    /// The rows. Each has one cell per column, unless cells span several.
    pub rows: Vec<Vec<Cell>>,
    /// The number of rows left out at the end.
    pub more_rows: Option<Cut>,
    /// The number of columns left out on the right.
    pub more_columns: Option<Cut>,
}

impl Table {
    /// Creates a table with a header row, of which nothing is left out.
    pub fn new(columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Self {
        Self {
            columns,
            has_header: true,
            rows,
            ..Self::default()
        }
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Column {
    /// The content of the header cell.
    pub header: Content,
    /// The alignment of its cells.
    pub align: Align,
}

impl Column {
    /// Creates a column with a plain header.
    pub fn new(header: impl Into<String>, align: Align) -> Self {
        Self {
            header: Content::plain(header),
            align,
        }
    }
}

/// Horizontal alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// At the start of the reading direction.
    #[default]
    Start,
    /// Centred.
    Center,
    /// At the end of the reading direction.
    End,
}

impl Align {
    /// Returns how many of the `room` free columns precede the content.
    pub(crate) fn indent(self, room: usize) -> usize {
        match self {
            Self::Start => 0,
            Self::Center => room / 2,
            Self::End => room,
        }
    }
}

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Cell {
    /// The content of the cell.
    pub content: Content,
    /// The alignment, if it differs from the column's.
    pub align: Option<Align>,
    /// The number of columns it spans, 1 or more.
    pub columns: u32,
    /// The number of rows it spans, 1 or more.
    pub rows: u32,
}

impl Cell {
    /// Creates a cell with plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(Content::plain(text))
    }

    /// Creates a cell that spans one column and one row.
    pub fn new(content: Content) -> Self {
        Self {
            content,
            align: None,
            columns: 1,
            rows: 1,
        }
    }
}

/// A tree of nested keys and values.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tree {
    /// The outermost value; it has no key.
    pub root: TreeNode,
}

/// A value in a tree.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TreeNode {
    /// The member name, or the index in an array.
    pub key: Option<String>,
    /// The type of the value.
    pub shape: Shape,
    /// The value of a leaf; empty for objects and arrays.
    pub value: Inline,
    /// The members or elements.
    pub children: Vec<TreeNode>,
    /// The number of descendants left out, at all depths.
    pub more: Option<Cut>,
}

/// The type of a value in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A string, number, boolean or null.
    Leaf,
    /// An object.
    Object {
        /// The number of members, including omitted ones.
        len: usize,
    },
    /// An array.
    Array {
        /// The number of elements, including omitted ones.
        len: usize,
    },
}

/// A chart.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Chart {
    /// The default kind of its series.
    pub kind: ChartKind,
    /// The title above the chart.
    pub title: Option<String>,
    /// The label of the x axis.
    pub x_label: String,
    /// The label of each point on the x axis.
    pub labels: Vec<String>,
    /// The position of each point on a numeric x axis; present if every label is a number.
    pub x: Option<Vec<f64>>,
    /// The data series.
    pub series: Vec<Series>,
    /// The number of points left out at the end.
    pub more_points: Option<Cut>,
    /// The number of series left out.
    pub more_series: Option<Cut>,
}

impl Chart {
    /// Returns the data as a table, for readers who want the numbers or cannot see the drawing. The
    /// table does not mention omitted points and series.
    pub fn numbers(&self) -> Table {
        let column = |one: &Series| Column::new(&one.name, Align::End);
        let row = |(n, label): (usize, &String)| {
            let value = |one: &Series| one.value(n).map(format::exact).unwrap_or_default();
            let cells = once(label.clone()).chain(self.series.iter().map(value));
            cells.map(Cell::plain).collect()
        };
        let label = Column::new(&self.x_label, Align::Start);
        let columns = once(label).chain(self.series.iter().map(column)).collect();
        Table::new(columns, self.labels.iter().enumerate().map(row).collect())
    }
}

/// The way in which values are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChartKind {
    /// Bars, side by side or stacked.
    Bar,
    /// Points joined by lines.
    Line,
    /// Lines with the area below them filled.
    Area,
    /// Points only.
    Scatter,
    /// Shares of a whole, taken from the first series.
    Pie,
}

/// A data series of a chart.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The way in which the values are drawn.
    pub kind: ChartKind,
    /// The stack: bars and areas of the same stack are drawn on top of each other.
    pub stack: Option<String>,
    /// One finite value per label; `None` is a gap.
    pub values: Vec<Option<f64>>,
}

impl Series {
    /// Returns the value at point `n`, if there is one.
    pub(crate) fn value(&self, n: usize) -> Option<f64> {
        *self.values.get(n)?
    }
}

/// Returns the least and the greatest value, with `start` as the initial least and its negation as
/// the initial greatest value.
pub(crate) fn range(values: impl Iterator<Item = f64> + Clone, start: f64) -> (f64, f64) {
    (
        values.clone().fold(start, f64::min),
        values.fold(-start, f64::max),
    )
}

/// Pairs of labels and values.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Facts {
    /// The pairs, in order.
    pub facts: Vec<Fact>,
    /// The number of facts left out at the end.
    pub cut: Option<Cut>,
}

/// A label and its value.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Fact {
    /// The label.
    pub label: String,
    /// The value.
    pub value: Content,
}

/// A bulleted, numbered or task list.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct List {
    /// The number of the first item; `None` for bullets.
    pub start: Option<u64>,
    /// The items.
    pub items: Vec<ListItem>,
    /// The number of items left out at the end.
    pub cut: Option<Cut>,
}

/// A list item.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ListItem {
    /// Whether a task is done; `None` if the item is not a task.
    pub checked: Option<bool>,
    /// The content of the item.
    pub content: Content,
    /// A detail below the content, in smaller text.
    pub detail: Option<Inline>,
}

impl ListItem {
    /// Creates an item without check mark or detail.
    pub fn new(content: Content) -> Self {
        Self {
            content,
            ..Self::default()
        }
    }
}

/// Lines of a log, oldest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Log {
    /// The number of lines left out at the beginning.
    pub cut: Option<Cut>,
    /// The last lines.
    pub lines: Vec<LogLine>,
}

/// A line of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    /// The timestamp as it was sent.
    pub time: Option<String>,
    /// The severity.
    pub level: Option<LogLevel>,
    /// The message. ANSI colours of the original are converted to styled spans.
    pub text: Inline,
}

/// A progress bar.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// The name of the activity.
    pub label: Option<String>,
    /// The completed part, from 0 to 1; `None` if unknown.
    pub part: Option<f64>,
    /// The progress in words, such as `3/10`.
    pub words: Option<String>,
}
