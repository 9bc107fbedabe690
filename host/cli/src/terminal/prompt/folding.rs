//! A writer that folds a settled prompt to one line.
//!
//! It counts the rows that were written and echoed, and erases them. A prompt that is longer than the
//! screen stays, because rows that have scrolled off cannot be erased.
//!
//! Invariant: all other text is wrapped here, so that none of it begins a row, however long it is. Only [`write_card`](FoldingWriter::write_card) and [`fold_card`](FoldingWriter::fold_card)
//! write the frame of an approval card; from all other text it is removed.

use crate::terminal::rows::{QUOTED, wrapped};
use crate::terminal::ui::{self, CursorPosition, Size, erase_rows};
use footlight_render::terminal::without_card_frame;
use std::io::{self, Write};
use unicode_width::UnicodeWidthChar;

/// The writer of a prompt.
pub(crate) struct FoldingWriter {
    to: Box<dyn Write + Send>,
    /// The size of the terminal; `None` if rows cannot be erased.
    size: Option<fn() -> Size>,
    place: CursorPosition,
    /// The columns that the row of the cursor has on any terminal, at most.
    column: usize,
    last: char,
    /// What prompts left on the screen; `None` if that is unknown.
    visible: Option<String>,
}

impl FoldingWriter {
    /// Creates a writer; `folds` says whether rows can be erased.
    pub(crate) fn new(to: Box<dyn Write + Send>, folds: bool) -> Self {
        Self::sized(to, folds.then_some(ui::size))
    }

    pub(super) fn sized(to: Box<dyn Write + Send>, size: Option<fn() -> Size>) -> Self {
        Self {
            to,
            size,
            place: CursorPosition::default(),
            column: 0,
            last: '\n',
            visible: Some(String::new()),
        }
    }

    /// Starts a prompt.
    pub(super) fn begin(&mut self) {
        self.place = CursorPosition::default();
        self.column = 0;
    }

    /// Returns what prompts left on the screen since the last call; `None` if that is unknown.
    pub(super) fn take_visible_text(&mut self) -> Option<String> {
        self.visible.replace(String::new())
    }

    /// Counts a line that the terminal echoed.
    pub(super) fn echoed(&mut self, line: &str) {
        self.count(line);
        self.count("\n");
    }

    /// Shows a line that is being edited behind the prompt. It stays in the row of the prompt: of a
    /// longer line the end is shown.
    pub(super) fn show_edited(&mut self, line: &str) -> io::Result<()> {
        let column = self.place.column;
        let width = self.size.map_or(0, |size| size().0);
        // The last column stays empty: terminals differ in what they do once it is written to.
        let shown = end_of(line, width.saturating_sub(column + 1));
        let shown = without_card_frame(&shown, ' ');
        write!(self.to, "\r\u{1b}[{column}C\u{1b}[K{shown}")?;
        self.to.flush()
    }

    /// Ends the row of an edited line.
    pub(super) fn end_edited(&mut self) -> io::Result<()> {
        writeln!(self.to)?;
        self.echoed("");
        Ok(())
    }

    /// Writes an approval card, or another statement of the host in its frame.
    pub(super) fn write_card(&mut self, text: &str) -> io::Result<()> {
        self.to.write_all(text.as_bytes())?;
        self.visible = None;
        self.last = text.chars().next_back().unwrap_or(self.last);
        self.count(text);
        Ok(())
    }

    /// Erases the prompt, which is then written anew. Where rows cannot be erased it stays.
    pub(super) fn erase(&mut self) -> io::Result<()> {
        let place = self.take_place();
        match self.size {
            Some(size) if place.row < size().1 && !place.is_unknown => {
                write!(self.to, "{}", erase_rows(place.row))
            }
            _ if place.column > 0 => writeln!(self.to),
            _ => Ok(()),
        }
    }

    /// Replaces the prompt with one line. Without a terminal the prompt stays as it is.
    pub(super) fn fold(&mut self, line: &str) -> io::Result<()> {
        let line = without_card_frame(line, '\n');
        let line = wrapped(&line, &mut 0, self.width(), QUOTED);
        self.fold_card(&line)
    }

    /// Replaces the prompt with one line in the frame of a card.
    pub(super) fn fold_card(&mut self, line: &str) -> io::Result<()> {
        let place = self.take_place();
        match self.size {
            Some(size) if place.row < size().1 && !place.is_unknown => {
                writeln!(self.to, "{}{line}", erase_rows(place.row))?;
                self.visible = Some(format!("{line}\n"));
            }
            Some(_) => {
                // The input may have ended in the row of the prompt.
                let end = if place.column > 0 { "\n" } else { "" };
                writeln!(self.to, "{end}{line}")?;
            }
            None if place.column > 0 => writeln!(self.to)?,
            None => {}
        }
        self.to.flush()
    }

    /// Returns the position of the cursor, which is at the beginning of a row by then.
    fn take_place(&mut self) -> CursorPosition {
        self.column = 0;
        std::mem::take(&mut self.place)
    }

    fn count(&mut self, text: &str) {
        self.place.write(text, self.width());
        wrapped(text, &mut self.column, usize::MAX, "");
    }

    fn width(&self) -> usize {
        self.size.map_or(usize::MAX, |size| size().0)
    }
}

/// Returns the longest end of a line that fits into this many columns.
fn end_of(line: &str, columns: usize) -> String {
    let mut wide = 0;
    let fits = |c: &char| {
        wide += c.width().unwrap_or(0);
        wide <= columns
    };
    let mut end: Vec<char> = line.chars().rev().take_while(fits).collect();
    end.reverse();
    end.into_iter().collect()
}

impl Write for FoldingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        let text = without_card_frame(&text, self.last);
        let mut column = self.column;
        let text = wrapped(&text, &mut column, self.width(), QUOTED).into_owned();
        self.write_card(&text)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::ui::scripted::TestScreen;

    fn folded(size: Option<fn() -> Size>, text: &str) -> String {
        let seen = TestScreen::default();
        let mut writer = FoldingWriter::sized(Box::new(seen.clone()), size);
        writer.begin();
        write!(writer, "{text}").expect("writes");
        writer.echoed("y");
        writer.fold("done").expect("writes");
        seen.text()[text.len()..].to_owned()
    }

    #[test]
    fn all_written_rows_are_erased() {
        for (text, rows) in [
            ("? ", 1),
            ("a\nb\n? ", 3),
            ("0123456789", 2),
            ("日本語日本", 2),
        ] {
            let expected = format!("\u{1b}[{rows}A\r\u{1b}[Jdone\n");
            assert_eq!(folded(Some(|| (10, 24)), text), expected, "{text}");
        }
    }

    #[test]
    fn an_edited_line_stays_in_the_row_of_the_prompt() {
        let seen = TestScreen::default();
        let mut writer = FoldingWriter::sized(Box::new(seen.clone()), Some(|| (10, 24)));
        writer.begin();
        write!(writer, "a\n? ").expect("writes");
        writer.show_edited("0123456789").expect("writes");
        writer.show_edited("┃日本語").expect("writes");
        writer.end_edited().expect("writes");
        writer.fold("done").expect("writes");
        let row = "\r\u{1b}[2C\u{1b}[K";
        assert_eq!(
            seen.text(),
            format!("a\n? {row}3456789{row}│日本語\n\u{1b}[2A\r\u{1b}[Jdone\n")
        );
    }

    #[test]
    fn rows_that_scrolled_off_stay() {
        assert_eq!(folded(Some(|| (10, 3)), "a\nb\nc\n? "), "done\n");
        assert_eq!(folded(None, "a\n? "), "");
    }
}
