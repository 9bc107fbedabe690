//! Plugins that the person installed: fetched, checked, accepted once, and found by name from then on.
//!
//! `source` is where a plugin comes from, `fetch` gets it (`transfer` over HTTP, `registry` from a
//! registry), `signature` and `trust` judge who signed it, `install` asks the person, `lock` is the list
//! that is kept, and `signing` is the other side: keys of authors.
//!
//! The folder `plugins` in the data folder has `footlight.lock` and each component under its digest.
//!
//! Invariant: nothing is installed, updated or fetched unless the person asks for it by a command. A
//! component is loaded only if it has the digest that the lock file says.

pub(crate) mod digest;
pub(crate) mod fetch;
pub(crate) mod install;
pub(crate) mod lock;
pub(crate) mod registry;
pub(crate) mod signature;
pub(crate) mod signing;
pub(crate) mod source;
pub(crate) mod transfer;
pub(crate) mod trust;
mod version;

use crate::data::{Data, display_path};
use crate::suggest::did_you_mean;
use anyhow::{Context, Result, bail};
use digest::Sha256;
use footlight::{bounded_file, private_file};
use footlight_vocabulary::manifest::check_plugin_id;
use lock::Entry;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of installed components, in the data folder.
const FOLDER: &str = "plugins";

/// What is installed.
#[derive(Debug, Default)]
pub(crate) struct Installed {
    /// None without a data folder.
    folder: Option<PathBuf>,
    entries: Vec<Entry>,
}

/// Reports whether a word can be the name of an installed plugin: an id, without a path or an ending.
pub(crate) fn is_name(word: &str) -> bool {
    check_plugin_id(word).is_ok()
}

impl Installed {
    /// Reads what is installed.
    pub(crate) fn open(data: &Data) -> Result<Self> {
        let folder = data.location().map(|folder| folder.join(FOLDER));
        let entries = match &folder {
            Some(folder) => lock::read(&folder.join(lock::NAME))?,
            None => Vec::new(),
        };
        Ok(Self { folder, entries })
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// Suggests the installed name that was meant, in words to append to a message.
    pub(crate) fn did_you_mean(&self, name: &str) -> String {
        did_you_mean(name, self.entries.iter().map(|entry| entry.name.as_str()))
    }

    /// Returns where the component of a plugin is kept.
    pub(crate) fn component_path(&self, entry: &Entry) -> PathBuf {
        let folder = self.folder.as_deref().unwrap_or(Path::new("."));
        component_path(folder, &entry.component)
    }

    /// Reads the component of a plugin.
    ///
    /// # Errors
    /// When it is not the one that was installed.
    pub(crate) fn read(&self, entry: &Entry) -> Result<Vec<u8>> {
        let (name, path) = (&entry.name, self.component_path(entry));
        let remedy = format!(
            "`footlight plugins update {name}` fetches it again, `footlight plugins remove {name}` removes it"
        );
        let bytes = bounded_file::read(&path, footlight::MAX_BYTES);
        let bytes = bytes.with_context(|| {
            let path = display_path(&path);
            format!("the installed plugin `{name}` cannot be read from `{path}`; {remedy}")
        })?;
        let found = Sha256::of(&bytes);
        if found != entry.component {
            bail!(
                "`{}` is not the component of `{name}` that was installed: {} was expected, and it is {}; {remedy}",
                display_path(&path),
                entry.component.short(),
                found.short()
            );
        }
        Ok(bytes)
    }

    /// Writes the component of a plugin, which is not installed before [`put`](Self::put).
    pub(crate) fn write_component(data: &Data, bytes: &[u8]) -> Result<PathBuf> {
        let folder = data.folder()?.join(FOLDER);
        let path = component_path(&folder, &Sha256::of(bytes));
        let failed = || format!("cannot write `{}`", display_path(&path));
        private_file::create_dir(&folder).with_context(failed)?;
        private_file::replace(&path, &[bytes]).with_context(failed)?;
        Ok(path)
    }

    /// Lists a plugin as installed, in place of the one that had its name.
    pub(crate) fn put(data: &Data, entry: Entry) -> Result<()> {
        change(data, |entries| {
            match entries.iter_mut().find(|old| old.name == entry.name) {
                Some(old) => *old = entry,
                None => entries.push(entry),
            }
        })
    }

    /// Removes a plugin.
    pub(crate) fn remove(data: &Data, name: &str) -> Result<()> {
        change(data, |entries| entries.retain(|entry| entry.name != name))
    }
}

fn component_path(folder: &Path, digest: &Sha256) -> PathBuf {
    folder.join(format!("sha256-{}.wasm", digest.digits()))
}

/// Changes the lock file, also while other processes do, and removes components that no plugin has any
/// more.
fn change(data: &Data, change: impl FnOnce(&mut Vec<Entry>)) -> Result<()> {
    let folder = data.folder()?.join(FOLDER);
    let path = folder.join(lock::NAME);
    let failed = || format!("cannot write `{}`", display_path(&path));
    private_file::create_dir(&folder).with_context(failed)?;
    // A file of its own, since the other one is replaced. It unlocks when it is closed.
    let guard = private_file::open(&folder.join("lock")).with_context(failed)?;
    guard.lock().with_context(failed)?;
    let old = lock::read(&path)?;
    let mut entries = old.clone();
    change(&mut entries);
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    private_file::replace(&path, &[lock::text(&entries).as_bytes()]).with_context(failed)?;
    for gone in old {
        if entries
            .iter()
            .all(|entry| entry.component != gone.component)
        {
            let component = component_path(&folder, &gone.component);
            match fs::remove_file(&component) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    let component = display_path(&component);
                    return Err(error).with_context(|| format!("cannot remove `{component}`"));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
