//! What can go wrong between a plugin and the stage, one small enum for each interface.
//!
//! They are the contract's variants with words for people. All of them work with `?` in a tool;
//! match on one where the tool has something better to do.

use crate::FailureCode;
use std::fmt;

/// Why a widget was not shown or changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DisplayError {
    /// Larger than this many bytes.
    TooLarge(u64),
    /// More than this many in one call.
    TooMany(u32),
    /// Removed already, or the call was cancelled.
    Removed,
    /// Anything else.
    Other(String),
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskError {
    /// No person can be reached, and why.
    Nobody(String),
    /// The person chose not to answer.
    Skipped,
    /// Nobody answered in time.
    Expired,
    /// The call was cancelled while it waited.
    Cancelled,
    /// The question itself is wrong, and how.
    Invalid(String),
    /// Anything else.
    Other(String),
}

/// Why leave was not given. The operation must not be tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ApprovalError {
    /// The person or a rule said no, with what the person wrote.
    Denied(Option<String>),
    /// No person can be reached, and why.
    Nobody(String),
    /// The manifest does not list this action.
    Undeclared,
    /// Nobody decided in time.
    Expired,
    /// The call was cancelled while it waited.
    Cancelled,
    /// Anything else.
    Other(String),
}

/// Why content was not stored or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputError {
    /// More than this many bytes at once.
    TooLarge(u64),
    /// The quota of this call or session is used up.
    Full,
    /// Unknown, expired, or not of this session.
    Expired,
    /// Anything else.
    Other(String),
}

/// Why a value was not read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StateError {
    /// The key or the value is larger than this many bytes.
    TooLarge(u64),
    /// The drawer is full.
    Full,
    /// Anything else, such as a value of another shape than the one asked for.
    Other(String),
}

/// Why no response came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HttpError {
    /// Not granted, and what would grant it.
    Denied(String),
    /// No connection, and why.
    Unreachable(String),
    /// It took too long, and nothing was sent yet.
    TimedOut,
    /// The request or the response is larger than this many bytes.
    TooLarge(u64),
    /// The call was cancelled before anything was sent.
    Cancelled,
    /// Sent, but nobody knows what came of it. Do not send it again blindly.
    UnknownOutcome,
    /// Anything else.
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
            Self::Invalid(how) => write!(f, "the question is wrong: {how}"),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for ApprovalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(None) => f.write_str("the person said no"),
            Self::Denied(Some(words)) => write!(f, "the person said no: {words}"),
            Self::Nobody(why) => write!(f, "nobody can give leave: {why}"),
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
            Self::Full => f.write_str("the quota for stored outputs is used up"),
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
            Self::TimedOut => f.write_str("no connection in time"),
            Self::TooLarge(limit) => write!(f, "the exchange is larger than {limit} bytes"),
            Self::Cancelled => f.write_str("the call was cancelled"),
            Self::UnknownOutcome => f.write_str("sent, but nobody knows what came of it"),
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
