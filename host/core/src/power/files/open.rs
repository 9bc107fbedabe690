//! Opening: regular files and folders, and nothing else.
//!
//! A FIFO would wait for its other end, and opening a device can act on it. So a path is looked at
//! before it is opened, it is opened without waiting, and what was opened is looked at again: whoever
//! exchanges it between the two gains nothing.

use super::{FileError, FileResult, check_new_path, check_path};
use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsMaybeDirExt as _};
use cap_std::fs::{Dir, FileType, OpenOptions};
use std::fs::File;
use std::io;
use std::path::Path;

/// How often a file is opened again that others create and delete meanwhile.
const ATTEMPTS: usize = 4;

/// What to open a path for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct OpenRequest {
    /// Whether to follow a link at the end of the path.
    pub(crate) follow: bool,
    pub(crate) read: bool,
    pub(crate) write: bool,
    /// Whether to create a file that does not exist.
    pub(crate) create: bool,
    /// Whether to fail if it exists.
    pub(crate) exclusive: bool,
    pub(crate) truncate: bool,
    /// Whether to fail unless it is a folder.
    pub(crate) directory: bool,
}

/// What was opened.
#[derive(Debug)]
pub(crate) enum Opened {
    /// A regular file, and whether it was created.
    File {
        file: File,
        created: bool,
    },
    Folder(Dir),
}

/// Opens a file or folder. `may_create` is called before a file is created.
pub(crate) fn open(
    dir: &Dir,
    path: &str,
    how: &OpenRequest,
    mut may_create: impl FnMut() -> FileResult<()>,
) -> FileResult<Opened> {
    if how.directory && (how.create || how.exclusive || how.truncate || how.write) {
        return Err(FileError::Invalid);
    }
    let checked = check_path(path)?;
    let mut allowed = false;
    for _ in 0..ATTEMPTS {
        if !(how.create && how.exclusive) {
            match existing(dir, checked, how) {
                Err(error) if how.create && error.is(io::ErrorKind::NotFound) => {}
                opened => return opened,
            }
        }
        check_new_path(path)?;
        if !std::mem::replace(&mut allowed, true) {
            may_create()?;
        }
        match create(dir, checked, how) {
            Err(error) if !how.exclusive && error.is(io::ErrorKind::AlreadyExists) => {}
            opened => return opened,
        }
    }
    Err(io::Error::from(io::ErrorKind::NotFound).into())
}

fn existing(dir: &Dir, path: &Path, how: &OpenRequest) -> FileResult<Opened> {
    let about = match how.follow {
        true => dir.metadata(path)?,
        false => dir.symlink_metadata(path)?,
    };
    if about.is_symlink() {
        return Err(loops());
    }
    admit(about.file_type(), how)?;
    let mut options = options(how.read || !how.write, how.write, how.follow);
    options.maybe_dir(true);
    let file = dir.open_with(path, &options)?.into_std();
    let about = cap_std::fs::Metadata::from_file(&file)?;
    admit(about.file_type(), how)?;
    if about.is_dir() {
        return Ok(Opened::Folder(Dir::from_std_file(file)));
    }
    if how.truncate {
        file.set_len(0)?;
    }
    let created = false;
    Ok(Opened::File { file, created })
}

fn create(dir: &Dir, path: &Path, how: &OpenRequest) -> FileResult<Opened> {
    // Never through a link, so the file is new, and regular.
    let mut options = options(how.read, true, false);
    options.create_new(true);
    let file = dir.open_with(path, &options)?.into_std();
    let created = true;
    Ok(Opened::File { file, created })
}

/// Refuses what is neither a regular file nor a folder, or not what was asked for.
fn admit(kind: FileType, how: &OpenRequest) -> FileResult<()> {
    match () {
        () if kind.is_dir() && (how.write || how.truncate) => Err(FileError::IsFolder),
        () if kind.is_dir() => Ok(()),
        () if how.directory => Err(FileError::NotFolder),
        () if kind.is_file() => Ok(()),
        () => Err(FileError::Special),
    }
}

fn options(read: bool, write: bool, follow: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options
        .read(read)
        .write(write)
        .follow(FollowSymlinks::follow(follow));
    #[cfg(unix)]
    {
        use cap_fs_ext::OpenOptionsSyncExt as _;
        use cap_std::fs::OpenOptionsExt as _;
        // A terminal would otherwise become that of the host.
        options
            .nonblock(true)
            .custom_flags(rustix::fs::OFlags::NOCTTY.bits() as i32);
    }
    options
}

/// Returns a handle of a folder that can do more than resolve paths.
pub(super) fn readable(dir: &Dir) -> FileResult<File> {
    let mut options = options(true, false, false);
    options.maybe_dir(true);
    Ok(dir.open_with(".", &options)?.into_std())
}

/// The error of opening a link that is not to be followed.
fn loops() -> FileError {
    #[cfg(unix)]
    let error = io::Error::from(rustix::io::Errno::LOOP);
    #[cfg(not(unix))]
    let error = io::Error::from(io::ErrorKind::InvalidInput);
    error.into()
}
