//! The cases of a plugin: the files of one folder.

use super::MAX_CASES;
use crate::data;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The file of a case.
#[derive(Debug)]
pub(crate) struct FoundCase {
    /// The name of the file without its ending.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

/// Returns the cases of a folder by name; none if there is no such folder.
///
/// # Errors
/// When the folder cannot be read or has too many cases.
pub(crate) fn cases_in(folder: &Path) -> Result<Vec<FoundCase>> {
    let cannot = || format!("cannot read `{}`", data::display_path(folder));
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(cannot)?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.with_context(cannot)?.path();
        let name = path
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned());
        if let Some(name) = name.filter(|_| path.extension().is_some_and(|end| end == "toml")) {
            found.push(FoundCase { name, path });
        }
        if found.len() > MAX_CASES {
            bail!(
                "`{}` has more than {MAX_CASES} cases",
                data::display_path(folder)
            );
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}
