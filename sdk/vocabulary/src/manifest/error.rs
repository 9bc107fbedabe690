//! Why a manifest was refused, and where in its text.
//!
//! Everything that reads the manifest reports a [`Problem`] at a place in bytes; only
//! [`Manifest::parse`](super::Manifest::parse) turns it into lines and columns.

use std::fmt;
use std::ops::Range;

/// A refused manifest: what is wrong, and the line and column (from 1, in characters) where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// What is wrong and what would be right, on one line without control characters.
    pub message: String,
    excerpt: String,
    caret: usize,
}

/// A long line is cut around the place, so that the place can be seen.
const EXCERPT: usize = 80;

impl ManifestError {
    pub(super) fn new(text: &str, problem: Problem) -> Self {
        let mut at = problem.at.start.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let (before, after) = text.split_at(at);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let head = &before[start..];
        let tail = after.split('\n').next().unwrap_or_default();
        let column = head.chars().count() + 1;
        // Shown from a little before the place, and no further than fits.
        let skipped = (column - 1).saturating_sub(EXCERPT / 2);
        let mut excerpt: String = head.chars().skip(skipped).map(visible).collect();
        let caret = excerpt.chars().count();
        let room = EXCERPT.saturating_sub(column - 1 - skipped);
        excerpt.extend(tail.trim_end().chars().take(room).map(visible));
        Self {
            line: before.matches('\n').count() + 1,
            column,
            message: problem.message,
            excerpt,
            caret,
        }
    }

    /// The offending line (or the part of it around the place), without control characters.
    #[must_use]
    pub fn excerpt(&self) -> &str {
        &self.excerpt
    }
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, .. } = self;
        write!(f, "line {line}, column {column}: {}", self.message)?;
        if self.excerpt.trim().is_empty() {
            return Ok(());
        }
        let number = line.to_string();
        let (margin, caret) = (number.len(), self.caret + 1);
        write!(
            f,
            "\n {number} | {}\n {:margin$} | {:>caret$}",
            self.excerpt, "", "^"
        )
    }
}

impl std::error::Error for ManifestError {}

/// What is wrong with a piece of the text.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) at: Range<usize>,
    pub(super) message: String,
}

impl Problem {
    pub(super) fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            at,
            message: message.into(),
        }
    }
}

pub(super) type Checked<T> = Result<T, Problem>;

/// Whether a character would not be seen, or would change how its neighbours are seen: controls,
/// line and paragraph separators, bidirectional controls, invisible marks and tags.
///
/// The two joiners stay: Persian and emoji cannot be written without them.
pub(super) fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn visible(c: char) -> char {
    if c == '\t' {
        ' '
    } else if is_hidden(c) {
        '\u{fffd}'
    } else {
        c
    }
}

/// Text from outside as it may stand in a message: escaped, and short.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String = text
        .chars()
        .take(MOST)
        .flat_map(|c| match c {
            // Escaping these would not make them clearer.
            '"' | '\'' | '\\' => vec![c],
            _ => c.escape_debug().collect(),
        })
        .collect();
    if text.chars().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, at: usize) -> ManifestError {
        ManifestError::new(text, Problem::new(at..at, "is wrong"))
    }

    #[test]
    fn place_is_counted_in_lines_and_characters() {
        let place = |text, at| {
            let error = error(text, at);
            (error.line, error.column)
        };
        assert_eq!(place("", 0), (1, 1));
        assert_eq!(place("ab\ncd", 4), (2, 2));
        assert_eq!(place("ab\r\ncd", 5), (2, 2));
        assert_eq!(place("é = 1", 3), (1, 3));
        assert_eq!(place("ab\n", 3), (2, 1));
        assert_eq!(place("ab", 99), (1, 3));
        assert_eq!(place("é", 1), (1, 1));
    }

    #[test]
    fn message_is_followed_by_the_line_with_a_mark() {
        assert_eq!(
            error("[plugin]\r\n\tid = 7\r\nx", 16).to_string(),
            "line 2, column 7: is wrong\n 2 |  id = 7\n   |       ^"
        );
    }

    #[test]
    fn long_lines_and_control_characters_stay_out_of_the_excerpt() {
        let text = format!("{}\u{1b}[2J{}", "a".repeat(5000), "b".repeat(5000));
        let error = error(&text, 5000);
        assert_eq!(error.column, 5001);
        assert!(error.excerpt().chars().count() <= EXCERPT, "{error}");
        assert!(!error.to_string().contains('\u{1b}'), "{error:?}");
    }
}
