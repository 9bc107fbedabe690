//! Output to the terminal. Nothing else in this program prints.
//!
//! Results go to stdout; progress, notes and prompts go to stderr. The progress line is redrawn in
//! place and erased before other output; it is only shown on a terminal. [Streamed](Ui::stream_text)
//! text is ended with a line feed before other output. [Items](Ui::draw_item) are redrawn in place
//! when they change, if the terminal allows it (`ui/screen.rs`).
//!
//! Invariant: plugin text passes the filter before it gets here; views are filtered when drawn. Nothing
//! that is printed here contains the frame of an approval card.

mod action_numbers;
mod capabilities;
mod screen;
mod stream;

#[cfg(feature = "images")]
pub(crate) use crate::terminal::pictures::draw;
pub(crate) use action_numbers::{NumberedAction, label as action_label};
pub(crate) use screen::{CursorPosition, ItemKey, Size, erase_rows, size};
pub(crate) use stream::{Emphasis, OutStream};

use crate::GlobalFlags;
use crate::consent::ConsentFlags;
use crate::terminal::interrupt;
use crate::terminal::rows::{INDENTED, wrapped};
use action_numbers::ActionNumbers;
use footlight_render::filter;
use footlight_render::terminal::{Action, Colour, Terminal, without_card_frame};
use footlight_render::view::View;
use footlight_vocabulary::item::ItemId;
use screen::{Block, Screen, truncate_to_row};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal, Write};
use stream::Stream;

/// The output streams of this process and what they can do.
pub(crate) struct Ui {
    /// Whether results are printed as JSON lines.
    pub(crate) json: bool,
    /// What the person agreed to with flags.
    pub(crate) consent: ConsentFlags,
    /// Whether there is a person to prompt.
    pub(crate) can_ask: bool,
    /// Whether long output goes through a pager.
    pub(crate) pages: bool,
    stdout: Stream,
    stderr: Stream,
    /// Whether lines can be redrawn.
    redraws: bool,
    screen: RefCell<Screen>,
    actions: RefCell<ActionNumbers>,
    /// The progress line; empty if there is none.
    progress: RefCell<String>,
    /// The text streamed so far; empty if there is none.
    flowing: RefCell<String>,
    size: fn() -> Size,
    /// The width of the screen when the last line began.
    width: Cell<usize>,
    /// Returns true once after the process was suspended and continued.
    was_suspended: fn() -> bool,
}

impl Ui {
    /// Inspects the streams and the environment.
    pub(crate) fn new(flags: &GlobalFlags) -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        let stream = |terminal, to: Box<dyn Write>| Stream {
            terminal,
            target: capabilities::target(terminal, flags.plain, variable),
            to: RefCell::new(to),
        };
        let dumb = variable("TERM").is_some_and(|term| term == "dumb");
        let attended = io::stderr().is_terminal();
        Self {
            json: flags.json,
            consent: flags.consent.clone(),
            can_ask: !flags.no_input && attended && io::stdin().is_terminal(),
            pages: !flags.no_pager && !flags.json && !dumb,
            stdout: stream(io::stdout().is_terminal(), Box::new(io::stdout())),
            stderr: stream(attended, Box::new(io::stderr())),
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

    /// Prints a result and ends it with a line feed.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        self.write(OutStream::Stdout, text)
    }

    /// Prints a value as one line of JSON.
    pub(crate) fn print_json(&self, value: &impl Serialize) -> io::Result<()> {
        self.print(&filter::json_line(&serde_json::to_value(value)?))
    }

    /// Prints rows: as JSON lines with `--json`, otherwise as `text` formats them, or the note `none`.
    pub(crate) fn print_rows<T: Serialize>(
        &self,
        rows: &[T],
        none: &str,
        text: impl Fn(&T) -> String,
    ) -> io::Result<()> {
        if rows.is_empty() && !self.json {
            self.note(none);
        }
        rows.iter().try_for_each(|row| match self.json {
            true => self.print_json(row),
            false => self.print_row(&text(row)),
        })
    }

    /// Prints an entry of a list, whose further rows are indented on a terminal.
    pub(crate) fn print_row(&self, text: &str) -> io::Result<()> {
        self.print(&self.indented(OutStream::Stdout, text))
    }

    /// Indents the rows after the first, on a terminal, so that what a plugin wrote begins none.
    fn indented<'t>(&self, to: OutStream, text: &'t str) -> Cow<'t, str> {
        match self.stream(to).terminal {
            true => wrapped(text, &mut 0, (self.size)().0, INDENTED),
            false => Cow::Borrowed(text),
        }
    }

    /// Writes complete lines.
    fn write(&self, to: OutStream, text: &str) -> io::Result<()> {
        self.end_partial_line();
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let text = self.guarded(to, &format!("{text}{end}")).into_owned();
        self.raw(to, &text)?;
        if self.stream(to).terminal {
            let mut screen = self.screen.borrow_mut();
            screen.push(Block::Lines(text), (self.size)());
        }
        Ok(())
    }

    pub(crate) fn bytes(&self, bytes: &[u8]) -> io::Result<()> {
        self.end_partial_line();
        self.stdout.write(bytes)
    }

    /// Prints a dim note to stderr.
    pub(crate) fn dim_note(&self, text: &str) {
        self.note(&self.styled_err(Emphasis::Dim, text));
    }

    /// Prints a note to stderr.
    pub(crate) fn note(&self, text: &str) {
        let text = self.indented(OutStream::Stderr, text);
        // If stderr fails there is nowhere to report it.
        let _ = self.write(OutStream::Stderr, &text);
    }

    /// Writes a command to copy to stderr. The terminal continues a long one: a line break would be copied with it.
    /// Nothing of a plugin may be in it.
    pub(crate) fn command(&self, command: &str) {
        // If stderr fails there is nowhere to report it.
        let _ = self.write(OutStream::Stderr, &format!("  {command}"));
    }

    /// Returns what views are drawn for on a stream.
    pub(crate) fn terminal(&self, to: OutStream) -> Terminal {
        let stream = self.stream(to);
        let mut target = stream.target.clone();
        if stream.terminal {
            target.width = (self.size)()
                .0
                .clamp(Terminal::MIN_WIDTH, capabilities::MAX_COLUMNS);
        }
        target
    }

    /// Prints a view that will not change.
    pub(crate) fn show(&self, to: OutStream, view: &View) -> io::Result<()> {
        let drawing = draw(&self.terminal(to), view);
        match drawing.is_empty() {
            true => Ok(()),
            false => self.write(to, &drawing.text),
        }
    }

    /// Draws an item, or redraws it in its place. Where something of it was left out, the line `all`
    /// follows, which says where it is.
    pub(crate) fn draw_shortened(
        &self,
        to: OutStream,
        key: &ItemKey,
        view: View,
        all: &str,
    ) -> io::Result<()> {
        self.end_partial_line();
        let mut terminal = self.terminal(to);
        let mut actions = self.actions.borrow_mut();
        let mut drawing = actions.draw(&key.id, &view, &mut terminal);
        if drawing.is_cut {
            let view = View::column(vec![view, View::caption(all)]);
            drawing = actions.draw(&key.id, &view, &mut terminal);
        }
        drawing.text = self.guarded(to, &drawing.text).into_owned();
        if !(self.redraws && self.stream(to).terminal) {
            return self.raw(to, &drawing.text);
        }
        let mut screen = self.screen.borrow_mut();
        let text = screen.put(key.clone(), drawing, (self.size)());
        self.raw(to, &text)
    }

    /// Erases an item. Returns whether nothing of it is left on the screen.
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

    /// Records that something else wrote these lines to the terminal; `None` if they are unknown.
    pub(crate) fn note_external_output(&self, line: Option<String>) {
        let mut screen = self.screen.borrow_mut();
        match line {
            Some(line) if line.is_empty() => {}
            Some(line) if self.redraws => screen.push(Block::Lines(line), (self.size)()),
            _ => screen.forget(),
        }
    }

    /// Returns what a number stands for.
    pub(crate) fn numbered_action(&self, number: usize) -> NumberedAction {
        self.actions.borrow().find(number)
    }

    /// Continues the numbers of controls of an earlier part of a conversation.
    pub(crate) fn continue_numbers_after(&self, highest: usize) {
        self.actions.borrow_mut().continue_after(highest);
    }

    /// Returns the highest number that a control ever had.
    pub(crate) fn highest_number(&self) -> usize {
        self.actions.borrow().highest()
    }

    /// Returns all controls, widget by widget.
    pub(crate) fn numbered_actions(&self) -> Vec<(String, Vec<Action>)> {
        self.actions.borrow().all()
    }

    /// Prints a part of a text, without a line feed.
    pub(crate) fn stream_text(&self, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.forget_if_suspended();
        if self.flowing.borrow().is_empty() {
            self.end_partial_line();
        }
        let text = self.guarded(OutStream::Stdout, text);
        self.flowing.borrow_mut().push_str(&text);
        self.raw(OutStream::Stdout, &text)
    }

    /// Forgets what was written before the process was suspended: other programs have written since,
    /// so the position of the cursor is unknown.
    fn forget_if_suspended(&self) {
        if (self.was_suspended)() {
            self.flowing.take();
            self.progress.take();
            self.screen.borrow_mut().forget();
        }
    }

    /// Reports whether the screen has the same width as before. If not, what was written is forgotten:
    /// terminals differ in how they reflow lines.
    fn width_is_unchanged(&self) -> bool {
        let (width, _) = (self.size)();
        let is_same = self.width.replace(width) == width;
        if !is_same {
            self.screen.borrow_mut().forget();
        }
        is_same
    }

    /// Replaces streamed text, which is now complete, with its view.
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

    pub(crate) fn progress(&self, text: &str) {
        if self.stderr.terminal && self.redraws && self.flowing.borrow().is_empty() {
            self.forget_if_suspended();
            let (width, _) = (self.size)();
            let text = truncate_to_row(text, width.saturating_sub(1));
            let text = self.guarded(OutStream::Stderr, &text).into_owned();
            let line = format!("{}{text}", self.erase_progress());
            // Progress is optional.
            let _ = self.raw(OutStream::Stderr, &line);
            self.progress.replace(text);
        }
    }

    /// Returns what erases the progress line, which takes several rows on a screen that became
    /// narrower.
    fn erase_progress(&self) -> String {
        let (width, _) = (self.size)();
        let mut place = CursorPosition::default();
        place.write(&self.progress.borrow(), width);
        match place.row {
            rows @ 1.. if !place.is_unknown => erase_rows(rows),
            _ => "\r\u{1b}[2K".to_owned(),
        }
    }

    /// Erases the progress line and ends streamed text, before other output.
    pub(crate) fn end_partial_line(&self) {
        self.forget_if_suspended();
        let width_is_unchanged = self.width_is_unchanged();
        let words = self.flowing.take();
        if !words.is_empty() {
            if !words.ends_with('\n') {
                // A closed pipe is reported by the next write.
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

    /// Reports whether a person reads results live.
    pub(crate) fn stdout_is_terminal(&self) -> bool {
        self.stdout.terminal
    }

    /// Reports whether items on stdout can be redrawn.
    pub(crate) fn is_live(&self) -> bool {
        self.stdout.terminal && self.redraws
    }

    /// Reports whether results are drawn rather than printed as plain text.
    pub(crate) fn draws_results(&self) -> bool {
        self.stdout.terminal || self.stdout.target.colour != Colour::None
    }

    /// Reports whether stderr is a terminal that can redraw lines.
    pub(crate) fn stderr_is_terminal(&self) -> bool {
        self.stderr.terminal && self.redraws
    }

    /// Returns the number of rows, if stdout is a terminal.
    pub(crate) fn height(&self) -> Option<usize> {
        self.stdout.terminal.then(|| (self.size)().1)
    }

    /// Returns the columns and rows of the terminal.
    pub(crate) fn size(&self) -> Size {
        (self.size)()
    }

    /// Emphasises a word for stdout.
    pub(crate) fn styled_out(&self, emphasis: Emphasis, text: &str) -> String {
        self.stdout.styled(emphasis, text)
    }

    /// Emphasises a word for stderr.
    pub(crate) fn styled_err(&self, emphasis: Emphasis, text: &str) -> String {
        self.stderr.styled(emphasis, text)
    }

    /// Removes the frame of an approval card from text that is not one, on a terminal.
    pub(crate) fn guarded<'t>(&self, to: OutStream, text: &'t str) -> Cow<'t, str> {
        let stream = self.stream(to);
        if !stream.terminal {
            return Cow::Borrowed(text);
        }
        let last = self.flowing.borrow().chars().next_back();
        without_card_frame(text, last.unwrap_or('\n'))
    }

    fn raw(&self, to: OutStream, text: &str) -> io::Result<()> {
        self.stream(to).write(text.as_bytes())
    }
}

/// Draws a view, with the text alternatives of its pictures.
#[cfg(not(feature = "images"))]
pub(crate) fn draw(terminal: &Terminal, view: &View) -> footlight_render::terminal::Drawing {
    terminal.draw(view)
}

#[cfg(test)]
pub(crate) mod scripted;

#[cfg(test)]
mod tests;
