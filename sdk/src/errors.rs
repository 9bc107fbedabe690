//! The errors of the [`Stage`](crate::Stage), one enum for each interface of the contract.
//!
//! Each has the same cases as its variant in the contract, and a message. All of them convert to a
//! failure with `?`; a tool that can handle a case matches on it.

use crate::FailureCode;
use std::fmt;

/// Declares an error enum: each case with its documentation, its value and its message.
macro_rules! errors {
    ($($(#[$doc:meta])* $error:ident { $(
        $(#[$case_doc:meta])*
        $case:ident $(($value:ident: $type:ty))? => $message:literal $(, $argument:expr)?;
    )+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $error {
            $($(#[$case_doc])* $case $(($type))?,)+
        }

        impl fmt::Display for $error {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$case $(($value))? => write!(f, $message $(, $argument)?),)+
                }
            }
        }

        impl std::error::Error for $error {}
    )+};
}

errors! {
    /// Why a widget was not shown or changed.
    DisplayError {
        /// The widget is larger than this many bytes.
        TooLarge(limit: u64) => "the widget is larger than {limit} bytes";
        /// The call has already shown this many widgets.
        TooMany(limit: u32) => "more than {limit} widgets in one call";
        /// The widget was removed, or the call was cancelled.
        Removed => "the widget is no longer shown";
        /// Any other error.
        Other(message: String) => "{message}";
    }

    /// Why a question has no answer.
    AskError {
        /// No person can be reached. Holds the reason.
        Nobody(why: String) => "nobody can be asked: {why}";
        /// The person chose not to answer.
        Skipped => "the person chose not to answer";
        /// Nobody answered before the question expired.
        Expired => "nobody answered in time";
        /// The call was cancelled while the question was open.
        Cancelled => "the call was cancelled";
        /// The question is malformed. Holds the problem.
        Invalid(problem: String) => "the question is malformed: {problem}";
        /// Any other error.
        Other(message: String) => "{message}";
    }

    /// Why approval was not given. The tool must not attempt the operation.
    ApprovalError {
        /// The person or a rule denied the request. Holds the person's comment, if any.
        Denied(comment: Option<String>) => "the person said no{}", after_colon(comment.as_deref());
        /// No person can be reached. Holds the reason.
        Nobody(why: String) => "nobody can be asked for approval: {why}";
        /// The manifest does not list this action.
        Undeclared => "plugin.toml lists no such approval";
        /// Nobody decided before the request expired.
        Expired => "nobody decided in time";
        /// The call was cancelled while the request was open.
        Cancelled => "the call was cancelled";
        /// Any other error.
        Other(message: String) => "{message}";
    }

    /// Why content was not stored or read.
    OutputError {
        /// One write has more than this many bytes.
        TooLarge(limit: u64) => "more than {limit} bytes at once";
        /// The quota of this call or session is exhausted.
        Full => "the quota for stored outputs is exhausted";
        /// The output is unknown, expired, or belongs to another session.
        Expired => "there is no such output, or it has expired";
        /// Any other error.
        Other(message: String) => "{message}";
    }

    /// Why a value was not read or written.
    StateError {
        /// The key or the value is larger than this many bytes.
        TooLarge(limit: u64) => "the value is larger than {limit} bytes";
        /// The bucket is full.
        Full => "the plugin's state is full";
        /// Any other error, such as a stored value of another type.
        Other(message: String) => "{message}";
    }

    /// Why there is no response.
    HttpError {
        /// The request is not granted. Holds what would grant it.
        Denied(remedy: String) => "{remedy}";
        /// No connection could be made. Holds the reason.
        Unreachable(why: String) => "no connection: {why}";
        /// The connection timed out before anything was sent.
        TimedOut => "the connection timed out";
        /// The request or the response is larger than this many bytes.
        TooLarge(limit: u64) => "the exchange is larger than {limit} bytes";
        /// The call was cancelled before anything was sent.
        Cancelled => "the call was cancelled";
        /// The request was sent and its outcome is unknown. Do not resend it blindly.
        UnknownOutcome => "the request was sent, but its outcome is unknown";
        /// Any other error.
        Other(message: String) => "{message}";
    }
}

fn after_colon(comment: Option<&str>) -> String {
    comment
        .map(|comment| format!(": {comment}"))
        .unwrap_or_default()
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
