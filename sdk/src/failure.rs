//! The failure of a tool call, reported to the model.
//!
//! Any error converts to a [`Failure`] with `?`. The errors of the [`Stage`](crate::Stage) map to the
//! matching code: a denied approval to `denied`, a question that nobody can answer to `unavailable`.
//! [`invalid!`](crate::invalid), [`unavailable!`](crate::unavailable) and [`denied!`](crate::denied)
//! create a failure with a specific code.

use crate::arguments::{Supported, Unimplementable, Unsupported};
use crate::{ApprovalError, AskError, HttpError};
use std::any::Any;
use std::error::Error;
use std::fmt::{self, Write};

/// The return type of a tool that can fail: with a [`Failure`], which the model reads.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why a call failed, written for the model.
///
/// Most tools never name this type: `?` converts any error to it, and [`invalid!`](crate::invalid),
/// [`unavailable!`](crate::unavailable) and [`denied!`](crate::denied) create one from a message.
///
/// ```
/// use footlight_sdk::prelude::*;
///
/// /// Says when a shop opens.
/// #[tool(read_only)]
/// fn opens(day: String) -> Result<String> {
///     match day.as_str() {
///         "Sunday" => Err(invalid!("the shop is closed on {day}; ask about another day")),
///         _ => Ok("at nine".to_owned()),
///     }
/// }
/// # fn main() {
/// let failure = opens("Sunday".into()).expect_err("is closed");
/// assert_eq!(failure.code(), FailureCode::InvalidInput);
/// # }
/// ```
///
/// It deliberately does not implement [`std::error::Error`]: otherwise `?` could not convert every
/// error to a `Failure`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Failure {
    code: FailureCode,
    message: String,
    details: Option<String>,
}

/// The category of a failure: what the model should do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureCode {
    /// The input is invalid; another input may work.
    InvalidInput,
    /// The person or the policy denied the call; retrying is pointless. The host reports it as `other` if neither
    /// has refused the call anything.
    Denied,
    /// An external resource is unavailable; the same call may work later.
    Unavailable,
    /// The person cancelled the call. The host reports it as `other` if nobody did.
    Cancelled,
    /// Any other failure.
    Other,
}

impl FailureCode {
    /// Returns the code as the contract spells it.
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
    /// Creates a failure. `message` is one sentence that the model can act on, without secrets or stack
    /// traces.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
        }
    }

    /// Sets further information for the model, such as the invalid fields or `retryAfter`: any value
    /// that serialises.
    pub fn details(mut self, details: &impl serde::Serialize) -> Self {
        // Details are optional: a failure without them is better than none.
        self.details = serde_json::to_string(details).ok();
        self
    }

    /// Prefixes the message with context:
    /// `stage.approve(…).map_err(|error| Failure::from(error).context("nothing was sent"))`.
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.message = format!("{context}: {}", self.message);
        self
    }

    /// Appends the message of the causing error, and of its sources, each after a colon.
    pub fn because(mut self, error: &dyn Error) -> Self {
        // Writing to a string cannot fail.
        let _ = write!(self.message, ": {error}");
        match error.source() {
            Some(cause) => self.because(cause),
            None => self,
        }
    }

    /// Returns the category of the failure.
    #[must_use]
    pub fn code(&self) -> FailureCode {
        self.code
    }

    /// Returns the message for the model.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Splits the failure into the fields of the contract's record: code, message, details as JSON.
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
        match error.source() {
            Some(cause) => failure.because(cause),
            None => failure,
        }
    }
}

/// An error that a tool can return. For `How`, see [`Argument`](crate::arguments::Argument).
#[diagnostic::on_unimplemented(
    message = "a tool cannot fail with `{Self}`",
    label = "neither a `Failure` nor a `std::error::Error`",
    note = "return `Result<T>`, whose error is `Failure`: `?` converts any error, and `invalid!`, `unavailable!` and `denied!` create one from a message"
)]
pub trait IntoFailure<How> {
    /// Converts the error to a failure.
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

/// Converts a tool's error to a failure.
pub fn failure<How, E: IntoFailure<How>>(error: E) -> Failure {
    error.into_failure()
}

/// Creates a failure for invalid input: `return Err(invalid!("no city called {city:?}"))`.
#[macro_export]
macro_rules! invalid {
    ($($message:tt)+) => { $crate::Failure::new($crate::FailureCode::InvalidInput, ::std::format!($($message)+)) };
}

/// Creates a failure for an unavailable resource: `unavailable!("the forecast service answered {status}")`.
#[macro_export]
macro_rules! unavailable {
    ($($message:tt)+) => { $crate::Failure::new($crate::FailureCode::Unavailable, ::std::format!($($message)+)) };
}

/// Creates a failure for a call that the person or the policy denied: `denied!("this list is read-only")`.
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
    fn a_denied_approval_is_a_denied_failure() {
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
    fn each_cause_appears_once_in_the_message() {
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
    fn macros_set_the_code_of_the_failure() {
        let city = "Oslo";
        assert_eq!(
            invalid!("no city called {city:?}").to_string(),
            "invalid-input: no city called \"Oslo\""
        );
        assert_eq!(unavailable!("down").code(), FailureCode::Unavailable);
        assert_eq!(denied!("no").code(), FailureCode::Denied);
    }
}
