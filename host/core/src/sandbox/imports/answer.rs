//! What observers are told of the answers of imports: a size or the case of an error, never a body.

use crate::observer::HostCallOutcome;
use crate::sandbox::bindings::footlight::plugin::approval::Refusal;
use crate::sandbox::bindings::footlight::plugin::ask::AskError;
use crate::sandbox::bindings::footlight::plugin::display_widget::DisplayError;
use crate::sandbox::bindings::footlight::plugin::http::{HttpError, Response};
use crate::sandbox::bindings::footlight::plugin::output::OutputError;
use crate::sandbox::bindings::footlight::plugin::state::StateError;
use crate::sandbox::journal::Answer;

/// What an import answers when it succeeds.
trait Body {
    /// Returns the size in bytes, if it has one.
    fn bytes(&self) -> Option<usize> {
        None
    }

    /// Returns the HTTP status, if it is a response.
    fn status(&self) -> Option<u16> {
        None
    }
}

/// The error of an import.
trait ErrorCase {
    /// Returns the case, as the contract names it, and the message.
    fn case(&self) -> (&'static str, &str);
}

fn answered(body: &impl Body) -> HostCallOutcome<'_> {
    HostCallOutcome::answered(body.bytes(), body.status())
}

impl<T: Body, E: ErrorCase> Answer for Result<T, E> {
    fn outcome(&self) -> HostCallOutcome<'_> {
        match self {
            Ok(body) => answered(body),
            Err(error) => {
                let (error, message) = error.case();
                HostCallOutcome::Failed { error, message }
            }
        }
    }
}

macro_rules! answers {
    ($($kind:ty),*) => {
        $(impl Answer for $kind {
            fn outcome(&self) -> HostCallOutcome<'_> {
                answered(self)
            }
        })*
    };
}

answers!((), bool, u64, String);

impl Body for () {}

impl Body for bool {}

impl Body for u64 {}

impl Body for Vec<u32> {}

impl Body for String {
    fn bytes(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl Body for Option<String> {
    fn bytes(&self) -> Option<usize> {
        self.as_ref().map(String::len)
    }
}

impl Body for Vec<String> {
    fn bytes(&self) -> Option<usize> {
        Some(self.iter().map(String::len).sum())
    }
}

impl Body for Vec<u8> {
    fn bytes(&self) -> Option<usize> {
        Some(self.len())
    }
}

impl Body for Response {
    fn bytes(&self) -> Option<usize> {
        Some(self.body.len())
    }

    fn status(&self) -> Option<u16> {
        Some(self.status)
    }
}

/// An error of wasmtime's own implementation.
impl ErrorCase for String {
    fn case(&self) -> (&'static str, &str) {
        ("other", self)
    }
}

impl ErrorCase for DisplayError {
    fn case(&self) -> (&'static str, &str) {
        match self {
            Self::TooLarge(_) => ("too-large", ""),
            Self::TooMany(_) => ("too-many", ""),
            Self::Gone => ("gone", ""),
            Self::Other(message) => ("other", message),
        }
    }
}

impl ErrorCase for AskError {
    fn case(&self) -> (&'static str, &str) {
        match self {
            Self::Nobody(message) => ("nobody", message),
            Self::Skipped => ("skipped", ""),
            Self::Expired => ("expired", ""),
            Self::Cancelled => ("cancelled", ""),
            Self::Invalid(message) => ("invalid", message),
            Self::Other(message) => ("other", message),
        }
    }
}

impl ErrorCase for Refusal {
    fn case(&self) -> (&'static str, &str) {
        match self {
            Self::Denied(words) => ("denied", words.as_deref().unwrap_or_default()),
            Self::Nobody(message) => ("nobody", message),
            Self::Undeclared => ("undeclared", ""),
            Self::Expired => ("expired", ""),
            Self::Cancelled => ("cancelled", ""),
            Self::Other(message) => ("other", message),
        }
    }
}

impl ErrorCase for OutputError {
    fn case(&self) -> (&'static str, &str) {
        match self {
            Self::TooLarge(_) => ("too-large", ""),
            Self::Full => ("full", ""),
            Self::Expired => ("expired", ""),
            Self::Other(message) => ("other", message),
        }
    }
}

impl ErrorCase for StateError {
    fn case(&self) -> (&'static str, &str) {
        match self {
            Self::TooLarge(_) => ("too-large", ""),
            Self::Full => ("full", ""),
            Self::Other(message) => ("other", message),
        }
    }
}

impl ErrorCase for HttpError {
    fn case(&self) -> (&'static str, &str) {
        match self {
            Self::Denied(message) => ("denied", message),
            Self::Unreachable(message) => ("unreachable", message),
            Self::TimedOut => ("timed-out", ""),
            Self::TooLarge(_) => ("too-large", ""),
            Self::Cancelled => ("cancelled", ""),
            Self::UnknownOutcome => ("unknown-outcome", ""),
            Self::Other(message) => ("other", message),
        }
    }
}
