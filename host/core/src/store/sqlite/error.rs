//! What goes wrong below, and how a person is told.

use crate::store::StoreError;
use rusqlite::ErrorCode;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// What a piece of work comes to.
pub(super) type SqliteResult<T> = Result<T, SqliteError>;

/// Kept apart from [`StoreError`] so that no type of rusqlite's stands in a public signature.
#[derive(Debug)]
pub(super) enum SqliteError {
    /// Something the caller has to know as it is.
    Store(StoreError),
    /// The database.
    Sqlite(rusqlite::Error),
    /// A file of the folder.
    File(io::Error),
    /// A content's file is not where its row says. It may have been deleted since.
    MissingFile(String),
}

impl From<StoreError> for SqliteError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<rusqlite::Error> for SqliteError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<io::Error> for SqliteError {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

impl SqliteError {
    /// Whether it is only another process that is in the way.
    pub(super) fn is_busy(&self) -> bool {
        let code = match self {
            Self::Sqlite(error) => error.sqlite_error_code(),
            Self::Store(_) | Self::File(_) | Self::MissingFile(_) => None,
        };
        matches!(
            code,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)
        )
    }

    /// What the caller is told about the store in this folder.
    pub(super) fn into_store_error(self, folder: &Path) -> StoreError {
        let folder = folder.display();
        let full = || {
            StoreError::Full(format!(
                "the disk is full, nothing was written to `{folder}`; free some space and try again"
            ))
        };
        let read_only = || {
            StoreError::Failed(format!(
                "`{folder}` cannot be written to; check its permissions, or choose another data folder"
            ))
        };
        match self {
            Self::Store(error) => error,
            Self::MissingFile(sha256) => unreadable("the content", sha256, "its file is gone"),
            Self::File(error) => match error.kind() {
                io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::FileTooLarge => full(),
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => read_only(),
                _ => StoreError::Failed(format!("a file in `{folder}` failed: {error}")),
            },
            Self::Sqlite(error) => match error.sqlite_error_code() {
                Some(ErrorCode::DiskFull) => full(),
                // No room even for the index of the write-ahead log.
                Some(_) if extended(&error) == Some(rusqlite::ffi::SQLITE_IOERR_SHMSIZE) => full(),
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                    read_only()
                }
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                    StoreError::Damaged(format!(
                        "the database in `{folder}` is damaged and was left as it is; \
                         move the folder away to start anew, or put a copy of it back"
                    ))
                }
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Failed(
                    format!("other processes keep the database in `{folder}` busy; try again"),
                ),
                // A column that is not of its type: no row that this code wrote.
                None => StoreError::Damaged(format!(
                    "a row of the database in `{folder}` cannot be read ({error}); \
                     move the folder away to start anew, or put a copy of it back"
                )),
                Some(_) => {
                    StoreError::Failed(format!("the database in `{folder}` failed: {error}"))
                }
            },
        }
    }
}

fn extended(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

/// A row that cannot be understood.
pub(super) fn damaged(what: &str, which: impl Display, why: impl Display) -> SqliteError {
    SqliteError::Store(unreadable(what, which, why))
}

fn unreadable(what: &str, which: impl Display, why: impl Display) -> StoreError {
    StoreError::Damaged(format!(
        "{what} `{which}` is damaged and cannot be read ({why}); \
         keep a copy of the data folder, then delete the session it belongs to"
    ))
}

/// Reads a row's JSON.
pub(super) fn read<T: DeserializeOwned>(
    what: &str,
    which: impl Display,
    json: &str,
) -> Result<T, SqliteError> {
    serde_json::from_str(json).map_err(|error| damaged(what, which, error))
}

/// Does it again while another process is in the way: SQLite waits five seconds each time.
pub(super) fn retry_while_busy<T>(mut attempt: impl FnMut() -> SqliteResult<T>) -> SqliteResult<T> {
    const TIMES: usize = 6;
    for _ in 1..TIMES {
        match attempt() {
            Err(error) if error.is_busy() => {}
            done => return done,
        }
    }
    attempt()
}
