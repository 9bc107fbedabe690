//! Differences between two texts, as hunks.

use crate::folder::Folder;
use crate::text::whole;
use footlight_sdk::kinds::Hunk;
use footlight_sdk::prelude::*;
use similar::{Algorithm, ChangeTag, TextDiff, TextDiffConfig};

/// The most bytes and lines of a text that is compared.
pub(crate) const MAX_BYTES: u64 = 1 << 20;
const MAX_LINES: usize = 20_000;

/// The unchanged lines around a change.
const CONTEXT: usize = 3;

/// `diff`: compares two files.
pub(crate) fn between(folder: &Folder, before: &str, after: &str) -> Result<Diff> {
    let (before, after) = (folder.file(before)?, folder.file(after)?);
    let (old, new) = (whole(&before, MAX_BYTES)?, whole(&after, MAX_BYTES)?);
    let hunks = hunks(&old, &new)?;
    let summary = match hunks.is_empty() {
        true => format!("{} and {} are the same", before.name, after.name),
        false => format!(
            "{} and {} differ in {} place{}",
            before.name,
            after.name,
            hunks.len(),
            if hunks.len() == 1 { "" } else { "s" }
        ),
    };
    let for_model = format!("{summary}\n{}", lines(&hunks).join("\n"));
    let diff = Diff::hunks(format!("{} → {}", before.name, after.name), hunks);
    Ok(diff.summary(summary).for_model(for_model))
}

/// Compares two texts line by line.
///
/// # Errors
/// If one of them has too many lines: the time to compare can grow with the product of their
/// differences.
pub(crate) fn hunks(old: &str, new: &str) -> Result<Vec<Hunk>> {
    if old.lines().count().max(new.lines().count()) > MAX_LINES {
        return Err(invalid!(
            "a text has more than {MAX_LINES} lines to compare"
        ));
    }
    let compared = TextDiffConfig::default()
        .algorithm(Algorithm::Myers)
        .diff_lines(old, new);
    let groups = compared.grouped_ops(CONTEXT);
    Ok(groups.iter().map(|group| hunk(&compared, group)).collect())
}

fn hunk(compared: &TextDiff<'_, '_, str>, group: &[similar::DiffOp]) -> Hunk {
    let span = |range: fn(&similar::DiffOp) -> std::ops::Range<usize>| {
        let start = group.first().map_or(0, |op| range(op).start);
        let end = group.last().map_or(0, |op| range(op).end);
        // An empty range names the line before it, as in every patch.
        (start as u64 + u64::from(end > start), (end - start) as u64)
    };
    let (old_start, old_lines) = span(similar::DiffOp::old_range);
    let (new_start, new_lines) = span(similar::DiffOp::new_range);
    let changes = group.iter().flat_map(|op| compared.iter_changes(op));
    let lines = changes.map(|change| {
        let sign = match change.tag() {
            ChangeTag::Insert => '+',
            ChangeTag::Delete => '-',
            ChangeTag::Equal => ' ',
        };
        let text = change.value();
        format!("{sign}{}", text.strip_suffix('\n').unwrap_or(text))
    });
    Hunk {
        old_start,
        old_lines,
        new_start,
        new_lines,
        lines: lines.collect(),
    }
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
