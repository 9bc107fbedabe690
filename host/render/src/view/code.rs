//! Source code and diffs.

use super::Cut;
use std::sync::Arc;

/// Source code, or other text whose white space matters.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// The source text.
    pub text: String,
    /// The language in lower case, such as `rust`.
    pub language: Option<String>,
    /// The path of the file.
    pub path: Option<String>,
    /// The amount left out at the end.
    pub cut: Option<Cut>,
}

/// Changes to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diff {
    /// The path of the file.
    pub path: String,
    /// Whether the file is new.
    pub is_new: bool,
    /// The language, derived from the file name.
    pub language: Option<String>,
    /// The number of added lines, including blank and omitted ones.
    pub added: u64,
    /// The number of removed lines, including blank and omitted ones.
    pub removed: u64,
    /// The changed regions; empty if nothing changed. Shared with what is drawn of them.
    pub hunks: Arc<[DiffHunk]>,
    /// The number of lines left out at the end.
    pub cut: Option<Cut>,
}

impl Diff {
    /// Formats the counts as `+15 -3`, or `no changes`.
    pub fn counts(&self) -> String {
        match (self.added, self.removed) {
            (0, 0) => "no changes".to_owned(),
            (added, removed) => format!("+{added} -{removed}"),
        }
    }
}

/// A changed region with its context lines.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiffHunk {
    /// The first line in the old file, counted from 1.
    pub old_start: u64,
    /// The number of lines in the old file.
    pub old_lines: u64,
    /// The first line in the new file, counted from 1.
    pub new_start: u64,
    /// The number of lines in the new file.
    pub new_lines: u64,
    /// The lines of the region.
    pub lines: Vec<DiffLine>,
}

impl DiffHunk {
    /// Formats the header of a unified diff: `@@ -1,3 +1,4 @@`.
    pub fn header(&self) -> String {
        let (old, new) = (self.old_start, self.new_start);
        format!("@@ -{old},{} +{new},{} @@", self.old_lines, self.new_lines)
    }

    /// Pairs the lines for a two-column view: each removed line stands beside the line that
    /// replaces it.
    pub fn split(&self) -> Vec<(Option<&DiffLine>, Option<&DiffLine>)> {
        let mut pairs = Vec::new();
        let same = |line: &DiffLine| line.mark == Mark::Same;
        for region in self.lines.chunk_by(|a, b| same(a) == same(b)) {
            // An unchanged line stands on both sides.
            let mut old = region.iter().filter(|line| line.mark != Mark::Added);
            let mut new = region.iter().filter(|line| line.mark != Mark::Removed);
            loop {
                match (old.next(), new.next()) {
                    (None, None) => break,
                    pair => pairs.push(pair),
                }
            }
        }
        pairs
    }
}

/// A line of a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiffLine {
    /// The kind of change.
    pub mark: Mark,
    /// The line number in the old file.
    pub old: Option<u64>,
    /// The line number in the new file.
    pub new: Option<u64>,
    /// The text, without marker and line feed.
    pub text: String,
}

/// The kind of change of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are self-explanatory")]
pub enum Mark {
    Same,
    Added,
    Removed,
}

impl Mark {
    /// Returns the marker of a unified diff: `+`, `-` or a space.
    pub fn symbol(self) -> char {
        match self {
            Self::Same => ' ',
            Self::Added => '+',
            Self::Removed => '-',
        }
    }
}
