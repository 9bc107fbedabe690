//! The terminal: the only place that prints.
//!
//! stdout is for results, stderr for progress, notes and prompts. A line of progress is redrawn in
//! place and gone before anything else is printed; where stderr is no terminal there is none. Words
//! that come bit by bit [flow](Ui::flow), and their line is ended before anything else begins one.
//! Items are [drawn](Ui::put) by `footlight-render`; where lines can be taken back, one that changes
//! is drawn anew in its place (`ui/screen.rs`).
//!
//! Invariant: text from a plugin passes the filter before it comes here; views pass it when they are
//! drawn.

mod action_numbers;
mod capabilities;
mod screen;

#[cfg(feature = "images")]
pub(crate) use crate::terminal::pictures::draw;
pub(crate) use action_numbers::NumberedAction;
pub(crate) use capabilities::Capabilities;
pub(crate) use screen::{CursorPosition, ItemKey, Size, erase_rows, size};

use crate::terminal::interrupt;
use action_numbers::ActionNumbers;
use footlight_render::filter;
use footlight_render::terminal::{Action, Colour, Terminal};
use footlight_render::view::View;
use footlight_vocabulary::item::ItemId;
use screen::{Block, Screen, truncate_to_row};
use serde::Serialize;
use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Write};

/// What this run may print, where, and whether it may ask.
pub(crate) struct Ui {
    /// JSON on stdout, one value for each line.
    pub(crate) json: bool,
    /// A folder outside the project is built without asking.
    pub(crate) yes: bool,
    /// Whether somebody can be asked.
    pub(crate) can_ask: bool,
    /// Whether what is longer than the screen is shown page by page.
    pub(crate) pages: bool,
    stdout: Stream,
    stderr: Stream,
    /// Whether lines may be taken back.
    redraws: bool,
    screen: RefCell<Screen>,
    actions: RefCell<ActionNumbers>,
    /// The line of progress; empty if there is none.
    progress: RefCell<String>,
    /// The words that flow; empty if none do.
    flowing: RefCell<String>,
    size: fn() -> Size,
    /// How wide the screen was when a line was begun last.
    width: Cell<usize>,
    /// Whether we were stopped since this was asked.
    was_suspended: fn() -> bool,
}

struct Stream {
    terminal: bool,
    capabilities: Capabilities,
    to: RefCell<Box<dyn Write>>,
}

/// Where something is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutStream {
    /// Results.
    Stdout,
    /// What stands beside them.
    Stderr,
}

/// What a word is to stand out as.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Emphasis {
    Bold,
    Dim,
    Red,
    Yellow,
    Green,
}

/// What was said on the command line about all this.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OutputFlags {
    pub(crate) json: bool,
    pub(crate) plain: bool,
    pub(crate) no_input: bool,
    pub(crate) yes: bool,
    pub(crate) no_pager: bool,
}

impl Ui {
    /// Looks at the streams and at the environment.
    pub(crate) fn new(flags: OutputFlags) -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        let stream = |terminal, to: Box<dyn Write>| Stream {
            terminal,
            capabilities: Capabilities::of(terminal, flags.plain, variable),
            to: RefCell::new(to),
        };
        let dumb = variable("TERM").is_some_and(|term| term == "dumb");
        let attended = io::stderr().is_terminal();
        Self {
            json: flags.json,
            yes: flags.yes,
            can_ask: !flags.no_input && attended && io::stdin().is_terminal(),
            pages: !flags.no_pager && !flags.json && !dumb,
            stdout: stream(io::stdout().is_terminal(), Box::new(io::stdout())),
            stderr: stream(attended, Box::new(io::stderr())),
            // A line redrawn in place is not plain.
            redraws: !dumb && !flags.plain,
            screen: RefCell::default(),
            actions: RefCell::default(),
            progress: RefCell::default(),
            flowing: RefCell::default(),
            size,
            width: Cell::default(),
            was_suspended: interrupt::was_suspended,
        }
    }

    fn stream(&self, to: OutStream) -> &Stream {
        match to {
            OutStream::Stdout => &self.stdout,
            OutStream::Stderr => &self.stderr,
        }
    }

    /// A result, with a line feed after it if it has none.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        self.write(OutStream::Stdout, text)
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn print_json(&self, value: &impl Serialize) -> io::Result<()> {
        self.print(&filter::json_line(&serde_json::to_value(value)?))
    }

    /// Prints rows: as JSON lines with `--json`, otherwise as `text` formats them.
    pub(crate) fn print_rows<T: Serialize>(
        &self,
        rows: &[T],
        text: impl Fn(&T) -> String,
    ) -> io::Result<()> {
        rows.iter().try_for_each(|row| match self.json {
            true => self.print_json(row),
            false => self.print(&text(row)),
        })
    }

    /// Lines that stay.
    fn write(&self, to: OutStream, text: &str) -> io::Result<()> {
        self.end_partial_line();
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let text = format!("{text}{end}");
        self.raw(to, &text)?;
        if self.stream(to).terminal {
            let mut screen = self.screen.borrow_mut();
            screen.push(Block::Lines(text), (self.size)());
        }
        Ok(())
    }

    /// A result that is no text, as it is.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> io::Result<()> {
        self.end_partial_line();
        let mut stdout = self.stdout.to.borrow_mut();
        stdout.write_all(bytes)?;
        stdout.flush()
    }

    /// A word beside the result.
    pub(crate) fn note(&self, text: &str) {
        // Nowhere is left to say that this failed.
        let _ = self.write(OutStream::Stderr, text);
    }

    /// What a stream shows views on.
    pub(crate) fn terminal(&self, to: OutStream) -> Terminal {
        let stream = self.stream(to);
        let columns = match stream.terminal {
            true => (self.size)().0,
            false => capabilities::DEFAULT_COLUMNS,
        };
        stream.capabilities.terminal(columns)
    }

    /// A view that stays as it is.
    pub(crate) fn show(&self, to: OutStream, view: &View) -> io::Result<()> {
        let drawing = draw(&self.terminal(to), view);
        if drawing.is_empty() {
            return Ok(());
        }
        self.write(to, &drawing.text)
    }

    /// An item: drawn in its place, which it may have already.
    pub(crate) fn draw_item(&self, to: OutStream, key: &ItemKey, view: View) -> io::Result<()> {
        self.end_partial_line();
        let mut terminal = self.terminal(to);
        let drawing = self
            .actions
            .borrow_mut()
            .draw(&key.id, &view, &mut terminal);
        if !(self.redraws && self.stream(to).terminal) {
            return self.raw(to, &drawing.text);
        }
        let (key, size) = (key.clone(), (self.size)());
        let text = self.screen.borrow_mut().put(key, drawing, size);
        self.raw(to, &text)
    }

    /// Takes an item away, and says whether nothing of it is left to see.
    pub(crate) fn remove_item(&self, to: OutStream, id: &ItemId) -> io::Result<bool> {
        self.actions.borrow_mut().remove(id);
        if !(self.redraws && self.stream(to).terminal) {
            return Ok(false);
        }
        self.end_partial_line();
        let text = self.screen.borrow_mut().remove(id, (self.size)());
        match text {
            Some(text) => self.raw(to, &text).map(|()| true),
            None => Ok(false),
        }
    }

    /// Something else has written to the terminal: lines that stay, or nobody knows what.
    pub(crate) fn note_external_output(&self, line: Option<String>) {
        let mut screen = self.screen.borrow_mut();
        match line {
            Some(line) if line.is_empty() => {}
            Some(line) if self.redraws => screen.push(Block::Lines(line), (self.size)()),
            _ => screen.forget(),
        }
    }

    /// What can be pressed under this number.
    pub(crate) fn numbered_action(&self, number: usize) -> Option<NumberedAction> {
        self.actions.borrow().find(number)
    }

    /// Everything that can be pressed, widget by widget.
    pub(crate) fn numbered_actions(&self) -> Vec<(String, Vec<Action>)> {
        self.actions.borrow().all()
    }

    /// Words of a result as they come, with no line feed after them.
    pub(crate) fn stream_text(&self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.forget_if_suspended();
        if self.flowing.borrow().is_empty() {
            self.end_partial_line();
        }
        self.flowing.borrow_mut().push_str(text);
        self.raw(OutStream::Stdout, text)
    }

    /// Forgets what was written before we were stopped: others have written since, and no line of
    /// ours is that of the cursor.
    fn forget_if_suspended(&self) {
        if (self.was_suspended)() {
            self.flowing.take();
            self.progress.take();
            self.screen.borrow_mut().forget();
        }
    }

    /// Whether the screen is as wide as it was. If not, what was written is forgotten: terminals
    /// differ in what they do with lines that no longer fit.
    fn width_is_unchanged(&self) -> bool {
        let (width, _) = (self.size)();
        let is_same = self.width.replace(width) == width;
        if !is_same {
            self.screen.borrow_mut().forget();
        }
        is_same
    }

    /// The words that flowed are whole: they are drawn in place, where they can be taken back.
    pub(crate) fn finish_stream(&self, view: &View) -> io::Result<()> {
        self.forget_if_suspended();
        let words = self.flowing.borrow().clone();
        let (width, height) = (self.size)();
        let mut place = CursorPosition::default();
        place.write(&words, width);
        let width_is_unchanged = self.width.get() == width;
        let is_there = width_is_unchanged && !place.is_unknown && place.row < height;
        if words.is_empty() || !self.redraws || !is_there {
            self.end_partial_line();
            return Ok(());
        }
        self.flowing.borrow_mut().clear();
        self.raw(OutStream::Stdout, &erase_rows(place.row))?;
        self.show(OutStream::Stdout, view)
    }

    /// How far something is; the next one takes its place.
    pub(crate) fn progress(&self, text: &str) {
        if self.stderr.terminal && self.redraws && self.flowing.borrow().is_empty() {
            self.forget_if_suspended();
            let (width, _) = (self.size)();
            let text = truncate_to_row(text, width.saturating_sub(1));
            // Where it fails nothing is missed.
            let _ = self.raw(
                OutStream::Stderr,
                &format!("{}{text}", self.erase_progress()),
            );
            self.progress.replace(text);
        }
    }

    /// Takes the line of progress away. It is more than one where the screen became narrower.
    fn erase_progress(&self) -> String {
        let (width, _) = (self.size)();
        let mut place = CursorPosition::default();
        place.write(&self.progress.borrow(), width);
        match place.row {
            rows @ 1.. if !place.is_unknown => erase_rows(rows),
            _ => "\r\u{1b}[2K".to_owned(),
        }
    }

    /// Takes the line of progress away, or ends a line that flows, so that something else can be
    /// written.
    pub(crate) fn end_partial_line(&self) {
        self.forget_if_suspended();
        let width_is_unchanged = self.width_is_unchanged();
        let words = self.flowing.take();
        if !words.is_empty() {
            if !words.ends_with('\n') {
                // Who reads this line no longer is found out with the next one.
                let _ = self.raw(OutStream::Stdout, "\n");
            }
            if self.stdout.terminal && width_is_unchanged {
                let mut screen = self.screen.borrow_mut();
                let words = format!("{}\n", words.trim_end_matches('\n'));
                screen.push(Block::Lines(words), (self.size)());
            }
        }
        if !self.progress.borrow().is_empty() {
            let _ = self.raw(OutStream::Stderr, &self.erase_progress());
            self.progress.take();
        }
    }

    /// Whether results are read by a person as they come.
    pub(crate) fn stdout_is_terminal(&self) -> bool {
        self.stdout.terminal
    }

    /// Whether items that a person reads may be drawn anew in their place.
    pub(crate) fn is_live(&self) -> bool {
        self.stdout.terminal && self.redraws
    }

    /// Whether results are to be drawn and not written as plain as they are.
    pub(crate) fn draws_results(&self) -> bool {
        self.stdout.terminal || self.stdout.capabilities.colour != Colour::None
    }

    /// Whether another program's progress may pass through, and prompts be folded.
    pub(crate) fn stderr_is_terminal(&self) -> bool {
        self.stderr.terminal && self.redraws
    }

    /// How many rows the screen has, where a person reads results on one.
    pub(crate) fn height(&self) -> Option<usize> {
        self.stdout.terminal.then(|| (self.size)().1)
    }

    /// How many columns and rows the terminal has.
    pub(crate) fn size(&self) -> Size {
        (self.size)()
    }

    /// A word for stdout in this emphasis.
    pub(crate) fn styled_out(&self, emphasis: Emphasis, text: &str) -> String {
        styled(&self.stdout, emphasis, text)
    }

    /// A word for stderr in this emphasis.
    pub(crate) fn styled_err(&self, emphasis: Emphasis, text: &str) -> String {
        styled(&self.stderr, emphasis, text)
    }

    fn raw(&self, to: OutStream, text: &str) -> io::Result<()> {
        let mut stream = self.stream(to).to.borrow_mut();
        stream.write_all(text.as_bytes())?;
        stream.flush()
    }
}

/// Draws a view. Of its pictures there are words alone.
#[cfg(not(feature = "images"))]
pub(crate) fn draw(terminal: &Terminal, view: &View) -> footlight_render::terminal::Drawing {
    terminal.draw(view)
}

fn styled(stream: &Stream, emphasis: Emphasis, text: &str) -> String {
    if stream.capabilities.colour == Colour::None {
        return text.to_owned();
    }
    let code = match emphasis {
        Emphasis::Bold => 1,
        Emphasis::Dim => 2,
        Emphasis::Red => 31,
        Emphasis::Yellow => 33,
        Emphasis::Green => 32,
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

#[cfg(test)]
pub(crate) mod scripted;

#[cfg(test)]
mod tests;
