//! Diffs, computed from two texts or received as hunks.

use super::{Lower, cut, is, kinds as kinds_lower, text};
use crate::view::{Cut, Diff, DiffHunk, DiffLine, Mark, Unit, View};
use footlight_vocabulary::kinds;
use serde::Deserialize;
use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices, group_diff_ops};

/// The number of unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// The maximum number of lines that are compared. In longer texts, everything between the first and
/// the last difference counts as changed.
const MAX_COMPARED: usize = 25_000;

/// The maximum number of lines that are drawn, whatever the limits say: an empty line costs as much as any.
const MAX_LINES: usize = 50_000;

impl Lower<'_> {
    /// Lowers a diff; `None` if there are neither hunks nor texts.
    pub(super) fn diff(&self, data: &Value) -> Option<View> {
        let path = text(data, "path")?;
        let is_new = is(data, "isNew");
        let sent = data.get("hunks").and_then(Value::as_array);
        let mut budget = DiffBudget {
            lines: self.limits.lines.min(MAX_LINES),
            bytes: self.limits.text,
            cell: self.limits.cell,
            left: 0,
        };
        let texts = (text(data, "original"), text(data, "modified"));
        let (added, removed, hunks) = match (sent, texts.0, texts.1) {
            (Some(hunks), None, None) => budget.read_hunks(hunks)?,
            (Some(hunks), ..) if !hunks.is_empty() => budget.read_hunks(hunks)?,
            (_, Some(original), Some(modified)) => budget.compare(original, modified),
            (_, None, Some(modified)) if is_new => budget.compare("", modified),
            (_, Some(original), None) => budget.compare(original, ""),
            _ => return None,
        };
        Some(View::Diff(Diff {
            path: cut::name(path),
            is_new,
            language: kinds_lower::language_of(path),
            added: added as u64,
            removed: removed as u64,
            hunks: hunks.into(),
            cut: Cut::of(budget.left, Unit::Lines),
        }))
    }
}

/// The remaining budget for lines of a diff.
struct DiffBudget {
    lines: usize,
    bytes: usize,
    cell: usize,
    /// The number of lines left out.
    left: usize,
}

impl DiffBudget {
    /// Compares two texts line by line. A line ends with a line feed, as in every diff tool.
    fn compare(&mut self, original: &str, modified: &str) -> (usize, usize, Vec<DiffHunk>) {
        if original == modified {
            return (0, 0, Vec::new());
        }
        let (old, new) = (lines(original), lines(modified));
        let ops = if old.len() + new.len() > MAX_COMPARED {
            coarse(&old, &new)
        } else {
            // The algorithm gives up early on texts that have little in common, which bounds its
            // work.
            capture_diff_slices(Algorithm::Myers, &old, &new)
        };
        let (mut added, mut removed) = (0, 0);
        for op in &ops {
            if !matches!(op, DiffOp::Equal { .. }) {
                added += op.new_range().len();
                removed += op.old_range().len();
            }
        }
        let mut hunks = Vec::new();
        for group in group_diff_ops(ops, CONTEXT) {
            let count = |op: &DiffOp| match op {
                DiffOp::Equal { len, .. } => *len,
                _ => op.old_range().len() + op.new_range().len(),
            };
            let mut lines = self.room_for(group.iter().map(count).sum());
            for op in &group {
                let (before, after) = (op.old_range(), op.new_range());
                if let DiffOp::Equal { .. } = op {
                    for (n, m) in before.zip(after) {
                        self.push(&mut lines, Mark::Same, (Some(n), Some(m)), old[n]);
                    }
                    continue;
                }
                for n in before {
                    self.push(&mut lines, Mark::Removed, (Some(n), None), old[n]);
                }
                for n in after {
                    self.push(&mut lines, Mark::Added, (None, Some(n)), new[n]);
                }
            }
            let (Some(first), Some(last)) = (group.first(), group.last()) else {
                continue;
            };
            if lines.is_empty() {
                continue;
            }
            let olds = first.old_range().start..last.old_range().end;
            let news = first.new_range().start..last.new_range().end;
            // As in `diff`, an empty range before the first line starts at line 0.
            let start =
                |range: &std::ops::Range<usize>| range.start + usize::from(!range.is_empty());
            hunks.push(DiffHunk {
                old_start: start(&olds) as u64,
                old_lines: olds.len() as u64,
                new_start: start(&news) as u64,
                new_lines: news.len() as u64,
                lines,
            });
        }
        (added, removed, hunks)
    }

    /// Reads the hunks that a plugin sent; `None` if one of them is malformed.
    fn read_hunks(&mut self, hunks: &[Value]) -> Option<(usize, usize, Vec<DiffHunk>)> {
        let (mut added, mut removed) = (0, 0);
        let mut drawn = Vec::new();
        for hunk in hunks {
            let hunk = kinds::Hunk::deserialize(hunk).ok()?;
            let index = |line: u64| usize::try_from(line).unwrap_or(0).saturating_sub(1);
            let (mut old, mut new) = (index(hunk.old_start), index(hunk.new_start));
            let mut lines = self.room_for(hunk.lines.len());
            for line in &hunk.lines {
                let (mark, text) = match line.chars().next() {
                    Some('+') => (Mark::Added, &line[1..]),
                    Some('-') => (Mark::Removed, &line[1..]),
                    Some(' ') => (Mark::Same, &line[1..]),
                    // `\ No newline at end of file` describes the previous line.
                    Some('\\') => continue,
                    _ => (Mark::Same, line.as_str()),
                };
                let is_old = mark != Mark::Added;
                let is_new = mark != Mark::Removed;
                let numbers = (is_old.then_some(old), is_new.then_some(new));
                self.push(&mut lines, mark, numbers, text);
                old = old.saturating_add(usize::from(is_old));
                new = new.saturating_add(usize::from(is_new));
                added += usize::from(mark == Mark::Added);
                removed += usize::from(mark == Mark::Removed);
            }
            if lines.is_empty() {
                continue;
            }
            drawn.push(DiffHunk {
                old_start: hunk.old_start,
                old_lines: hunk.old_lines,
                new_start: hunk.new_start,
                new_lines: hunk.new_lines,
                lines,
            });
        }
        Some((added, removed, drawn))
    }

    /// Returns a list for this many lines, as far as they are drawn: lines can be many and short.
    fn room_for(&self, lines: usize) -> Vec<DiffLine> {
        Vec::with_capacity(lines.min(self.lines))
    }

    /// Adds a line with its indices in the old and the new file.
    fn push(
        &mut self,
        lines: &mut Vec<DiffLine>,
        mark: Mark,
        (old, new): (Option<usize>, Option<usize>),
        text: &str,
    ) {
        if self.lines == 0 || self.bytes == 0 {
            self.left += 1;
            return;
        }
        let text = text.strip_suffix('\n').unwrap_or(text);
        let text = cut::short(text.strip_suffix('\r').unwrap_or(text), self.cell);
        self.lines -= 1;
        self.bytes = self.bytes.saturating_sub(text.len() + 8);
        let number = |n: Option<usize>| n.map(|n| n as u64 + 1);
        lines.push(DiffLine {
            mark,
            old: number(old),
            new: number(new),
            text,
        });
    }
}

/// Splits a text into lines, without room to spare: lines can be shorter than a reference to them.
fn lines(text: &str) -> Vec<&str> {
    let ends = text.bytes().filter(|byte| *byte == b'\n').count();
    let mut lines = Vec::with_capacity(ends + 1);
    lines.extend(text.split_inclusive('\n'));
    lines
}

/// Compares long texts: common lines at both ends are unchanged, everything between is replaced.
fn coarse(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let tail = ends.take_while(|(a, b)| a == b).count();
    let (old_len, new_len) = (old_rest.len() - tail, new_rest.len() - tail);
    let equal = |old_index, new_index, len| DiffOp::Equal {
        old_index,
        new_index,
        len,
    };
    let changed = DiffOp::Replace {
        old_index: head,
        old_len,
        new_index: head,
        new_len,
    };
    let mut ops = vec![
        equal(0, 0, head),
        changed,
        equal(head + old_len, head + new_len, tail),
    ];
    ops.retain(|op| !op.old_range().is_empty() || !op.new_range().is_empty());
    ops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::Limits;
    use crate::page::Page;
    use serde_json::json;

    /// Limits that leave nothing out.
    fn everything() -> Limits {
        Limits {
            text: usize::MAX,
            lines: usize::MAX,
            cell: usize::MAX,
            ..Limits::default()
        }
    }

    #[test]
    fn a_large_diff_of_any_form_is_drawn_in_part_with_exact_counts() {
        let count = 3 * MAX_LINES;
        let lines: Vec<String> = (0..count)
            .map(|n| format!("{}x", ['+', '-', ' '][n % 3]))
            .collect();
        let hunk = json!({ "oldStart": 1, "oldLines": count, "newStart": 1, "newLines": count, "lines": lines });
        let small =
            json!({ "oldStart": 1, "oldLines": 0, "newStart": 1, "newLines": 1, "lines": ["+"] });
        let forms = [
            json!({ "path": "a", "hunks": [hunk] }),
            json!({ "path": "a", "hunks": vec![small; count] }),
            json!({ "path": "a", "isNew": true, "modified": "\n".repeat(count) }),
            json!({ "path": "a", "original": "a\n".repeat(count), "modified": "" }),
        ];
        for data in forms {
            let view = Lower::default()
                .within(everything())
                .diff(&data)
                .expect("a diff");
            let View::Diff(diff) = &view else {
                panic!("not a diff");
            };
            let drawn: usize = diff.hunks.iter().map(|hunk| hunk.lines.len()).sum();
            assert_eq!(drawn, MAX_LINES);
            assert_eq!(diff.cut, Cut::of(count - MAX_LINES, Unit::Lines));
            // 300 bytes of markup for a line, with the heading of a hunk of its own.
            let html = Page::new("a").views([&view]).into_html();
            assert!(html.len() < 300 * MAX_LINES, "{}", html.len());
        }
    }
}
