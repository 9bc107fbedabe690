//! Code and changes in a view.

use super::Cut;

/// Code in some language, or text that must keep its shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// The code.
    pub text: String,
    /// What it is written in, such as `rust`; lower case.
    pub language: Option<String>,
    /// The file it is from.
    pub path: Option<String>,
    /// How much of it was left out at the end.
    pub cut: Option<Cut>,
}

/// What changed in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The file.
    pub path: String,
    /// Whether the file did not exist before.
    pub is_new: bool,
    /// The language of the file, from its name.
    pub language: Option<String>,
    /// How many lines are new, blank ones included; also of what was left out.
    pub added: u64,
    /// How many lines are gone, blank ones included; also of what was left out.
    pub removed: u64,
    /// The changed places. Empty where nothing changed.
    pub hunks: Vec<DiffHunk>,
    /// How many lines were left out at the end.
    pub cut: Option<Cut>,
}

impl Diff {
    /// `+15 -3`, or `no changes`.
    #[must_use]
    pub fn counts(&self) -> String {
        match (self.added, self.removed) {
            (0, 0) => "no changes".to_owned(),
            (added, removed) => format!("+{added} -{removed}"),
        }
    }
}

/// One changed place with the lines around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffHunk {
    /// Its first line before, counted from 1.
    pub old_start: u64,
    /// How many lines it covers before.
    pub old_lines: u64,
    /// Its first line after, counted from 1.
    pub new_start: u64,
    /// How many lines it covers after.
    pub new_lines: u64,
    /// The lines.
    pub lines: Vec<DiffLine>,
}

impl DiffHunk {
    /// `@@ -1,3 +1,4 @@`
    #[must_use]
    pub fn header(&self) -> String {
        let Self {
            old_start,
            old_lines,
            new_start,
            new_lines,
            ..
        } = self;
        format!("@@ -{old_start},{old_lines} +{new_start},{new_lines} @@")
    }

    /// The lines for two columns, before and after: what was removed stands beside what was added
    /// in its place.
    #[must_use]
    pub fn split(&self) -> Vec<(Option<&DiffLine>, Option<&DiffLine>)> {
        let mut pairs = Vec::new();
        let mut rest = self.lines.as_slice();
        while let Some(first) = rest.first() {
            if first.mark == Mark::Same {
                pairs.push((Some(first), Some(first)));
                rest = &rest[1..];
                continue;
            }
            let end = rest
                .iter()
                .position(|line| line.mark == Mark::Same)
                .unwrap_or(rest.len());
            let (changed, after) = rest.split_at(end);
            let mut old = changed.iter().filter(|line| line.mark == Mark::Removed);
            let mut new = changed.iter().filter(|line| line.mark == Mark::Added);
            loop {
                match (old.next(), new.next()) {
                    (None, None) => break,
                    pair => pairs.push(pair),
                }
            }
            rest = after;
        }
        pairs
    }
}

/// One line of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    /// What became of it.
    pub mark: Mark,
    /// Its number before.
    pub old: Option<u64>,
    /// Its number after.
    pub new: Option<u64>,
    /// The line, without its mark and its line feed.
    pub text: String,
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It stayed.
    Same,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
}

impl Mark {
    /// `+`, `-` or a space.
    #[must_use]
    pub fn sign(self) -> char {
        match self {
            Self::Same => ' ',
            Self::Added => '+',
            Self::Removed => '-',
        }
    }
}
