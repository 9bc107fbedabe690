//! The person's rules in a TOML file that can be edited by hand.
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
//! Every rule states its plugin, build, operation and subject. The order does not matter. A
//! [`RuleId`] is derived from the content of a rule, so that it never names another one.
//!
//! Invariant: reading fails closed. A file that cannot be read and understood as a whole denies
//! everything until it is corrected; only a missing file means the defaults.
//!
//! Invariant: a new text is written only after it was parsed and found to contain the intended rules.
//! An edit inserts or removes one piece of text; every other byte of the file stays.

mod describe;
mod disk;
mod edit;
mod entry;
mod error;
mod explain;
mod read;

pub use describe::describe;
pub use entry::{Entry, RuleId};
pub use error::RulesError;
pub use explain::{Explanation, explain};

use super::rules::{AskMode, Level, Rule, Rules};
use footlight_vocabulary::item::Timestamp;
use read::Contents;
use std::path::{Path, PathBuf};

/// Parses the text of a rules file.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn parse_rules(
    text: &str,
) -> Result<Rules, footlight_vocabulary::toml_reader::TomlError> {
    Ok(read::read(text)?.rules)
}

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
///     "denies requests of `mail` for approval of the action `mail.send`, from every build, \
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
    /// The maximum size of the file.
    pub const MAX_BYTES: usize = 256 * 1024;

    /// The maximum number of rules.
    pub const MAX_RULES: usize = 1000;

    /// Reads the file. A missing file stands for the default rules, and is created by the first edit.
    ///
    /// # Errors
    /// When the file cannot be read or is invalid. The caller must then deny everything, see
    /// [`RulesFile::deny_all`].
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, RulesError> {
        let mut file = Self {
            path: path.into(),
            text: String::new(),
            contents: Contents::default(),
        };
        file.reload()?;
        Ok(file)
    }

    /// Returns the rules to apply while the file cannot be read: everything is denied.
    #[must_use]
    pub fn deny_all() -> Rules {
        Rules {
            level: Level::Deny,
            ask: AskMode::Off,
            rules: Vec::new(),
        }
    }

    /// Reads the file again, since it may have been edited meanwhile.
    ///
    /// # Errors
    /// Those of [`open`](Self::open). The rules are then [`deny_all`](Self::deny_all), until the file
    /// can be read again.
    pub fn reload(&mut self) -> Result<(), RulesError> {
        let read = disk::read(&self.path).and_then(|text| {
            let text = text.unwrap_or_default();
            let contents =
                read::read(&text).map_err(|error| RulesError::invalid(&self.path, &text, error))?;
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

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the rules as last read or written.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.contents.rules
    }

    /// Returns the rules with their positions in the file.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.contents.entries
    }

    /// Appends a rule, under a comment with the date and what the person was `shown`. Returns false,
    /// and writes nothing, if the file contains the rule already.
    ///
    /// # Errors
    /// When the file cannot be read or written, or the rule cannot be expressed in it.
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

    /// Locks the file from reading to writing, so that no concurrent edit is lost.
    fn lock_and_reload(&mut self) -> Result<disk::Lock, RulesError> {
        let lock = disk::lock(&self.path)?;
        self.reload()?;
        Ok(lock)
    }

    fn commit(&mut self, text: String, meant: &Rules) -> Result<(), RulesError> {
        let invalid = |message: String| RulesError::InvalidEdit {
            path: self.path.clone(),
            message,
        };
        let contents = read::read(&text).map_err(|error| invalid(error.message))?;
        if contents.rules != *meant {
            let message = "it would read back as something else; write it by hand".to_owned();
            return Err(invalid(message));
        }
        disk::replace(&self.path, &text)?;
        self.text = text;
        self.contents = contents;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
