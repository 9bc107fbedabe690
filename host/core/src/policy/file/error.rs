//! Errors of reading and editing a rules file.

use footlight_vocabulary::toml_reader::{TomlError, position};
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

impl RulesError {
    pub(super) fn invalid(path: &Path, text: &str, error: TomlError) -> Self {
        let (line, column) = position(text, error.at.start);
        Self::Invalid {
            path: path.to_owned(),
            line,
            column,
            message: error.message,
        }
    }
}
