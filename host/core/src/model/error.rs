//! Why a model gave no answer.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// Why a model gave no answer.
///
/// Invariant: it never holds a key, nor anything the person said.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ModelError {
    /// The kind of error, on which a caller can act.
    pub kind: ModelErrorKind,
    /// One sentence for the person: what happened and what to do.
    pub message: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// The kinds of [`ModelError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// The name of the model cannot be parsed, or names an unknown provider.
    InvalidSpec,
    /// The key is missing, or the provider does not accept it.
    Key,
    /// The provider has too many requests; a retry may work after this time.
    Busy(Option<Duration>),
    /// The request is longer than what the model reads.
    TooLong,
    /// The provider refused the request.
    Refused,
    /// The provider cannot be reached, or the connection broke.
    Unreachable,
    /// The answer cannot be parsed.
    Garbled,
}

impl ModelError {
    /// Creates an error without a cause.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            source: None,
        }
    }

    /// Adds the cause, which must hold neither a key nor the person's words.
    #[must_use]
    pub fn with_source(mut self, source: impl Error + Send + Sync + 'static) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Returns the message and those of its causes, joined by `: `.
    #[must_use]
    pub fn full_message(&self) -> String {
        let mut message = self.message.clone();
        let mut cause = self.source();
        while let Some(error) = cause {
            message = format!("{message}: {error}");
            cause = error.source();
        }
        message
    }
}

/// Compares kind and message; causes are not comparable.
impl PartialEq for ModelError {
    fn eq(&self, other: &Self) -> bool {
        (self.kind, &self.message) == (other.kind, &other.message)
    }
}
