//! Buckets: the state of plugins, by its owner.

use crate::plugin::digest::Digest;
use footlight_vocabulary::item::SessionId;

/// A plugin's key-value state for one owner.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bucket {
    /// The plugin.
    pub plugin: String,
    /// The session or the person it belongs to.
    pub owner: String,
}

impl Bucket {
    /// Returns the bucket of a plugin in a session. It is deleted with the session.
    #[must_use]
    pub fn of_session(plugin: &str, session: &SessionId) -> Self {
        Self {
            plugin: plugin.to_owned(),
            owner: format!("{OF_SESSION}{}", alias(session.as_str(), plugin)),
        }
    }

    /// Returns the bucket of a plugin for the person.
    #[must_use]
    pub fn of_person(plugin: &str) -> Self {
        Self {
            plugin: plugin.to_owned(),
            owner: format!("person {}", alias("person", plugin)),
        }
    }
}

/// The start of the owner of a session's bucket.
pub(super) const OF_SESSION: &str = "session ";

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
