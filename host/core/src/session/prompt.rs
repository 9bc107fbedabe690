//! What a person says to start a turn.

/// A prompt: the words of the person, and perhaps text that comes from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    text: String,
    is_tainted: bool,
}

impl Prompt {
    /// Returns a prompt of the person's own words.
    pub fn new(words: impl Into<String>) -> Self {
        Self {
            text: words.into(),
            is_tainted: false,
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
