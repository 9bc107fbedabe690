//! Comparison of the two texts of a `diff`: counts of changed lines, and a patch.

use super::DiffData;
use similar::{Algorithm, ChangeTag, TextDiff, TextDiffConfig};
use std::fmt::Write;

/// Texts with more lines than this in total are not compared for a summary.
const MAX_COMPARED_LINES: usize = 5_000;

/// Numbers of added and removed lines, blank lines included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Changes {
    pub(crate) added: usize,
    pub(crate) removed: usize,
}

impl DiffData {
    /// Counts the changed lines, from the hunks if there are any, else from the two texts.
    /// Returns `None` without either, and for texts that are too long to compare for one line.
    pub(crate) fn changes(&self) -> Option<Changes> {
        let texts = (self.original.as_deref(), self.modified.as_deref());
        if let Some(hunks) = &self.hunks
            && (!hunks.is_empty() || texts == (None, None))
        {
            let count = |mark| {
                let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
                lines.filter(|line| line.starts_with(mark)).count()
            };
            return Some(Changes {
                added: count('+'),
                removed: count('-'),
            });
        }
        let (original, modified) = self.texts()?;
        if original == modified {
            return Some(Changes::default());
        }
        let (removed, added) = (original.lines().count(), modified.lines().count());
        if removed == 0 || added == 0 {
            return Some(Changes { added, removed });
        }
        if removed + added > MAX_COMPARED_LINES {
            return None;
        }
        let mut changes = Changes::default();
        for change in compare(original, modified).iter_all_changes() {
            match change.tag() {
                ChangeTag::Insert => changes.added += 1,
                ChangeTag::Delete => changes.removed += 1,
                ChangeTag::Equal => {}
            }
        }
        Some(changes)
    }

    /// Returns the change as a patch in the unified format, empty if nothing changed, and `None`
    /// where there are neither hunks nor two texts.
    #[must_use]
    pub fn unified(&self) -> Option<String> {
        // A path with a line feed would write lines of its own into the patch.
        let path = self.path.replace(['\n', '\r'], " ");
        let old = if self.is_new { "/dev/null" } else { &path };
        let head = format!("--- {old}\n+++ {path}\n");
        if let Some(hunks) = self.hunks.as_deref().filter(|hunks| !hunks.is_empty()) {
            let mut out = head;
            for hunk in hunks {
                // Writing to a string cannot fail.
                let _ = writeln!(
                    out,
                    "@@ -{},{} +{},{} @@",
                    hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
                );
                for line in &hunk.lines {
                    let _ = writeln!(out, "{}", line.strip_suffix('\n').unwrap_or(line));
                }
            }
            return Some(out);
        }
        let (original, modified) = self.texts()?;
        if original == modified && !self.is_new {
            return Some(String::new());
        }
        let compared = compare(original, modified);
        Some(format!("{head}{}", compared.unified_diff()))
    }

    /// Returns the texts before and after; a new file was empty before.
    fn texts(&self) -> Option<(&str, &str)> {
        let original = self.original.as_deref().or(self.is_new.then_some(""))?;
        Some((original, self.modified.as_deref()?))
    }
}

/// Compares two texts line by line. As in every reader of patches, only a line feed ends a line.
fn compare<'a>(old: &'a str, new: &'a str) -> TextDiff<'a, 'a, str> {
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let new: Vec<&str> = new.split_inclusive('\n').collect();
    // Myers bounds its work on inputs that have little in common.
    TextDiffConfig::default()
        .algorithm(Algorithm::Myers)
        .newline_terminated(true)
        .diff_slices(&old, &new)
}

#[cfg(test)]
mod tests {
    use crate::kinds::{Diff, Hunk};

    #[test]
    fn patch_has_the_unified_format() {
        let patch = |diff: Diff| diff.data.unified();
        assert_eq!(
            patch(Diff::new("p", "a\nb\nc\n", "a\nB\nc\n")).as_deref(),
            Some("--- p\n+++ p\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n")
        );
        assert_eq!(
            patch(Diff::created("p", "a")).as_deref(),
            Some("--- /dev/null\n+++ p\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n")
        );
        let hunk = Hunk {
            old_start: 4,
            old_lines: 1,
            new_start: 4,
            new_lines: 2,
            lines: vec![" a".into(), "+b".into()],
        };
        assert_eq!(
            patch(Diff::hunks("p\nq", [hunk])).as_deref(),
            Some("--- p q\n+++ p q\n@@ -4,1 +4,2 @@\n a\n+b\n")
        );
        assert_eq!(patch(Diff::new("p", "a", "a")).as_deref(), Some(""));
        assert_eq!(patch(Diff::hunks("p", [])), None);
    }
}
