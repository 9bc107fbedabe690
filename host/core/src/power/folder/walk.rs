//! Opening a folder without following a link in any part of its path.
//!
//! A path is looked up by one system call, during which somebody else may exchange a folder for a link.
//! So each part is opened in the folder before it, which is held meanwhile.

use cap_std::fs::Dir;
use std::io;
use std::path::Path;

/// Opens the folder at an absolute path. Fails if any part of the path is a link or `..`.
#[cfg(unix)]
pub(super) fn open(path: &Path) -> io::Result<Dir> {
    use rustix::fs::{Mode, OFlags, openat};
    use std::path::Component;
    if !path.is_absolute() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let (above, name) = match (path.parent(), path.file_name()) {
        (Some(above), Some(name)) => (above, name),
        _ => (path, ".".as_ref()),
    };
    let mut folder = rustix::fs::open("/", flags | PASS, Mode::empty())?;
    for part in above.components() {
        folder = match part {
            Component::RootDir => continue,
            Component::Normal(name) => openat(&folder, name, flags | PASS, Mode::empty())?,
            Component::Prefix(_) | Component::CurDir | Component::ParentDir => {
                return Err(io::ErrorKind::InvalidInput.into());
            }
        };
    }
    let opened = openat(&folder, name, flags, Mode::empty())?;
    Ok(Dir::from_std_file(opened.into()))
}

/// How a folder is opened that is only passed: it need not be readable.
#[cfg(target_os = "linux")]
const PASS: rustix::fs::OFlags = rustix::fs::OFlags::PATH;

#[cfg(all(unix, not(target_os = "linux")))]
const PASS: rustix::fs::OFlags = rustix::fs::OFlags::RDONLY;

/// Opens the folder at a path without links, which may be exchanged meanwhile: there is no other way here.
#[cfg(not(unix))]
pub(super) fn open(path: &Path) -> io::Result<Dir> {
    if path.canonicalize()? != path {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Dir::open_ambient_dir(path, cap_std::ambient_authority())
}
