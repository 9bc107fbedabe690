//! What one call may do with its folders, and what it did.
//!
//! Every operation on files passes here first, whoever performs it: whether the call still runs,
//! whether it may write, and how much is left to write. The uses are counted and added to the record
//! when the call ends; a denial is added at once.

use crate::call::approval::ApprovalGate;
use crate::call::stage::Stage;
use crate::power::files::{FileError, FileResult};
use crate::power::folder::BoundFolder;
use crate::sandbox::limits::Caps;
use crate::sync::lock;
use footlight_vocabulary::filter;
use footlight_vocabulary::item::{Denial, Power, PowerUse};
use footlight_vocabulary::manifest::Mode;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The most characters of a file's name on the record.
const MAX_NAME: usize = 256;

/// The folders of one call.
pub(crate) struct FileAccess {
    stage: Arc<Stage>,
    approval: ApprovalGate,
    folders: Vec<BoundFolder>,
    /// Whether the call is over. Operations that have not begun by then never do.
    is_over: AtomicBool,
    bytes: AtomicU64,
    created: AtomicU64,
    open: AtomicUsize,
    uses: Mutex<Vec<FolderUse>>,
    /// For each folder, whether it has used up an approval, and so can be changed until the call ends.
    approved: Mutex<Vec<bool>>,
    /// The key of the identities that the guest sees.
    key: RandomState,
}

/// What a call did in one folder.
#[derive(Debug, Clone, Default)]
struct FolderUse {
    count: u64,
    read: u64,
    written: u64,
    files: Vec<String>,
}

/// The folder of an operation: its place among those of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FolderIndex(usize);

impl FileAccess {
    pub(crate) fn new(
        stage: Arc<Stage>,
        approval: ApprovalGate,
        folders: Vec<BoundFolder>,
    ) -> Self {
        let uses = vec![FolderUse::default(); folders.len()];
        let approved = vec![false; folders.len()];
        Self {
            stage,
            approval,
            folders,
            is_over: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            created: AtomicU64::new(0),
            open: AtomicUsize::new(0),
            uses: Mutex::new(uses),
            approved: Mutex::new(approved),
            key: RandomState::new(),
        }
    }

    pub(crate) fn folders(&self) -> impl Iterator<Item = (FolderIndex, &BoundFolder)> {
        let indexed = |(index, folder)| (FolderIndex(index), folder);
        self.folders.iter().enumerate().map(indexed)
    }

    /// Returns the guest's path of a folder.
    pub(crate) fn guest_path(&self, folder: FolderIndex) -> &str {
        &self.folders[folder.0].guest_path
    }

    pub(crate) fn stage(&self) -> &Stage {
        &self.stage
    }

    fn folder(&self, index: FolderIndex) -> &BoundFolder {
        &self.folders[index.0]
    }

    /// Fails once the call is cancelled or over.
    pub(crate) fn check_running(&self) -> FileResult<()> {
        match self.stage.is_cancelled() || self.is_over.load(Ordering::Acquire) {
            true => Err(FileError::Cancelled),
            false => Ok(()),
        }
    }

    /// Admits an operation that reads.
    pub(crate) fn admit_read(&self, index: FolderIndex) -> FileResult<()> {
        self.check_running()?;
        self.count(index, |used| used.count += 1);
        Ok(())
    }

    /// Admits an operation that changes something.
    pub(crate) fn admit_write(&self, index: FolderIndex) -> FileResult<()> {
        self.check_writable(index)?;
        self.count(index, |used| used.count += 1);
        Ok(())
    }

    /// Fails unless the call can write in this folder now. The first time, this uses up the approval that
    /// the folder needs.
    pub(crate) fn check_writable(&self, index: FolderIndex) -> FileResult<()> {
        self.check_running()?;
        let denied = self.write_denial(index, |action| {
            let approved = &mut *lock(&self.approved);
            approved[index.0] = approved[index.0] || self.approval.spend_approval(action);
            approved[index.0]
        });
        denied.map_or(Ok(()), |why| {
            self.deny(index, why);
            Err(FileError::ReadOnly)
        })
    }

    /// Reports whether the call can write in this folder now. Nothing is recorded or used up.
    pub(crate) fn is_writable(&self, index: FolderIndex) -> bool {
        let denied = self.write_denial(index, |action| {
            lock(&self.approved)[index.0] || self.approval.has_approval(action)
        });
        denied.is_none()
    }

    fn write_denial(
        &self,
        index: FolderIndex,
        is_approved: impl FnOnce(&str) -> bool,
    ) -> Option<Denial> {
        let folder = self.folder(index);
        match (folder.mode, &folder.approval) {
            (Mode::ReadOnly, _) if self.approval.is_read_only() => Some(Denial::ReadOnly),
            (Mode::ReadOnly, _) => Some(Denial::ReadOnlyFolder),
            (Mode::ReadWrite, Some(action)) if !is_approved(action) => Some(Denial::NotGranted),
            (Mode::ReadWrite, _) => None,
        }
    }

    /// Adds a denial to the record.
    pub(crate) fn deny(&self, index: FolderIndex, why: Denial) {
        let folder = self.folder(index);
        let denied = PowerUse::new(Power::Folder, &folder.guest_path)
            .access(folder.mode.as_str())
            .denied(why);
        self.stage.record_use(denied);
    }

    /// Takes bytes from what the call can still write.
    pub(crate) fn charge_bytes(&self, index: FolderIndex, bytes: u64) -> FileResult<()> {
        self.charge(index, &self.bytes, bytes, Caps::FILE_BYTES)
    }

    /// Takes one from what the call can still create.
    pub(crate) fn charge_creation(&self, index: FolderIndex) -> FileResult<()> {
        self.charge(index, &self.created, 1, Caps::FILES_CREATED)
    }

    fn charge(
        &self,
        index: FolderIndex,
        used: &AtomicU64,
        more: u64,
        limit: u64,
    ) -> FileResult<()> {
        let add = |used: u64| used.checked_add(more).filter(|sum| *sum <= limit);
        match used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(_) => Ok(()),
            Err(_) => {
                self.deny(index, Denial::Limit);
                Err(FileError::Quota)
            }
        }
    }

    /// Counts bytes that the guest was given.
    pub(crate) fn add_read(&self, index: FolderIndex, bytes: usize) {
        self.count(index, |used| used.read += bytes as u64);
    }

    /// Counts bytes that were written to a file, and names it. Creating, deleting and renaming write
    /// none.
    pub(crate) fn add_written(&self, index: FolderIndex, name: &str, bytes: usize) {
        self.count(index, |used| {
            used.written += bytes as u64;
            if used.files.len() >= PowerUse::MAX_FILES {
                return;
            }
            let name: String = filter::clean(name).chars().take(MAX_NAME).collect();
            if !used.files.contains(&name) {
                used.files.push(name);
            }
        });
    }

    fn count(&self, index: FolderIndex, change: impl FnOnce(&mut FolderUse)) {
        change(&mut lock(&self.uses)[index.0]);
    }

    /// Returns two numbers that tell one file from all others within this call, and nothing else.
    pub(crate) fn identity(&self, of: (u64, u64)) -> (u64, u64) {
        (self.key.hash_one((0, of)), self.key.hash_one((1, of)))
    }

    /// Counts a file, folder or listing as open until the answer is dropped.
    pub(crate) fn open_slot(self: &Arc<Self>, index: FolderIndex) -> FileResult<OpenSlot> {
        let of_host = Arc::clone(&self.folder(index).open_files);
        let slot = OpenSlot {
            access: Arc::clone(self),
            of_host,
        };
        let own = self.open.fetch_add(1, Ordering::Relaxed);
        let all = slot.of_host.fetch_add(1, Ordering::Relaxed);
        if own >= Caps::OPEN_FILES || all >= Caps::OPEN_FILES_OF_HOST {
            self.deny(index, Denial::Limit);
            return Err(FileError::TooManyOpen);
        }
        Ok(slot)
    }

    /// Ends the access: nothing begins any more, and the record gets what was done.
    fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        // A job that is still running counts what nobody reads any more.
        let unused = vec![FolderUse::default(); self.folders.len()];
        let uses = std::mem::replace(&mut *lock(&self.uses), unused);
        for (folder, used) in self.folders.iter().zip(&uses) {
            if used.count == 0 {
                continue;
            }
            let mut entry =
                PowerUse::new(Power::Folder, &folder.guest_path).access(folder.mode.as_str());
            (entry.count, entry.received, entry.sent) = (used.count, used.read, used.written);
            entry.files.clone_from(&used.files);
            self.stage.record_use(entry);
        }
    }
}

/// A place among the open files of a call and of its host, given back on drop.
pub(crate) struct OpenSlot {
    access: Arc<FileAccess>,
    of_host: Arc<AtomicUsize>,
}

impl Drop for OpenSlot {
    fn drop(&mut self) {
        self.access.open.fetch_sub(1, Ordering::Relaxed);
        self.of_host.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The access of a running guest, which ends when the guest does.
pub(crate) struct GuestFiles(pub(crate) Arc<FileAccess>);

impl Drop for GuestFiles {
    fn drop(&mut self) {
        self.0.end();
    }
}
