//! The tree that every surface draws.
//!
//! Results, widgets, component trees, questions and items all become a [`View`] (see
//! [`lower`](crate::lower)), and a surface is one `match` over it. Data sent by a plugin is already
//! parsed, formatted and truncated here, so that a surface decides about appearance and nothing
//! else.
//!
//! Invariant: a view is bounded, and states exactly what was left out ([`Cut`]). Its strings are
//! still untrusted: a surface passes each of them through [`clean`](crate::filter::clean) on
//! output. Two types are safe by construction: the target of an [`Address`] may be followed, and a
//! [`Picture`] may be shown.
//!
//! Deliberately absent: plugin-defined colours, lengths, fonts and HTML.

mod address;
mod code;
mod data;
mod form;
mod image;
mod item;
mod text;

pub(crate) use data::range;

pub use crate::math::Formula;
pub use address::Address;
pub use code::{Code, Diff, DiffHunk, DiffLine, Mark};
pub use data::{
    Align, Cell, Chart, ChartKind, Column, Fact, Facts, List, ListItem, Log, LogLevel, LogLine,
    Progress, Series, Shape, Table, Tree, TreeNode,
};
pub use form::{Button, Choice, Control, Field, Press};
pub use image::{Image, Picture, PictureError, RasterFormat, Source};
pub use item::{Ask, AskState, Call, CallState, Output, Thought, Widget};
pub(crate) use text::LinkEnd;
pub use text::{Ansi, Inline, Role, Span, Style, Text, Tone};

/// A node of the tree that surfaces draw.
#[derive(Debug, Clone, PartialEq, Default)]
#[must_use]
#[expect(missing_docs, reason = "the type of a variant describes it")]
#[non_exhaustive]
pub enum View {
    /// Nothing. A result with the hint `hidden` becomes this.
    #[default]
    Hidden,
    Text(Text),
    Code(Code),
    Diff(Diff),
    Table(Table),
    Tree(Tree),
    Image(Image),
    Chart(Chart),
    Facts(Facts),
    List(List),
    Log(Log),
    /// A block quote.
    Quote(Vec<View>),
    /// A short status label.
    Badge {
        /// The text of the label.
        label: String,
        /// The meaning expressed by its colour.
        tone: Tone,
    },
    /// An icon, by its name in ChatKit's set, such as `check`.
    Icon {
        /// The icon's name.
        name: String,
        /// The meaning expressed by its colour.
        tone: Tone,
    },
    Progress(Progress),
    /// A message of the host to the person, or a note about data that cannot be drawn.
    Notice {
        /// The severity.
        tone: Tone,
        /// The message.
        text: Inline,
    },
    /// A horizontal rule.
    Divider,
    /// Flexible space that pushes its neighbours apart.
    Space,
    Group(Group),
    Field(Field),
    Button(Button),
    Frame(Frame),
    Thought(Thought),
    Call(Call),
    Widget(Widget),
    Output(Output),
    Ask(Ask),
    /// A marker for content that was left out at this place.
    Cut(Cut),
}

impl View {
    /// Creates a paragraph of plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text::plain(text))
    }

    /// Creates a caption.
    pub fn caption(text: impl Into<String>) -> Self {
        Self::Text(Text::new(Role::Caption, Inline::plain(text)))
    }

    /// Creates a notice with plain text.
    pub fn notice(tone: Tone, text: impl Into<String>) -> Self {
        Self::Notice {
            tone,
            text: Inline::plain(text),
        }
    }

    /// Stacks views vertically. A single view is returned as it is; an empty list gives
    /// [`View::Hidden`].
    pub fn column(mut views: Vec<View>) -> Self {
        match views.len() {
            0 => Self::Hidden,
            1 => views.remove(0),
            _ => Self::Group(Group::new(Layout::Column, views)),
        }
    }

    /// Returns the first non-blank text in the view, as a name for a container without one.
    pub(crate) fn first_text(&self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text.inline.to_text()),
            Self::Badge { label, .. } => Some(label.clone()),
            Self::Button(button) => Some(button.label.clone()),
            Self::Group(group) => group.children.iter().find_map(Self::first_text),
            _ => None,
        }
        .filter(|text| !text.trim().is_empty())
    }

    /// Reports whether there is nothing to draw.
    pub fn is_hidden(&self) -> bool {
        matches!(self, Self::Hidden)
    }
}

/// A container of views.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Group {
    /// The arrangement of the children.
    pub layout: Layout,
    /// The distribution of free space along the layout's direction.
    pub justify: Justify,
    /// The header of a card or a list.
    pub status: Option<Status>,
    /// The views inside the container.
    pub children: Vec<View>,
    /// The buttons at the bottom of a card.
    pub footer: Vec<Button>,
    /// The action of a list item when it is pressed, or of a form when it is submitted.
    pub press: Option<Press>,
    /// The path of the form that this container is, sent along with a press. Empty if the root of
    /// the component tree is the form.
    pub form: Option<String>,
}

impl Group {
    /// Creates a container without header, footer or action.
    pub fn new(layout: Layout, children: Vec<View>) -> Self {
        Self {
            layout,
            children,
            ..Self::default()
        }
    }
}

/// The arrangement of the views in a [`Group`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Layout {
    /// A frame around vertically stacked views.
    Card,
    /// Side by side.
    Row,
    /// Vertically stacked.
    #[default]
    Column,
    /// The items of a list; the children are groups with the layout [`Layout::Item`].
    List,
    /// One item of a list.
    Item,
    /// Vertically stacked fields that are submitted together.
    Form,
}

/// The distribution of free space in a [`Group`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Justify {
    /// Packed at the start of the reading direction.
    #[default]
    Start,
    /// Packed in the middle.
    Center,
    /// Packed at the end of the reading direction.
    End,
    /// Spread out: the first child at the start, the last at the end.
    Between,
}

/// The header above a card or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The text of the header.
    pub text: String,
    /// The name of an icon before the text.
    pub icon: Option<String>,
}

/// A result with its display hints.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Frame {
    /// A line above the body: the result's summary, or its kind if the kind is unknown.
    pub caption: Option<String>,
    /// The kind, such as `table` or `acme.timeline`.
    pub kind: String,
    /// Whether the body starts folded.
    pub collapsed: bool,
    /// The maximum height in lines.
    pub max_height: Option<u64>,
    /// The importance relative to other results.
    pub priority: Option<f64>,
    /// The drawn data.
    pub body: Box<View>,
}

/// The content of a table cell, a fact or a list item.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// A run of text.
    Inline(Inline),
    /// Vertically stacked views.
    Block(Vec<View>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Inline(Inline::default())
    }
}

impl Content {
    /// Creates content from plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Inline(Inline::plain(text))
    }
}

/// The exact amount of content left out of a view. The full value stays in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// How many units were left out.
    pub count: u64,
    /// The unit that is counted.
    pub unit: Unit,
}

/// The unit of a [`Cut`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
#[non_exhaustive]
pub enum Unit {
    Rows,
    Columns,
    Lines,
    Characters,
    Items,
    Entries,
    Facts,
    Values,
    Points,
    Series,
    Options,
    Bytes,
}

impl Cut {
    /// Counts `count` omitted units; `None` if nothing was omitted.
    pub fn of(count: usize, unit: Unit) -> Option<Self> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        (count > 0).then_some(Self { count, unit })
    }

    /// Formats the count with an adjective: `12,000 more rows`, `3 earlier lines`.
    pub(crate) fn describe(self, adjective: &str) -> String {
        let (one, many) = match self.unit {
            Unit::Rows => ("row", "rows"),
            Unit::Columns => ("column", "columns"),
            Unit::Lines => ("line", "lines"),
            Unit::Characters => ("character", "characters"),
            Unit::Items => ("item", "items"),
            Unit::Entries => ("entry", "entries"),
            Unit::Facts => ("fact", "facts"),
            Unit::Values => ("value", "values"),
            Unit::Points => ("point", "points"),
            Unit::Series => ("series", "series"),
            Unit::Options => ("option", "options"),
            Unit::Bytes => ("byte", "bytes"),
        };
        let unit = if self.count == 1 { one } else { many };
        let count = crate::format::grouped(&self.count.to_string());
        format!("{count} {adjective} {unit}")
    }
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.describe("more"))
    }
}
