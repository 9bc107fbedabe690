//! Values of secrets, and where they come from.
//!
//! The host adds a secret to a request after the request was decided. A value is in no guest's memory,
//! and nothing prints it: [`SecretValue`] shows only that it is one.

use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;

use crate::sync::lock;

/// The most bytes of a secret. Servers accept headers of about this size.
const MAX_BYTES: usize = 8 << 10;

/// The value of a secret: text that can stand in an HTTP header.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretValue(String);

impl SecretValue {
    /// Makes a value from visible ASCII characters, with spaces between them.
    ///
    /// # Errors
    /// When the text is empty or longer than 8,192 bytes, or contains another character.
    pub fn new(text: impl Into<String>) -> Result<Self, SecretError> {
        let text = text.into();
        if text.is_empty() {
            return Err(SecretError::Empty);
        }
        if text.len() > MAX_BYTES {
            return Err(SecretError::TooLong);
        }
        let is_allowed = |b: u8| b.is_ascii_graphic() || b == b' ';
        if !text.bytes().all(is_allowed) || text.trim() != text {
            return Err(SecretError::Character);
        }
        Ok(Self(text))
    }

    /// Returns the text. Only what writes it into a request, or looks for it in a response, calls this.
    #[cfg_attr(
        not(feature = "http"),
        allow(dead_code, reason = "secrets are only sent over the network")
    )]
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretValue(..)")
    }
}

/// Why a secret has no value.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The value is empty.
    #[error("the value of the secret is empty")]
    Empty,
    /// The value is longer than a header can be.
    #[error("the value of the secret is longer than {MAX_BYTES} bytes")]
    TooLong,
    /// The value contains a character that no header can hold.
    #[error(
        "the value of the secret contains a character other than visible ASCII and inner spaces"
    )]
    Character,
    /// The place where secrets are kept cannot be read.
    #[error("the secrets cannot be read: {0}")]
    Unavailable(String),
}

/// Names one secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecretId<'a> {
    /// The person whose secret it is.
    pub person: &'a str,
    /// The plugin that it was given to.
    pub plugin: &'a str,
    /// The name in the plugin's manifest.
    pub name: &'a str,
}

/// A place where people keep secrets: values that the host adds to requests of plugins, which never see
/// them.
pub trait SecretSource: Send + Sync + fmt::Debug {
    /// Returns the value of a secret, or none if there is no such secret. It may block: the host calls
    /// it on a thread for blocking work, and waits a limited time.
    ///
    /// # Errors
    /// When the secrets cannot be read, or the value cannot stand in a header.
    fn get(&self, id: &SecretId<'_>) -> Result<Option<SecretValue>, SecretError>;
}

/// Secrets in memory: those that were given for one run.
#[derive(Debug, Default)]
pub struct MemorySecrets(Mutex<HashMap<[String; 3], SecretValue>>);

impl MemorySecrets {
    /// Sets the value of a secret.
    pub fn insert(&self, id: &SecretId<'_>, value: SecretValue) {
        lock(&self.0).insert(key(id), value);
    }
}

impl SecretSource for MemorySecrets {
    fn get(&self, id: &SecretId<'_>) -> Result<Option<SecretValue>, SecretError> {
        Ok(lock(&self.0).get(&key(id)).cloned())
    }
}

fn key(id: &SecretId<'_>) -> [String; 3] {
    [id.person, id.plugin, id.name].map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_stand_in_a_header_is_a_value() {
        for (text, is_value) in [
            ("abc", true),
            ("two words", true),
            ("~!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}", true),
            ("", false),
            (" abc", false),
            ("abc ", false),
            ("a\nb", false),
            ("a\tb", false),
            ("a\0b", false),
            ("é", false),
            (&"x".repeat(MAX_BYTES), true),
            (&"x".repeat(MAX_BYTES + 1), false),
        ] {
            assert_eq!(SecretValue::new(text).is_ok(), is_value, "{text:?}");
        }
    }

    #[test]
    fn a_value_is_never_printed() {
        let secrets = MemorySecrets::default();
        let id = SecretId {
            person: "ada",
            plugin: "mail",
            name: "token",
        };
        secrets.insert(&id, SecretValue::new("canary").expect("a value"));
        assert!(!format!("{secrets:?}").contains("canary"));
        let other = SecretId {
            person: "bob",
            ..id
        };
        assert_eq!(secrets.get(&other).expect("in memory"), None);
        assert_eq!(
            secrets.get(&id).expect("in memory"),
            SecretValue::new("canary").ok()
        );
    }
}
