//! Text in a view: runs of characters with a style and an optional link.

use super::Address;
use crate::filter::clean;
use crate::math::Formula;

/// A block of running text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Text {
    /// The role of the text.
    pub role: Role,
    /// The text. A line feed is a line break.
    pub inline: Inline,
    /// The alignment, if one was requested.
    pub align: Option<super::Align>,
    /// The maximum number of lines to show; the remainder is replaced by an ellipsis.
    pub max_lines: Option<u64>,
    /// The amount left out.
    pub cut: Option<super::Cut>,
}

impl Text {
    /// Creates a paragraph of plain text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(Role::Body, Inline::plain(text))
    }

    /// Creates a block with the given role.
    pub fn new(role: Role, inline: Inline) -> Self {
        Self {
            role,
            inline,
            ..Self::default()
        }
    }
}

/// The role of a block of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Role {
    /// A paragraph.
    #[default]
    Body,
    /// Preformatted lines: white space is preserved.
    Lines,
    /// A heading, from level 1 (top) to 6.
    Heading(u8),
    /// Small text that accompanies another view.
    Caption,
    /// The label of a form field.
    Label {
        /// The name of the field.
        field: String,
    },
}

/// A sequence of styled text runs. A line feed is a line break.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inline {
    /// The runs, in order.
    pub spans: Vec<Span>,
}

impl Inline {
    /// Creates unstyled text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self::from(Span::plain(text))
    }

    /// Reports whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.spans.iter().all(|span| span.text.is_empty())
    }

    /// Returns the text without styles.
    pub fn to_text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }

    /// Returns the runs that have text. The last run of a link comes with the link's end: the text of
    /// a link may claim anything, so every surface shows there where the link leads.
    pub(crate) fn spans_and_link_ends(&self) -> Vec<(&Span, Option<LinkEnd<'_>>)> {
        // Nothing stands for a run of invisible characters.
        let spans = self
            .spans
            .iter()
            .filter(|span| !clean(&span.text).is_empty());
        let spans: Vec<&Span> = spans.collect();
        let mut ends = Vec::with_capacity(spans.len());
        let mut text = String::new();
        for (n, span) in spans.iter().enumerate() {
            let mut end = None;
            if let Some(address) = &span.link {
                text.push_str(&clean(&span.text));
                let next = spans.get(n + 1);
                if next.is_none_or(|next| next.link.as_ref() != Some(address)) {
                    let host = format!(" ({})", address.host());
                    let names_it = |next: &&Span| next.link.is_none() && next.text == host;
                    end = Some(LinkEnd {
                        address,
                        text: std::mem::take(&mut text),
                        host_follows: next.is_some_and(names_it),
                    });
                }
            }
            ends.push((*span, end));
        }
        ends
    }
}

/// The end of a link in running text.
#[derive(Debug)]
pub(crate) struct LinkEnd<'v> {
    pub(crate) address: &'v Address,
    /// The whole text of the link.
    pub(crate) text: String,
    /// Whether the next run names the host.
    pub(crate) host_follows: bool,
}

impl LinkEnd<'_> {
    /// Returns what has to follow the link, so that its host is shown.
    pub(crate) fn host(&self) -> Option<String> {
        let is_shown = self.host_follows || self.names_host();
        (!is_shown).then(|| format!(" ({})", self.address.host()))
    }

    /// Reports whether the text is itself an address on the same host. It is not enough that the text
    /// contains the host: so does `evil.example.bank.example`.
    fn names_host(&self) -> bool {
        let words = self.text.trim();
        let read = Address::parse(words)
            .or_else(|| Address::parse(&format!("https://{words}")))
            .or_else(|| Address::parse(&format!("mailto:{words}")));
        read.is_some_and(|read| read.host() == self.address.host())
    }
}

impl From<Span> for Inline {
    fn from(span: Span) -> Self {
        Self { spans: vec![span] }
    }
}

/// A run of text with one style.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Span {
    /// The text.
    pub text: String,
    /// The appearance of the text.
    pub style: Style,
    /// The target of the link.
    pub link: Option<Address>,
    /// The formula that the text writes out, for surfaces that can draw it.
    pub math: Option<Box<Formula>>,
}

impl Span {
    /// Creates unstyled text.
    pub fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Creates muted text.
    pub fn muted(text: impl Into<String>) -> Self {
        Self::styled(text, Style::toned(Tone::Muted))
    }

    /// Creates a formula from its LaTeX source. Where it cannot be drawn it is readable text, or else its
    /// source.
    pub(crate) fn math(source: &str, is_display: bool) -> Self {
        let math = Formula::parse(source, is_display);
        match math.as_ref().and_then(Formula::to_text) {
            Some(text) => Self {
                math: math.map(Box::new),
                ..Self::plain(text)
            },
            None => Self {
                math: math.map(Box::new),
                ..Self::code(source.split_whitespace().collect::<Vec<_>>().join(" "))
            },
        }
    }

    /// Creates text in the style of code.
    pub fn code(text: impl Into<String>) -> Self {
        Self::styled(text, Style::CODE)
    }

    /// Creates styled text.
    pub fn styled(text: impl Into<String>, style: Style) -> Self {
        Self {
            text: text.into(),
            style,
            ..Self::default()
        }
    }
}

/// The appearance of a run of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Style {
    /// Bold.
    pub bold: bool,
    /// Italic.
    pub italic: bool,
    /// Struck through.
    pub strike: bool,
    /// Underlined.
    pub underline: bool,
    /// Faint.
    pub dim: bool,
    /// Monospaced: code, a path or a key.
    pub code: bool,
    /// The meaning expressed by its colour.
    pub tone: Tone,
    /// The foreground colour that a program printed in a log.
    pub color: Option<Ansi>,
    /// The background colour that a program printed in a log.
    pub background: Option<Ansi>,
}

impl Style {
    /// No style.
    pub const PLAIN: Self = Self {
        bold: false,
        italic: false,
        strike: false,
        underline: false,
        dim: false,
        code: false,
        tone: Tone::Plain,
        color: None,
        background: None,
    };

    /// Code.
    pub const CODE: Self = Self {
        code: true,
        ..Self::PLAIN
    };

    /// Creates a style with a tone only.
    pub const fn toned(tone: Tone) -> Self {
        Self {
            tone,
            ..Self::PLAIN
        }
    }
}

/// The meaning of a colour. Each surface has one readable colour per tone, in light and dark
/// themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Tone {
    /// No meaning.
    #[default]
    Plain,
    /// Less important.
    Muted,
    /// Highlighted.
    Accent,
    /// Informative.
    Info,
    /// Successful.
    Success,
    /// Deserving attention.
    Warning,
    /// Failed or dangerous.
    Danger,
    /// New.
    Discovery,
}

impl Tone {
    /// All tones.
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
}

/// One of the sixteen ANSI colours: 0 to 7 are black, red, green, yellow, blue, magenta, cyan and
/// white; 8 to 15 are their bright variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ansi(u8);

impl Ansi {
    /// Returns the colour with this number, modulo sixteen.
    pub fn new(number: u8) -> Self {
        Self(number % 16)
    }

    /// Returns the number, 0 to 15.
    pub fn number(self) -> u8 {
        self.0
    }
}
