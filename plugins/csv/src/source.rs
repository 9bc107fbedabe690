//! Opens a file of the granted folder and reads it row by row, with progress.

use crate::rows::{Format, Row, Rows};
use footlight_sdk::prelude::*;
use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The guest's path of the folder, as in `plugin.toml`.
const GUEST: &str = "/data";

/// The bytes that are read at once, and at the start in order to guess the format.
const BUFFER: usize = 256 << 10;

/// The rows between two reports of progress.
const REPORTED: u64 = 20_000;

/// A file whose start was read.
type Input = BufReader<io::Chain<Cursor<Vec<u8>>, File>>;

/// A table in a file.
pub(crate) struct Source<'a> {
    stage: &'a Stage,
    name: String,
    rows: Rows<Input>,
    /// The rows that were read.
    pub(crate) count: u64,
}

impl<'a> Source<'a> {
    /// Opens a file of the granted folder.
    pub(crate) fn open(stage: &'a Stage, path: &str) -> Result<Self> {
        Self::open_in(stage, &stage.folder(GUEST), path)
    }

    /// Opens a file in a folder.
    pub(crate) fn open_in(stage: &'a Stage, folder: &Path, path: &str) -> Result<Self> {
        let (path, name) = resolve(folder, path)?;
        let failure = |error: io::Error| failure(&name, &error);
        let metadata = std::fs::metadata(&path).map_err(failure)?;
        if !metadata.is_file() {
            return Err(invalid!("`{name}` is not a file"));
        }
        let (format, input) = start(&path).map_err(failure)?;
        let (_, sample) = start(&path).map_err(failure)?;
        let rows = Rows::new(format, input, sample).map_err(failure)?;
        Ok(Self {
            stage,
            name,
            rows,
            count: 0,
        })
    }

    /// Returns the names of the columns.
    pub(crate) fn columns(&self) -> &[String] {
        &self.rows.columns
    }

    /// Finds a column by its name, whatever the case of its letters.
    pub(crate) fn column(&self, name: &str) -> Result<usize> {
        find(self.columns(), name)
    }

    /// Calls `visit` with each row.
    pub(crate) fn each(&mut self, mut visit: impl FnMut(&Row) -> Result<()>) -> Result<()> {
        let mut row = Row::default();
        loop {
            let read = self.rows.read(&mut row);
            if !read.map_err(|error| failure(&self.name, &error))? {
                return Ok(());
            }
            if self.count.is_multiple_of(REPORTED) {
                self.stage.ensure_not_cancelled()?;
                self.stage.progress(format!("{} rows read", self.count));
            }
            self.count += 1;
            visit(&row)?;
        }
    }

    /// Says what was read: `120 rows of sales.csv`, and what was repaired or left out.
    pub(crate) fn in_words(&self) -> String {
        let plural = if self.count == 1 { "" } else { "s" };
        let repairs = self.rows.repairs.in_words();
        format!("{} row{plural} of {}{repairs}", self.count, self.name)
    }
}

/// Finds a column by its name.
pub(crate) fn find(columns: &[String], name: &str) -> Result<usize> {
    let exact = columns.iter().position(|column| column == name.trim());
    let alike = || {
        let wanted = name.trim().to_lowercase();
        let mut columns = columns.iter();
        columns.position(|column| column.to_lowercase() == wanted)
    };
    exact.or_else(alike).ok_or_else(|| {
        let wanted = name.to_lowercase();
        let near = columns.iter();
        let near = near.min_by_key(|column| strsim::levenshtein(&column.to_lowercase(), &wanted));
        let near = near.map(String::as_str).unwrap_or_default();
        let name = name[..name.floor_char_boundary(80)].trim();
        invalid!("there is no column `{name}`; the nearest is `{near}`")
    })
}

/// Opens a file without its byte order mark, and guesses its format.
fn start(path: &Path) -> io::Result<(Format, Input)> {
    let mut file = File::open(path)?;
    let mut head = Vec::new();
    (&mut file).take(BUFFER as u64).read_to_end(&mut head)?;
    if head.starts_with(b"\xef\xbb\xbf") {
        head.drain(..3);
    }
    let format = Format::guess(&head);
    let input = BufReader::with_capacity(BUFFER, Cursor::new(head).chain(file));
    Ok((format, input))
}

/// Resolves a path relative to the folder. The host would refuse one that leads out of it.
fn resolve(folder: &Path, given: &str) -> Result<(PathBuf, String)> {
    let inside = match given.strip_prefix(GUEST) {
        Some(rest) if rest.starts_with('/') => rest.trim_start_matches('/'),
        _ => given,
    };
    let is_outside = inside.starts_with('/') || inside.split('/').any(|part| part == "..");
    if is_outside || inside.contains('\0') {
        return Err(invalid!(
            "`{given}` is outside the folder: give a path relative to the folder"
        ));
    }
    Ok((folder.join(inside), inside.to_owned()))
}

fn failure(name: &str, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::NotFound => invalid!("there is no `{name}` in the folder"),
        ErrorKind::InvalidData => invalid!("`{name}`: {error}"),
        ErrorKind::PermissionDenied => denied!("`{name}` cannot be opened: {error}"),
        _ => unavailable!("`{name}`: {error}"),
    }
}
