//! Errors below [`StoreError`], and what they mean for the caller.

use crate::store::{DetailedError, StoreError};
use rusqlite::ErrorCode;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::path::Path;

pub(super) type SqliteResult<T> = Result<T, SqliteError>;

/// An error of a job. Kept apart from [`StoreError`] so that no type of rusqlite appears in a public
/// signature.
#[derive(Debug, thiserror::Error)]
pub(super) enum SqliteError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file of a content with this SHA-256 is missing. Its row may have been deleted since.
    #[error("the file of the content `{0}` is missing")]
    MissingFile(String),
}

impl SqliteError {
    /// Reports whether the only obstacle is another process that holds a lock.
    fn is_busy(&self) -> bool {
        let Self::Sqlite(error) = self else {
            return false;
        };
        matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
        )
    }

    /// Converts to the error that a caller of the store in `folder` gets.
    pub(super) fn into_store_error(self, folder: &Path) -> StoreError {
        let folder = folder.display();
        let full = |error: Box<dyn Error + Send + Sync>| {
            let message = format!(
                "the disk is full, nothing was written to `{folder}`; free some space and try again"
            );
            StoreError::Full(DetailedError::new(message, error))
        };
        let read_only = |error: Box<dyn Error + Send + Sync>| {
            let message = format!(
                "`{folder}` cannot be written to; check its permissions, or choose another data folder"
            );
            StoreError::Failed(DetailedError::new(message, error))
        };
        match self {
            Self::Store(error) => error,
            Self::MissingFile(sha256) => damaged_row("the content", sha256, "its file is missing"),
            Self::Io(error) => match error.kind() {
                io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::FileTooLarge => full(error.into()),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    read_only(error.into())
                }
                _ => {
                    let message = format!("a file in `{folder}` cannot be used");
                    StoreError::Failed(DetailedError::new(message, error))
                }
            },
            Self::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => full(error.into()),
                // No room even for the index of the write-ahead log.
                Some(_) if extended_code(&error) == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) => {
                    full(error.into())
                }
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                    read_only(error.into())
                }
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    let message = format!(
                        "the database in `{folder}` is damaged and was left as it is; \
                         move the folder away to start anew, or put a copy of it back"
                    );
                    StoreError::Damaged(DetailedError::new(message, error))
                }
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                    let message =
                        format!("other processes keep the database in `{folder}` busy; try again");
                    StoreError::Failed(DetailedError::new(message, error))
                }
                // A column has another type than the one this code writes.
                None => {
                    let message = format!(
                        "a row of the database in `{folder}` cannot be read; \
                         move the folder away to start anew, or put a copy of it back"
                    );
                    StoreError::Damaged(DetailedError::new(message, error))
                }
                Some(_) => {
                    let message = format!("the database in `{folder}` failed");
                    StoreError::Failed(DetailedError::new(message, error))
                }
            },
        }
    }
}

fn extended_code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

/// An error about a row that cannot be understood.
pub(super) fn damaged(
    what: &str,
    which: impl Display,
    why: impl Into<Box<dyn Error + Send + Sync>>,
) -> SqliteError {
    damaged_row(what, which, why).into()
}

fn damaged_row(
    what: &str,
    which: impl Display,
    why: impl Into<Box<dyn Error + Send + Sync>>,
) -> StoreError {
    let message = format!(
        "{what} `{which}` is damaged and cannot be read; \
         keep a copy of the data folder, then delete the session it belongs to"
    );
    StoreError::Damaged(DetailedError::new(message, why))
}

/// Parses the JSON of a row.
pub(super) fn read<T: DeserializeOwned>(
    what: &str,
    which: impl Display,
    json: &str,
) -> SqliteResult<T> {
    serde_json::from_str(json).map_err(|error| damaged(what, which, error))
}

/// Repeats an attempt while another process is in the way. SQLite waits five seconds each time.
pub(super) fn retry_while_busy<T>(mut attempt: impl FnMut() -> SqliteResult<T>) -> SqliteResult<T> {
    const ATTEMPTS: usize = 6;
    for _ in 1..ATTEMPTS {
        match attempt() {
            Err(error) if error.is_busy() => {}
            done => return done,
        }
    }
    attempt()
}
