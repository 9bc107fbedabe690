//! `[[fs]]`: folders the plugin asks for.
//!
//! A path is the guest's. A person chooses which folder of the machine is bound to it, so a
//! manifest never contains a path of the host.

use super::MAX_DESCRIPTION;
use super::approval::Approval;
use super::net::read_approval;
use crate::toml_reader::{Checked, Table, Text, word_of};
use serde::Serialize;

/// A folder as the guest sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Folder {
    /// The guest's path, such as `/data`: absolute and normalised.
    pub path: String,
    /// The access.
    pub mode: Mode,
    /// Whether calls run without the folder as well. By default a call waits until a person has
    /// chosen a folder.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// The action that a person must approve in a call before the call can write. Until then the
    /// folder is read-only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<String>,
    /// What the plugin needs the folder for, in the author's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Access to a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum Mode {
    /// `ro`: read.
    #[serde(rename = "ro")]
    ReadOnly,
    /// `rw`: read, change, add and delete.
    #[serde(rename = "rw")]
    ReadWrite,
}

impl Mode {
    const WORDS: &[(&str, Self)] = &[("ro", Self::ReadOnly), ("rw", Self::ReadWrite)];

    /// Returns the mode as the manifest writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        word_of(Self::WORDS, self)
    }
}

pub(super) const KEYS: &[&str] = &["path", "mode", "optional", "approval", "description"];

pub(super) fn read(tables: &[Table<'_>], approvals: &[Approval]) -> Checked<Vec<Folder>> {
    let mut folders: Vec<Folder> = Vec::new();
    for table in tables {
        let path = table.require_text("path", "/data")?;
        check_path(&path)?;
        let mode = table.require_text("mode", "ro")?;
        let mode = mode.one_of("mode", Mode::WORDS)?;
        let approval = read_approval(table, approvals)?;
        if let (Mode::ReadOnly, Some(_)) = (mode, &approval) {
            let message = "`approval` is for writing; write mode = \"rw\", or remove it";
            return Err(table.error_at("approval", message));
        }
        for other in &folders {
            // A file in nested folders would have two modes.
            let problem = if other.path == path.value {
                "stands twice; keep one".to_owned()
            } else if lies_in(path.value, &other.path) || lies_in(&other.path, path.value) {
                format!("overlaps `{}`; give them separate paths", other.path)
            } else {
                continue;
            };
            return Err(path.error(format!("`{}` {problem}", path.value)));
        }
        folders.push(Folder {
            path: path.value.to_owned(),
            mode,
            optional: table.flag("optional")?.unwrap_or(false),
            approval,
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
    let error =
        |why: &str| Err(path.refused(format_args!("{why}; write a guest path such as \"/data\"")));
    let Some(rest) = path.value.strip_prefix('/') else {
        return error("is not an absolute path");
    };
    if rest.is_empty() {
        return error("is the root, which cannot be bound");
    }
    if path.value.len() > 128 {
        return error("is longer than 128 characters");
    }
    // ASCII without spaces: prompts show the path unquoted.
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"_-.".contains(&b);
    for segment in rest.split('/') {
        match segment {
            "" => return error("has an empty segment"),
            "." | ".." => return error("has a segment that points elsewhere"),
            _ if segment.bytes().all(is_plain) => {}
            _ => return error("has characters other than letters, digits, `_`, `-` and `.`"),
        }
    }
    Ok(())
}
