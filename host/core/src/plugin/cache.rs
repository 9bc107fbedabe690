//! A cache of compiled components on disk.
//!
//! Compiled components are machine code: whoever can write an entry can run anything. The folder is
//! therefore private, every entry has a MAC under a key of this installation, and no entry is
//! loaded before its MAC is verified. Damaged, foreign and stale entries are compiled again.
//!
//! Invariant: only verified entries reach [`trusted`], and what the compiler has just answered.

pub(super) mod trusted;

use crate::plugin::digest::Digest;
use crate::private_file;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use wasmtime::Engine;
use wasmtime::component::Component;

/// The most bytes of all entries together.
const MAX_BYTES: u64 = 1 << 30;

/// The most entries.
const MAX_ENTRIES: usize = 256;

const KEY: usize = 32;
const TAG: usize = 32;

/// A folder of compiled components.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    folder: PathBuf,
    key: [u8; KEY],
}

impl Cache {
    /// Opens the folder, and creates it and its key on first use.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        private_file::create_dir(folder)?;
        private_file::restrict(folder)?;
        let path = folder.join("key");
        let key = match own_key(&path)? {
            Some(key) => key,
            None => {
                let mut key = [0; KEY];
                getrandom::fill(&mut key).map_err(|error| io::Error::other(error.to_string()))?;
                // Does not replace: of several processes, the first one sets the key for all.
                match private_file::write_beside(&path, &[&key])?.persist_noclobber(&path) {
                    Ok(_) => key,
                    Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {
                        own_key(&path)?
                            .ok_or_else(|| io::Error::other("the key vanished: try again"))?
                    }
                    Err(failed) => return Err(failed.error),
                }
            }
        };
        Ok(Self {
            folder: folder.to_owned(),
            key,
        })
    }

    /// Returns the compiled component if there is a valid entry.
    pub(crate) fn load(&self, engine: &Engine, digest: &Digest) -> Option<Component> {
        let path = self.entry(engine, digest);
        let bytes = fs::read(&path).ok()?;
        let (tag, code) = bytes.split_at_checked(TAG)?;
        // Verified in constant time. The MAC covers the entry's name, so that no entry can replace
        // another.
        self.mac(engine, digest, code).verify_slice(tag).ok()?;
        // The time of the last use decides what is deleted first.
        let _ = fs::File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        trusted::load(engine, code)
    }

    /// Stores a compiled component in serialized form. A failure only costs time later.
    pub(crate) fn store(&self, engine: &Engine, digest: &Digest, code: &[u8]) -> io::Result<()> {
        let tag = self.mac(engine, digest, code).finalize().into_bytes();
        private_file::replace(&self.entry(engine, digest), &[&tag, code])?;
        self.evict(MAX_BYTES, MAX_ENTRIES)
    }

    /// Deletes the entries that were not used for the longest time, and files that a process has left
    /// behind when it was killed. The newest entry stays.
    fn evict(&self, max_bytes: u64, max_entries: usize) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let found = entry.metadata()?;
            if found.is_file() && entry.file_name() != "key" {
                files.push((found.modified()?, found.len(), entry.path()));
            }
        }
        files.sort_unstable();
        let mut bytes = 0_u64;
        for (n, (_, size, path)) in files.into_iter().rev().enumerate() {
            bytes = bytes.saturating_add(size);
            if n > 0 && (n >= max_entries || bytes > max_bytes) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    fn entry(&self, engine: &Engine, digest: &Digest) -> PathBuf {
        self.folder
            .join(format!("{digest}-{:016x}", settings(engine)))
    }

    fn mac(&self, engine: &Engine, digest: &Digest, code: &[u8]) -> Hmac<Sha256> {
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&self.key)
            .expect("a key for HMAC may have any length");
        mac.update(digest.as_bytes());
        mac.update(&settings(engine).to_le_bytes());
        mac.update(code);
        mac
    }
}

/// Hashes what compiled code depends on besides the component: wasmtime and its settings.
fn settings(engine: &Engine) -> u64 {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.finish()
}

/// Reads the key, if there is one. A key that others can read, or that is not a file, is deleted.
fn own_key(path: &Path) -> io::Result<Option<[u8; KEY]>> {
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !about.is_file() || !is_private(&about) {
        tracing::warn!("the key of the compiled cache was open to others: a new one is made");
        fs::remove_file(path)?;
        return Ok(None);
    }
    let key = fs::read(path)?.try_into();
    key.map(Some).map_err(|_| {
        io::Error::other(format!(
            "its key is damaged: delete the folder of `{}`",
            path.display()
        ))
    })
}

#[cfg(unix)]
fn is_private(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    about.permissions().mode() & 0o077 == 0
}

#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_opens_it_at_once_gets_one_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || {
            Cache::open(&folder.path().join("compiled"))
                .expect("opens")
                .key
        };
        let keys: Vec<_> = std::thread::scope(|scope| {
            let opening: Vec<_> = (0..16).map(|_| scope.spawn(open)).collect();
            let keys = opening.into_iter().map(|key| key.join().expect("no panic"));
            keys.collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]));
        let entries = fs::read_dir(folder.path().join("compiled")).expect("there");
        assert_eq!(entries.count(), 1, "nothing but the key is left");
    }

    #[test]
    fn what_was_not_used_for_the_longest_time_is_deleted_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::open(folder.path()).expect("opens");
        let left = || {
            let entries = fs::read_dir(folder.path()).expect("there");
            let names = entries.map(|entry| entry.expect("an entry").file_name());
            let mut names: Vec<String> = names.map(|name| name.display().to_string()).collect();
            names.sort();
            names
        };
        for (n, name) in ["a", "b", "c", "d"].into_iter().enumerate() {
            fs::write(folder.path().join(name), vec![0; 100]).expect("writes");
            let file = fs::File::open(folder.path().join(name)).expect("opens");
            let at = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(n as u64);
            file.set_modified(at).expect("ours");
        }
        cache.evict(400, 4).expect("evicts");
        assert_eq!(left(), ["a", "b", "c", "d", "key"]);
        cache.evict(400, 3).expect("evicts");
        assert_eq!(left(), ["b", "c", "d", "key"]);
        cache.evict(299, 3).expect("evicts");
        assert_eq!(left(), ["c", "d", "key"]);
        // One that is larger than everything may stay, or it would be compiled for ever.
        cache.evict(1, 0).expect("evicts");
        assert_eq!(left(), ["d", "key"]);
    }

    #[cfg(unix)]
    fn set_mode(path: &Path, mode: u32) {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("ours");
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_could_read_or_plant_is_not_used() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("key");
        fs::write(&path, [7; KEY]).expect("writes");
        set_mode(&path, 0o644);
        assert_ne!(Cache::open(folder.path()).expect("opens").key, [7; KEY]);

        let elsewhere = folder.path().join("elsewhere");
        fs::write(&elsewhere, [8; KEY]).expect("writes");
        set_mode(&elsewhere, 0o600);
        fs::remove_file(&path).expect("there");
        std::os::unix::fs::symlink(&elsewhere, &path).expect("links");
        assert_ne!(Cache::open(folder.path()).expect("opens").key, [8; KEY]);
    }
}
