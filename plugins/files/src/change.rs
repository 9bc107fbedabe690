//! `diff`, and changes of a text as hunks.

use crate::compare::{Edit, edits};
use crate::folder::Folder;
use crate::text::whole;
use footlight_sdk::kinds::Hunk;
use footlight_sdk::prelude::*;

/// The most bytes of a text that is compared.
pub(crate) const MAX_BYTES: u64 = 1 << 20;

/// The unchanged lines around a change.
const CONTEXT: usize = 3;

/// Compares two files.
pub(crate) fn between(folder: &Folder, before: &str, after: &str) -> Result<Diff> {
    let (before, after) = (folder.file(before)?, folder.file(after)?);
    let (old, new) = (whole(&before, MAX_BYTES)?, whole(&after, MAX_BYTES)?);
    let hunks = hunks(&old, &new);
    let summary = match hunks.len() {
        0 => format!("{} and {} are the same", before.name, after.name),
        count => {
            let plural = if count == 1 { "" } else { "s" };
            let (before, after) = (&before.name, &after.name);
            format!("{before} and {after} differ in {count} place{plural}")
        }
    };
    let for_model = format!("{summary}\n{}", lines(&hunks).join("\n"));
    let diff = Diff::hunks(format!("{} → {}", before.name, after.name), hunks);
    Ok(diff.summary(summary).for_model(for_model))
}

/// Returns the changes from one text to another, each with a few unchanged lines around it. Only a line
/// feed ends a line, as in every reader of patches.
pub(crate) fn hunks(old: &str, new: &str) -> Vec<Hunk> {
    let (old, new) = (split(old), split(new));
    let edits = edits(&old, &new);
    let is_change = |edit: &Edit| *edit != Edit::Keep;
    let mut hunks = Vec::new();
    // The number of lines of each text before the edit at `at`.
    let (mut at, mut old_at, mut new_at) = (0, 0, 0);
    while let Some(ahead) = edits[at..].iter().position(is_change) {
        let skipped = ahead.saturating_sub(CONTEXT);
        (at, old_at, new_at) = (at + skipped, old_at + skipped, new_at + skipped);
        let mut hunk = Hunk::default();
        let (old_start, new_start) = (old_at, new_at);
        let mut kept = 0;
        while let Some(edit) = edits.get(at) {
            let rest = &edits[at..edits.len().min(at + CONTEXT + 1)];
            // The hunk ends where the next change is too far away to share its context.
            if kept >= CONTEXT && !rest.iter().any(is_change) {
                break;
            }
            let (sign, line) = match edit {
                Edit::Keep => (' ', old[old_at]),
                Edit::Remove => ('-', old[old_at]),
                Edit::Add => ('+', new[new_at]),
            };
            let line = line.strip_suffix('\n').unwrap_or(line);
            hunk.lines.push(format!("{sign}{line}"));
            old_at += usize::from(*edit != Edit::Add);
            new_at += usize::from(*edit != Edit::Remove);
            kept = if is_change(edit) { 0 } else { kept + 1 };
            at += 1;
        }
        (hunk.old_start, hunk.old_lines) = span(old_start, old_at);
        (hunk.new_start, hunk.new_lines) = span(new_start, new_at);
        hunks.push(hunk);
    }
    hunks
}

fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Returns the first line, counted from 1, and the number of lines. An empty range names the line before
/// it, as in every patch.
fn span(start: usize, end: usize) -> (u64, u64) {
    (start as u64 + u64::from(end > start), (end - start) as u64)
}

/// Returns hunks as the lines of a patch.
pub(crate) fn lines(hunks: &[Hunk]) -> Vec<String> {
    let mut lines = Vec::new();
    for hunk in hunks {
        lines.push(format!(
            "@@ -{},{} +{},{} @@",
            hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
        ));
        lines.extend(hunk.lines.iter().cloned());
    }
    lines
}
