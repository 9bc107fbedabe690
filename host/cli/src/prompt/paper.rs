//! What a prompt is written on: it can be folded to one line once it is settled.
//!
//! It counts the rows that were written and echoed, and takes them back. What has left the screen
//! cannot be taken back, so a prompt that is longer than the screen stays.

use crate::ui;
use std::io::{self, Write};
use unicode_width::UnicodeWidthChar;

/// Where a prompt is written.
pub(crate) struct Paper {
    to: Box<dyn Write + Send>,
    /// How many columns and rows there are, where rows can be taken back.
    screen: Option<(usize, usize)>,
    rows: usize,
    column: usize,
}

impl Paper {
    /// A terminal, which can take rows back if it `folds`.
    pub(crate) fn new(to: Box<dyn Write + Send>, folds: bool) -> Self {
        Self::sized(to, folds.then(ui::size))
    }

    pub(super) fn sized(to: Box<dyn Write + Send>, screen: Option<(usize, usize)>) -> Self {
        Self {
            to,
            screen,
            rows: 0,
            column: 0,
        }
    }

    /// A prompt begins.
    pub(super) fn begin(&mut self) {
        (self.rows, self.column) = (0, 0);
    }

    /// The terminal has shown a line that was typed.
    pub(super) fn echoed(&mut self, line: &str) {
        self.count(line);
        self.count("\n");
    }

    /// Puts one line in place of everything since the prompt began. Where nothing can be taken back
    /// that stays, and speaks for itself.
    pub(super) fn fold(&mut self, line: &str) -> io::Result<()> {
        match self.screen {
            Some((_, height)) if self.rows < height => {
                if self.rows > 0 {
                    write!(self.to, "\u{1b}[{}A", self.rows)?;
                }
                writeln!(self.to, "\r\u{1b}[J{line}")?;
            }
            Some(_) => writeln!(self.to, "{line}")?,
            None if self.column > 0 => writeln!(self.to)?,
            None => {}
        }
        self.begin();
        self.to.flush()
    }

    fn count(&mut self, text: &str) {
        let Some((width, _)) = self.screen else {
            // Only whether a line has begun.
            if let Some(last) = text.chars().next_back() {
                self.column = usize::from(last != '\n');
            }
            return;
        };
        for c in text.chars() {
            if c == '\n' {
                self.rows += 1;
                self.column = 0;
                continue;
            }
            let wide = c.width().unwrap_or(0);
            self.column += wide;
            if self.column > width {
                self.rows += 1;
                self.column = wide;
            }
        }
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write_all(bytes)?;
        self.count(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::Screen;

    fn folded(screen: Option<(usize, usize)>, text: &str) -> String {
        let seen = Screen::default();
        let mut paper = Paper::sized(Box::new(seen.clone()), screen);
        paper.begin();
        write!(paper, "{text}").expect("writes");
        paper.echoed("y");
        paper.fold("done").expect("writes");
        seen.text()[text.len()..].to_owned()
    }

    #[test]
    fn as_many_rows_are_taken_back_as_were_written() {
        for (text, rows) in [
            ("? ", 1),
            ("a\nb\n? ", 3),
            ("0123456789", 2),
            ("日本語日本 ", 2),
        ] {
            let expected = format!("\u{1b}[{rows}A\r\u{1b}[Jdone\n");
            assert_eq!(folded(Some((10, 24)), text), expected, "{text}");
        }
    }

    #[test]
    fn what_has_left_the_screen_stays() {
        assert_eq!(folded(Some((10, 3)), "a\nb\nc\n? "), "done\n");
        assert_eq!(folded(None, "a\n? "), "");
    }
}
