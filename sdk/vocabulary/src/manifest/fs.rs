//! `[[fs]]`: folders the plugin would like to have.
//!
//! The path is the guest's; which folder of the machine lies behind it is for the person to say.
//!
//! Invariant: no path of the host stands in a manifest.

use super::MAX_DESCRIPTION;
use super::error::{Checked, shown};
use super::reader::{Table, Text};
use serde::Serialize;

/// One folder, as the guest will see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Folder {
    /// The guest's path, such as `/data`: absolute and normalised.
    pub path: String,
    /// What may be done in it.
    pub mode: Mode,
    /// What the plugin wants it for, in the author's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// What may be done in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Mode {
    /// `ro`: look.
    #[serde(rename = "ro")]
    ReadOnly,
    /// `rw`: look, change, add and delete.
    #[serde(rename = "rw")]
    ReadWrite,
}

pub(super) const KEYS: &[&str] = &["path", "mode", "description"];

pub(super) fn read(tables: &[Table<'_>]) -> Checked<Vec<Folder>> {
    let mut folders: Vec<Folder> = Vec::new();
    for table in tables {
        let path = table.need("path", "/data")?;
        check_path(&path)?;
        let mode = table.need("mode", "ro")?;
        let mode = mode.one_of("mode", &[("ro", Mode::ReadOnly), ("rw", Mode::ReadWrite)])?;
        for other in &folders {
            // Nested folders would have two modes in one place, and which one wins is a riddle.
            let problem = if other.path == path.value {
                "stands twice; keep one".to_owned()
            } else if lies_in(path.value, &other.path) || lies_in(&other.path, path.value) {
                format!("overlaps `{}`; give them separate paths", other.path)
            } else {
                continue;
            };
            return Err(path.refuse(format!("`{}` {problem}", path.value)));
        }
        folders.push(Folder {
            path: path.value.to_owned(),
            mode,
            description: table.sentence("description", MAX_DESCRIPTION)?,
        });
    }
    Ok(folders)
}

fn lies_in(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with('/'))
}

fn check_path(path: &Text<'_>) -> Checked<()> {
    let refuse = |why: &str| {
        let shown = shown(path.value);
        Err(path.refuse(format!(
            "`{shown}` {why}; write a guest path such as \"/data\""
        )))
    };
    let Some(rest) = path.value.strip_prefix('/') else {
        return refuse("is not an absolute path");
    };
    if rest.is_empty() {
        return refuse("is the root, which cannot be bound");
    }
    if path.value.len() > 128 {
        return refuse("is longer than 128 characters");
    }
    for segment in rest.split('/') {
        match segment {
            "" => return refuse("has an empty segment"),
            "." | ".." => return refuse("has a segment that points elsewhere"),
            // ASCII only, and no spaces: the path stands unquoted in what a person reads.
            _ if !segment
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b)) =>
            {
                return refuse("has characters other than letters, digits, `_`, `-` and `.`");
            }
            _ => {}
        }
    }
    Ok(())
}
