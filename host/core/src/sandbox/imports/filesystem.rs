//! `wasi:filesystem`: the folders of a call, so that the file functions of any language work.
//!
//! wasmtime-wasi has an implementation, which is not used: it takes a path or a handle, but opens FIFOs
//! and waits for them, lists a whole folder at once, and counts and records nothing. Only its types are
//! used. Its traits name its own resources; the table holds ours under the same numbers.
//!
//! Nothing here is journaled, because a folder answers differently each time: a call that is given
//! folders cannot be replayed.
//!
//! Files are read and written on threads that may block. The time that takes is not metered as
//! computing, and a guest that waits for a disk is stopped by its deadline or by being cancelled.

mod convert;
mod descriptor;
mod handle;
mod reader;
mod writer;

use crate::call::fault::{Fault, StopError};
use crate::call::file_access::{FileAccess, FolderIndex, OpenSlot};
use crate::observer::HostCallOutcome;
use crate::power::files::{Entry, FileError, FileResult, Listing};
use crate::sandbox::Sandbox;
use crate::sandbox::imports::wasi::unless_cancelled;
use crate::sandbox::journal::{Class, Op, Unreplayable};
use convert::{error_code, kind};
use footlight_vocabulary::item::Denial;
use handle::{FileHandle, FolderHandle, Handle};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use wasmtime::component::Resource;
use wasmtime_wasi::filesystem::Descriptor;
use wasmtime_wasi::p2::bindings::filesystem::{preopens, types};
use wasmtime_wasi::p2::{FsError, FsResult, ReaddirIterator};
use wasmtime_wasi::runtime::spawn_blocking;

/// A folder that the guest lists.
struct EntryStream {
    folder: FolderIndex,
    listing: Arc<Mutex<Listing>>,
    entries: VecDeque<Entry>,
    _slot: OpenSlot,
}

impl preopens::Host for Sandbox {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        let Some(files) = &self.files else {
            return Ok(Vec::new());
        };
        self.journal.seal(Unreplayable::Folder);
        let access = Arc::clone(&files.0);
        let mut found = Vec::new();
        for (folder, bound) in access.folders() {
            // The folder that was opened and checked, whatever its path leads to by now.
            let opened = bound.folder.dir().map_err(FileError::from);
            let opened = opened.and_then(|dir| Ok((dir, access.open_slot(folder)?)));
            let (dir, slot) = opened.map_err(|error| {
                tracing::warn!(%error, "a bound folder cannot be used");
                StopError(Fault::Handles)
            })?;
            let handle = self.table.push(Handle::root(dir, folder, slot))?;
            found.push((Resource::new_own(handle.rep()), bound.guest_path.clone()));
        }
        Ok(found)
    }
}

impl Sandbox {
    /// Returns the access of this call. Only a guest that was given a folder can get here.
    fn file_access(&self) -> FsResult<Arc<FileAccess>> {
        let Some(files) = &self.files else {
            let how = "it used a folder it was not given".to_owned();
            return Err(FsError::trap(StopError(Fault::Protocol(how))));
        };
        Ok(Arc::clone(&files.0))
    }

    fn handle(&self, fd: &Resource<Descriptor>) -> FsResult<Handle> {
        let own: Resource<Handle> = Resource::new_borrow(fd.rep());
        Ok(self.table.get(&own)?.clone())
    }

    fn file(&self, fd: &Resource<Descriptor>) -> FsResult<Arc<FileHandle>> {
        match self.handle(fd)? {
            Handle::File(file) => Ok(file),
            Handle::Folder(_) => Err(failure(FileError::IsFolder)),
        }
    }

    fn folder(&self, fd: &Resource<Descriptor>) -> FsResult<Arc<FolderHandle>> {
        match self.handle(fd)? {
            Handle::Folder(folder) => Ok(folder),
            Handle::File(_) => Err(failure(FileError::NotFolder)),
        }
    }

    /// Admits an operation that reads, and performs it on a thread that may block.
    async fn read_files<T: Send + 'static>(
        &mut self,
        folder: FolderIndex,
        job: impl FnOnce(&Arc<FileAccess>) -> FileResult<T> + Send + 'static,
    ) -> FsResult<T> {
        let access = self.file_access()?;
        access.admit_read(folder).map_err(failure)?;
        let op = Class::Read.op("filesystem.read");
        self.perform(op, access, folder, job).await
    }

    /// Admits an operation that changes something, and performs it. From here on the call counts as
    /// begun and is not run again.
    async fn write_files<T: Send + 'static>(
        &mut self,
        folder: FolderIndex,
        job: impl FnOnce(&Arc<FileAccess>) -> FileResult<T> + Send + 'static,
    ) -> FsResult<T> {
        let access = self.file_access()?;
        access.admit_write(folder).map_err(failure)?;
        access.stage().announce_effect().await;
        let op = Class::Write.op("filesystem.write");
        self.perform(op, access, folder, job).await
    }

    async fn perform<T: Send + 'static>(
        &mut self,
        op: Op<'_>,
        access: Arc<FileAccess>,
        folder: FolderIndex,
        job: impl FnOnce(&Arc<FileAccess>) -> FileResult<T> + Send + 'static,
    ) -> FsResult<T> {
        let begun = self.journal.begin(op.about(access.guest_path(folder)));
        let done = spawn_checked(&access, job);
        let done = unless_cancelled(Some(access.stage()), done);
        let done = self.meter.wait(done).await;
        if let (Some(begun), Some(done)) = (begun, &done) {
            let failure = done.as_ref().err().map(FileError::to_string);
            begun.end(match &failure {
                None => HostCallOutcome::answered(None, None),
                Some(message) => HostCallOutcome::Failed {
                    error: "failed",
                    message,
                },
            });
        }
        done.unwrap_or(Err(FileError::Cancelled)).map_err(|error| {
            match error {
                FileError::Escapes => access.deny(folder, Denial::Outside),
                FileError::Special => access.deny(folder, Denial::Special),
                _ => {}
            }
            failure(error)
        })
    }
}

/// Starts a job on a thread that may block. It does nothing if the call ends first.
fn spawn_checked<T: Send + 'static>(
    access: &Arc<FileAccess>,
    job: impl FnOnce(&Arc<FileAccess>) -> FileResult<T> + Send + 'static,
) -> wasmtime_wasi::runtime::AbortOnDropJoinHandle<FileResult<T>> {
    let access = Arc::clone(access);
    spawn_blocking(move || {
        access.check_running()?;
        job(&access)
    })
}

fn failure(error: FileError) -> FsError {
    error_code(&error).into()
}

impl types::Host for Sandbox {
    fn convert_error_code(&mut self, error: FsError) -> wasmtime::Result<types::ErrorCode> {
        error.downcast()
    }

    fn filesystem_error_code(
        &mut self,
        error: Resource<wasmtime::Error>,
    ) -> wasmtime::Result<Option<types::ErrorCode>> {
        let error = self.table.get(&error)?;
        Ok(error.downcast_ref::<types::ErrorCode>().copied())
    }
}

impl types::HostDirectoryEntryStream for Sandbox {
    async fn read_directory_entry(
        &mut self,
        stream: Resource<ReaddirIterator>,
    ) -> FsResult<Option<types::DirectoryEntry>> {
        let own: Resource<EntryStream> = Resource::new_borrow(stream.rep());
        let access = self.file_access()?;
        access.check_running().map_err(failure)?;
        let stream = self.table.get_mut(&own)?;
        if stream.entries.is_empty() {
            let (folder, listing) = (stream.folder, Arc::clone(&stream.listing));
            let next = move |_: &Arc<FileAccess>| crate::sync::lock(&listing).next();
            let op = Class::Read.op("filesystem.list");
            let entries = self.perform(op, access, folder, next).await?;
            self.table.get_mut(&own)?.entries = entries;
        }
        let entry = self.table.get_mut(&own)?.entries.pop_front();
        Ok(entry.map(|entry| types::DirectoryEntry {
            type_: kind(entry.kind),
            name: entry.name,
        }))
    }

    fn drop(&mut self, stream: Resource<ReaddirIterator>) -> wasmtime::Result<()> {
        self.table
            .delete(Resource::<EntryStream>::new_own(stream.rep()))?;
        Ok(())
    }
}
