//! Errors of reading and editing a rules file.

use std::io;
use std::path::{Path, PathBuf};

/// An error about a rules file. Each names the file and says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The text is not a valid rules file, and none of it applies.
    #[error("`{path}`, line {line}, column {column}: {message}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1 in characters.
        column: usize,
        /// What is wrong and what would be right, on one line.
        message: String,
    },
    /// There is no regular file at the path, or other users can write it.
    #[error("`{path}` {message}")]
    Untrusted {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what to do.
        message: String,
    },
    /// The file system failed.
    #[error("could not {doing} `{path}`")]
    Io {
        /// The file.
        path: PathBuf,
        /// The operation, such as `read`.
        doing: &'static str,
        /// The error of the file system.
        source: io::Error,
    },
    /// An edit would produce an invalid file or other rules than intended. Nothing was written.
    #[error("`{path}` was left as it is: {message}")]
    InvalidEdit {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// The id names no rule, or more than one.
    #[error("`{path}`: {message}")]
    InvalidId {
        /// The file.
        path: PathBuf,
        /// What is wrong with the id, and what to do.
        message: String,
    },
}

/// What is wrong with a text, and at which byte.
#[derive(Debug)]
pub(super) struct ParseError {
    pub(super) at: usize,
    pub(super) message: String,
}

impl ParseError {
    pub(super) fn new(at: usize, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { at, message }
    }

    pub(super) fn in_file(self, path: &Path, text: &str) -> RulesError {
        let (line, column) = position(text, self.at);
        RulesError::Invalid {
            path: path.to_owned(),
            line,
            column,
            message: self.message,
        }
    }
}

/// Returns the line and column of a byte, both counted from 1.
pub(super) fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    // A byte order mark takes no column.
    let column = before[start..]
        .trim_start_matches('\u{feff}')
        .chars()
        .count()
        + 1;
    (line, column)
}
