//! The folder of a store: who may look into it, who has it open, and how its database is opened.
//!
//! Each store that is open holds a lock on a file in `owners/`. The operating system lets go of it
//! when the process dies, however it dies: so the dead are told from the living without a clock.
//!
//! Invariant: a database of a newer version, or of another program, is refused before anything of
//! it is changed.

use super::error::{SqliteError, SqliteResult, retry_while_busy};
use super::schema;
use crate::private_file;
use crate::store::{DetailedError, StoreError};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

const DATABASE: &str = "footlight.db";

/// The last version with the bug that could reset a write-ahead log came before this one.
const OLDEST_SQLITE: i32 = 3_051_003;

/// A folder that this process has open.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// Who this store is among those that have it open.
    id: String,
    /// Locked as long as this lives.
    lock: File,
}

impl Folder {
    pub(super) fn open(path: &Path) -> SqliteResult<(Self, Connection)> {
        if rusqlite::version_number() < OLDEST_SQLITE {
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
        // One at a time: two that make the same database would be in each other's way.
        let opening = private_file::open(&path.join("open.lock"))?;
        opening.lock()?;
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| {
            let message = "the operating system provides no random numbers";
            StoreError::failed(DetailedError::new(message, error))
        })?;
        let id: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let lock = private_file::open(&owner_file(path, &id))?;
        lock.lock()?;
        let folder = Self {
            path: path.to_owned(),
            id,
            lock,
        };
        folder.remove_stale_files()?;
        private_database(&database)?;
        let mut connection = folder.connect()?;
        schema::migrate(&mut connection, &folder.path)?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        Ok((folder, connection))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// A connection as all of ours are.
    pub(super) fn connect(&self) -> SqliteResult<Connection> {
        retry_while_busy(|| {
            let db = Connection::open_with_flags(
                self.path.join(DATABASE),
                rusqlite::OpenFlags::SQLITE_OPEN_READ_WRITE
                    | rusqlite::OpenFlags::SQLITE_OPEN_NO_MUTEX,
            )?;
            // Until it is known to be ours, closing it must not write either.
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
            db.busy_timeout(Duration::from_secs(5))?;
            schema::refuse_foreign(&db, &self.path)?;
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
            // What a person deletes is gone, not only unlinked.
            db.pragma_update(None, "secure_delete", true)?;
            db.pragma_update(None, "journal_size_limit", 64 << 20)?;
            Ok(db)
        })
    }

    /// Whether the store of this id is still open somewhere. In doubt it is.
    pub(super) fn is_alive(&self, id: &str) -> bool {
        if id == self.id {
            return true;
        }
        match File::open(owner_file(&self.path, id)) {
            // Shared, so that two who look at the same time do not take each other for the owner.
            Ok(file) => !matches!(file.try_lock_shared(), Ok(())),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }

    /// Where content is written before it has its place.
    pub(super) fn staging(&self, n: u64) -> PathBuf {
        self.path.join("blobs/new").join(format!("{}-{n}", self.id))
    }

    pub(super) fn blobs(&self) -> PathBuf {
        self.path.join("blobs")
    }

    /// Takes away what dead stores left. Only while `open.lock` is held: a store that is being
    /// opened has a file before it has locked it.
    fn remove_stale_files(&self) -> SqliteResult<()> {
        for entry in fs::read_dir(self.path.join("owners"))? {
            let entry = entry?;
            let name = entry.file_name();
            let id = name.to_str().and_then(|name| name.strip_suffix(".lock"));
            if id.is_some_and(|id| !self.is_alive(id)) {
                fs::remove_file(entry.path())?;
            }
        }
        for entry in fs::read_dir(self.path.join("blobs/new"))? {
            let entry = entry?;
            let name = entry.file_name();
            let id = name.to_str().and_then(|name| name.split_once('-'));
            if id.is_some_and(|(id, _)| !self.is_alive(id)) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A file that stays is a dead owner's, and buried by the next one.
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

/// Looks at the file as it lies there: to open a database in earnest is to write beside it.
///
/// Through SQLite, because it closes files with care. To close one behind its back lets go of every
/// lock that this process holds on it, and another store here may have it open.
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
    let looked = Connection::open_with_flags(uri, flags)
        .map_err(SqliteError::from)
        .and_then(|db| schema::refuse_foreign(&db, database));
    match looked {
        Err(SqliteError::Store(refused)) => Err(refused.into()),
        // New, damaged, or being written to this moment: to open it in earnest will tell.
        _ => Ok(()),
    }
}

/// Makes the database's file before SQLite does, which would let others read it. The files beside it
/// get the same permissions. One that is there is not opened; see [`check_before_opening`].
fn private_database(path: &Path) -> SqliteResult<()> {
    if !path.exists() {
        private_file::open(path)?;
    }
    Ok(private_file::restrict(path)?)
}
