//! A line that a person edits key by key behind a prompt: a folder, or a choice.
//!
//! The editor of `chat` waits for a key whatever happens meanwhile. A prompt can be settled elsewhere, so
//! it reads the keys of a keyboard that can stop waiting.

use super::FoldingWriter;
use crate::terminal::keyboard::Key;
use footlight_render::filter;
use std::io;

/// The most bytes of a line, as terminals have it.
pub(super) const MAX_LINE: usize = 4_096;

/// A line while it is typed.
pub(crate) trait EditedLine {
    /// Changes the line as a key says. Enter and the end of input never get here.
    fn press(&mut self, key: Key);

    /// Returns the line as it is so far.
    fn text(&self) -> &str;
}

/// Reads a line; `None` at the end of input.
pub(super) fn read(
    keys: &mut dyn Iterator<Item = io::Result<Key>>,
    output: &mut FoldingWriter,
    line: &mut dyn EditedLine,
) -> io::Result<Option<String>> {
    for key in keys {
        match key? {
            Key::Enter => {
                output.end_edited()?;
                return Ok(Some(line.text().to_owned()));
            }
            Key::End if line.text().is_empty() => break,
            key => line.press(key),
        }
        output.show_edited(&filter::line(line.text(), MAX_LINE))?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::ui::scripted::TestScreen;

    /// A line that takes characters alone.
    #[derive(Default)]
    struct Plain(String);

    impl EditedLine for Plain {
        fn press(&mut self, key: Key) {
            if let Key::Char(c) = key {
                self.0.push(c);
            }
        }

        fn text(&self) -> &str {
            &self.0
        }
    }

    #[test]
    fn enter_ends_the_line_and_the_end_of_input_is_no_line() {
        let read = |keys: &[Key]| {
            let screen = TestScreen::default();
            let mut output = FoldingWriter::sized(Box::new(screen), Some(|| (40, 24)));
            let mut keys = keys.iter().copied().map(Ok);
            super::read(&mut keys, &mut output, &mut Plain::default()).expect("reads")
        };
        assert_eq!(read(&[Key::Char('a'), Key::Enter]).as_deref(), Some("a"));
        assert_eq!(read(&[Key::Enter]).as_deref(), Some(""));
        assert_eq!(read(&[Key::End]), None);
        assert_eq!(read(&[Key::Char('a')]), None);
    }
}
