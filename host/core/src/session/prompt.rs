//! What a person says to start a turn.

use crate::plugin::digest::{Digest, hex};
use footlight_vocabulary::item::{SessionId, TurnId};

/// A prompt: the words of the person, and perhaps text that comes from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    text: String,
    is_tainted: bool,
    key: Option<String>,
}

impl Prompt {
    /// Returns a prompt of the person's own words.
    pub fn new(words: impl Into<String>) -> Self {
        Self {
            text: words.into(),
            is_tainted: false,
            key: None,
        }
    }

    /// Puts a text before the words that the person did not write, such as a file, a page, or what
    /// was piped in. The model cannot tell it from the person's words, so the session is
    /// [tainted](super::Session::is_tainted) from then on.
    #[must_use]
    pub fn context(mut self, text: &str) -> Self {
        self.text = format!("{text}\n\n{}", self.text);
        self.is_tainted = true;
        self
    }

    /// Names the prompt, so that sending it again with the same key starts no second turn: it fails with
    /// [`TurnError::Repeated`](super::TurnError::Repeated), also after a restart.
    #[must_use]
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// Returns the id of the turn that a prompt with a key starts. The key is not stored otherwise.
    #[must_use]
    pub fn turn_id(&self, session: &SessionId) -> Option<TurnId> {
        let named = format!("{session}\n{}", self.key.as_ref()?);
        let digest = Digest::of(named.as_bytes());
        Some(TurnId::from(format!(
            "turn_{}",
            hex(&digest.as_bytes()[..12])
        )))
    }

    /// Returns what the model reads.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is_tainted(&self) -> bool {
        self.is_tainted
    }
}

impl From<String> for Prompt {
    fn from(words: String) -> Self {
        Self::new(words)
    }
}

impl From<&String> for Prompt {
    fn from(words: &String) -> Self {
        Self::new(words)
    }
}

impl From<&str> for Prompt {
    fn from(words: &str) -> Self {
        Self::new(words)
    }
}
