//! The errors of the [`Stage`](crate::Stage), one enum for each interface of the contract.
//!
//! Each has the same cases as its variant in the contract, and a message. All of them convert to a
//! failure with `?`; a tool that can handle a case matches on it.

use crate::FailureCode;
use std::fmt;

/// Why a widget was not shown or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DisplayError {
    /// The widget is larger than this many bytes.
    TooLarge(u64),
    /// The call has already shown this many widgets.
    TooMany(u32),
    /// The widget was removed, or the call was cancelled.
    Removed,
    /// Any other error.
    Other(String),
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskError {
    /// No person can be reached. Holds the reason.
    Nobody(String),
    /// The person chose not to answer.
    Skipped,
    /// Nobody answered before the question expired.
    Expired,
    /// The call was cancelled while the question was open.
    Cancelled,
    /// The question is malformed. Holds the problem.
    Invalid(String),
    /// Any other error.
    Other(String),
}

/// Why approval was not given. The tool must not attempt the operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalError {
    /// The person or a rule denied the request. Holds the person's comment, if any.
    Denied(Option<String>),
    /// No person can be reached. Holds the reason.
    Nobody(String),
    /// The manifest does not list this action.
    Undeclared,
    /// Nobody decided before the request expired.
    Expired,
    /// The call was cancelled while the request was open.
    Cancelled,
    /// Any other error.
    Other(String),
}

/// Why content was not stored or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputError {
    /// One write has more than this many bytes.
    TooLarge(u64),
    /// The quota of this call or session is exhausted.
    Full,
    /// The output is unknown, expired, or belongs to another session.
    Expired,
    /// Any other error.
    Other(String),
}

/// Why a value was not read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateError {
    /// The key or the value is larger than this many bytes.
    TooLarge(u64),
    /// The bucket is full.
    Full,
    /// Any other error, such as a stored value of another type.
    Other(String),
}

/// Why there is no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpError {
    /// The request is not granted. Holds what would grant it.
    Denied(String),
    /// No connection could be made. Holds the reason.
    Unreachable(String),
    /// The connection timed out before anything was sent.
    TimedOut,
    /// The request or the response is larger than this many bytes.
    TooLarge(u64),
    /// The call was cancelled before anything was sent.
    Cancelled,
    /// The request was sent and its outcome is unknown. Do not resend it blindly.
    UnknownOutcome,
    /// Any other error.
    Other(String),
}

impl AskError {
    pub(crate) fn code(&self) -> FailureCode {
        match self {
            Self::Nobody(_) | Self::Expired => FailureCode::Unavailable,
            Self::Skipped => FailureCode::Denied,
            Self::Cancelled => FailureCode::Cancelled,
            Self::Invalid(_) | Self::Other(_) => FailureCode::Other,
        }
    }
}

impl ApprovalError {
    pub(crate) fn code(&self) -> FailureCode {
        match self {
            Self::Denied(_) | Self::Nobody(_) | Self::Undeclared | Self::Expired => {
                FailureCode::Denied
            }
            Self::Cancelled => FailureCode::Cancelled,
            Self::Other(_) => FailureCode::Other,
        }
    }
}

impl HttpError {
    pub(crate) fn code(&self) -> FailureCode {
        match self {
            Self::Denied(_) => FailureCode::Denied,
            Self::Unreachable(_) | Self::TimedOut => FailureCode::Unavailable,
            Self::Cancelled => FailureCode::Cancelled,
            Self::TooLarge(_) | Self::UnknownOutcome | Self::Other(_) => FailureCode::Other,
        }
    }
}

impl fmt::Display for DisplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(f, "the widget is larger than {limit} bytes"),
            Self::TooMany(limit) => write!(f, "more than {limit} widgets in one call"),
            Self::Removed => f.write_str("the widget is no longer shown"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nobody(why) => write!(f, "nobody can be asked: {why}"),
            Self::Skipped => f.write_str("the person chose not to answer"),
            Self::Expired => f.write_str("nobody answered in time"),
            Self::Cancelled => f.write_str("the call was cancelled"),
            Self::Invalid(how) => write!(f, "the question is malformed: {how}"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for ApprovalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(None) => f.write_str("the person said no"),
            Self::Denied(Some(words)) => write!(f, "the person said no: {words}"),
            Self::Nobody(why) => write!(f, "nobody can be asked for approval: {why}"),
            Self::Undeclared => f.write_str("plugin.toml lists no such approval"),
            Self::Expired => f.write_str("nobody decided in time"),
            Self::Cancelled => f.write_str("the call was cancelled"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(f, "more than {limit} bytes at once"),
            Self::Full => f.write_str("the quota for stored outputs is exhausted"),
            Self::Expired => f.write_str("there is no such output, or it has expired"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(f, "the value is larger than {limit} bytes"),
            Self::Full => f.write_str("the plugin's state is full"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(remedy) => f.write_str(remedy),
            Self::Unreachable(why) => write!(f, "no connection: {why}"),
            Self::TimedOut => f.write_str("the connection timed out"),
            Self::TooLarge(limit) => write!(f, "the exchange is larger than {limit} bytes"),
            Self::Cancelled => f.write_str("the call was cancelled"),
            Self::UnknownOutcome => f.write_str("the request was sent, but its outcome is unknown"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for DisplayError {}
impl std::error::Error for AskError {}
impl std::error::Error for ApprovalError {}
impl std::error::Error for OutputError {}
impl std::error::Error for StateError {}
impl std::error::Error for HttpError {}
