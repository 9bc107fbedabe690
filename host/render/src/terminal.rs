//! Renders views as text for a terminal.
//!
//! [`Terminal`] describes the terminal, and [`Terminal::draw`] draws a [`View`]. Each view becomes
//! lines that fit the width, containers arrange these lines, and only the last step turns lines
//! into a string with colours and links.
//!
//! Invariant: every character passes the [`filter`](crate::filter) (see `line.rs`), and every
//! escape sequence is written in `emit.rs`, which emits only SGR and OSC 8. No line exceeds the
//! width. Drawing is pure: it reads no environment and writes to no stream.

mod action;
mod approval;
mod chart;
mod code;
mod data;
mod emit;
mod form;
mod group;
mod item;
mod line;
mod palette;
mod picture;
mod symbols;
mod table;
mod text;
mod wrap;

#[cfg(test)]
mod tests;

pub use action::Action;
pub use approval::{
    ApprovalCard, CardOption, CardPower, CardPrompt, ConsentCard, ConsentGroup, MAX_CARD_ROWS,
    control_sequence, without_card_frame,
};
pub use picture::PictureArea;

use crate::highlight::HighlightBudget;
use crate::view::{Cut, Style, Tone, View};
use line::{Line, Lines};
use symbols::Symbols;
use wrap::Wrap;

/// The capabilities of a terminal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Terminal {
    /// The number of columns, clamped to [`Self::MIN_WIDTH`] and [`Self::MAX_WIDTH`].
    pub width: usize,
    /// The colour support. Without colours there are no styles at all.
    pub colour: Colour,
    /// The background colour.
    pub background: Background,
    /// Whether it can show Unicode symbols and box drawing; otherwise ASCII is used.
    pub unicode: bool,
    /// Whether it supports hyperlinks (OSC 8); otherwise addresses are written out.
    pub links: bool,
    /// Omits frames, for screen readers, logs and files. Implies no colours, hyperlinks or images.
    pub plain: bool,
    /// Whether a rule separates the header of a table from its rows.
    pub header_rules: bool,
    /// Whether the caller draws images into the areas reserved for them ([`Drawing::pictures`]);
    /// otherwise only their alternative text is shown.
    pub pictures: bool,
    /// The command with which the person fetches stored content. The id of the output is appended
    /// to it; without a command only the id is shown.
    pub output_command: Option<String>,
    /// The highest action number of earlier drawings, so that numbers on the screen are unique.
    pub last_action: usize,
    /// The numbers of the actions of a component tree, in its order. Where there are none, they follow
    /// [`last_action`](Self::last_action).
    pub action_numbers: Vec<usize>,
}

/// The colour support of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colour {
    /// No colours, and no text attributes such as bold.
    #[default]
    None,
    /// The sixteen ANSI colours of the person's theme.
    Sixteen,
    /// The 256-colour palette.
    Many,
    /// 24-part colours.
    True,
}

/// The background of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Background {
    #[default]
    Dark,
    Light,
}

/// A view rendered as text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Drawing {
    /// The lines, each terminated by a line feed.
    pub text: String,
    /// The actions that can be invoked, by the numbers shown in the text.
    pub actions: Vec<Action>,
    /// The areas reserved for images, from top to bottom; empty unless [`Terminal::pictures`] is
    /// set.
    pub pictures: Vec<PictureArea>,
    /// Whether something was left out, which a line counts.
    pub is_cut: bool,
    widths: Vec<usize>,
}

impl Drawing {
    /// Returns the number of rows on a terminal of the given width, which a caller needs in order
    /// to redraw in place. The width may differ from that of the drawing.
    pub fn rows(&self, width: usize) -> usize {
        let rows = |columns: &usize| columns.div_ceil(width.max(1)).max(1);
        self.widths.iter().map(rows).sum()
    }

    /// Reports whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl Terminal {
    /// The minimum width.
    pub const MIN_WIDTH: usize = 20;
    /// The maximum width.
    pub const MAX_WIDTH: usize = 400;

    /// Creates a terminal with Unicode, but without colours, hyperlinks and images.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            unicode: true,
            header_rules: true,
            ..Self::default()
        }
    }

    /// Returns the number under which an action is shown.
    fn action_number(&self, number: usize) -> usize {
        let own = self.action_numbers.get(number.wrapping_sub(1)).copied();
        own.unwrap_or(self.last_action + number)
    }

    /// Returns the actions of a view with the numbers that they have in its component tree.
    #[must_use]
    pub fn actions(view: &View) -> Vec<Action> {
        action::of(view, |number| number)
    }

    /// Draws a view.
    pub fn draw(&self, view: &View) -> Drawing {
        let mut terminal = self.clone();
        terminal.width = self.width.clamp(Self::MIN_WIDTH, Self::MAX_WIDTH);
        if self.plain {
            terminal.colour = Colour::None;
            terminal.links = false;
            terminal.pictures = false;
        }
        let colours = HighlightBudget::for_drawing();
        let painter = Painter {
            terminal: &terminal,
            colours: &colours,
            symbols: match self.unicode {
                true => &symbols::UNICODE,
                false => &symbols::ASCII,
            },
            width: terminal.width,
            depth: 0,
            row_depth: 0,
            submit: None,
        };
        let lines = painter.view(view).into_iter();
        let lines: Lines<'_> = lines.map(|line| painter.fit(line).trimmed()).collect();
        Drawing {
            text: emit::string(&lines, &terminal),
            actions: action::of(view, |number| self.action_number(number)),
            pictures: picture::areas(&lines),
            is_cut: lines.iter().any(|line| line.cut.is_some()),
            widths: lines.iter().map(Line::width).collect(),
        }
    }
}

/// Renders a view as plain text: no colours, frames, rules or escape sequences, and no line wider than
/// `width`. For logs, files, other programs, and wherever a result or a widget must be text.
///
/// ```
/// use footlight_render::{lower::Lower, terminal::plain_text};
/// use footlight_vocabulary::{kinds::Table, result::SemanticResult};
///
/// let table = Table::rows([serde_json::json!({ "city": "Oslo", "rain": 3 })]);
/// let view = Lower::default().result(&SemanticResult::of(table)?);
/// assert_eq!(plain_text(&view, 40), "city  rain\nOslo     3\n");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn plain_text(view: &View, width: usize) -> String {
    let terminal = Terminal {
        plain: true,
        header_rules: false,
        ..Terminal::new(width)
    };
    terminal.draw(view).text
}

/// The maximum nesting of views, which bounds the use of the stack.
const MAX_DEPTH: usize = 48;

/// The maximum nesting of rows. A row is measured before it is drawn, so that each level doubles
/// the work; deeper rows are stacked vertically.
const MAX_ROW_DEPTH: usize = 3;

/// The maximum width of prose: longer lines are hard to read.
const PROSE: usize = 100;

/// The drawing context: the available width and the position in the tree.
#[derive(Debug, Clone, Copy)]
struct Painter<'t> {
    terminal: &'t Terminal,
    colours: &'t HighlightBudget,
    symbols: &'static Symbols,
    width: usize,
    depth: usize,
    row_depth: usize,
    /// The number of the action that submits the enclosing form.
    submit: Option<usize>,
}

impl<'t> Painter<'t> {
    fn view<'v>(self, view: &'v View) -> Lines<'v> {
        if self.depth > MAX_DEPTH {
            return vec![self.host_line("nested too deep to be drawn")];
        }
        let painter = Painter {
            depth: self.depth + 1,
            ..self
        };
        match view {
            View::Hidden | View::Space => Vec::new(),
            View::Text(text) => painter.text(text),
            View::Code(code) => painter.code(code),
            View::Diff(diff) => painter.diff(diff),
            View::Table(table) => painter.table(table),
            View::Tree(tree) => painter.tree(tree),
            View::Image(image) => painter.image(image),
            View::Chart(chart) => painter.chart(chart),
            View::Facts(facts) => painter.facts(facts),
            View::List(list) => painter.list(list),
            View::Log(log) => painter.log(log),
            View::Quote(views) => painter.quote(views),
            View::Badge { label, tone } => vec![painter.badge(label, *tone)],
            View::Icon { name, tone } => vec![painter.icon(name, *tone)],
            View::Progress(progress) => vec![painter.progress(progress)],
            View::Notice { tone, text } => painter.notice(*tone, text),
            View::Divider => vec![painter.rule(painter.width)],
            View::Group(group) => painter.group(group),
            View::Field(field) => painter.field(field),
            View::Button(button) => vec![painter.button(button)],
            View::Frame(frame) => painter.frame(frame),
            View::Thought(thought) => painter.thought(thought),
            View::Call(call) => painter.call(call),
            View::Ask(ask) => painter.ask(ask),
            View::Widget(widget) => painter.widget(widget),
            View::Output(output) => painter.output(output),
            View::Cut(cut) => vec![painter.cut(*cut)],
        }
    }

    /// Draws views below each other, with blank lines between blocks.
    fn views<'v>(self, views: &'v [View]) -> Lines<'v> {
        self.below(views, group::needs_gap)
    }

    /// Draws views below each other, with blank lines only between paragraphs.
    fn tight<'v>(self, views: &'v [View]) -> Lines<'v> {
        let body = |view: &View| matches!(view, View::Text(_));
        self.below(views, |above, below| body(above) && body(below))
    }

    fn below<'v>(self, views: &'v [View], needs_gap: impl Fn(&View, &View) -> bool) -> Lines<'v> {
        let mut out = Vec::new();
        let mut last: Option<&View> = None;
        for view in views {
            let lines = self.view(view);
            if lines.is_empty() {
                continue;
            }
            if last.is_some_and(|last| needs_gap(last, view)) {
                out.push(Line::default());
            }
            out.extend(lines);
            last = Some(view);
        }
        out
    }

    /// Sets the available width.
    fn at(self, width: usize) -> Self {
        Self { width, ..self }
    }

    /// Narrows the context, unless too little width would remain.
    fn inset(self, columns: usize) -> Self {
        let width = self.width.saturating_sub(columns);
        self.at(if width < 12 { self.width } else { width })
    }

    /// Shortens a line to the available width.
    fn fit<'v>(self, line: Line<'v>) -> Line<'v> {
        self.clip(line, self.width)
    }

    /// Shortens a line to `columns`.
    fn clip<'v>(self, line: Line<'v>, columns: usize) -> Line<'v> {
        line.clip(columns, self.symbols.ellipsis)
    }

    /// Draws indented lines.
    fn indented<'v>(self, columns: usize, draw: impl FnOnce(Self) -> Lines<'v>) -> Lines<'v> {
        let inner = self.inset(columns);
        let gap = Line::spaces(self.width - inner.width);
        line::prefixed(draw(inner), &gap, &gap)
    }

    /// Draws lines with a marker before the first. If there is no room beside the marker, it is
    /// placed above.
    fn marked<'v>(self, mark: Line<'v>, draw: impl FnOnce(Self) -> Lines<'v>) -> Lines<'v> {
        let inner = self.inset(mark.width());
        let mut lines = draw(inner);
        if inner.width == self.width {
            lines.insert(0, self.fit(mark));
            return lines;
        }
        if lines.is_empty() {
            return vec![mark];
        }
        let gap = Line::spaces(mark.width());
        line::prefixed(lines, &mark, &gap)
    }

    /// Draws a line of the host's own text.
    fn host_line<'v>(self, text: &str) -> Line<'v> {
        self.one_line(&format!("{} {text}", self.symbols.ellipsis), MUTED)
    }

    /// Draws the count of omitted content.
    fn cut<'v>(self, cut: Cut) -> Line<'v> {
        self.cut_line(cut, &cut.to_string())
    }

    /// Draws what was left out in these words.
    fn cut_line<'v>(self, cut: Cut, text: &str) -> Line<'v> {
        let mut line = self.host_line(text);
        line.cut = Some(cut);
        line
    }

    fn rule<'v>(self, columns: usize) -> Line<'v> {
        let mut line = Line::default();
        line.repeat(self.symbols.horizontal, columns, MUTED);
        line
    }

    /// Draws text on a single line.
    fn one_line<'v>(self, text: &str, style: Style) -> Line<'v> {
        self.fit(Line::of(text, style))
    }

    /// Draws text of one style, wrapped at words.
    fn words<'v>(self, text: &str, style: Style) -> Lines<'v> {
        wrap::wrap_text(text, style, self.width, Wrap::Words)
    }

    fn has_styles(self) -> bool {
        self.terminal.colour != Colour::None
    }
}

const PLAIN: Style = Style::PLAIN;

/// Less important text.
const MUTED: Style = tone(Tone::Muted);

/// Emphasised text.
const BOLD: Style = Style {
    bold: true,
    ..PLAIN
};

const fn tone(tone: Tone) -> Style {
    Style::toned(tone)
}
