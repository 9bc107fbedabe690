//! The folder of a store: its permissions, its open stores, and the connections to its database.
//!
//! Each open store holds a lock on a file in `owners/`. The operating system releases the lock when the
//! process dies, however it dies, so that dead owners are recognized without a clock.
//!
//! Invariant: a database of a newer version, or of another program, is rejected before anything in it
//! changes.

use super::error::{SqliteError, SqliteResult, retry_while_busy};
use super::schema;
use crate::plugin::digest::hex;
use crate::private_file;
use crate::store::{DetailedError, StoreError};
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

const DATABASE: &str = "footlight.db";

const RESERVE: &str = "reserve";

/// The size of the reserve: enough for the write-ahead log of one step of deleting.
const RESERVE_BYTES: usize = 2 << 20;

/// Earlier versions have a bug that can reset a write-ahead log.
const MIN_SQLITE: i32 = 3_051_003;

/// The folder of an open store.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// The folder of contents, opened once: whatever its path becomes, files are found and created
    /// in this folder.
    contents: Dir,
    /// The id of this store among those that have the folder open.
    id: String,
    /// Locked until the store is dropped.
    lock: File,
}

impl Folder {
    pub(super) fn open(path: &Path) -> SqliteResult<(Self, Connection)> {
        if rusqlite::version_number() < MIN_SQLITE {
            return Err(failed(format!(
                "SQLite {} is too old; this needs 3.51.3 or newer",
                rusqlite::version()
            )));
        }
        let database = path.join(DATABASE);
        if database.exists() {
            check_before_opening(&database)?;
        }
        for folder in ["", "blobs", "blobs/new", "owners"] {
            let folder = path.join(folder);
            private_file::create_dir(&folder)?;
            private_file::restrict(&folder)?;
        }
        // One at a time: two processes that create the same database would conflict.
        let opening = private_file::open(&path.join("open.lock"))?;
        opening.lock()?;
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| {
            let message = "the operating system provides no random numbers";
            StoreError::failed(DetailedError::new(message, error.to_string()))
        })?;
        let id = hex(&random);
        let lock = private_file::open(&owner_file(path, &id))?;
        lock.lock()?;
        let folder = Self {
            path: path.to_owned(),
            contents: Dir::open_ambient_dir(path.join("blobs"), ambient_authority())?,
            id,
            lock,
        };
        folder.remove_stale_files()?;
        private_database(&database)?;
        let mut connection = folder.connect()?;
        schema::migrate(&mut connection, &folder.path)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        folder.keep_reserve();
        Ok((folder, connection))
    }

    /// Fills the reserve, if there is none and the disk has room.
    fn keep_reserve(&self) {
        let path = self.path.join(RESERVE);
        if path.exists() {
            return;
        }
        let filled =
            private_file::open(&path).and_then(|mut file| file.write_all(&vec![0; RESERVE_BYTES]));
        if filled.is_err() {
            Self::release_reserve(&self.path);
        }
    }

    /// Gives up the reserve of a folder, and reports whether there was one.
    pub(super) fn release_reserve(folder: &Path) -> bool {
        fs::remove_file(folder.join(RESERVE)).is_ok()
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Opens a connection with the settings that all connections share.
    pub(super) fn connect(&self) -> SqliteResult<Connection> {
        retry_while_busy(|| {
            let db = Connection::open_with_flags(
                self.path.join(DATABASE),
                rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE
                    | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )?;
            // Closing must not write either, until the database is known to be a store's.
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
            db.busy_timeout(Duration::from_secs(5))?;
            schema::reject_foreign(&db, &self.path)?;
            // Takes effect in a new database only, before its first page is written. In another one it
            // would change nothing, and yet write the first page.
            let pages: i64 = db.pragma_query_value(None, "page_count", |row| row.get(0))?;
            if pages == 0 {
                db.pragma_update(None, "auto_vacuum", "incremental")?;
            }
            let mode: String =
                db.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
            if mode != "wal" {
                return Err(failed(format!(
                    "`{}` does not support a write-ahead log; put the data folder on a local disk",
                    self.path.display()
                )));
            }
            db.pragma_update(None, "synchronous", "full")?;
            db.pragma_update(None, "foreign_keys", true)?;
            // Overwrites what a person deletes.
            db.pragma_update(None, "secure_delete", true)?;
            db.pragma_update(None, "journal_size_limit", 64 << 20)?;
            Ok(db)
        })
    }

    /// Reports whether the store with this id is still open. If in doubt, it is.
    pub(super) fn is_alive(&self, id: &str) -> bool {
        if id == self.id {
            return true;
        }
        match File::open(owner_file(&self.path, id)) {
            // Shared, so that two processes that check at once do not mistake each other for the owner.
            Ok(file) => !matches!(file.try_lock_shared(), Ok(())),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }

    /// Returns the name of a temporary file among the contents.
    pub(super) fn staging(&self, n: u64) -> PathBuf {
        Path::new("new").join(format!("{}-{n}", self.id))
    }

    pub(super) fn contents(&self) -> &Dir {
        &self.contents
    }

    /// Deletes the files of dead stores. Only while `open.lock` is held: a store that is being opened
    /// creates its file before locking it.
    fn remove_stale_files(&self) -> SqliteResult<()> {
        let owners = Dir::open_ambient_dir(self.path.join("owners"), ambient_authority())?;
        self.remove_stale(&owners, |name| name.strip_suffix(".lock"))?;
        let staged = self.contents.open_dir("new")?;
        self.remove_stale(&staged, |name| Some(name.split_once('-')?.0))
    }

    fn remove_stale(&self, dir: &Dir, owner: impl Fn(&str) -> Option<&str>) -> SqliteResult<()> {
        for entry in dir.entries()? {
            let entry = entry?;
            let name = entry.file_name();
            if name
                .to_str()
                .and_then(&owner)
                .is_some_and(|id| !self.is_alive(id))
            {
                entry.remove_file()?;
            }
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A file that stays is deleted when the folder is next opened.
        let _ = fs::remove_file(owner_file(&self.path, &self.id));
        let _ = self.lock.unlock();
    }
}

fn owner_file(folder: &Path, id: &str) -> PathBuf {
    folder.join("owners").join(format!("{id}.lock"))
}

fn failed(message: String) -> SqliteError {
    StoreError::failed(message).into()
}

/// Checks the version without writing: opening a database normally creates files next to it.
///
/// This goes through SQLite, because closing the file directly would release every lock that this
/// process holds on it, and another store in this process may have it open.
fn check_before_opening(database: &Path) -> SqliteResult<()> {
    let path = std::path::absolute(database)?;
    let mut uri = String::from("file:");
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri.push_str("?immutable=1");
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY | rusqlite::OpenFlags::SQLITE_OPEN_URI;
    let checked = Connection::open_with_flags(uri, flags)
        .map_err(SqliteError::from)
        .and_then(|db| schema::reject_foreign(&db, database));
    match checked {
        Err(SqliteError::Store(refused)) => Err(refused.into()),
        // New, damaged, or being written right now: opening it normally will tell.
        _ => Ok(()),
    }
}

/// Creates the database's file before SQLite does, which would let others read it. SQLite gives the
/// files next to it the same permissions. An existing file is not opened, see [`check_before_opening`].
fn private_database(path: &Path) -> SqliteResult<()> {
    if !path.exists() {
        private_file::open(path)?;
    }
    Ok(private_file::restrict(path)?)
}
