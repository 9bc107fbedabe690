//! Kinds `file_content` and `file_list`: one file, or the entries of a folder.

use super::image::base64;
use crate::outcome::Typed;
use crate::word::words;
use serde::{Deserialize, Serialize};

/// The content of a file.
pub type FileContent = Typed<FileContentData>;

/// The data of kind `file_content`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileContentData {
    /// The path of the file.
    pub path: String,
    /// The content, in the encoding below.
    pub content: String,
    /// The size of the file in bytes, which can be larger than the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The encoding of `content`: absent for text, or `base64`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

impl FileContent {
    /// Creates the content of a text file. Media type and language follow from the extension, if it
    /// is known.
    pub fn new(path: impl Into<String>, content: impl Into<String>) -> Self {
        let (path, content) = (path.into(), content.into());
        let known = by_extension(&path);
        let file = Self::of(FileContentData {
            path,
            size: u64::try_from(content.len()).ok(),
            content,
            encoding: None,
        });
        match known {
            Some((mime, "")) => file.mime_type(mime),
            Some((mime, language)) => file.mime_type(mime).language(language),
            None => file,
        }
    }

    /// Creates the content of a binary file.
    pub fn bytes(path: impl Into<String>, content: &[u8]) -> Self {
        Self::of(FileContentData {
            path: path.into(),
            content: base64(content),
            size: u64::try_from(content.len()).ok(),
            encoding: Some("base64".to_owned()),
        })
        .mime_type("application/octet-stream")
    }
}

/// Returns the programming language of a file, such as `rust`, by its extension.
#[must_use]
pub fn language_of(path: &str) -> Option<&'static str> {
    let (_, language) = by_extension(path)?;
    Some(language).filter(|language| !language.is_empty())
}

/// Returns the media type and the language, which can be empty, of common text files.
fn by_extension(path: &str) -> Option<(&'static str, &'static str)> {
    let (_, extension) = path.rsplit_once('.')?;
    Some(match extension {
        "c" | "h" => ("text/x-c", "c"),
        "css" => ("text/css", "css"),
        "csv" => ("text/csv", ""),
        "go" => ("text/x-go", "go"),
        "html" | "htm" => ("text/html", "html"),
        "js" | "mjs" => ("text/javascript", "javascript"),
        "json" => ("application/json", "json"),
        "md" => ("text/markdown", "markdown"),
        "py" => ("text/x-python", "python"),
        "rs" => ("text/rust", "rust"),
        "sh" => ("text/x-shellscript", "bash"),
        "sql" => ("application/sql", "sql"),
        "svg" => ("image/svg+xml", "xml"),
        "toml" => ("application/toml", "toml"),
        "ts" => ("text/typescript", "typescript"),
        "txt" | "log" => ("text/plain", ""),
        "xml" => ("application/xml", "xml"),
        "yaml" | "yml" => ("application/yaml", "yaml"),
        _ => return None,
    })
}

/// The entries of a folder.
pub type FileList = Typed<FileListData>;

/// The data of kind `file_list`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileListData {
    /// The path of the folder; empty in lists of an older format.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub path: String,
    /// The entries.
    pub entries: Vec<Entry>,
    /// Whether entries are missing from the list.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The name, without the folder.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub entry_type: EntryType,
    /// The size in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// The time of the last change, in ISO 8601.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
}

words! {
    /// The type of an entry.
    pub enum EntryType {
        /// A file.
        File = "file",
        /// A folder.
        Directory = "directory",
        /// A symbolic link.
        Symlink = "symlink",
    }
}

impl Entry {
    /// Creates an entry without size and time.
    pub fn new(name: impl Into<String>, entry_type: EntryType) -> Self {
        Self {
            name: name.into(),
            entry_type,
            size: None,
            modified: None,
        }
    }
}

impl FileList {
    /// Creates an empty list.
    pub fn new(path: impl Into<String>) -> Self {
        Self::of(FileListData {
            path: path.into(),
            ..FileListData::default()
        })
    }

    /// Adds an entry.
    #[must_use]
    pub fn entry(mut self, entry: Entry) -> Self {
        self.data.entries.push(entry);
        self
    }

    /// Adds a file with its size in bytes.
    #[must_use]
    pub fn file(self, name: impl Into<String>, size: u64) -> Self {
        self.entry(Entry {
            size: Some(size),
            ..Entry::new(name, EntryType::File)
        })
    }

    /// Adds a folder.
    #[must_use]
    pub fn directory(self, name: impl Into<String>) -> Self {
        self.entry(Entry::new(name, EntryType::Directory))
    }

    /// Marks the list as incomplete.
    #[must_use]
    pub fn truncated(mut self) -> Self {
        self.data.truncated = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_follows_from_the_extension() {
        assert_eq!(language_of("src/main.rs"), Some("rust"));
        assert_eq!(language_of("notes.txt"), None);
        assert_eq!(language_of("Makefile"), None);
    }
}
