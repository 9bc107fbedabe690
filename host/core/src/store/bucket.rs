//! Buckets: the state of plugins, by person and session.

use crate::plugin::digest::Digest;
use footlight_vocabulary::item::SessionId;

/// A plugin's key-value state for one person, or for one session of that person.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bucket {
    /// The person it belongs to, by the name in [`SessionRow::person`](super::SessionRow::person).
    pub person: String,
    /// The plugin.
    pub plugin: String,
    /// The session it belongs to, or that it belongs to all sessions of the person.
    pub owner: String,
}

impl Bucket {
    /// Returns the bucket of a plugin in a session of a person. It is deleted with the session.
    #[must_use]
    pub fn of_session(person: &str, plugin: &str, session: &SessionId) -> Self {
        Self {
            person: person.to_owned(),
            plugin: plugin.to_owned(),
            owner: session_owner(plugin, session),
        }
    }

    /// Returns the bucket of a plugin that all sessions of a person share.
    #[must_use]
    pub fn of_person(person: &str, plugin: &str) -> Self {
        Self {
            person: person.to_owned(),
            plugin: plugin.to_owned(),
            owner: format!("person {}", alias("person", plugin)),
        }
    }
}

/// The start of the owner of a session's bucket.
pub(super) const OF_SESSION: &str = "session ";

/// Returns the owner of the bucket of a plugin in a session.
pub(super) fn session_owner(plugin: &str, session: &SessionId) -> String {
    format!("{OF_SESSION}{}", alias(session.as_str(), plugin))
}

/// Returns a stable alias of a name that only one plugin can recognise.
pub(crate) fn alias(of: &str, plugin: &str) -> String {
    Digest::of(format!("{plugin}\0{of}").as_bytes()).to_string()[..16].to_owned()
}

/// A condition on the current value of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// Any value, or none.
    Anything,
    /// No value.
    Absent,
    /// An equal JSON value; formatting does not matter.
    Value(String),
}

/// The limits of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketLimits {
    /// Bytes of all keys and values together.
    pub bytes: usize,
    /// Number of values.
    pub values: usize,
}

/// The error of a full bucket. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the bucket is full: it holds at most {} values and {} bytes", .0.values, .0.bytes)]
pub struct BucketFullError(pub BucketLimits);
