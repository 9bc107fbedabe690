//! Tables, trees, charts, facts, lists, logs.

use super::{Content, Cut, Inline, Press, View};
use crate::format;

/// Rows under columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// The columns, from left to right.
    pub columns: Vec<Column>,
    /// Whether the columns have something at their heads.
    pub has_header: bool,
    /// The rows. Each has one cell for each column, unless cells span.
    pub rows: Vec<Vec<Cell>>,
    /// How many rows were left out at the end.
    pub more_rows: Option<Cut>,
    /// How many columns were left out at the right.
    pub more_columns: Option<Cut>,
}

/// One column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// What stands at its head.
    pub header: Content,
    /// To which side its cells lean.
    pub align: Align,
}

/// To which side something leans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Align {
    /// To where reading starts.
    #[default]
    Start,
    /// To the middle.
    Center,
    /// To where reading ends.
    End,
}

/// One cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// What it holds.
    pub content: Content,
    /// To which side it leans, where that differs from its column.
    pub align: Option<Align>,
    /// How many columns it covers, 1 or more.
    pub columns: u32,
    /// How many rows it covers, 1 or more.
    pub rows: u32,
}

impl Cell {
    /// A cell that covers one column and one row.
    #[must_use]
    pub fn new(content: Content) -> Self {
        Self {
            content,
            align: None,
            columns: 1,
            rows: 1,
        }
    }
}

/// Nested keys and values.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The outermost value; it has no key.
    pub root: Node,
}

/// One value in a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The member's name, or the place in a list counted from 0.
    pub key: Option<String>,
    /// What it is.
    pub shape: Shape,
    /// The value of a leaf; empty for what has parts.
    pub value: Inline,
    /// The parts.
    pub children: Vec<Node>,
    /// How many values below this one were left out, at all depths.
    pub more: Option<Cut>,
}

/// What a value in a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Text, a number, yes or no, nothing.
    Leaf,
    /// Members with names.
    Object {
        /// How many, also of those left out.
        len: usize,
    },
    /// Entries in order.
    Array {
        /// How many, also of those left out.
        len: usize,
    },
}

/// Rows drawn as bars, lines and the like.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// How it is drawn where a series does not say otherwise.
    pub kind: ChartKind,
    /// What stands above it.
    pub title: Option<String>,
    /// What the x axis is called.
    pub x_label: String,
    /// What each point is called, along the x axis.
    pub labels: Vec<String>,
    /// Where each point stands if the x axis is a scale: present when every label is a number.
    pub x: Option<Vec<f64>>,
    /// What is drawn.
    pub series: Vec<Series>,
    /// How many points were left out at the end.
    pub more_points: Option<Cut>,
    /// How many series were left out.
    pub more_series: Option<Cut>,
}

impl Chart {
    /// The same as rows and columns, for those who want the numbers or cannot see the drawing. What
    /// was left out of the chart is not mentioned.
    #[must_use]
    pub fn numbers(&self) -> Table {
        let column = |header: &str, align| Column {
            header: Content::plain(header),
            align,
        };
        let names = self.series.iter().map(|one| column(&one.name, Align::End));
        let row = |(n, label): (usize, &String)| {
            let value = |one: &Series| one.values.get(n).copied().flatten();
            let values = self.series.iter().map(value);
            let values = values.map(|value| value.map(format::exact).unwrap_or_default());
            let cells = std::iter::once(label.clone()).chain(values);
            cells.map(|text| Cell::new(Content::plain(text))).collect()
        };
        Table {
            columns: std::iter::once(column(&self.x_label, Align::Start))
                .chain(names)
                .collect(),
            has_header: true,
            rows: self.labels.iter().enumerate().map(row).collect(),
            more_rows: None,
            more_columns: None,
        }
    }
}

/// How values are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChartKind {
    /// Bars side by side, or on top of each other.
    Bar,
    /// Points joined by lines.
    Line,
    /// Lines with the space below them filled.
    Area,
    /// Points alone.
    Scatter,
    /// Shares of a whole, from the first series.
    Pie,
}

impl ChartKind {
    /// Its name, such as `bar`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Bar => "bar",
            Self::Line => "line",
            Self::Area => "area",
            Self::Scatter => "scatter",
            Self::Pie => "pie",
        }
    }
}

/// One sequence of values.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it is called.
    pub name: String,
    /// How it is drawn.
    pub kind: ChartKind,
    /// Bars and areas with the same word stand on top of each other.
    pub stack: Option<String>,
    /// One for each label, finite; nothing where there is a gap.
    pub values: Vec<Option<f64>>,
}

/// Labels and values.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// The facts, in order.
    pub facts: Vec<Fact>,
    /// How many were left out at the end.
    pub cut: Option<Cut>,
}

/// One label and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// What it is about.
    pub label: String,
    /// What is the case.
    pub value: Content,
}

/// Items below each other.
#[derive(Debug, Clone, PartialEq)]
pub struct List {
    /// The number of the first item where they are numbered.
    pub start: Option<u64>,
    /// The items.
    pub items: Vec<ListItem>,
    /// How many were left out at the end.
    pub cut: Option<Cut>,
}

/// One item of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ListItem {
    /// Whether it is ticked, in a list of things to do.
    pub checked: Option<bool>,
    /// What it says.
    pub content: Content,
    /// What goes below it, smaller.
    pub detail: Option<Inline>,
    /// What pressing it does.
    pub press: Option<Press>,
}

impl ListItem {
    /// An item that says this and no more.
    #[must_use]
    pub fn new(content: Content) -> Self {
        Self {
            checked: None,
            content,
            detail: None,
            press: None,
        }
    }
}

impl From<View> for ListItem {
    fn from(view: View) -> Self {
        Self::new(Content::Block(vec![view]))
    }
}

/// Lines of a log, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Log {
    /// How many lines were left out before the first.
    pub cut: Option<Cut>,
    /// The last lines.
    pub lines: Vec<LogLine>,
}

/// One line of a log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    /// When it was written.
    pub time: Option<String>,
    /// How much it matters.
    pub level: Option<LogLevel>,
    /// What it says; the colours it was printed with are in the spans.
    pub text: Inline,
}

/// How much a line of a log matters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the words of every log")]
pub enum LogLevel {
    Trace,
    Debug,
    Info,
    Warn,
    Error,
    /// A word we do not know.
    Other(String),
}

impl LogLevel {
    /// The word.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
            Self::Other(word) => word,
        }
    }
}

/// How far something is.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// What is under way.
    pub label: Option<String>,
    /// How far, from 0 to 1; absent where nobody knows.
    pub part: Option<f64>,
    /// How far, in words, such as `3/10`.
    pub words: Option<String>,
}
