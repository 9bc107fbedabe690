//! The data folder: what lasts between two runs.
//!
//! ```text
//! store/    sessions, what waits for a person, outputs, plugins' state
//! history   what was typed in `chat`
//! said      which choices of a model the person was told of
//! ```
//!
//! Invariant: a folder that is made here is for this user alone. One that is there already keeps
//! its mode, except `store/`, which is the store's.

mod open_store;

pub(crate) use open_store::{OpenStore, resolve_prefix, runtime};

use crate::exit::ExitError;
use anyhow::{Context, Result, anyhow};
use footlight::store::{SqliteStore, Store};
use footlight_render::filter;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How much of `said` is read; it has a line for each model.
const MAX_NOTICES: usize = 64 * 1024;

/// Where it is, once somebody wants to know.
#[derive(Debug, Clone, Default)]
pub(crate) struct Data {
    flag: Option<PathBuf>,
}

impl Data {
    /// The folder that `--data-dir` names, or the usual one.
    pub(crate) fn new(flag: Option<PathBuf>) -> Self {
        Self { flag }
    }

    /// The folder, which is made if it is not there.
    pub(crate) fn folder(&self) -> Result<PathBuf> {
        let folder = self.flag.clone().or_else(crate::dirs::data);
        let folder = folder.ok_or_else(|| {
            anyhow!("there is no home folder to keep data in; name one with `--data-dir`")
        })?;
        create_private_dir(&folder).with_context(|| {
            format!(
                "cannot make the data folder `{}`; name another with `--data-dir`",
                folder.display()
            )
        })?;
        Ok(folder)
    }

    /// What lasts, opened.
    pub(crate) fn store(&self) -> Result<Arc<dyn Store>> {
        let folder = self.folder()?.join("store");
        let opened = SqliteStore::open(&folder);
        let opened = opened.with_context(|| {
            format!(
                "the data in `{}` cannot be opened; `footlight doctor` looks closer",
                folder.display()
            )
        })?;
        Ok(Arc::new(opened))
    }

    /// Whether this is said for the first time; then it is noted.
    pub(crate) fn is_first_notice(&self, sentence: &str) -> bool {
        let Ok(path) = self.folder().map(|folder| folder.join("said")) else {
            return true;
        };
        let known = fs::read(&path).unwrap_or_default();
        let known = String::from_utf8_lossy(&known[..known.len().min(MAX_NOTICES)]).into_owned();
        if known.lines().any(|line| line == sentence) {
            return false;
        }
        // Where it cannot be noted it is said again: no harm.
        if known.len() + sentence.len() < MAX_NOTICES
            && let Ok(mut file) = open_private(&path, |options| options.append(true).create(true))
        {
            let _ = writeln!(file, "{sentence}");
        }
        true
    }
}

/// Makes a folder for this user alone.
fn create_private_dir(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens a file that only this user may read, if it is made.
pub(crate) fn open_private(
    path: &Path,
    set: impl Fn(&mut fs::OpenOptions) -> &mut fs::OpenOptions,
) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    set(&mut options).open(path)
}

/// Writes a file that only this user may read. One that is there is replaced if that is wanted: it
/// is written anew beside it, so that a link is not followed, and that it is never there in part.
pub(crate) fn write(path: &Path, bytes: &[u8], replaces: bool) -> Result<()> {
    let name = display_path(path);
    let written = match path.symlink_metadata() {
        Ok(there) if replaces && !there.is_file() && !there.is_symlink() => {
            return Err(ExitError::usage(format!("`{name}` is there, and no file")));
        }
        Ok(_) if replaces => write_atomically(path, bytes, 0o600),
        _ => open_private(path, |options| options.write(true).create_new(true))
            .and_then(|mut file| file.write_all(bytes)),
    };
    match written {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(ExitError::usage(
            format!("`{name}` is there already; --force writes over it"),
        )),
        written => written.with_context(|| format!("cannot write `{name}`")),
    }
}

/// Writes a file that takes the place of another once it is whole, for those whom `mode` names.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::Permissions::from_mode(mode);
        file.as_file().set_permissions(mode)?;
    }
    #[cfg(not(unix))]
    let _ = mode;
    file.persist(path)?;
    Ok(())
}

/// A path for a person: a file may have any name.
pub(crate) fn display_path(path: &Path) -> String {
    filter::line(&path.display().to_string(), 300)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_news_once() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let data = Data::new(Some(home.path().join("a/b")));
        assert!(data.is_first_notice("using `x`"));
        assert!(!data.is_first_notice("using `x`"));
        assert!(data.is_first_notice("using `y`"));
    }

    #[cfg(unix)]
    #[test]
    fn a_new_folder_is_for_this_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().expect("a folder for the test");
        let data = Data::new(Some(home.path().join("data")));
        let folder = data.folder().expect("is made");
        let mode = fs::metadata(folder).expect("is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_file_that_is_there_is_replaced_only_if_that_is_wanted() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let path = home.path().join("a\u{1b}[2Jb");
        assert!(
            !display_path(&path).contains('\u{1b}'),
            "{}",
            display_path(&path)
        );
        write(&path, b"one", true).expect("is new");
        let refused = write(&path, b"two", false).expect_err("is there");
        assert!(refused.to_string().contains("--force"), "{refused}");
        assert_eq!(fs::read(&path).expect("is there"), b"one");
        write(&path, b"two", true).expect("is replaced");
        assert_eq!(fs::read(&path).expect("is there"), b"two");
        assert!(write(home.path(), b"", true).is_err(), "is a folder");
        assert_eq!(fs::read_dir(home.path()).expect("is there").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_refused_or_replaced_and_never_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let home = tempfile::tempdir().expect("a folder for the test");
        let (other, link) = (home.path().join("other"), home.path().join("link"));
        fs::write(&other, "mine").expect("is written");
        symlink(&other, &link).expect("is made");
        assert!(write(&link, b"new", false).is_err());
        write(&link, b"new", true).expect("is replaced");
        assert_eq!(fs::read(&other).expect("is there"), b"mine");
        let there = link.symlink_metadata().expect("is there");
        assert!(there.is_file());
        assert_eq!(there.permissions().mode() & 0o777, 0o600);
        // One that leads nowhere is not followed either.
        let dangling = home.path().join("dangling");
        symlink(home.path().join("made"), &dangling).expect("is made");
        assert!(write(&dangling, b"new", false).is_err());
        assert!(!home.path().join("made").exists());
    }
}
