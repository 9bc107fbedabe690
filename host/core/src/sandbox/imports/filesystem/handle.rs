//! What a descriptor of the guest stands for.

use super::writer::Place;
use crate::call::file_access::{FileAccess, FolderIndex, OpenSlot};
use crate::power::files::{self, FileError, FileResult, OpenRequest, Opened};
use cap_std::fs::Dir;
use std::fs::File;
use std::sync::Arc;

/// An open file or folder.
#[derive(Clone)]
pub(super) enum Handle {
    File(Arc<FileHandle>),
    Folder(Arc<FolderHandle>),
}

/// An open file.
pub(super) struct FileHandle {
    pub(super) file: File,
    pub(super) folder: FolderIndex,
    /// The name on the record: relative to the folder.
    pub(super) name: String,
    pub(super) read: bool,
    pub(super) write: bool,
    _slot: OpenSlot,
}

/// An open folder.
pub(super) struct FolderHandle {
    pub(super) dir: Dir,
    pub(super) folder: FolderIndex,
    /// The path as the guest named it: relative to the folder that was granted.
    pub(super) name: String,
    _slot: OpenSlot,
}

impl FolderHandle {
    /// Returns the name of something in this folder, for the record.
    pub(super) fn name_of(&self, path: &str) -> String {
        match self.name.is_empty() {
            true => path.to_owned(),
            false => format!("{}/{path}", self.name),
        }
    }
}

impl Handle {
    /// Returns the handle of a folder that was granted.
    pub(super) fn root(dir: Dir, folder: FolderIndex, slot: OpenSlot) -> Self {
        Self::Folder(Arc::new(FolderHandle {
            dir,
            folder,
            name: String::new(),
            _slot: slot,
        }))
    }

    /// Opens a path below a folder.
    pub(super) fn open(
        access: &Arc<FileAccess>,
        at: &FolderHandle,
        path: &str,
        how: OpenRequest,
    ) -> FileResult<Self> {
        let folder = at.folder;
        let _slot = access.open_slot(folder)?;
        let may_create = || access.charge_creation(folder);
        let opened = files::open(&at.dir, path, &how, may_create)?;
        let name = at.name_of(path);
        Ok(match opened {
            Opened::Folder(dir) => Handle::Folder(Arc::new(FolderHandle {
                dir,
                folder,
                name,
                _slot,
            })),
            Opened::File { file, created } => {
                if created || how.truncate {
                    access.add_written(folder, &name, 0);
                }
                Handle::File(Arc::new(FileHandle {
                    file,
                    folder,
                    name,
                    read: how.read || !how.write,
                    write: how.write,
                    _slot,
                }))
            }
        })
    }

    pub(super) fn folder(&self) -> FolderIndex {
        match self {
            Self::File(file) => file.folder,
            Self::Folder(folder) => folder.folder,
        }
    }
}

impl FileHandle {
    pub(super) fn read_at(&self, length: usize, offset: u64) -> FileResult<Vec<u8>> {
        match self.read {
            true => files::read_at(&self.file, length, offset),
            false => Err(FileError::BadHandle),
        }
    }

    /// Writes bytes, if the call can still write that many. A gap that this leaves counts as well.
    pub(super) fn write(&self, access: &FileAccess, bytes: &[u8], place: Place) -> FileResult<()> {
        if !self.write {
            return Err(FileError::BadHandle);
        }
        access.check_writable(self.folder)?;
        let gap = match place {
            Place::At(offset) => offset.saturating_sub(self.file.metadata()?.len()),
            Place::End => 0,
        };
        access.charge_bytes(self.folder, gap.saturating_add(bytes.len() as u64))?;
        match place {
            Place::At(offset) => files::write_at(&self.file, bytes, offset)?,
            Place::End => files::append(&self.file, bytes)?,
        }
        access.add_written(self.folder, &self.name, bytes.len());
        Ok(())
    }

    pub(super) fn set_size(&self, access: &FileAccess, size: u64) -> FileResult<()> {
        if !self.write {
            return Err(FileError::BadHandle);
        }
        let growth = size.saturating_sub(self.file.metadata()?.len());
        access.charge_bytes(self.folder, growth)?;
        self.file.set_len(size)?;
        access.add_written(self.folder, &self.name, 0);
        Ok(())
    }
}
