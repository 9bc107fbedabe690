//! What a surface draws: one small tree, whatever it came from.
//!
//! Results, widgets, component trees, questions and items all become a [`View`] (see
//! [`lower`](crate::lower)); a surface is one `match` over it. Everything a plugin sent is already
//! read, formatted and cut to size here, so that a surface decides about looks and nothing else.
//!
//! Invariant: a view is bounded, and it says exactly what was left out ([`Cut`]). Its strings are
//! still a plugin's strings: a surface passes each of them through [`clean`](crate::filter::clean)
//! on its way out. Two things are already safe by their type: an [`Address`] can be followed, and
//! a [`Picture`] can be shown.
//!
//! Deliberately absent: colours of a plugin's own, lengths, fonts, HTML.

mod address;
mod code;
mod data;
mod form;
mod image;
mod shown;
mod text;

pub use address::Address;
pub use code::{Code, Diff, DiffHunk, DiffLine, Mark};
pub use data::{
    Align, Cell, Chart, ChartKind, Column, Fact, Facts, List, ListItem, Log, LogLevel, LogLine,
    Node, Progress, Series, Shape, Table, Tree,
};
pub use form::{Button, Choice, Control, Field, Press};
pub use image::{Image, Picture, Raster, Source};
pub use shown::{Ask, AskState, Call, CallState, Output, Shown};
pub use text::{Ansi, Inline, Role, Span, Style, Text, Tone};

/// Something to draw.
#[derive(Debug, Clone, PartialEq)]
pub enum View {
    /// Nothing at all.
    Hidden,
    /// A paragraph, a headline, a caption, a label.
    Text(Text),
    /// Code in some language.
    Code(Code),
    /// What changed in one file.
    Diff(Diff),
    /// Rows under columns.
    Table(Table),
    /// Nested keys and values.
    Tree(Tree),
    /// A picture.
    Image(Image),
    /// Bars, lines, areas, points, shares.
    Chart(Chart),
    /// Labels and values.
    Facts(Facts),
    /// Items with bullets, numbers or ticks.
    List(List),
    /// Lines of a log.
    Log(Log),
    /// Words of someone else, set apart.
    Quote(Vec<View>),
    /// A word or two that says how something stands.
    Badge {
        /// The words.
        label: String,
        /// What its colour says.
        tone: Tone,
    },
    /// A sign, by its name in ChatKit's set, such as `check`.
    Icon {
        /// The name.
        name: String,
        /// What its colour says.
        tone: Tone,
    },
    /// How far something is.
    Progress(Progress),
    /// A word of the host to the person, or about what could not be drawn.
    Notice {
        /// How much it matters.
        tone: Tone,
        /// The words.
        text: Inline,
    },
    /// A line between what is above and what is below.
    Divider,
    /// Room that pushes its neighbours apart.
    Space,
    /// Several views in a box.
    Group(Group),
    /// Something to fill in.
    Field(Field),
    /// Something to press.
    Button(Button),
    /// A result with its hints.
    Frame(Frame),
    /// A call of a tool and how it ended.
    Call(Call),
    /// A widget, with who shows it.
    Shown(Shown),
    /// Stored content that can be fetched.
    Output(Output),
    /// A question to the person.
    Ask(Ask),
    /// Something was left out here.
    Cut(Cut),
}

impl View {
    /// A paragraph of plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text::plain(text))
    }

    /// Small text that goes with something else.
    pub fn caption(text: impl Into<String>) -> Self {
        Self::Text(Text {
            role: Role::Caption,
            ..Text::plain(text)
        })
    }

    /// A notice in plain words.
    pub fn notice(tone: Tone, text: impl Into<String>) -> Self {
        Self::Notice {
            tone,
            text: Inline::plain(text),
        }
    }

    /// Views one below the other; a single one stands for itself, none is [`View::Hidden`].
    #[must_use]
    pub fn column(mut views: Vec<View>) -> Self {
        match views.len() {
            0 => Self::Hidden,
            1 => views.remove(0),
            _ => Self::Group(Group::new(Layout::Column, views)),
        }
    }

    /// Whether there is nothing to draw.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        matches!(self, Self::Hidden)
    }
}

/// Several views in a box.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// How they stand.
    pub layout: Layout,
    /// How they share the room along the layout's direction.
    pub justify: Justify,
    /// What the whole is about, or how far it is.
    pub status: Option<Status>,
    /// What is in it.
    pub children: Vec<View>,
    /// What stands at the foot of a card: its buttons.
    pub footer: Vec<Button>,
    /// What pressing the box does (an item of a list), or submitting it (a form).
    pub press: Option<Press>,
    /// The path of the form that this box is, for what is submitted with a press; empty if the
    /// root of the tree is the form.
    pub form: Option<String>,
}

impl Group {
    /// A box without status, footer or action.
    #[must_use]
    pub fn new(layout: Layout, children: Vec<View>) -> Self {
        Self {
            layout,
            justify: Justify::Start,
            status: None,
            children,
            footer: Vec::new(),
            press: None,
            form: None,
        }
    }
}

/// How the views of a [`Group`] stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// In a frame, one below the other.
    Card,
    /// Side by side.
    Row,
    /// One below the other.
    Column,
    /// As the items of a list; the children are groups of layout [`Layout::Item`].
    List,
    /// As one item of a list.
    Item,
    /// One below the other, to be submitted together.
    Form,
}

/// How the views of a [`Group`] share the room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Justify {
    /// Together, where reading starts.
    #[default]
    Start,
    /// Together, in the middle.
    Center,
    /// Together, where reading ends.
    End,
    /// Apart: the first at the start, the last at the end.
    Between,
}

/// The header above a card or a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// What it says.
    pub text: String,
    /// The name of an icon before it.
    pub icon: Option<String>,
}

/// A result with its hints.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The result's line: its own summary, or what it is where nobody would know.
    pub caption: Option<String>,
    /// The kind, such as `table` or `acme.timeline`.
    pub kind: String,
    /// Whether it starts folded.
    pub collapsed: bool,
    /// How tall it may be, in lines.
    pub max_height: Option<u64>,
    /// How much it matters beside others.
    pub priority: Option<f64>,
    /// The result.
    pub body: Box<View>,
}

/// Text on one line, or views below each other: what a cell, a fact or an item of a list holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// Text.
    Inline(Inline),
    /// Anything else.
    Block(Vec<View>),
}

impl Content {
    /// Plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::Inline(Inline::plain(text))
    }
}

/// How much was left out, exactly. The full value stays in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// How many.
    pub count: u64,
    /// Of what.
    pub unit: Unit,
}

/// What a [`Cut`] counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each says what it counts")]
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
    Hunks,
    Components,
    Options,
    Fields,
}

impl Cut {
    /// `count` things more than are drawn; nothing where there are none.
    #[must_use]
    pub fn of(count: usize, unit: Unit) -> Option<Self> {
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        (count > 0).then_some(Self { count, unit })
    }
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
            Unit::Hunks => ("hunk", "hunks"),
            Unit::Components => ("component", "components"),
            Unit::Options => ("option", "options"),
            Unit::Fields => ("field", "fields"),
        };
        let word = if self.count == 1 { one } else { many };
        let count = crate::format::grouped(&self.count.to_string());
        write!(f, "{count} more {word}")
    }
}
