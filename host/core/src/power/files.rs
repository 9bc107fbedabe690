//! Operations on the files of a granted folder.
//!
//! Each takes an open folder and a guest's path below it, and may block: they belong on a thread that
//! can. cap-std resolves the paths, so that no link and no `..` leads outside of the open folder. What
//! it leaves open is decided here: only regular files and folders are opened, links that a guest
//! makes cannot point outside, and names are ones that a terminal can show.

mod listing;
mod open;

pub(crate) use listing::{Entry, Listing};
pub(crate) use open::{OpenRequest, Opened, open};

use cap_fs_ext::MetadataExt as _;
use cap_std::fs::{Dir, FileType, Metadata};
use std::fs::{File, FileTimes};
use std::io;
use std::path::{Component, Path};
use std::time::SystemTime;

/// The most bytes of a path.
const MAX_PATH: usize = 4_096;

/// Why an operation on files failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    /// The operating system failed it.
    #[error("{0}")]
    Io(io::Error),
    /// The path leads outside of the folder.
    #[error("the path leads outside of the folder")]
    Escapes,
    /// It is neither a regular file nor a folder.
    #[error("it is neither a regular file nor a folder")]
    Special,
    /// The path or name cannot be used.
    #[error("the path has characters that a name cannot have")]
    Name,
    /// The path is too long.
    #[error("the path is longer than {MAX_PATH} bytes")]
    TooLong,
    /// The call can only read here.
    #[error("the folder is read-only")]
    ReadOnly,
    /// The call has written all that it may.
    #[error("the call has written all that it may")]
    Quota,
    /// Too many files are open.
    #[error("too many files are open")]
    TooManyOpen,
    /// The call was cancelled, or is over.
    #[error("the call was cancelled")]
    Cancelled,
    /// Both paths must lie in one folder.
    #[error("the paths lie in different folders")]
    CrossesFolders,
    /// It is a folder and cannot be written or read as a file.
    #[error("it is a folder")]
    IsFolder,
    /// It is not a folder.
    #[error("it is not a folder")]
    NotFolder,
    /// The handle was not opened for this.
    #[error("the file was not opened for this")]
    BadHandle,
    /// The arguments contradict each other.
    #[error("the arguments cannot be combined")]
    Invalid,
    /// It cannot be done here.
    #[error("it is not supported")]
    Unsupported,
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        // cap-std reports a path that leads outside in this way, and the system never does.
        if error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none() {
            return Self::Escapes;
        }
        Self::Io(error)
    }
}

impl FileError {
    fn is(&self, kind: io::ErrorKind) -> bool {
        matches!(self, Self::Io(error) if error.kind() == kind)
    }
}

pub(crate) type FileResult<T> = Result<T, FileError>;

/// What is known of a file or folder.
#[derive(Debug, Clone)]
pub(crate) struct About {
    pub(crate) kind: FileType,
    pub(crate) size: u64,
    pub(crate) links: u64,
    pub(crate) accessed: Option<SystemTime>,
    pub(crate) modified: Option<SystemTime>,
    /// The device and the number on it. A guest must not see them.
    pub(crate) identity: (u64, u64),
}

impl From<Metadata> for About {
    fn from(about: Metadata) -> Self {
        Self {
            kind: about.file_type(),
            size: about.len(),
            links: about.nlink(),
            accessed: about.accessed().ok().map(|time| time.into_std()),
            modified: about.modified().ok().map(|time| time.into_std()),
            identity: (about.dev(), about.ino()),
        }
    }
}

impl About {
    pub(crate) fn of(file: &File) -> FileResult<Self> {
        Ok(Metadata::from_file(file)?.into())
    }

    pub(crate) fn of_folder(dir: &Dir) -> FileResult<Self> {
        Ok(dir.dir_metadata()?.into())
    }

    pub(crate) fn at(dir: &Dir, path: &str, follow: bool) -> FileResult<Self> {
        let path = check_path(path)?;
        let about = match follow {
            true => dir.metadata(path)?,
            false => dir.symlink_metadata(path)?,
        };
        Ok(about.into())
    }
}

/// Checks the path of a guest. Whether it stays inside is found out when it is resolved.
fn check_path(path: &str) -> FileResult<&Path> {
    if path.len() > MAX_PATH {
        return Err(FileError::TooLong);
    }
    if path.contains('\0') {
        return Err(FileError::Name);
    }
    let path = Path::new(path);
    let is_absolute = |part| matches!(part, Component::Prefix(_) | Component::RootDir);
    if path.components().next().is_some_and(is_absolute) {
        return Err(FileError::Escapes);
    }
    Ok(path)
}

/// Checks the path of something that is about to be created: other programs will show its name.
fn check_new_path(path: &str) -> FileResult<&Path> {
    if path.chars().any(char::is_control) {
        return Err(FileError::Name);
    }
    check_path(path)
}

pub(crate) fn create_folder(dir: &Dir, path: &str) -> FileResult<()> {
    Ok(dir.create_dir(check_new_path(path)?)?)
}

pub(crate) fn remove_folder(dir: &Dir, path: &str) -> FileResult<()> {
    Ok(dir.remove_dir(check_path(path)?)?)
}

/// Removes a file or a link.
pub(crate) fn remove_file(dir: &Dir, path: &str) -> FileResult<()> {
    use cap_fs_ext::DirExt as _;
    Ok(dir.remove_file_or_symlink(check_path(path)?)?)
}

pub(crate) fn rename(from: (&Dir, &str), to: (&Dir, &str)) -> FileResult<()> {
    let (old, new) = (check_path(from.1)?, check_new_path(to.1)?);
    Ok(from.0.rename(old, to.0, new)?)
}

pub(crate) fn hard_link(from: (&Dir, &str), to: (&Dir, &str)) -> FileResult<()> {
    let (old, new) = (check_path(from.1)?, check_new_path(to.1)?);
    // Only what could be opened can be linked.
    if !from.0.symlink_metadata(old)?.is_file() {
        return Err(FileError::Special);
    }
    Ok(from.0.hard_link(old, to.0, new)?)
}

/// Creates a link. Its target must lie below the folder of the link: a target with `..` that leads
/// inside now would lead outside once the link, or a folder on its way, is moved.
pub(crate) fn symlink(dir: &Dir, target: &str, path: &str) -> FileResult<()> {
    #[cfg(windows)]
    use cap_fs_ext::DirExt as _;
    let (to, path) = (check_new_path(target)?, check_new_path(path)?);
    if to.components().any(|part| part == Component::ParentDir) {
        return Err(FileError::Escapes);
    }
    Ok(dir.symlink(to, path)?)
}

/// Reads a link, unless its target is a path of the machine.
pub(crate) fn read_link(dir: &Dir, path: &str) -> FileResult<String> {
    let path = check_path(path)?;
    let target = dir.read_link(path)?;
    let climbs = target.components().any(|part| part == Component::ParentDir);
    if climbs && dir.metadata(path).is_err() {
        return Err(FileError::Escapes);
    }
    target
        .into_os_string()
        .into_string()
        .map_err(|_| FileError::Name)
}

/// Sets the times of what a path leads to.
pub(crate) fn set_times(dir: &Dir, path: &str, follow: bool, times: FileTimes) -> FileResult<()> {
    if !follow && About::at(dir, path, false)?.kind.is_symlink() {
        return Err(FileError::Unsupported);
    }
    let how = OpenRequest {
        follow,
        read: true,
        ..OpenRequest::default()
    };
    match open(dir, path, &how, || Ok(()))? {
        Opened::File { file, .. } => Ok(file.set_times(times)?),
        Opened::Folder(dir) => set_folder_times(&dir, times),
    }
}

pub(crate) fn set_folder_times(dir: &Dir, times: FileTimes) -> FileResult<()> {
    Ok(open::readable(dir)?.set_times(times)?)
}

pub(crate) fn sync_folder(dir: &Dir) -> FileResult<()> {
    Ok(open::readable(dir)?.sync_all()?)
}

/// Reads up to `length` bytes. Returns none at the end of the file.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, length: usize, offset: u64) -> FileResult<Vec<u8>> {
    if i64::try_from(offset).is_err() {
        return Ok(Vec::new());
    }
    let mut bytes = Vec::with_capacity(length);
    loop {
        match rustix::io::pread(file, rustix::buffer::spare_capacity(&mut bytes), offset) {
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(io::Error::from(error).into()),
            Ok(_) => return Ok(bytes),
        }
    }
}

/// Reads up to `length` bytes. Returns none at the end of the file.
#[cfg(windows)]
pub(crate) fn read_at(file: &File, length: usize, offset: u64) -> FileResult<Vec<u8>> {
    let mut bytes = vec![0; length];
    let read = std::os::windows::fs::FileExt::seek_read(file, &mut bytes, offset)?;
    bytes.truncate(read);
    Ok(bytes)
}

/// Reads up to `length` bytes that are in memory already. Returns `None` if that would mean to wait,
/// and fails if the file system cannot tell.
#[cfg(target_os = "linux")]
pub(crate) fn read_cached(file: &File, length: usize, offset: u64) -> FileResult<Option<Vec<u8>>> {
    use rustix::io::{Errno, ReadWriteFlags, preadv2};
    // No file is that large, and to the system the highest offset means "where the file was left".
    if i64::try_from(offset).is_err() {
        return Ok(Some(Vec::new()));
    }
    let mut bytes = vec![0; length];
    let mut parts = [io::IoSliceMut::new(&mut bytes)];
    match preadv2(file, &mut parts, offset, ReadWriteFlags::NOWAIT) {
        Ok(read) => {
            bytes.truncate(read);
            Ok(Some(bytes))
        }
        Err(Errno::AGAIN | Errno::INTR) => Ok(None),
        Err(_) => Err(FileError::Unsupported),
    }
}

/// Fails: this system cannot tell what is in memory.
#[cfg(not(target_os = "linux"))]
pub(crate) fn read_cached(_: &File, _: usize, _: u64) -> FileResult<Option<Vec<u8>>> {
    Err(FileError::Unsupported)
}

/// Writes all bytes, from `offset` on.
#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], offset: u64) -> FileResult<()> {
    Ok(std::os::unix::fs::FileExt::write_all_at(
        file, bytes, offset,
    )?)
}

/// Writes all bytes, from `offset` on.
#[cfg(windows)]
pub(crate) fn write_at(file: &File, mut bytes: &[u8], mut offset: u64) -> FileResult<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

/// Writes all bytes at the end, wherever it is by then.
pub(crate) fn append(file: &File, mut bytes: &[u8]) -> FileResult<()> {
    #[cfg(target_os = "linux")]
    while !bytes.is_empty() {
        use rustix::io::{Errno, ReadWriteFlags, pwritev2};
        let parts = [io::IoSlice::new(bytes)];
        match pwritev2(file, &parts, 0, ReadWriteFlags::APPEND) {
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            // Older systems, and some file systems.
            Err(Errno::NOSYS | Errno::NOTSUP) => break,
            Err(error) => return Err(io::Error::from(error).into()),
        }
    }
    match bytes.is_empty() {
        true => Ok(()),
        false => write_at(file, std::mem::take(&mut bytes), file.metadata()?.len()),
    }
}

#[cfg(test)]
mod tests;
