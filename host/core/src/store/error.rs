//! Errors of a store.

use footlight_vocabulary::item::{SessionId, Timestamp};
use std::error::Error;
use std::sync::Arc;

/// Why a store did not do what it was asked. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// There is no such session.
    #[error("there is no session `{0}`")]
    NoSession(SessionId),
    /// Another process or another owner holds the session.
    #[error("another process (`{owner}`) is using this session; wait until it is done")]
    Owned {
        /// The name that the owner claimed it under.
        owner: String,
        /// When the owner's lease ends, if nobody renews it.
        until: Timestamp,
    },
    /// The lease is lost: another owner has claimed the session since.
    #[error("another process has taken this session over")]
    LeaseLost,
    /// The disk is full, or a quota is used up.
    #[error(transparent)]
    Full(DetailedError),
    /// Stored data cannot be read.
    #[error(transparent)]
    Damaged(DetailedError),
    /// A newer version of this library wrote the data.
    #[error(transparent)]
    Newer(DetailedError),
    /// The file system or the database failed, or the data to be written is invalid.
    #[error(transparent)]
    Failed(DetailedError),
}

impl StoreError {
    /// Makes a [`StoreError::Failed`].
    pub fn failed(message: impl Into<DetailedError>) -> Self {
        Self::Failed(message.into())
    }
}

/// A sentence for a person and the error behind it, where there is one.
///
/// Errors of a store are cloned to everybody who follows a session, so the source is shared. Two
/// of these are equal if their sentences are.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct DetailedError {
    message: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

impl DetailedError {
    /// An error with a source, which the message does not repeat.
    pub fn new(
        message: impl Into<String>,
        source: impl Into<Box<dyn Error + Send + Sync>>,
    ) -> Self {
        Self {
            message: message.into(),
            source: Some(source.into().into()),
        }
    }
}

impl From<String> for DetailedError {
    fn from(message: String) -> Self {
        Self {
            message,
            source: None,
        }
    }
}

impl From<&str> for DetailedError {
    fn from(message: &str) -> Self {
        message.to_owned().into()
    }
}

impl PartialEq for DetailedError {
    fn eq(&self, other: &Self) -> bool {
        self.message == other.message
    }
}

impl Eq for DetailedError {}
