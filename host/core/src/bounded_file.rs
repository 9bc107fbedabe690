//! Reads of files that a stranger may have placed.
//!
//! A file in a folder that was downloaded can be a device that never ends, or a pipe that nobody
//! writes to. Every read here is of a regular file, has a limit, and does not block.

use crate::ownership::Ownership;
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// Those of the file system; [`io::ErrorKind::InvalidInput`] for everything but a regular file, and
/// [`io::ErrorKind::FileTooLarge`] for a file of more bytes.
pub fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    read_from(open(path)?.0, most)
}

/// Reads a regular file of at most `most` bytes of UTF-8 text.
///
/// # Errors
/// Those of [`read`], and [`io::ErrorKind::InvalidData`] for a file that is not UTF-8.
pub fn read_to_string(path: &Path, most: usize) -> io::Result<String> {
    into_text(read(path, most)?)
}

/// Reads a regular file of at most `most` bytes of UTF-8 text that decides who may do what. Nobody but its
/// reader and the administrator can have written it.
///
/// # Errors
/// Those of [`read_to_string`], and [`io::ErrorKind::PermissionDenied`] for a file that belongs to another
/// user or that every user can change.
pub fn read_trusted(path: &Path, most: usize) -> io::Result<String> {
    let (file, metadata) = open(path)?;
    check_trusted(&metadata)?;
    read_from(file, most).and_then(into_text)
}

/// Reads a regular file of at most `most` bytes of UTF-8 text that holds a secret.
///
/// # Errors
/// Those of [`read_trusted`], and [`io::ErrorKind::PermissionDenied`] for a file that other users can read.
pub fn read_secret(path: &Path, most: usize) -> io::Result<String> {
    let (file, metadata) = open(path)?;
    check_trusted(&metadata)?;
    if !Ownership::is_secret(&metadata) {
        let why = "it can be read by other users; make it yours alone with `chmod 600`, and replace the secret if somebody may have read it";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    read_from(file, most).and_then(into_text)
}

fn check_trusted(metadata: &Metadata) -> io::Result<()> {
    let ownership = Ownership::of(metadata);
    match ownership.is_trusted() {
        true => Ok(()),
        false => {
            let why = format!("it {}", ownership.problem());
            Err(io::Error::new(io::ErrorKind::PermissionDenied, why))
        }
    }
}

/// Opens a regular file for reading, without waiting for the other end of a pipe. The metadata are
/// those of the file that was opened, whatever the path leads to by now.
///
/// # Errors
/// Those of the file system, and [`io::ErrorKind::InvalidInput`] for everything but a regular file.
pub fn open(path: &Path) -> io::Result<(File, Metadata)> {
    let file = open_without_waiting(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        let why = match metadata.is_dir() {
            true => "it is a folder, not a file",
            false => "it is not a regular file",
        };
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    Ok((file, metadata))
}

/// Reads what is left of a stream, at most `most` bytes.
///
/// # Errors
/// Those of the stream, and [`io::ErrorKind::FileTooLarge`] if it has more bytes.
pub fn read_from(stream: impl io::Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more, to tell a stream that is too long from one that just fits.
    stream.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        let why = format!("it is larger than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// Turns bytes into text.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] for bytes that are not UTF-8.
pub fn into_text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let why = format!("it is not UTF-8 text: byte {at}");
        io::Error::new(io::ErrorKind::InvalidData, why)
    })
}

#[cfg(unix)]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    // The two flags mean nothing for a regular file.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
    Ok(open(path, flags, Mode::empty())?.into())
}

#[cfg(not(unix))]
fn open_without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_read_up_to_the_limit_and_not_beyond() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("file");
        for length in [0, 9, 10, 11, 5_000] {
            fs::write(&path, vec![b'x'; length]).expect("is written");
            let read = read(&path, 10);
            match length {
                0..=10 => assert_eq!(read.expect("fits").len(), length),
                _ => {
                    let error = read.expect_err("is too large");
                    assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
                    assert_eq!(error.to_string(), "it is larger than 10 bytes");
                }
            }
        }
        fs::write(&path, [b'a', 0xff]).expect("is written");
        let error = read_to_string(&path, 10).expect_err("is not text");
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }

    /// Every mode of a file, and whether it can decide who may do what, and hold a secret.
    #[cfg(unix)]
    #[test]
    fn what_others_can_change_is_not_trusted_and_what_they_can_read_is_no_secret() {
        use std::os::unix::fs::{PermissionsExt as _, chown};
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("file");
        fs::write(&path, "text").expect("is written");
        let is_root = rustix::process::geteuid().is_root();
        let owners: &[Option<u32>] = if is_root {
            &[None, Some(65_534)]
        } else {
            &[None]
        };
        for owner in owners {
            chown(&path, *owner, None).expect("is given");
            for mode in (0..0o1000).map(|mode| mode | 0o400) {
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("is set");
                let is_trusted = owner.is_none() && mode & 0o002 == 0;
                let is_secret = is_trusted && mode & 0o077 == 0;
                let link = folder.path().join(format!("link-{mode}"));
                std::os::unix::fs::symlink(&path, &link).expect("is made");
                for path in [&path, &link] {
                    let case = format!("{mode:o} of {owner:?}");
                    assert_eq!(read_trusted(path, 10).is_ok(), is_trusted, "{case}");
                    assert_eq!(read_secret(path, 10).is_ok(), is_secret, "{case}");
                }
                fs::remove_file(&link).expect("is removed");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn devices_pipes_and_folders_are_refused_at_once() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).expect("is made");
        let paths = [Path::new("/dev/zero"), Path::new("/dev/tty0"), &pipe, &link];
        for path in paths.into_iter().chain([folder.path()]) {
            if !path.exists() {
                continue;
            }
            let error = read(path, 10).expect_err("is no regular file");
            assert_eq!(
                error.kind(),
                io::ErrorKind::InvalidInput,
                "{path:?}: {error}"
            );
        }
    }
}
