//! The folders of a host: those that are open, those that are never granted, and those that somebody
//! offers.

use super::{Folder, FolderError, ReservedFolders};
use crate::sync::{self, lock};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, RwLock};

/// The folders of one host.
#[derive(Debug, Default)]
pub(crate) struct FolderTable {
    reserved: ReservedFolders,
    /// Open folders, by the path that was granted. A folder is opened once: whatever happens to its
    /// path later, its calls keep the folder that the person meant.
    open: Mutex<HashMap<PathBuf, Folder>>,
    /// Folders of the machine that somebody proposes, by person, plugin and guest path. A path says
    /// something of whose it is, so it is shown to nobody else.
    offers: RwLock<HashMap<[String; 3], String>>,
    /// How many files all calls have open.
    open_files: Arc<AtomicUsize>,
}

impl FolderTable {
    pub(crate) fn new(reserved: ReservedFolders) -> Self {
        Self {
            reserved,
            ..Self::default()
        }
    }

    /// Proposes a folder to a person, for the guest path of a plugin. The person still has to agree, and
    /// reads the path that links in `path` lead to now: they are not followed later.
    pub(crate) fn offer(&self, person: &str, plugin: &str, guest_path: &str, path: &str) {
        let real = Path::new(path).canonicalize().ok();
        let real = real.and_then(|real| real.into_os_string().into_string().ok());
        let guest = [person, plugin, guest_path].map(str::to_owned);
        sync::write(&self.offers).insert(guest, real.unwrap_or_else(|| path.to_owned()));
    }

    pub(crate) fn offered(&self, person: &str, plugin: &str, guest_path: &str) -> Option<String> {
        let guest = [person, plugin, guest_path].map(str::to_owned);
        sync::read(&self.offers).get(&guest).cloned()
    }

    pub(crate) fn open_files(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.open_files)
    }

    /// Opens a folder that a person names, and returns its path without links. From now on this path means
    /// this folder, also if another one was granted under it and has been moved or deleted since.
    pub(crate) fn name(&self, path: &Path) -> Result<PathBuf, FolderError> {
        let folder = Folder::named(path, &self.reserved)?;
        let path = folder.path().to_owned();
        lock(&self.open).insert(path.clone(), folder);
        Ok(path)
    }

    /// Returns a granted folder, opening it the first time.
    ///
    /// A folder that was deleted is not opened again: nobody granted what is at its path now.
    pub(crate) async fn open(&self, path: &str) -> Result<Folder, FolderError> {
        let path = PathBuf::from(path);
        if let Some(folder) = lock(&self.open).get(&path) {
            return match folder.exists() {
                true => Ok(folder.clone()),
                false => Err(FolderError::Deleted { path }),
            };
        }
        let (reserved, granted) = (self.reserved.clone(), path.clone());
        // A folder on a dead network drive must not hold up the host.
        let open = move || Folder::granted(&granted, &reserved);
        let opened = tokio::task::spawn_blocking(open).await;
        let changed = |_| FolderError::Changed { path: path.clone() };
        let folder = opened.map_err(changed)??;
        // Of several calls that open it at once, all get the same folder.
        Ok(lock(&self.open).entry(path).or_insert(folder).clone())
    }
}
