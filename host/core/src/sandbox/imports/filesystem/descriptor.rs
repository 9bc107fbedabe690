//! `descriptor`: an open file or folder.
//!
//! Invariant: what changes something goes through [`Sandbox::write_files`], or through a file that was
//! opened for writing, which does so at each write.

use super::convert::{new_time, open_request, stat};
use super::reader::FileReader;
use super::writer::{FileWriter, Place};
use super::{EntryStream, FolderHandle, Handle, failure};
use crate::call::file_access::FileAccess;
use crate::power::files::{self, About, FileError, FileResult, Listing};
use crate::sandbox::Sandbox;
use crate::sandbox::limits::Caps;
use std::collections::VecDeque;
use std::fs::FileTimes;
use std::sync::{Arc, Mutex};
use wasmtime::component::Resource;
use wasmtime_wasi::filesystem::Descriptor;
use wasmtime_wasi::p2::bindings::filesystem::types::{
    Advice, DescriptorFlags, DescriptorStat, DescriptorType, Filesize, HostDescriptor,
    MetadataHashValue, NewTimestamp, OpenFlags, PathFlags,
};
use wasmtime_wasi::p2::{DynInputStream, DynOutputStream, FsResult, ReaddirIterator};

impl HostDescriptor for Sandbox {
    async fn open_at(
        &mut self,
        fd: Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> FsResult<Resource<Descriptor>> {
        let at = self.folder(&fd)?;
        let folder = at.folder;
        let (how, changes) =
            open_request(follows(path_flags), open_flags, flags).map_err(failure)?;
        let job = move |access: &Arc<FileAccess>| Handle::open(access, &at, &path, how);
        let handle = match changes {
            true => self.write_files(folder, job).await?,
            false => self.read_files(folder, job).await?,
        };
        let handle = self.table.push(handle)?;
        Ok(Resource::new_own(handle.rep()))
    }

    fn drop(&mut self, fd: Resource<Descriptor>) -> wasmtime::Result<()> {
        self.table.delete(Resource::<Handle>::new_own(fd.rep()))?;
        Ok(())
    }

    fn read_via_stream(
        &mut self,
        fd: Resource<Descriptor>,
        offset: Filesize,
    ) -> FsResult<Resource<DynInputStream>> {
        let (access, file) = (self.file_access()?, self.file(&fd)?);
        access.admit_read(file.folder).map_err(failure)?;
        let reader: DynInputStream =
            Box::new(FileReader::new(access, file, offset).map_err(failure)?);
        Ok(self.table.push(reader)?)
    }

    fn write_via_stream(
        &mut self,
        fd: Resource<Descriptor>,
        offset: Filesize,
    ) -> FsResult<Resource<DynOutputStream>> {
        self.write_stream(&fd, Place::At(offset))
    }

    fn append_via_stream(
        &mut self,
        fd: Resource<Descriptor>,
    ) -> FsResult<Resource<DynOutputStream>> {
        self.write_stream(&fd, Place::End)
    }

    async fn read(
        &mut self,
        fd: Resource<Descriptor>,
        length: Filesize,
        offset: Filesize,
    ) -> FsResult<(Vec<u8>, bool)> {
        let file = self.file(&fd)?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let length = length.min(Caps::FILE_READ);
        let job = move |access: &Arc<FileAccess>| {
            let bytes = file.read_at(length, offset)?;
            access.add_read(file.folder, bytes.len());
            let is_end = bytes.is_empty() && length > 0;
            Ok((bytes, is_end))
        };
        let folder = self.file(&fd)?.folder;
        self.read_files(folder, job).await
    }

    async fn write(
        &mut self,
        fd: Resource<Descriptor>,
        bytes: Vec<u8>,
        offset: Filesize,
    ) -> FsResult<Filesize> {
        let file = self.file(&fd)?;
        let job = move |access: &Arc<FileAccess>| {
            file.write(access, &bytes, Place::At(offset))?;
            Ok(bytes.len() as Filesize)
        };
        let folder = self.file(&fd)?.folder;
        self.write_files(folder, job).await
    }

    async fn set_size(&mut self, fd: Resource<Descriptor>, size: Filesize) -> FsResult<()> {
        let file = self.file(&fd)?;
        let job = move |access: &Arc<FileAccess>| file.set_size(access, size);
        let folder = self.file(&fd)?.folder;
        self.write_files(folder, job).await
    }

    async fn set_times(
        &mut self,
        fd: Resource<Descriptor>,
        accessed: NewTimestamp,
        modified: NewTimestamp,
    ) -> FsResult<()> {
        let handle = self.handle(&fd)?;
        let times = times(accessed, modified).map_err(failure)?;
        let job = move |_: &Arc<FileAccess>| match handle {
            Handle::File(file) => Ok(file.file.set_times(times)?),
            Handle::Folder(at) => files::set_folder_times(&at.dir, times),
        };
        let folder = self.handle(&fd)?.folder();
        self.write_files(folder, job).await
    }

    async fn set_times_at(
        &mut self,
        fd: Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
        accessed: NewTimestamp,
        modified: NewTimestamp,
    ) -> FsResult<()> {
        let times = times(accessed, modified).map_err(failure)?;
        let change = move |at: &FolderHandle, path: &str, _: &FileAccess| {
            files::set_times(&at.dir, path, follows(path_flags), times)
        };
        self.change(&fd, path, change).await
    }

    async fn advise(
        &mut self,
        fd: Resource<Descriptor>,
        _: Filesize,
        _: Filesize,
        _: Advice,
    ) -> FsResult<()> {
        // Advice only costs: a guest could have any part of a file read ahead.
        self.file(&fd).map(drop)
    }

    async fn sync(&mut self, fd: Resource<Descriptor>) -> FsResult<()> {
        let handle = self.handle(&fd)?;
        let job = move |_: &Arc<FileAccess>| match handle {
            // Whoever cannot write has nothing to make durable.
            Handle::File(file) if !file.write => Ok(()),
            Handle::File(file) => Ok(file.file.sync_all()?),
            Handle::Folder(at) => files::sync_folder(&at.dir),
        };
        let folder = self.handle(&fd)?.folder();
        self.read_files(folder, job).await
    }

    async fn sync_data(&mut self, fd: Resource<Descriptor>) -> FsResult<()> {
        HostDescriptor::sync(self, fd).await
    }

    async fn get_flags(&mut self, fd: Resource<Descriptor>) -> FsResult<DescriptorFlags> {
        let access = self.file_access()?;
        let when = |holds: bool, flag: DescriptorFlags| match holds {
            true => flag,
            false => DescriptorFlags::empty(),
        };
        Ok(match self.handle(&fd)? {
            Handle::File(file) => {
                when(file.read, DescriptorFlags::READ) | when(file.write, DescriptorFlags::WRITE)
            }
            Handle::Folder(at) => {
                let writable = access.is_writable(at.folder);
                DescriptorFlags::READ | when(writable, DescriptorFlags::MUTATE_DIRECTORY)
            }
        })
    }

    async fn get_type(&mut self, fd: Resource<Descriptor>) -> FsResult<DescriptorType> {
        Ok(match self.handle(&fd)? {
            Handle::File(_) => DescriptorType::RegularFile,
            Handle::Folder(_) => DescriptorType::Directory,
        })
    }

    async fn stat(&mut self, fd: Resource<Descriptor>) -> FsResult<DescriptorStat> {
        Ok(stat(self.about(&fd).await?))
    }

    async fn stat_at(
        &mut self,
        fd: Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
    ) -> FsResult<DescriptorStat> {
        Ok(stat(self.about_at(&fd, path_flags, path).await?))
    }

    async fn metadata_hash(&mut self, fd: Resource<Descriptor>) -> FsResult<MetadataHashValue> {
        let about = self.about(&fd).await?;
        self.hash(&about)
    }

    async fn metadata_hash_at(
        &mut self,
        fd: Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
    ) -> FsResult<MetadataHashValue> {
        let about = self.about_at(&fd, path_flags, path).await?;
        self.hash(&about)
    }

    async fn is_same_object(
        &mut self,
        one: Resource<Descriptor>,
        other: Resource<Descriptor>,
    ) -> wasmtime::Result<bool> {
        let (one, other) = (self.about(&one).await, self.about(&other).await);
        Ok(match (one, other) {
            (Ok(one), Ok(other)) => one.identity == other.identity,
            _ => false,
        })
    }

    async fn read_directory(
        &mut self,
        fd: Resource<Descriptor>,
    ) -> FsResult<Resource<ReaddirIterator>> {
        let at = self.folder(&fd)?;
        let folder = at.folder;
        let job = move |access: &Arc<FileAccess>| {
            let _slot = access.open_slot(folder)?;
            let listing = Listing::open(&at.dir)?;
            Ok(EntryStream {
                folder,
                listing: Arc::new(Mutex::new(listing)),
                entries: VecDeque::new(),
                _slot,
            })
        };
        let stream = self.read_files(folder, job).await?;
        let stream = self.table.push(stream)?;
        Ok(Resource::new_own(stream.rep()))
    }

    async fn readlink_at(&mut self, fd: Resource<Descriptor>, path: String) -> FsResult<String> {
        let at = self.folder(&fd)?;
        let folder = at.folder;
        let job = move |_: &Arc<FileAccess>| files::read_link(&at.dir, &path);
        self.read_files(folder, job).await
    }

    async fn create_directory_at(
        &mut self,
        fd: Resource<Descriptor>,
        path: String,
    ) -> FsResult<()> {
        let change = |at: &FolderHandle, path: &str, access: &FileAccess| {
            access.charge_creation(at.folder)?;
            files::create_folder(&at.dir, path)
        };
        self.change(&fd, path, change).await
    }

    async fn remove_directory_at(
        &mut self,
        fd: Resource<Descriptor>,
        path: String,
    ) -> FsResult<()> {
        let change =
            |at: &FolderHandle, path: &str, _: &FileAccess| files::remove_folder(&at.dir, path);
        self.change(&fd, path, change).await
    }

    async fn unlink_file_at(&mut self, fd: Resource<Descriptor>, path: String) -> FsResult<()> {
        let change =
            |at: &FolderHandle, path: &str, _: &FileAccess| files::remove_file(&at.dir, path);
        self.change(&fd, path, change).await
    }

    async fn symlink_at(
        &mut self,
        fd: Resource<Descriptor>,
        target: String,
        path: String,
    ) -> FsResult<()> {
        let change = move |at: &FolderHandle, path: &str, access: &FileAccess| {
            access.charge_creation(at.folder)?;
            files::symlink(&at.dir, &target, path)
        };
        self.change(&fd, path, change).await
    }

    async fn link_at(
        &mut self,
        fd: Resource<Descriptor>,
        old_path_flags: PathFlags,
        old_path: String,
        new_fd: Resource<Descriptor>,
        new_path: String,
    ) -> FsResult<()> {
        if follows(old_path_flags) {
            return Err(failure(FileError::Invalid));
        }
        let from = self.other_folder(&fd, &new_fd)?;
        let change = move |to: &FolderHandle, path: &str, access: &FileAccess| {
            access.charge_creation(to.folder)?;
            files::hard_link((&from.dir, &old_path), (&to.dir, path))
        };
        self.change(&new_fd, new_path, change).await
    }

    async fn rename_at(
        &mut self,
        fd: Resource<Descriptor>,
        old_path: String,
        new_fd: Resource<Descriptor>,
        new_path: String,
    ) -> FsResult<()> {
        let from = self.other_folder(&fd, &new_fd)?;
        let change = move |to: &FolderHandle, path: &str, access: &FileAccess| {
            files::rename((&from.dir, &old_path), (&to.dir, path))?;
            access.add_written(from.folder, &from.name_of(&old_path), 0);
            Ok(())
        };
        self.change(&new_fd, new_path, change).await
    }
}

impl Sandbox {
    /// Changes something in a folder, and puts it on the record.
    async fn change(
        &mut self,
        fd: &Resource<Descriptor>,
        path: String,
        change: impl FnOnce(&FolderHandle, &str, &FileAccess) -> FileResult<()> + Send + 'static,
    ) -> FsResult<()> {
        let at = self.folder(fd)?;
        let folder = at.folder;
        let job = move |access: &Arc<FileAccess>| {
            change(&at, &path, access)?;
            access.add_written(at.folder, &at.name_of(&path), 0);
            Ok(())
        };
        self.write_files(folder, job).await
    }

    /// Returns the first of two folders between which something is moved or linked. Folders are like
    /// disks: nothing moves from one to another, whatever they allow.
    fn other_folder(
        &self,
        from: &Resource<Descriptor>,
        to: &Resource<Descriptor>,
    ) -> FsResult<Arc<FolderHandle>> {
        let (access, from, to) = (self.file_access()?, self.folder(from)?, self.folder(to)?);
        for folder in [from.folder, to.folder] {
            access.check_writable(folder).map_err(failure)?;
        }
        match from.folder == to.folder {
            true => Ok(from),
            false => Err(failure(FileError::CrossesFolders)),
        }
    }

    fn write_stream(
        &mut self,
        fd: &Resource<Descriptor>,
        place: Place,
    ) -> FsResult<Resource<DynOutputStream>> {
        let (access, file) = (self.file_access()?, self.file(fd)?);
        access.admit_write(file.folder).map_err(failure)?;
        let writer: DynOutputStream =
            Box::new(FileWriter::new(access, file, place).map_err(failure)?);
        Ok(self.table.push(writer)?)
    }

    async fn about(&mut self, fd: &Resource<Descriptor>) -> FsResult<About> {
        let handle = self.handle(fd)?;
        let folder = handle.folder();
        let job = move |_: &Arc<FileAccess>| match handle {
            Handle::File(file) => About::of(&file.file),
            Handle::Folder(at) => About::of_folder(&at.dir),
        };
        self.read_files(folder, job).await
    }

    async fn about_at(
        &mut self,
        fd: &Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
    ) -> FsResult<About> {
        let at = self.folder(fd)?;
        let folder = at.folder;
        let job = move |_: &Arc<FileAccess>| About::at(&at.dir, &path, follows(path_flags));
        self.read_files(folder, job).await
    }

    fn hash(&self, about: &About) -> FsResult<MetadataHashValue> {
        let (lower, upper) = self.file_access()?.identity(about.identity);
        Ok(MetadataHashValue { lower, upper })
    }
}

fn follows(flags: PathFlags) -> bool {
    flags.contains(PathFlags::SYMLINK_FOLLOW)
}

fn times(accessed: NewTimestamp, modified: NewTimestamp) -> FileResult<FileTimes> {
    let mut times = FileTimes::new();
    if let Some(time) = new_time(accessed)? {
        times = times.set_accessed(time);
    }
    if let Some(time) = new_time(modified)? {
        times = times.set_modified(time);
    }
    Ok(times)
}
