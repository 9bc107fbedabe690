//! Text in a view: runs of characters with a style and perhaps a link.

use super::Address;

/// A block of running text.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// What it is for.
    pub role: Role,
    /// The text. A line feed in it is a line break.
    pub inline: Inline,
    /// Where it stands in its line, where something was said about it.
    pub align: Option<super::Align>,
    /// How many lines are shown at most; the rest is behind an ellipsis, not gone.
    pub max_lines: Option<u64>,
    /// How much of it was left out.
    pub cut: Option<super::Cut>,
}

impl Text {
    /// A paragraph of plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(Role::Body, Inline::plain(text))
    }

    /// A block with this role.
    #[must_use]
    pub fn new(role: Role, inline: Inline) -> Self {
        Self {
            role,
            inline,
            align: None,
            max_lines: None,
            cut: None,
        }
    }
}

/// What a block of text is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// To be read.
    Body,
    /// Lines that must stay as they are: white space counts.
    Lines,
    /// A headline; 1 is the greatest, 6 the least.
    Heading(u8),
    /// Small text that goes with something else.
    Caption,
    /// The name of a form's field.
    Label {
        /// Which field.
        field: String,
    },
}

/// Text on one line, or on as many as it has line feeds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inline {
    /// The runs, in order.
    pub spans: Vec<Span>,
}

impl Inline {
    /// Plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::from(Span::plain(text))
    }

    /// Whether there is nothing to read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.iter().all(|span| span.text.is_empty())
    }

    /// The characters alone.
    #[must_use]
    pub fn to_text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}

impl From<Span> for Inline {
    fn from(span: Span) -> Self {
        Self { spans: vec![span] }
    }
}

/// A run of characters that look alike.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Span {
    /// The characters.
    pub text: String,
    /// How they look.
    pub style: Style,
    /// Where they lead.
    pub link: Option<Address>,
}

impl Span {
    /// Characters without a style.
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Characters that look like this.
    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
            link: None,
        }
    }
}

/// How a run of characters looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Style {
    /// Heavy.
    pub bold: bool,
    /// Slanted.
    pub italic: bool,
    /// Struck through.
    pub strike: bool,
    /// Underlined.
    pub underline: bool,
    /// Faint.
    pub dim: bool,
    /// Code, a path, a key: in a fixed pitch.
    pub code: bool,
    /// What its colour says.
    pub tone: Tone,
    /// A colour of the terminal's sixteen, in a log.
    pub color: Option<Ansi>,
    /// A background of the terminal's sixteen, in a log.
    pub background: Option<Ansi>,
}

/// What a colour says. Surfaces have one colour for each, readable in light and dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Tone {
    /// Nothing.
    #[default]
    Plain,
    /// Less important.
    Muted,
    /// What stands out.
    Accent,
    /// Good to know.
    Info,
    /// It went well.
    Success,
    /// Something is not as wished.
    Warning,
    /// Something went wrong, or can do harm.
    Danger,
    /// Something new.
    Discovery,
}

impl Tone {
    /// Every tone.
    pub const ALL: [Self; 8] = [
        Self::Plain,
        Self::Muted,
        Self::Accent,
        Self::Info,
        Self::Success,
        Self::Warning,
        Self::Danger,
        Self::Discovery,
    ];

    /// Its name, such as `danger`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Muted => "muted",
            Self::Accent => "accent",
            Self::Info => "info",
            Self::Success => "success",
            Self::Warning => "warning",
            Self::Danger => "danger",
            Self::Discovery => "discovery",
        }
    }
}

/// One of the terminal's sixteen colours: 0 to 7 are black, red, green, yellow, blue, magenta, cyan,
/// white; 8 to 15 the same, brighter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ansi(u8);

impl Ansi {
    /// The colour with this number, modulo sixteen.
    #[must_use]
    pub fn new(number: u8) -> Self {
        Self(number % 16)
    }

    /// Its number, 0 to 15.
    #[must_use]
    pub fn number(self) -> u8 {
        self.0
    }
}
