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
    open: Mutex<HashMap<String, Folder>>,
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

    /// Proposes a folder to a person, for the guest path of a plugin. The person still has to agree.
    pub(crate) fn offer(&self, person: &str, plugin: &str, guest_path: &str, path: &str) {
        let guest = [person, plugin, guest_path].map(str::to_owned);
        sync::write(&self.offers).insert(guest, path.to_owned());
    }

    pub(crate) fn offered(&self, person: &str, plugin: &str, guest_path: &str) -> Option<String> {
        let guest = [person, plugin, guest_path].map(str::to_owned);
        sync::read(&self.offers).get(&guest).cloned()
    }

    pub(crate) fn open_files(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.open_files)
    }

    /// Checks that a folder can be granted.
    pub(crate) fn check(&self, path: &Path) -> Result<PathBuf, FolderError> {
        let folder = Folder::open(path, &self.reserved)?;
        Ok(folder.path().to_owned())
    }

    /// Returns a granted folder, opening it the first time.
    pub(crate) async fn open(&self, path: &str) -> Result<Folder, FolderError> {
        if let Some(folder) = lock(&self.open).get(path).filter(|folder| folder.exists()) {
            return Ok(folder.clone());
        }
        let reserved = self.reserved.clone();
        let (key, path) = (path.to_owned(), PathBuf::from(path));
        let changed = FolderError::Changed { path: path.clone() };
        // A folder on a dead network drive must not hold up the host.
        let open = move || Folder::open(&path, &reserved);
        let opened = tokio::task::spawn_blocking(open).await;
        let folder = opened.map_err(|_| changed)??;
        lock(&self.open).insert(key, folder.clone());
        Ok(folder)
    }
}
