//! One rule as it stands in the file, and the id by which a person names it.
//!
//! Invariant: an id is made from the rule alone. A number in a list would come to mean another
//! rule as soon as somebody edits the file.

use crate::plugin::digest::Digest;
use crate::policy::rules::Rule;
use std::fmt;
use std::ops::Range;

/// The fewest letters by which a rule can be named.
const FEWEST: usize = 4;
const LENGTH: usize = 8;

/// A rule in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// What to name it by.
    pub id: RuleId,
    /// The rule.
    pub rule: Rule,
    /// The line of its header, counted from 1.
    pub line: usize,
    /// The comment directly above it, line by line and without the marks.
    pub note: Option<String>,
    /// Where it stands in the text, whole lines, its comment included.
    pub(super) block: Range<usize>,
}

/// The name of a rule: eight letters made from its content. The same rule has the same id in every
/// file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId([u8; LENGTH]);

impl RuleId {
    /// The id of this rule.
    #[must_use]
    pub fn of(rule: &Rule) -> Self {
        // No vowels: an id is not a word, and not a rude one either.
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

/// The place of the one entry whose id begins with `id`, or what is wrong with `id`.
pub(super) fn position(entries: &[Entry], id: &str) -> Result<usize, String> {
    let shown = super::describe::one_line(id, 20);
    if id.len() < FEWEST {
        return Err(format!(
            "`{shown}` is too short for the id of a rule; write at least {FEWEST} letters of it"
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
