//! Files and folders that only their owner can read, and writes that nobody sees in part.

#[cfg(feature = "sqlite")]
use cap_std::fs::Dir;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use tempfile::NamedTempFile;

/// Creates a folder and its parents, each for its owner alone. An existing folder stays as it is.
///
/// # Errors
/// Those of the file system.
pub fn create_dir(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Takes the access of everybody but the owner away from a file or folder.
pub(crate) fn restrict(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(path)?.permissions().mode();
        if mode & 0o077 != 0 {
            fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700))?;
        }
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Opens a file for reading and writing, and creates it for its owner alone if it does not exist.
///
/// # Errors
/// Those of the file system.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Opens a file in an open folder, as [`open`] does.
#[cfg(feature = "sqlite")]
pub(crate) fn open_in(folder: &Dir, path: &Path) -> io::Result<cap_std::fs::File> {
    let mut options = cap_std::fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
    folder.open_with(path, &options)
}

/// Creates a folder in an open folder for its owner alone. An existing one stays as it is.
#[cfg(feature = "sqlite")]
pub(crate) fn create_dir_in(folder: &Dir, path: &Path) -> io::Result<()> {
    let mut builder = cap_std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    cap_std::fs::DirBuilderExt::mode(&mut builder, 0o700);
    folder.create_dir_with(path, &builder)
}

/// Makes new and renamed entries of a folder in an open folder durable.
#[cfg(feature = "sqlite")]
pub(crate) fn sync_dir_in(folder: &Dir, path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    folder.open(path)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = (folder, path);
    Ok(())
}

/// Writes a private file next to `path` and syncs it. The file is removed when it is dropped
/// without having been given another name.
pub(crate) fn write_beside(path: &Path, parts: &[&[u8]]) -> io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new_in(parent(path))?;
    for part in parts {
        file.write_all(part)?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

/// Writes `parts` to a private file at `path` in one step: a reader sees the old content or the new
/// one, also after a crash. A symbolic link at `path` is replaced, not followed.
///
/// # Errors
/// Those of the file system. The old content is then still there.
pub fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let file = write_beside(path, parts)?;
    file.persist(path).map_err(|error| error.error)?;
    sync_dir(parent(path))
}

/// Writes `parts` to a new private file at `path` in one step, as [`replace`] does.
///
/// # Errors
/// `AlreadyExists` if something is at `path`, and those of the file system.
pub fn create(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let file = write_beside(path, parts)?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    sync_dir(parent(path))
}

/// Makes new and renamed entries of a folder durable.
pub(crate) fn sync_dir(path: &Path) -> io::Result<()> {
    // Windows cannot open a folder, and does not need to.
    #[cfg(unix)]
    File::open(path)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}

/// Returns the folder of a file.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
