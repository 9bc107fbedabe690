//! A rule in the file, and the id by which a person names it.
//!
//! Invariant: an id is derived from the rule alone. A number in a list would name another rule as
//! soon as somebody edits the file.

use crate::plugin::digest::Digest;
use crate::policy::rules::Rule;
use footlight_vocabulary::escape::escape_short;
use std::fmt;
use std::ops::Range;

/// The minimum length of an id prefix.
const MIN_PREFIX: usize = 4;
const LENGTH: usize = 8;

/// A rule and its position in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// The id.
    pub id: RuleId,
    /// The rule.
    pub rule: Rule,
    /// The line of the header, counted from 1.
    pub line: usize,
    /// The comment directly above the rule, without the `#` marks.
    pub note: Option<String>,
    /// The byte range of its lines, including the comment.
    pub(super) block: Range<usize>,
}

/// The id of a rule: eight letters derived from its content, the same in every file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId([u8; LENGTH]);

impl RuleId {
    /// Returns the id of a rule.
    #[must_use]
    pub fn of(rule: &Rule) -> Self {
        // No vowels, so that no id spells a word.
        const LETTERS: &[u8; 20] = b"bcdfghjkmnpqrstvwxyz";
        let json = serde_json::to_vec(rule).expect("a rule is strings and unit cases");
        let digest = Digest::of(&json);
        let mut id = [0; LENGTH];
        for (letter, byte) in id.iter_mut().zip(digest.as_bytes()) {
            *letter = LETTERS[usize::from(*byte) % LETTERS.len()];
        }
        Self(id)
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(std::str::from_utf8(&self.0).expect("the letters are ASCII"))
    }
}

/// Returns the index of the one entry whose id begins with `id`, or what is wrong with `id`.
pub(super) fn position(entries: &[Entry], id: &str) -> Result<usize, String> {
    let shown = escape_short(id, 20);
    if id.len() < MIN_PREFIX {
        return Err(format!(
            "`{shown}` is too short for the id of a rule; write at least {MIN_PREFIX} letters of it"
        ));
    }
    let mut found = (0..entries.len()).filter(|&at| entries[at].id.0.starts_with(id.as_bytes()));
    match (found.next(), found.next()) {
        (Some(at), None) => Ok(at),
        (None, _) => Err(format!(
            "no rule `{shown}`; list the rules to see their ids"
        )),
        (Some(one), Some(other)) => Err(format!(
            "`{shown}` could be `{}` or `{}`; write more letters, or edit the file at line {} or {}",
            entries[one].id, entries[other].id, entries[one].line, entries[other].line
        )),
    }
}
