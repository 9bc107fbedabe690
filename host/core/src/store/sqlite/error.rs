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
    fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Sqlite(error) => error.sqlite_error_code(),
            _ => None,
        }
    }

    /// Reports whether the only obstacle is another process that holds a lock.
    fn is_busy(&self) -> bool {
        matches!(
            self.code(),
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
        )
    }

    pub(super) fn is_disk_full(&self) -> bool {
        match self {
            Self::Io(error) => matches!(
                error.kind(),
                io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::FileTooLarge
            ),
            // The second: no room even for the index of the write-ahead log.
            Self::Sqlite(error) => {
                self.code() == Some(ErrorCode::DiskFull)
                    || error.sqlite_error().is_some_and(|error| {
                        error.extended_code == rusqlite::ffi::SQLITE_IOERR_SHMSIZE
                    })
            }
            _ => false,
        }
    }

    fn is_read_only(&self) -> bool {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
        match self {
            Self::Io(error) => matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem),
            _ => matches!(
                self.code(),
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied)
            ),
        }
    }

    /// Converts to the error that a caller of the store in `folder` gets.
    pub(super) fn into_store_error(self, folder: &Path) -> StoreError {
        const REPLACE: &str = "move the folder away to start anew, or put a copy of it back";
        let folder = folder.display();
        let (variant, message): (fn(DetailedError) -> StoreError, String) = match &self {
            Self::Store(error) => return error.clone(),
            Self::MissingFile(sha256) => {
                return damaged_row("the content", sha256, "its file is missing");
            }
            _ if self.is_disk_full() => (
                StoreError::Full,
                format!(
                    "the disk is full, nothing was written to `{folder}`; free some space and try again"
                ),
            ),
            _ if self.is_read_only() => (
                StoreError::Failed,
                format!(
                    "`{folder}` cannot be written to; check its permissions, or choose another data folder"
                ),
            ),
            _ if self.is_busy() => (
                StoreError::Failed,
                format!("other processes keep the database in `{folder}` busy; try again"),
            ),
            Self::Io(_) => (
                StoreError::Failed,
                format!("a file in `{folder}` cannot be used"),
            ),
            Self::Sqlite(_) => match self.code() {
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => (
                    StoreError::Damaged,
                    format!(
                        "the database in `{folder}` is damaged and was left as it is; {REPLACE}"
                    ),
                ),
                // A column has another type than the one this code writes.
                None => (
                    StoreError::Damaged,
                    format!("a row of the database in `{folder}` cannot be read; {REPLACE}"),
                ),
                Some(_) => (
                    StoreError::Failed,
                    format!("the database in `{folder}` failed"),
                ),
            },
        };
        variant(DetailedError::new(message, self))
    }
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
