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

    /// Installs a component, in place of the one that had its name.
    pub(crate) fn put(data: &Data, entry: Entry, component: &[u8]) -> Result<()> {
        let written = (entry.component.clone(), component);
        change(data, Some(written), |entries| {
            match entries.iter_mut().find(|old| old.name == entry.name) {
                Some(old) => *old = entry,
                None => entries.push(entry),
            }
        })
    }

    /// Removes a plugin.
    pub(crate) fn remove(data: &Data, name: &str) -> Result<()> {
        change(data, None, |entries| {
            entries.retain(|entry| entry.name != name)
        })
    }
}

fn component_path(folder: &Path, digest: &Sha256) -> PathBuf {
    folder.join(format!("sha256-{}.wasm", digest.digits()))
}

/// Changes the lock file, also while other processes do. A component is written before the file names it, and those
/// that no plugin has any more are removed.
fn change(
    data: &Data,
    component: Option<(Sha256, &[u8])>,
    change: impl FnOnce(&mut Vec<Entry>),
) -> Result<()> {
    let folder = data.folder()?.join(FOLDER);
    let path = folder.join(lock::NAME);
    let failed = || format!("cannot write `{}`", display_path(&path));
    private_file::create_dir(&folder).with_context(failed)?;
    // A file of its own, since the other one is replaced. It unlocks when it is closed.
    let guard = private_file::open(&folder.join("lock")).with_context(failed)?;
    guard.lock().with_context(failed)?;
    let mut entries = lock::read(&path)?;
    change(&mut entries);
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    let text = lock::text(&entries)?;
    if let Some((digest, bytes)) = component {
        let path = component_path(&folder, &digest);
        private_file::replace(&path, &[bytes])
            .with_context(|| format!("cannot write `{}`", display_path(&path)))?;
    }
    private_file::replace(&path, &[text.as_bytes()]).with_context(failed)?;
    remove_others(&folder, &entries)
}

/// Removes components that no plugin has, and what a process that was killed has left of one. Nobody else writes
/// components meanwhile: that is done under the lock.
fn remove_others(folder: &Path, entries: &[Entry]) -> Result<()> {
    let kept: Vec<PathBuf> = entries
        .iter()
        .map(|entry| component_path(folder, &entry.component))
        .collect();
    let cannot = || format!("cannot read `{}`", display_path(folder));
    for file in fs::read_dir(folder).with_context(cannot)? {
        let path = file.with_context(cannot)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_ours = name.starts_with("sha256-") || name.starts_with(".tmp");
        if is_ours && !kept.contains(&path) {
            fs::remove_file(&path)
                .with_context(|| format!("cannot remove `{}`", display_path(&path)))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_vocabulary::item::Timestamp;
    use source::Source;

    #[test]
    fn a_change_removes_what_no_plugin_has_and_nothing_else() {
        let root = tempfile::tempdir().expect("a folder for the test");
        let data = Data::new(Some(root.path().to_owned()));
        let entry = |name: &str, component: &[u8]| Entry {
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            source: Source::File("/x.wasm".into()),
            manifest: None,
            component: Sha256::of(component),
            key: None,
            installed: Timestamp::from_millis(0),
        };
        let files = || {
            let files = fs::read_dir(root.path().join(FOLDER)).expect("is there");
            let names = files.map(|file| file.expect("is there").file_name());
            let mut names: Vec<String> = names
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            names.sort();
            names
        };
        let named = |component: &[u8]| format!("sha256-{}.wasm", Sha256::of(component).digits());
        Installed::put(&data, entry("a", b"one"), b"one").expect("is installed");
        // A process that was killed, and a file of somebody else.
        for left in [named(b"left"), ".tmpAbCdEf".to_owned(), "notes".to_owned()] {
            fs::write(root.path().join(FOLDER).join(left), "").expect("is written");
        }
        Installed::put(&data, entry("b", b"one"), b"one").expect("is installed");
        let lock = [lock::NAME, "lock", "notes"].map(str::to_owned);
        assert_eq!(files(), [&lock[..], &[named(b"one")]].concat());
        Installed::put(&data, entry("a", b"two"), b"two").expect("is updated");
        let mut both = [named(b"one"), named(b"two")];
        both.sort();
        assert_eq!(files(), [&lock[..], &both].concat());
        Installed::remove(&data, "b").expect("is removed");
        assert_eq!(files(), [&lock[..], &[named(b"two")]].concat());
        let installed = Installed::open(&data).expect("opens");
        let found = installed.find("a").expect("is there");
        assert_eq!(installed.read(found).expect("is whole"), b"two");
    }
}
