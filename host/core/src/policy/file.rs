//! The person's rules in a file that they can edit by hand.
//!
//! ```toml
//! level = "allowlist"    # or "deny", "full": how far plugins are trusted
//! ask = "on-miss"        # or "off", "always": when a person is asked
//!
//! # Drafts are harmless, whoever they are for.
//! [[allow]]
//! plugin = "mail"
//! build = "any"          # or the one that `inspect` shows: "sha256:9f86d0..."
//! tool = "draft"         # or action, host, folder, secret; "*" is every one
//! subject = "any"        # or "none", or { exactly = "bob@example.com" }
//!
//! [[deny]]
//! plugin = "mail"
//! build = "any"
//! action = "mail.send"
//! subject = { exactly = "boss@example.com" }
//! ```
//!
//! Every rule says all four: which plugin, which build, what, and about which subject. Their order
//! means nothing. Which rule is meant is said by its [`RuleId`], which is made from the rule and
//! not from its place, so that it cannot come to mean another one.
//!
//! Invariant: it fails closed. A file that cannot be read or understood, whole, denies everything
//! until it is mended; only a file that is not there means the defaults.
//!
//! Invariant: nothing is written that was not read back first and found to say what was meant.
//! An edit puts text in or takes text out; every other byte of the file stays as it was.

mod describe;
mod disk;
mod edit;
mod entry;
mod error;
mod explain;
mod read;
mod table;

pub use describe::describe;
pub use entry::{Entry, RuleId};
pub use error::RulesError;
pub use explain::{Explanation, explain};

use super::rules::{AskMode, Level, Rule, Rules};
use footlight_vocabulary::item::Timestamp;
use read::Contents;
use std::path::{Path, PathBuf};

/// The rules of one file.
///
/// ```
/// use footlight::policy::{Effect, Level, RulesFile, describe};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("rules.toml");
/// std::fs::write(&path, r#"
/// level = "allowlist"
///
/// ## Drafts are harmless, whoever they are for.
/// [[allow]]
/// plugin = "mail"
/// build = "any"
/// tool = "draft"
/// subject = "any"
///
/// [[deny]]
/// plugin = "mail"
/// build = "any"
/// action = "mail.send"
/// subject = { exactly = "boss@example.com" }
/// "#)?;
///
/// let mut file = RulesFile::open(&path)?;
/// assert_eq!(file.rules().level, Level::Allowlist);
/// let [draft, send] = file.entries() else { panic!("two rules") };
/// assert_eq!(draft.note.as_deref(), Some("Drafts are harmless, whoever they are for."));
/// assert_eq!(send.line, 11);
/// assert_eq!(
///     describe(&send.rule),
///     "denies requests of `mail` for leave for the action `mail.send`, from every build, \
///      about \"boss@example.com\" and nothing else"
/// );
///
/// let id = send.id.to_string();
/// file.remove(&id)?;
/// assert!(file.rules().rules.iter().all(|rule| rule.effect == Effect::Allow));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct RulesFile {
    path: PathBuf,
    text: String,
    contents: Contents,
}

impl RulesFile {
    /// The most bytes the file may have.
    pub const MAX_BYTES: usize = 256 * 1024;

    /// The most rules it may hold.
    pub const MAX_RULES: usize = 1000;

    /// Reads the file. One that is not there holds the default rules, and is made when something
    /// is first written.
    ///
    /// # Errors
    /// When it cannot be read, or holds anything that is not understood: then nothing in it
    /// counts, and whoever asked must deny, see [`RulesFile::deny_all`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, RulesError> {
        let mut file = Self {
            path: path.into(),
            text: String::new(),
            contents: Contents::default(),
        };
        file.reload()?;
        Ok(file)
    }

    /// What holds while there is no telling what the person laid down: everything is denied.
    #[must_use]
    pub fn deny_all() -> Rules {
        Rules {
            level: Level::Deny,
            ask: AskMode::Off,
            rules: Vec::new(),
        }
    }

    /// Reads the file again: it may have been edited meanwhile.
    ///
    /// # Errors
    /// As [`open`](Self::open). From then on [`rules`](Self::rules) are the
    /// [closed](Self::deny_all) ones, until the file can be read again.
    pub fn reload(&mut self) -> Result<(), RulesError> {
        let read = disk::read(&self.path).and_then(|text| {
            let text = text.unwrap_or_default();
            let contents =
                read::read(&text).map_err(|refusal| refusal.in_file(&self.path, &text))?;
            Ok((text, contents))
        });
        match read {
            Ok((text, contents)) => {
                self.text = text;
                self.contents = contents;
                Ok(())
            }
            Err(error) => {
                self.text = String::new();
                self.contents = Contents {
                    rules: Self::deny_all(),
                    ..Contents::default()
                };
                Err(error)
            }
        }
    }

    /// Where the file lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the person laid down, as it was last read or written.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.contents.rules
    }

    /// The rules as they stand in the file (A-57).
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.contents.entries
    }

    /// Adds a rule at the end, under a comment with the day and what the person was `shown`. False
    /// where the rule is there already: then nothing is written.
    ///
    /// # Errors
    /// When the file cannot be read or written, or the rule cannot stand in one.
    pub fn add(&mut self, rule: &Rule, at: Timestamp, shown: &str) -> Result<bool, RulesError> {
        let _lock = self.lock_and_reload()?;
        let mut rules = self.rules().clone();
        if rules.rules.contains(rule) {
            return Ok(false);
        }
        rules.rules.push(rule.clone());
        self.commit(edit::with_rule(&self.text, rule, at, shown), &rules)?;
        Ok(true)
    }

    /// Removes the rule whose id begins with `id`, with the comment above it, and returns both.
    ///
    /// # Errors
    /// When no rule or more than one matches, or `id` is shorter than four letters: so short a
    /// prefix would soon name another rule. When the file cannot be read or written.
    pub fn remove(&mut self, id: &str) -> Result<Entry, RulesError> {
        let _lock = self.lock_and_reload()?;
        let position =
            entry::position(self.entries(), id).map_err(|message| RulesError::InvalidId {
                path: self.path.clone(),
                message,
            })?;
        let mut rules = self.rules().clone();
        rules.rules.remove(position);
        let entry = self.contents.entries[position].clone();
        self.commit(edit::without(&self.text, &entry), &rules)?;
        Ok(entry)
    }

    /// Whoever edits holds the lock from reading to writing, so that no edit is lost.
    fn lock_and_reload(&mut self) -> Result<disk::Lock, RulesError> {
        let lock = disk::lock(&self.path)?;
        self.reload()?;
        Ok(lock)
    }

    fn commit(&mut self, text: String, meant: &Rules) -> Result<(), RulesError> {
        let unwritable = |message: String| RulesError::InvalidEdit {
            path: self.path.clone(),
            message,
        };
        let contents = read::read(&text).map_err(|refusal| unwritable(refusal.message))?;
        if contents.rules != *meant {
            let message = "it would read back as something else; write it by hand".to_owned();
            return Err(unwritable(message));
        }
        disk::replace(&self.path, &text)?;
        self.text = text;
        self.contents = contents;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
