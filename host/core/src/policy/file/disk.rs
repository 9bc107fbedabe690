//! Access to the rules file: bounded reads, atomic replacement, one editor at a time.
//!
//! Invariant: a reader sees a whole file, the old one or the new one. Reading therefore needs no
//! lock; the lock is for editors, who write what they have read.

use super::RulesFile;
use super::error::RulesError;
use crate::bounded_file;
use crate::private_file;
use footlight_vocabulary::toml_reader::TomlError;
use std::fs::{self, File};
use std::io;
use std::path::Path;

const MAX_BYTES: usize = RulesFile::MAX_BYTES;

/// The right to edit the file, until it is dropped.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "closing it unlocks")] File);

/// Returns the text of the file; none if there is no file.
pub(super) fn read(path: &Path) -> Result<Option<String>, RulesError> {
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path, "read", error)),
    };
    check(path, &about)?;
    let bytes = bounded_file::read(path, MAX_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => unfit(
            path,
            format!("has more than {MAX_BYTES} bytes; remove rules that are no longer needed"),
        ),
        _ => failed(path, "read", error),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        let message = "this is not UTF-8; save the file as UTF-8 text";
        RulesError::invalid(path, &text, TomlError::new(valid..valid, message))
    })?;
    Ok(Some(text))
}

/// Waits until nobody else edits the file.
pub(super) fn lock(path: &Path) -> Result<Lock, RulesError> {
    private_file::create_dir(private_file::parent(path))
        .map_err(|error| failed(path, "create the folder of", error))?;
    // A separate file, since the rules file is replaced. It is never removed: another process may
    // be waiting for its lock.
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".lock");
    let lock_path = path.with_file_name(name);
    let file = private_file::open(&lock_path).map_err(|error| failed(&lock_path, "open", error))?;
    file.lock()
        .map_err(|error| failed(&lock_path, "lock", error))?;
    Ok(Lock(file))
}

/// Replaces the file's text. Only for the holder of the lock.
pub(super) fn replace(path: &Path, text: &str) -> Result<(), RulesError> {
    private_file::replace(path, &[text.as_bytes()]).map_err(|error| failed(path, "write", error))
}

/// Rejects everything but a regular file that other users cannot write.
fn check(path: &Path, about: &fs::Metadata) -> Result<(), RulesError> {
    let kind = about.file_type();
    if kind.is_symlink() {
        let message = "is a symbolic link; name the file it points to, or put the file itself here";
        return Err(unfit(path, message));
    }
    if kind.is_dir() {
        let message = "is a folder; move it away, or name a file in it";
        return Err(unfit(path, message));
    }
    if !kind.is_file() {
        return Err(unfit(path, "is not a file; move it away"));
    }
    if open_to_all(about) {
        let message = "can be changed by every user; run `chmod o-w` on it and look through it";
        return Err(unfit(path, message));
    }
    Ok(())
}

#[cfg(unix)]
fn open_to_all(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    about.permissions().mode() & 0o002 != 0
}

#[cfg(not(unix))]
fn open_to_all(_: &fs::Metadata) -> bool {
    false
}

fn unfit(path: &Path, message: impl Into<String>) -> RulesError {
    RulesError::Untrusted {
        path: path.to_owned(),
        message: message.into(),
    }
}

fn failed(path: &Path, doing: &'static str, source: io::Error) -> RulesError {
    RulesError::Io {
        path: path.to_owned(),
        doing,
        source,
    }
}
