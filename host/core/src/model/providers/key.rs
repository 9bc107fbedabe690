//! The secret key of a provider.
//!
//! Invariant: only the transport reads it. It has no `Serialize`, and its `Debug` shows nothing.

use std::fmt;

/// A secret that a provider requires with each request.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Key {
    /// Checks that a key fits into a header: not empty, not too long, visible ASCII only.
    pub(crate) fn new(text: &str) -> Result<Self, InvalidKeyError> {
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

    /// Replaces the key in a text. A key shorter than any real one, such as the `x` that some give
    /// to a local server, is left alone: it would match ordinary words.
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

/// A text that cannot be used as a key. The message does not show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the key is empty, too long, or has characters that a header cannot carry")]
pub(crate) struct InvalidKeyError;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let key = Key::new(" sk-very-secret\n").expect("it is a fine key");
        assert_eq!(key.reveal(), "sk-very-secret");
        assert!(!format!("{key:?} {:#?}", Some(&key)).contains("secret"));
        assert_eq!(key.scrub("was sk-very-secret, not"), "was [key], not");
        let placeholder = Key::new("x").expect("it is a key of sorts");
        assert_eq!(placeholder.scrub("exact"), "exact");
    }

    #[test]
    fn a_text_that_could_break_a_header_is_not_a_key() {
        for text in ["", "  ", "a b", "a\r\nx: y", "schlüssel", &"k".repeat(9000)] {
            assert_eq!(Key::new(text), Err(InvalidKeyError), "{text:?}");
        }
    }
}
