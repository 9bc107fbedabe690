//! Why a call came to nothing, said for the model.
//!
//! Any error becomes a [`Failure`] with `?`. The errors of the [`Stage`](crate::Stage) keep their
//! meaning on the way: a refusal is `denied`, nobody to ask is `unavailable`.
//! [`invalid!`](crate::invalid), [`unavailable!`](crate::unavailable) and [`denied!`](crate::denied)
//! make one where the tool itself knows.

use crate::arguments::{Supported, Unimplementable, Unsupported};
use crate::{ApprovalError, AskError, HttpError};
use std::any::Any;
use std::error::Error;
use std::fmt::{self, Write};

/// What a tool returns: something the model can use, or why there is nothing.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why a call came to nothing, said for the model.
///
/// It deliberately does not implement [`std::error::Error`]: that is what lets `?` turn any error
/// into a `Failure`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    code: FailureCode,
    message: String,
    details: Option<String>,
}

/// Which sort of failure it is. The host and the model treat them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureCode {
    /// The input is wrong; another one may work.
    InvalidInput,
    /// The person or the policy said no; asking again is no use.
    Denied,
    /// Something outside is out of reach; the same call may work later.
    Unavailable,
    /// The person cancelled the call.
    Cancelled,
    /// Anything else.
    Other,
}

impl FailureCode {
    /// The word of the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidInput => "invalid-input",
            Self::Denied => "denied",
            Self::Unavailable => "unavailable",
            Self::Cancelled => "cancelled",
            Self::Other => "other",
        }
    }
}

impl Failure {
    /// A failure with one sentence the model can act on. No secrets, no stack traces.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
        }
    }

    /// More for the model, such as the fields in error or `retryAfter`: anything that serialises.
    #[must_use]
    pub fn details(mut self, details: &impl serde::Serialize) -> Self {
        // A failure that cannot say more still says what it is.
        self.details = serde_json::to_string(details).ok();
        self
    }

    /// Says first what it means here: `stage.approve(…).map_err(|no| Failure::from(no).context("nothing was sent"))`.
    #[must_use]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.message = format!("{context}: {}", self.message);
        self
    }

    /// Adds the error that led to it, after a colon.
    #[must_use]
    pub fn because(mut self, error: &dyn Error) -> Self {
        // Writing to a string cannot fail.
        let _ = write!(self.message, ": {error}");
        if let Some(cause) = error.source() {
            self.because(cause)
        } else {
            self
        }
    }

    /// Which sort of failure it is.
    #[must_use]
    pub fn code(&self) -> FailureCode {
        self.code
    }

    /// The sentence for the model.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The code, the sentence, and the details as JSON text: what the contract's record holds.
    #[cfg(target_family = "wasm")]
    pub(crate) fn into_parts(self) -> (&'static str, String, Option<String>) {
        (self.code.as_str(), self.message, self.details)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let any: &dyn Any = &error;
        let code = if let Some(error) = any.downcast_ref::<AskError>() {
            error.code()
        } else if let Some(refusal) = any.downcast_ref::<ApprovalError>() {
            refusal.code()
        } else if let Some(error) = any.downcast_ref::<HttpError>() {
            error.code()
        } else {
            FailureCode::Other
        };
        let failure = Self::new(code, error.to_string());
        if let Some(cause) = error.source() {
            failure.because(cause)
        } else {
            failure
        }
    }
}

/// What a tool may fail with. For `How`, see [`Argument`](crate::arguments::Argument).
#[diagnostic::on_unimplemented(
    message = "a tool cannot fail with `{Self}`",
    label = "neither a `Failure` nor an error",
    note = "return `Result<T>`, whose error is `Failure`: `?` makes one of every error, and `invalid!`, `unavailable!` and `denied!` of words"
)]
pub trait IntoFailure<How> {
    /// Makes it a failure.
    fn into_failure(self) -> Failure;
}

impl<E: Into<Failure>> IntoFailure<Supported> for E {
    fn into_failure(self) -> Failure {
        self.into()
    }
}

impl<E: Unimplementable> IntoFailure<Unsupported> for E {
    fn into_failure(self) -> Failure {
        Failure::new(FailureCode::Other, "")
    }
}

/// What a tool failed with, made a failure.
pub fn failure<How, E: IntoFailure<How>>(error: E) -> Failure {
    error.into_failure()
}

/// The input is wrong: `return Err(invalid!("no city called {city:?}"))`.
#[macro_export]
macro_rules! invalid {
    ($($message:tt)+) => { $crate::Failure::new($crate::FailureCode::InvalidInput, ::std::format!($($message)+)) };
}

/// Something outside is out of reach: `unavailable!("the forecast service answered {status}")`.
#[macro_export]
macro_rules! unavailable {
    ($($message:tt)+) => { $crate::Failure::new($crate::FailureCode::Unavailable, ::std::format!($($message)+)) };
}

/// The person or the policy said no: `denied!("this list is read-only")`.
#[macro_export]
macro_rules! denied {
    ($($message:tt)+) => { $crate::Failure::new($crate::FailureCode::Denied, ::std::format!($($message)+)) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool_that_parses(text: &str) -> Result<i64> {
        Ok(text.parse::<i64>()?)
    }

    #[test]
    fn any_error_works_with_the_question_mark() {
        let failure = tool_that_parses("four").expect_err("not a number");
        assert_eq!(failure.code(), FailureCode::Other);
        assert_eq!(failure.message(), "invalid digit found in string");
    }

    #[test]
    fn a_refusal_stays_a_denial() {
        let failure = Failure::from(ApprovalError::Denied(Some("not today".into())));
        assert_eq!(failure.to_string(), "denied: the person said no: not today");
    }

    #[test]
    fn context_comes_first_and_keeps_the_code() {
        let failure = Failure::from(ApprovalError::Denied(None)).context("nothing was sent");
        assert_eq!(
            failure.to_string(),
            "denied: nothing was sent: the person said no"
        );
    }

    #[test]
    fn nobody_to_ask_is_unavailable() {
        assert_eq!(
            Failure::from(AskError::Nobody("no terminal".into())).code(),
            FailureCode::Unavailable
        );
    }

    #[test]
    fn causes_are_told_once_each() {
        #[derive(Debug)]
        struct Outer(std::num::ParseIntError);
        impl fmt::Display for Outer {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the count is unreadable")
            }
        }
        impl Error for Outer {
            fn source(&self) -> Option<&(dyn Error + 'static)> {
                Some(&self.0)
            }
        }
        let failure = Failure::from(Outer("x".parse::<i64>().expect_err("not a number")));
        assert_eq!(
            failure.message(),
            "the count is unreadable: invalid digit found in string"
        );
    }

    #[test]
    fn macros_say_which_failure_it_is() {
        let city = "Oslo";
        assert_eq!(
            invalid!("no city called {city:?}").to_string(),
            "invalid-input: no city called \"Oslo\""
        );
        assert_eq!(unavailable!("down").code(), FailureCode::Unavailable);
        assert_eq!(denied!("no").code(), FailureCode::Denied);
    }
}
