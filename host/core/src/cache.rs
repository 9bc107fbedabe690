//! Compiled components on disk, so that each is compiled once.
//!
//! Compiled code is machine code: whoever can write an entry can run anything. So the folder is
//! private, every entry carries a MAC under a key of this installation, and nothing is loaded
//! before its MAC was checked. What is damaged, foreign or stale is compiled anew.
//!
//! Invariant: an entry that was not verified never reaches [`trusted`].

mod trusted;

use crate::digest::Digest;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wasmtime::Engine;
use wasmtime::component::Component;

const KEY: usize = 32;
const TAG: usize = 32;

/// A folder of compiled components.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    folder: PathBuf,
    key: [u8; KEY],
}

impl Cache {
    /// Opens the folder, making it and its key if they are not there.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        private(folder, 0o700)?;
        let path = folder.join("key");
        let key = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mut key = [0; KEY];
                getrandom::fill(&mut key).map_err(|error| io::Error::other(error.to_string()))?;
                write(&path, &[&key])?;
                // Another process may have been faster: what lies there counts.
                fs::read(&path)?
            }
            Err(error) => return Err(error),
        };
        let key = key.try_into().map_err(|_| {
            io::Error::other("the key of the compiled cache is damaged: delete the folder")
        })?;
        Ok(Self {
            folder: folder.to_owned(),
            key,
        })
    }

    /// The compiled component, if a sound entry is there.
    pub(crate) fn load(&self, engine: &Engine, digest: &Digest) -> Option<Component> {
        let bytes = fs::read(self.entry(engine, digest)).ok()?;
        let (tag, code) = bytes.split_at_checked(TAG)?;
        // Constant in time, and over the name as well: an entry cannot be passed off as another.
        self.mac(engine, digest, code).verify_slice(tag).ok()?;
        trusted::load(engine, code)
    }

    /// Keeps a compiled component. A failure only costs time later.
    pub(crate) fn store(
        &self,
        engine: &Engine,
        digest: &Digest,
        component: &Component,
    ) -> io::Result<()> {
        let code = component
            .serialize()
            .map_err(|error| io::Error::other(error.to_string()))?;
        let tag = self.mac(engine, digest, &code).finalize().into_bytes();
        write(&self.entry(engine, digest), &[&tag, &code])
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

/// What compiled code depends on beside the component: wasmtime and its settings.
fn settings(engine: &Engine) -> u64 {
    let mut hasher = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut hasher);
    hasher.finish()
}

/// Writes a file in one step: others see all of it or nothing.
fn write(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let temporary = path.with_file_name(name);
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(&temporary)?;
    private(&temporary, 0o600)?;
    for part in parts {
        file.write_all(part)?;
    }
    file.sync_all()?;
    fs::rename(&temporary, path)
}

#[cfg(unix)]
fn private(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn private(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}
