//! The terminal: the only place that prints.
//!
//! stdout is for results, stderr for progress, notes and prompts. A line of progress is redrawn in
//! place and gone before anything else is printed; where stderr is no terminal there is none. Words
//! that come bit by bit [flow](Ui::flow), and their line is ended before anything else begins one.
//!
//! Invariant: text from a plugin passes [`crate::filter`] before it comes here.

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
    stdout: Stream,
    stderr: Stream,
    progress: Cell<bool>,
    /// Whether a line on stdout has begun and not ended.
    flowing: Cell<bool>,
}

struct Stream {
    terminal: bool,
    colour: bool,
    to: RefCell<Box<dyn Write>>,
}

/// What a word is to stand out as.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ink {
    Bold,
    Dim,
    Red,
    Yellow,
    Green,
}

/// What was said on the command line about all this.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Manner {
    pub(crate) json: bool,
    pub(crate) plain: bool,
    pub(crate) no_input: bool,
    pub(crate) yes: bool,
}

impl Ui {
    /// Looks at the streams and at the environment.
    pub(crate) fn new(manner: Manner) -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colours = !manner.plain && !set("NO_COLOR") && !dumb;
        let stream = |terminal, to: Box<dyn Write>| Stream {
            terminal,
            colour: terminal && colours,
            to: RefCell::new(to),
        };
        let attended = io::stderr().is_terminal();
        // A line redrawn in place is not plain.
        let redraws = attended && !dumb && !manner.plain;
        Self {
            json: manner.json,
            yes: manner.yes,
            can_ask: !manner.no_input && attended && io::stdin().is_terminal(),
            stdout: stream(io::stdout().is_terminal(), Box::new(io::stdout())),
            stderr: stream(redraws, Box::new(io::stderr())),
            progress: Cell::new(false),
            flowing: Cell::new(false),
        }
    }

    /// A result, with a line feed after it if it has none.
    pub(crate) fn print(&self, text: &str) -> io::Result<()> {
        self.settle();
        let mut stdout = self.stdout.to.borrow_mut();
        stdout.write_all(text.as_bytes())?;
        if !text.ends_with('\n') {
            stdout.write_all(b"\n")?;
        }
        stdout.flush()
    }

    /// A result that is no text, as it is.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> io::Result<()> {
        self.settle();
        let mut stdout = self.stdout.to.borrow_mut();
        stdout.write_all(bytes)?;
        stdout.flush()
    }

    /// Words of a result as they come, with no line feed after them.
    pub(crate) fn flow(&self, text: &str) -> io::Result<()> {
        let Some(last) = text.chars().next_back() else {
            return Ok(());
        };
        if !self.flowing.get() {
            self.settle();
        }
        self.flowing.set(last != '\n');
        let mut stdout = self.stdout.to.borrow_mut();
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// A word beside the result.
    pub(crate) fn note(&self, text: &str) {
        self.settle();
        // Nowhere is left to say that this failed.
        let _ = writeln!(self.stderr.to.borrow_mut(), "{text}");
    }

    /// How far something is; the next one takes its place.
    pub(crate) fn progress(&self, text: &str) {
        if self.stderr.terminal && !self.flowing.get() {
            let (width, _) = size();
            let text = crate::filter::line(text, usize::max(width, 20) - 1);
            self.raw(&format!("\r\u{1b}[2K{text}"));
            self.progress.set(true);
        }
    }

    /// Takes the line of progress away, or ends a line that flows, so that something else can be
    /// written.
    pub(crate) fn settle(&self) {
        if self.flowing.replace(false) {
            // Who reads this line no longer is found out with the next one.
            let mut stdout = self.stdout.to.borrow_mut();
            let _ = stdout.write_all(b"\n").and_then(|()| stdout.flush());
        }
        if self.progress.replace(false) {
            self.raw("\r\u{1b}[2K");
        }
    }

    /// Whether results are read by a person as they come.
    pub(crate) fn stdout_is_terminal(&self) -> bool {
        self.stdout.terminal
    }

    /// Whether another program's progress may pass through.
    pub(crate) fn stderr_is_terminal(&self) -> bool {
        self.stderr.terminal
    }

    /// A word for stdout in this ink.
    pub(crate) fn out(&self, ink: Ink, text: &str) -> String {
        painted(&self.stdout, ink, text)
    }

    /// A word for stderr in this ink.
    pub(crate) fn err(&self, ink: Ink, text: &str) -> String {
        painted(&self.stderr, ink, text)
    }

    fn raw(&self, text: &str) {
        let mut stderr = self.stderr.to.borrow_mut();
        let _ = stderr.write_all(text.as_bytes());
        let _ = stderr.flush();
    }
}

/// How many columns and rows the terminal has.
pub(crate) fn size() -> (usize, usize) {
    let said = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    measured().unwrap_or((said("COLUMNS").unwrap_or(80), said("LINES").unwrap_or(24)))
}

#[cfg(unix)]
fn measured() -> Option<(usize, usize)> {
    let size = rustix::termios::tcgetwinsize(io::stderr()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0).then(|| (size.ws_col.into(), size.ws_row.into()))
}

#[cfg(not(unix))]
fn measured() -> Option<(usize, usize)> {
    None
}

fn painted(stream: &Stream, ink: Ink, text: &str) -> String {
    if !stream.colour {
        return text.to_owned();
    }
    let code = match ink {
        Ink::Bold => 1,
        Ink::Dim => 2,
        Ink::Red => 31,
        Ink::Yellow => 33,
        Ink::Green => 32,
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

/// What a test reads in place of a terminal.
#[cfg(test)]
#[derive(Debug, Clone, Default)]
pub(crate) struct Screen(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

#[cfg(test)]
impl Screen {
    pub(crate) fn text(&self) -> String {
        let bytes = self.0.lock().expect("nobody panicked").clone();
        String::from_utf8(bytes).expect("is text")
    }
}

#[cfg(test)]
impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .expect("nobody panicked")
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
impl Ui {
    /// Nobody to ask, and screens in place of stdout and stderr.
    pub(crate) fn scripted(terminal: bool) -> (Self, Screen, Screen) {
        let (out, err) = (Screen::default(), Screen::default());
        let stream = |to: &Screen| Stream {
            terminal,
            colour: terminal,
            to: RefCell::new(Box::new(to.clone())),
        };
        let ui = Self {
            json: false,
            yes: false,
            can_ask: false,
            stdout: stream(&out),
            stderr: stream(&err),
            progress: Cell::new(false),
            flowing: Cell::new(false),
        };
        (ui, out, err)
    }

    /// No terminal anywhere, nobody to ask, and nobody who reads.
    pub(crate) fn silent() -> Self {
        Self::scripted(false).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_terminal_there_is_neither_colour_nor_progress() {
        let (ui, out, err) = Ui::scripted(false);
        ui.progress("half");
        ui.print(&ui.out(Ink::Red, "a")).expect("prints");
        ui.note(&ui.err(Ink::Bold, "b"));
        assert_eq!((out.text(), err.text()), ("a\n".into(), "b\n".into()));
    }

    #[test]
    fn a_line_that_flows_is_ended_before_another_begins() {
        let (ui, out, err) = Ui::scripted(true);
        for text in ["Hel", "", "lo"] {
            ui.flow(text).expect("prints");
        }
        ui.progress("not now");
        ui.note("b");
        ui.flow("over\n").expect("prints");
        ui.print("c").expect("prints");
        assert_eq!(
            (out.text(), err.text()),
            ("Hello\nover\nc\n".into(), "b\n".into())
        );
    }

    #[test]
    fn progress_is_gone_before_anything_else_is_printed() {
        let (ui, out, err) = Ui::scripted(true);
        ui.progress("ha\u{1b}[2Jlf");
        ui.note("b");
        ui.print(&ui.out(Ink::Red, "a")).expect("prints");
        assert_eq!(err.text(), "\r\u{1b}[2Khalf\r\u{1b}[2Kb\n");
        assert_eq!(out.text(), "\u{1b}[31ma\u{1b}[0m\n");
    }
}
