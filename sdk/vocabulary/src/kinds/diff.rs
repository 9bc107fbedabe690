//! Kind `diff`: the changes of one file.

use crate::outcome::Typed;
use serde::{Deserialize, Serialize};

/// The changes of one file, as two texts or as hunks.
///
/// ```
/// use footlight_vocabulary::kinds::Diff;
/// use footlight_vocabulary::outcome::IntoOutcome;
///
/// let outcome = Diff::new("notes.txt", "one\n", "one\ntwo\n").into_outcome()?;
/// assert_eq!(outcome.kind, "diff");
/// assert_eq!(outcome.data, r#"{"path":"notes.txt","original":"one\n","modified":"one\ntwo\n"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub type Diff = Typed<DiffData>;

/// The data of kind `diff`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DiffData {
    /// The path of the file.
    pub path: String,
    /// The text before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
    /// The text after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modified: Option<String>,
    /// Whether the file did not exist before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_new: bool,
    /// The hunks, if known; they take precedence over the two texts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hunks: Option<Vec<Hunk>>,
}

/// A hunk of a unified diff.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Hunk {
    /// The first line before, counted from 1.
    pub old_start: u64,
    /// The number of lines before.
    pub old_lines: u64,
    /// The first line after, counted from 1.
    pub new_start: u64,
    /// The number of lines after.
    pub new_lines: u64,
    /// The lines, each with the prefix `+`, `-` or space.
    pub lines: Vec<String>,
}

impl Diff {
    /// Creates the diff of a changed file.
    pub fn new(
        path: impl Into<String>,
        original: impl Into<String>,
        modified: impl Into<String>,
    ) -> Self {
        Self::of(DiffData {
            path: path.into(),
            original: Some(original.into()),
            modified: Some(modified.into()),
            ..DiffData::default()
        })
    }

    /// Creates the diff of a new file.
    pub fn created(path: impl Into<String>, content: impl Into<String>) -> Self {
        Self::of(DiffData {
            path: path.into(),
            modified: Some(content.into()),
            is_new: true,
            ..DiffData::default()
        })
    }

    /// Creates a diff of hunks only, for a file that is too large to send twice.
    pub fn hunks(path: impl Into<String>, hunks: impl IntoIterator<Item = Hunk>) -> Self {
        Self::of(DiffData {
            path: path.into(),
            hunks: Some(hunks.into_iter().collect()),
            ..DiffData::default()
        })
    }
}
