//! The error of reading a manifest.

use crate::toml_reader::{TomlError, is_hidden, position};
use std::fmt;

/// What is wrong with a manifest, with line, column and an excerpt of the line.
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

/// The width of an excerpt. A longer line is cut on both sides of the position.
const EXCERPT: usize = 80;

impl ManifestError {
    pub(super) fn new(text: &str, problem: TomlError) -> Self {
        let at = problem.at.start;
        let (line, column) = position(text, at);
        let (before, after) = text.split_at(text.floor_char_boundary(at));
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let head = &before[start..];
        let tail = after.split('\n').next().unwrap_or_default();
        let skipped = (column - 1).saturating_sub(EXCERPT / 2);
        let mut excerpt: String = head.chars().skip(skipped).map(visible).collect();
        let caret = excerpt.chars().count();
        let room = EXCERPT.saturating_sub(column - 1 - skipped);
        excerpt.extend(tail.trim_end().chars().take(room).map(visible));
        Self {
            line,
            column,
            message: problem.message,
            excerpt,
            caret,
        }
    }

    /// Returns the line, or the part of it around the position, without control characters.
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

fn visible(c: char) -> char {
    if c == '\t' {
        ' '
    } else if is_hidden(c) {
        '\u{fffd}'
    } else {
        c
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, at: usize) -> ManifestError {
        ManifestError::new(text, TomlError::new(at..at, "is wrong"))
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
