//! Views as text for a terminal.
//!
//! [`Terminal`] says what the terminal is like, [`Terminal::draw`] draws one [`View`]. Each view
//! becomes lines of at most the width, boxes put lines beside or below each other, and only at the
//! end do lines become a string with colours and links.
//!
//! Invariant: every character comes through the [`filter`](crate::filter) (see `line.rs`), every
//! escape sequence is made in `emit.rs`, and these are SGR and OSC 8 only. No line is wider than
//! the width. Drawing is pure: it looks at no environment and writes nowhere.

mod action;
mod chart;
mod code;
mod data;
mod emit;
mod form;
mod group;
mod line;
mod palette;
mod picture;
mod record;
mod signs;
mod table;
mod text;
mod wrap;

#[cfg(test)]
mod tests;

pub use action::Action;
pub use picture::Room;

use crate::highlight::Budget;
use crate::view::{Style, Tone, View};
use line::{Line, Lines};
use signs::Signs;
use wrap::Wrap;

/// What a terminal can show.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Terminal {
    /// How many columns it has. Drawings are made for [`Self::MIN_WIDTH`] to
    /// [`Self::MAX_WIDTH`].
    pub width: usize,
    /// How many colours it has. Without any there are no styles at all.
    pub colour: Colour,
    /// What is behind the text.
    pub background: Background,
    /// Whether it shows lines, blocks and signs; if not, ASCII stands for them.
    pub unicode: bool,
    /// Whether links can be followed (OSC 8); if not, addresses are spelled out.
    pub links: bool,
    /// No frames, for a screen reader, a log or a file; it also has no colours, links or pictures.
    pub plain: bool,
    /// Whether the caller draws pictures itself, into room that is left for them
    /// ([`Drawing::pictures`]); if not, their words stand alone.
    pub pictures: bool,
    /// The number of the last action of what was drawn before, so that no number is on the
    /// screen twice.
    pub last_action: usize,
}

/// How many colours a terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colour {
    /// None, and no bold either.
    #[default]
    None,
    /// The sixteen that the person chose.
    Sixteen,
    /// 256 fixed ones.
    Many,
    /// All of them.
    True,
}

/// What is behind the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "each says what it is")]
pub enum Background {
    #[default]
    Dark,
    Light,
}

/// A view as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// The lines, each with a line feed.
    pub text: String,
    /// What can be pressed, by the number that stands in the text.
    pub actions: Vec<Action>,
    /// Where pictures belong, from top to bottom; empty unless [`Terminal::pictures`] is set.
    pub pictures: Vec<Room>,
    widths: Vec<usize>,
}

impl Drawing {
    /// How many rows it takes on a terminal of this width: what must be gone over to draw it anew
    /// in place. The width may have changed since it was drawn.
    #[must_use]
    pub fn rows(&self, width: usize) -> usize {
        let rows = |columns: &usize| columns.div_ceil(width.max(1)).max(1);
        self.widths.iter().map(rows).sum()
    }

    /// Whether there is nothing to see.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl Terminal {
    /// The least width that is drawn for.
    pub const MIN_WIDTH: usize = 20;
    /// The greatest width that is drawn for.
    pub const MAX_WIDTH: usize = 400;

    /// A terminal that shows Unicode and nothing else.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self {
            width,
            colour: Colour::None,
            background: Background::Dark,
            unicode: true,
            links: false,
            plain: false,
            pictures: false,
            last_action: 0,
        }
    }

    /// Draws a view.
    #[must_use]
    pub fn draw(&self, view: &View) -> Drawing {
        let mut terminal = self.clone();
        terminal.width = self.width.clamp(Self::MIN_WIDTH, Self::MAX_WIDTH);
        if self.plain {
            terminal.colour = Colour::None;
            terminal.links = false;
            terminal.pictures = false;
        }
        let colours = Budget::of_a_drawing();
        let pen = Pen {
            terminal: &terminal,
            colours: &colours,
            signs: if self.unicode {
                &signs::UNICODE
            } else {
                &signs::ASCII
            },
            width: terminal.width,
            depth: 0,
            beside: 0,
            submit: None,
        };
        let lines = pen.view(view).into_iter();
        let lines: Lines<'_> = lines
            .map(|line| line.clip(terminal.width, pen.signs.ellipsis).trimmed())
            .collect();
        Drawing {
            text: emit::string(&lines, &terminal),
            actions: action::of(view, self.last_action),
            pictures: picture::rooms(&lines),
            widths: lines.iter().map(Line::width).collect(),
        }
    }
}

/// Views deeper than this are not drawn: the stack has an end.
const MAX_DEPTH: usize = 48;

/// Boxes beside each other are measured before they are drawn; from here on they go below each
/// other, so that nesting does not double the work each time.
const MAX_BESIDE: usize = 3;

/// Longer lines of prose are hard to read.
const PROSE: usize = 100;

/// Draws at a place: how wide it is, and how deep in the tree.
#[derive(Debug, Clone, Copy)]
struct Pen<'t> {
    terminal: &'t Terminal,
    colours: &'t Budget,
    signs: &'static Signs,
    width: usize,
    depth: usize,
    beside: usize,
    /// The number of the action that submits the form around this place.
    submit: Option<usize>,
}

impl<'t> Pen<'t> {
    fn view<'v>(self, view: &'v View) -> Lines<'v> {
        if self.depth > MAX_DEPTH {
            return vec![self.say("nested too deep to be drawn")];
        }
        let pen = Pen {
            depth: self.depth + 1,
            ..self
        };
        match view {
            View::Hidden | View::Space => Vec::new(),
            View::Text(text) => pen.text(text),
            View::Code(code) => pen.code(code),
            View::Diff(diff) => pen.diff(diff),
            View::Table(table) => pen.table(table),
            View::Tree(tree) => pen.tree(tree),
            View::Image(image) => pen.image(image),
            View::Chart(chart) => pen.chart(chart),
            View::Facts(facts) => pen.facts(facts),
            View::List(list) => pen.list(list),
            View::Log(log) => pen.log(log),
            View::Quote(views) => pen.quote(views),
            View::Badge { label, tone } => vec![pen.badge(label, *tone)],
            View::Icon { name, tone } => vec![pen.icon(name, *tone)],
            View::Progress(progress) => vec![pen.progress(progress)],
            View::Notice { tone, text } => pen.notice(*tone, text),
            View::Divider => vec![pen.rule(pen.width)],
            View::Group(group) => pen.group(group),
            View::Field(field) => pen.field(field),
            View::Button(button) => vec![pen.button(button)],
            View::Frame(frame) => pen.frame(frame),
            View::Call(call) => pen.call(call),
            View::Ask(ask) => pen.ask(ask),
            View::Shown(shown) => pen.shown(shown),
            View::Output(output) => pen.output(output),
            View::Cut(cut) => vec![pen.cut(cut)],
        }
    }

    /// Views below each other, with room between those that are more than a line.
    fn views<'v>(self, views: &'v [View]) -> Lines<'v> {
        self.below(views, group::apart)
    }

    /// Views close below each other; only paragraphs have room between them.
    fn tight<'v>(self, views: &'v [View]) -> Lines<'v> {
        let body = |view: &View| matches!(view, View::Text(_));
        self.below(views, |above, below| body(above) && body(below))
    }

    fn below<'v>(self, views: &'v [View], apart: impl Fn(&View, &View) -> bool) -> Lines<'v> {
        let mut out = Vec::new();
        let mut last: Option<&View> = None;
        for view in views {
            let lines = self.view(view);
            if lines.is_empty() {
                continue;
            }
            if last.is_some_and(|last| apart(last, view)) {
                out.push(Line::default());
            }
            out.extend(lines);
            last = Some(view);
        }
        out
    }

    /// A narrower place, unless there would be too little left.
    fn inset(self, columns: usize) -> Self {
        let width = self.width.saturating_sub(columns);
        Self {
            width: if width < 12 { self.width } else { width },
            ..self
        }
    }

    /// Lines drawn further in.
    fn indented<'v>(self, columns: usize, draw: impl FnOnce(Self) -> Lines<'v>) -> Lines<'v> {
        let inner = self.inset(columns);
        let mut gap = Line::default();
        gap.pad(self.width - inner.width);
        line::prefixed(draw(inner), &gap, &gap)
    }

    /// Lines with a mark before the first; above it where there is no room beside the mark.
    fn marked<'v>(self, mark: Line<'v>, draw: impl FnOnce(Self) -> Lines<'v>) -> Lines<'v> {
        let inner = self.inset(mark.width());
        let mut lines = draw(inner);
        if inner.width == self.width {
            lines.insert(0, mark.clip(self.width, self.signs.ellipsis));
            return lines;
        }
        if lines.is_empty() {
            return vec![mark];
        }
        let mut gap = Line::default();
        gap.pad(mark.width());
        line::prefixed(lines, &mark, &gap)
    }

    /// A small line of ours.
    fn say<'v>(self, text: &str) -> Line<'v> {
        let mut line = Line::default();
        line.push(self.signs.ellipsis, MUTED, None);
        line.push(" ", MUTED, None);
        line.push(text, MUTED, None);
        line.clip(self.width, self.signs.ellipsis)
    }

    /// How much was left out, on a line of its own.
    fn cut<'v>(self, cut: &crate::view::Cut) -> Line<'v> {
        self.say(&cut.to_string())
    }

    fn rule<'v>(self, columns: usize) -> Line<'v> {
        let mut line = Line::default();
        line.repeat(self.signs.horizontal, columns, MUTED);
        line
    }

    /// One line, cut at the width.
    fn one_line<'v>(self, text: &str, style: Style) -> Line<'v> {
        Line::of(text, style).clip(self.width, self.signs.ellipsis)
    }

    /// Text of one style, broken at words.
    fn words<'v>(self, text: &str, style: Style) -> Lines<'v> {
        wrap::wrap_text(text, style, self.width, Wrap::Words)
    }

    fn has_styles(self) -> bool {
        self.terminal.colour != Colour::None
    }
}

/// No style.
const PLAIN: Style = Style {
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

/// Less important.
const MUTED: Style = tone(Tone::Muted);

/// More important.
const BOLD: Style = Style {
    bold: true,
    ..PLAIN
};

const fn tone(tone: Tone) -> Style {
    Style { tone, ..PLAIN }
}
