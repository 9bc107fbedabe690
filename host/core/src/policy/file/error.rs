//! Why a rules file was not read or not written.

use std::io;
use std::path::{Path, PathBuf};

/// What went wrong with a rules file. Each says which file, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// Its text is not what a rules file may hold; nothing in it counts.
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
    /// What lies there is not a file that we would trust.
    #[error("`{path}` {message}")]
    Untrusted {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and what to do.
        message: String,
    },
    /// The system did not let us.
    #[error("could not {doing} `{path}`")]
    Io {
        /// The file.
        path: PathBuf,
        /// What was being done, such as `read`.
        doing: &'static str,
        /// What the system says.
        source: io::Error,
    },
    /// An edit would make a file that says something else, or is refused; nothing was written.
    #[error("`{path}` was left as it is: {message}")]
    InvalidEdit {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// An id that is not the id of one rule.
    #[error("`{path}`: {message}")]
    InvalidId {
        /// The file.
        path: PathBuf,
        /// What is wrong with the id, and what to do.
        message: String,
    },
}

/// What is wrong with a text, and at which byte of it.
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
        let (line, column) = place(text, self.at);
        RulesError::Invalid {
            path: path.to_owned(),
            line,
            column,
            message: self.message,
        }
    }
}

/// The line and column of a byte, both from 1.
pub(super) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    // A byte order mark is no column.
    let column = before[start..]
        .trim_start_matches('\u{feff}')
        .chars()
        .count()
        + 1;
    (line, column)
}
