//! The data folder.
//!
//! ```text
//! store/        sessions, open requests, outputs, state of plugins
//! secrets.json  secrets for requests of plugins
//! history       lines typed in `chat`
//! said          notices about the choice of a model that were shown
//! controls/     the highest number of a control in each conversation
//! ```
//!
//! Invariant: new folders and files are private to the user. An existing folder keeps its mode,
//! except `store/`, which the store manages.

mod control_numbers;
mod open_store;

pub(crate) use control_numbers::ControlNumbers;
pub(crate) use open_store::{OpenStore, resolve_prefix, runtime};

use crate::exit::ExitError;
use crate::ownership::Ownership;
use crate::plugin_source::format_size;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow, bail};
use footlight::store::{SqliteStore, Store};
use footlight::{bounded_file, private_file};
use footlight_render::filter;
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum size of `said` in bytes.
const MAX_NOTICES: usize = 64 * 1024;

/// The data folder, which is located and created on first use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Data {
    flag: Option<PathBuf>,
}

impl Data {
    /// Uses the folder of `--data-dir`, or the default one.
    pub(crate) fn new(flag: Option<PathBuf>) -> Self {
        Self { flag }
    }

    /// Returns the folder, whether it exists or not; none without a home folder.
    pub(crate) fn location(&self) -> Option<PathBuf> {
        self.flag.clone().or_else(crate::dirs::data)
    }

    /// Returns the folder, and creates it if it is missing.
    pub(crate) fn folder(&self) -> Result<PathBuf> {
        let folder = self
            .location()
            .ok_or_else(|| anyhow!("no home folder for data; name a folder with `--data-dir`"))?;
        private_file::create_dir(&folder).with_context(|| {
            format!(
                "cannot create the data folder `{}`; name another with `--data-dir`",
                folder.display()
            )
        })?;
        Ok(folder)
    }

    /// Opens the store.
    pub(crate) fn store(&self) -> Result<Arc<dyn Store>> {
        let folder = self.folder()?.join("store");
        let opened = SqliteStore::open(&folder);
        let opened = opened.with_context(|| {
            format!(
                "cannot open the data in `{}`; run `footlight doctor`",
                folder.display()
            )
        })?;
        Ok(Arc::new(opened))
    }

    /// Reports whether a notice is new, and records it.
    pub(crate) fn is_first_notice(&self, sentence: &str) -> bool {
        let Ok(path) = self.folder().map(|folder| folder.join("said")) else {
            return true;
        };
        let known = fs::read(&path).unwrap_or_default();
        let known = String::from_utf8_lossy(&known[..known.len().min(MAX_NOTICES)]).into_owned();
        if known.lines().any(|line| line == sentence) {
            return false;
        }
        // If it cannot be recorded it is shown again, which is harmless.
        if known.len() + sentence.len() < MAX_NOTICES
            && let Ok(mut file) = open_private(&path, |options| options.append(true).create(true))
        {
            let _ = writeln!(file, "{sentence}");
        }
        true
    }
}

/// Opens a file, which is private if it is created.
pub(crate) fn open_private(
    path: &Path,
    set: impl Fn(&mut fs::OpenOptions) -> &mut fs::OpenOptions,
) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    set(&mut options).open(path)
}

/// Writes a private file in one step. An existing file is only replaced if `replaces` is set, and then
/// without following a link.
pub(crate) fn write(path: &Path, bytes: &[u8], replaces: bool) -> Result<()> {
    let name = display_path(path);
    let written = match path.symlink_metadata() {
        Ok(there) if replaces && !there.is_file() && !there.is_symlink() => {
            return Err(ExitError::usage(format!("`{name}` is not a file")));
        }
        Ok(_) if replaces => private_file::replace(path, &[bytes]),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => private_file::create(path, &[bytes]),
    };
    match written {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(ExitError::usage(
            format!("`{name}` already exists; overwrite it with --force"),
        )),
        written => written.with_context(|| format!("cannot write `{name}`")),
    }
}

/// Reads text of at most `most` bytes from a file that the person named, or from stdin for `-`.
pub(crate) fn read_text(path: &Path, most: usize) -> Result<String> {
    let read = match path {
        path if path == Path::new("-") => bounded_file::read_from(io::stdin().lock(), most),
        // A pipe of the shell, such as `<(command)`, which a stranger cannot have placed.
        path if path.starts_with("/dev/fd") || path == Path::new("/dev/stdin") => {
            fs::File::open(path).and_then(|file| bounded_file::read_from(file, most))
        }
        path => bounded_file::read(path, most),
    };
    let name = || match path == Path::new("-") {
        true => "stdin".to_owned(),
        false => format!("`{}`", display_path(path)),
    };
    let text = read.and_then(bounded_file::into_text);
    text.with_context(|| format!("cannot read {}", name()))
}

/// Reads text of at most `most` bytes from a file of the person; `None` if there is no file. One that
/// others can change is an error, because what it says counts as the person's word.
pub(crate) fn read_own(path: &Path, most: usize) -> Result<Option<String>> {
    read_checked(path, most, |_| Ok(()))
}

/// Reads the same from a file that nobody else may read either.
pub(crate) fn read_private(path: &Path, most: usize) -> Result<Option<String>> {
    read_checked(
        path,
        most,
        |metadata| match Ownership::is_readable_by_others(metadata) {
            true => Err(readable_by_others(path)),
            false => Ok(()),
        },
    )
}

/// Reads a secret from a file that the person named, which nobody else may read or change, or from stdin for `-`.
pub(crate) fn read_secret(path: &Path, most: usize) -> Result<String> {
    // A pipe of the shell belongs to whoever wrote the command.
    let is_pipe = path.starts_with("/dev/fd") || path == Path::new("/dev/stdin");
    if is_pipe || path == Path::new("-") {
        return read_text(path, most);
    }
    let text = read_private(path, most)?;
    text.ok_or_else(|| anyhow!("there is no file `{}`", display_path(path)))
}

/// Fails if others can read a file with a key, or change it. A group may read a key of the administrator's: servers
/// share the key of a certificate like that.
pub(crate) fn ensure_key_is_private(path: &Path) -> Result<()> {
    let opened = bounded_file::open(path);
    let (_, metadata) = opened.with_context(|| format!("cannot read `{}`", display_path(path)))?;
    if !Ownership::is_secret(&metadata) {
        return Err(readable_by_others(path));
    }
    ensure_trusted(path, &metadata)
}

fn readable_by_others(path: &Path) -> anyhow::Error {
    let name = display_path(path);
    anyhow!(
        "`{name}` can be read by other users; run `chmod 600 {name}`, and replace the secrets in it if somebody may have read them"
    )
}

fn ensure_trusted(path: &Path, metadata: &fs::Metadata) -> Result<()> {
    let ownership = Ownership::of(metadata);
    if ownership.is_trusted() {
        return Ok(());
    }
    let name = display_path(path);
    match ownership.is_own_but_writable() {
        true => bail!(
            "`{name}` {}; check what it says, and run `chmod go-w {name}`",
            ownership.problem()
        ),
        false => bail!(
            "`{name}` {}; put a file of your own in its place",
            ownership.problem()
        ),
    }
}

fn read_checked(
    path: &Path,
    most: usize,
    check: impl FnOnce(&fs::Metadata) -> Result<()>,
) -> Result<Option<String>> {
    let name = || display_path(path);
    let (file, metadata) = match bounded_file::open(path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read `{}`", name())),
    };
    check(&metadata)?;
    ensure_trusted(path, &metadata)?;
    let text = bounded_file::read_from(file, most).and_then(bounded_file::into_text);
    let text = text.with_context(|| format!("cannot read `{}`", name()))?;
    Ok(Some(text))
}

/// Formats a file that was written: its path and size.
pub(crate) fn file_line(path: &Path, size: u64) -> String {
    format!("{}  {}", display_path(path), format_size(size))
}

/// Says that a file was written: in a note, and with `--json` as JSON.
pub(crate) fn say_written(path: &Path, size: u64, ui: &Ui) -> io::Result<()> {
    ui.note(&file_line(path, size));
    match ui.json {
        true => ui.print_json(&json!({ "path": path_text(path), "size": size })),
        false => Ok(()),
    }
}

/// Returns a path as it stands in JSON, which holds nothing but Unicode: what is none is replaced.
pub(crate) fn path_text(path: &Path) -> std::borrow::Cow<'_, str> {
    path.to_string_lossy()
}

/// Serializes a path with [`path_text`], where serde would fail.
pub(crate) fn serialize_path<S: serde::Serializer>(
    path: &Path,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(&path_text(path))
}

/// Formats a path for display, filtered because file names can contain anything.
pub(crate) fn display_path(path: &Path) -> String {
    filter::line(&path.display().to_string(), 300)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_new_once() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let data = Data::new(Some(home.path().join("a/b")));
        assert!(data.is_first_notice("using `x`"));
        assert!(!data.is_first_notice("using `x`"));
        assert!(data.is_first_notice("using `y`"));
    }

    #[cfg(unix)]
    #[test]
    fn a_new_folder_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().expect("a folder for the test");
        let data = Data::new(Some(home.path().join("data")));
        let folder = data.folder().expect("is made");
        let mode = fs::metadata(folder).expect("is there").permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn an_existing_file_is_replaced_only_on_request() {
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
    fn a_symlink_is_rejected_or_replaced_and_never_followed() {
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
