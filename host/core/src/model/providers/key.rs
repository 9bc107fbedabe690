//! The key a provider wants.
//!
//! Invariant: nothing but the transport can read it. It has no `Serialize`, and its `Debug` shows
//! nothing.

use std::fmt;

/// A secret that a provider wants with each request.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Takes a key as it stood in the environment or in a store of secrets.
    ///
    /// # Errors
    /// When it cannot stand in a header: it is empty, too long, or has characters other than
    /// visible ASCII. The message does not show it.
    pub fn new(text: &str) -> Result<Self, InvalidKeyError> {
        let text = text.trim();
        let fits = !text.is_empty() && text.len() <= 8192;
        if fits && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidKeyError)
        }
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// The text without the key, wherever it stands in it. What is shorter than any real key, such
    /// as the `x` that some give to a local server, is a word like others.
    pub(crate) fn scrub(&self, text: &str) -> String {
        if self.0.len() < 8 {
            return text.to_owned();
        }
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[key]")
    }
}

/// A text that is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidKeyError;

impl fmt::Display for InvalidKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the key is empty, too long, or has characters a header cannot carry")
    }
}

impl std::error::Error for InvalidKeyError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = Key::new(" sk-very-secret\n").expect("it is a fine key");
        assert_eq!(key.reveal(), "sk-very-secret");
        assert!(!format!("{key} {key:?} {:#?}", Some(&key)).contains("secret"));
        assert_eq!(key.scrub("was sk-very-secret, not"), "was [key], not");
        let placeholder = Key::new("x").expect("it is a key of sorts");
        assert_eq!(placeholder.scrub("exact"), "exact");
    }

    #[test]
    fn what_could_break_out_of_a_header_is_no_key() {
        for text in ["", "  ", "a b", "a\r\nx: y", "schlüssel", &"k".repeat(9000)] {
            assert_eq!(Key::new(text), Err(InvalidKeyError), "{text:?}");
        }
    }
}
