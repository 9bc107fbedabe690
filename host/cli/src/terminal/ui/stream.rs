//! The two output streams, and emphasis on them.

use footlight_render::terminal::{Colour, Terminal};
use std::cell::RefCell;
use std::io::{self, Write};

/// An output stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutStream {
    /// For results.
    Stdout,
    /// For everything else.
    Stderr,
}

/// How a word is emphasised.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Emphasis {
    Bold,
    Dim,
    Red,
    Yellow,
    Green,
}

/// A stream and what it can show.
pub(super) struct Stream {
    pub(super) terminal: bool,
    pub(super) target: Terminal,
    pub(super) to: RefCell<Box<dyn Write>>,
}

impl Stream {
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut to = self.to.borrow_mut();
        to.write_all(bytes)?;
        to.flush()
    }

    /// Emphasises a word, if the stream has colours.
    pub(super) fn styled(&self, emphasis: Emphasis, text: &str) -> String {
        if self.target.colour == Colour::None {
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
}
