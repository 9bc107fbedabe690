//! Large content in files, each named by its SHA-256.
//!
//! A file is written and synced under a temporary name, then renamed, before the row that refers to it
//! is committed. Files are renamed and deleted only while the database is locked for writing, so that
//! nobody relies on a file that another process is about to delete. After a crash there may be files
//! without a row, which a sweep finds, but never a readable row without its file.

use super::crash_point::{CrashPoint, crash_point};
use super::error::{SqliteError, SqliteResult, damaged};
use super::folder::Folder;
use super::writer::Tx;
use crate::plugin::digest::Digest;
use crate::private_file;
use cap_std::fs::Dir;
use rusqlite::{Connection, OptionalExtension as _, params};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The size up to which content is stored in its row.
pub(super) const MAX_INLINE: usize = 64 << 10;

/// Content that is being stored.
pub(super) struct NewContent {
    pub(super) sha256: String,
    bytes: Vec<u8>,
    /// The complete temporary file.
    staged: Option<Staged>,
}

/// A temporary file, deleted on drop unless it was renamed.
struct Staged {
    contents: Dir,
    path: PathBuf,
}

impl Drop for Staged {
    fn drop(&mut self) {
        // A file that stays is deleted when the folder is next opened.
        let _ = self.contents.remove_file(&self.path);
    }
}

impl NewContent {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self {
            sha256: Digest::of(&bytes).to_string(),
            bytes,
            staged: None,
        }
    }

    fn is_large(&self) -> bool {
        self.bytes.len() > MAX_INLINE
    }

    /// Writes large content to a temporary file, unless it is stored already.
    pub(super) fn stage(&mut self, folder: &Folder) -> SqliteResult<()> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        if !self.is_large() || self.staged.is_some() || self.is_placed(folder) {
            return Ok(());
        }
        let staged = Staged {
            contents: folder.contents().try_clone()?,
            path: folder.staging(NEXT.fetch_add(1, Ordering::Relaxed)),
        };
        let mut file = private_file::open_in(&staged.contents, &staged.path)?;
        file.write_all(&self.bytes)?;
        file.sync_all()?;
        self.staged = Some(staged);
        crash_point(CrashPoint::Staged);
        Ok(())
    }

    fn is_placed(&self, folder: &Folder) -> bool {
        let found = folder.contents().metadata(path_of(&self.sha256));
        found.is_ok_and(|found| found.len() == self.bytes.len() as u64)
    }

    /// Stores the content: moves its file into place and inserts its row.
    pub(super) fn place(&mut self, tx: &Tx<'_>) -> SqliteResult<()> {
        if self.is_large() {
            let (path, contents) = (path_of(&self.sha256), tx.folder.contents());
            let dir = path.parent().unwrap_or(&path);
            if !self.is_placed(tx.folder) {
                if !contents.exists(dir) {
                    private_file::create_dir_in(contents, dir)?;
                    private_file::sync_dir_in(contents, Path::new("."))?;
                }
                // Again, now that the database is locked: the file may have been deleted since.
                self.stage(tx.folder)?;
                tx.placed.borrow_mut().push(self.sha256.clone());
                if let Some(staged) = self.staged.take() {
                    contents.rename(&staged.path, contents, &path)?;
                }
            }
            private_file::sync_dir_in(contents, dir)?;
            crash_point(CrashPoint::Placed);
        }
        let bytes = (!self.is_large()).then_some(&self.bytes);
        tx.execute(
            "INSERT INTO contents (sha256, size, bytes) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
            params![self.sha256, size(self.bytes.len()), bytes],
        )?;
        Ok(())
    }
}

/// Reads up to `length` bytes of a content from `offset` on.
pub(super) fn read(
    db: &Connection,
    folder: &Folder,
    sha256: &str,
    (offset, length): (u64, usize),
) -> SqliteResult<Vec<u8>> {
    let row = db
        .query_row(
            "SELECT size, bytes IS NULL, substr(bytes, ?2, ?3) FROM contents WHERE sha256 = ?1",
            params![
                sha256,
                i64::try_from(offset).unwrap_or(i64::MAX).saturating_add(1),
                size(length)
            ],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .optional()?;
    let Some(row) = row else {
        return Err(damaged("the content", sha256, "it has no row"));
    };
    let (whole, in_file, bytes): (i64, bool, Option<Vec<u8>>) = row;
    if !in_file {
        return Ok(bytes.unwrap_or_default());
    }
    let mut file = match folder.contents().open(path_of(sha256)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(SqliteError::MissingFile(sha256.to_owned()));
        }
        Err(error) => return Err(error.into()),
    };
    let whole = u64::try_from(whole).unwrap_or(0);
    if file.metadata()?.len() != whole {
        return Err(damaged("the content", sha256, "its file has another size"));
    }
    let mut part = Vec::new();
    file.seek(SeekFrom::Start(offset.min(whole)))?;
    file.take(length as u64).read_to_end(&mut part)?;
    Ok(part)
}

/// Deletes the files of contents that have no row. Failures are left for a sweep.
pub(super) fn purge(db: &Connection, folder: &Folder, contents: &[String]) {
    if contents.is_empty() {
        return;
    }
    crash_point(CrashPoint::BeforePurge);
    if db.execute_batch("BEGIN IMMEDIATE").is_err() {
        return;
    }
    for sha256 in contents {
        let _ = remove_unless_stored(db, folder, sha256);
    }
    let _ = db.execute_batch("ROLLBACK");
}

/// Deletes every file that has no row. Only in a transaction that has written nothing: a file whose
/// row another job has deleted is still needed if they are not committed.
pub(super) fn purge_orphans(tx: &Tx<'_>) -> SqliteResult<()> {
    for_each_file(tx.folder, |sha256| {
        remove_unless_stored(tx, tx.folder, sha256)
    })
}

/// Deletes the file of a content that is no longer readable, before its row.
pub(super) fn remove(folder: &Folder, sha256: &str) -> SqliteResult<()> {
    match folder.contents().remove_file(path_of(sha256)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn remove_unless_stored(db: &Connection, folder: &Folder, sha256: &str) -> SqliteResult<()> {
    let rows: i64 = db.query_row(
        "SELECT count(*) FROM contents WHERE sha256 = ?1 AND bytes IS NULL",
        [sha256],
        |row| row.get(0),
    )?;
    if rows == 0 {
        remove(folder, sha256)?;
    }
    Ok(())
}

/// Calls `found` with the SHA-256 of each content file.
fn for_each_file(
    folder: &Folder,
    mut found: impl FnMut(&str) -> SqliteResult<()>,
) -> SqliteResult<()> {
    for dir in folder.contents().entries()? {
        let dir = dir?;
        if dir.file_name() == "new" || !dir.file_type()?.is_dir() {
            continue;
        }
        for file in dir.open_dir()?.entries()? {
            let (start, rest) = (dir.file_name(), file?.file_name());
            let name = format!("{}{}", start.display(), rest.display());
            if start.len() == 2 && is_digest(&name) {
                found(&name)?;
            }
        }
    }
    Ok(())
}

/// Returns the path of a content's file among the contents.
fn path_of(sha256: &str) -> PathBuf {
    // A row may be damaged: anything but a digest must not lead to a file.
    let (start, rest) = sha256.split_at_checked(2).unwrap_or_default();
    if !is_digest(sha256) {
        return PathBuf::from("none");
    }
    Path::new(start).join(rest)
}

fn is_digest(text: &str) -> bool {
    let hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == 64 && text.bytes().all(hex)
}

fn size(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
