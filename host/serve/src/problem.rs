//! Errors of the API, as `application/problem+json` (RFC 9457).
//!
//! A program matches `code`; `detail` is for people. No problem repeats what a client sent, so that no
//! answer can carry a stranger's text.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use footlight::session::{PressError, ResumeError, RetryError, SettleError, TurnError};
use footlight::store::StoreError;
use footlight_vocabulary::failure::FailureCode;
use schemars::JsonSchema;
use serde::Serialize;

/// The media type of a problem.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// Why a request was not carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// The request is not what the route takes.
    Invalid,
    /// The request has no valid token.
    Unauthorized,
    /// The request comes from a place that may not make it, or its token does not permit it.
    Forbidden,
    /// There is no such thing, or it belongs to somebody else.
    NotFound,
    /// The route does not have this method.
    Method,
    /// Another request came first, or what it refers to has changed meanwhile.
    Conflict,
    /// A turn of this session is running or unfinished.
    Busy,
    /// The request is larger than it may be.
    TooLarge,
    /// The body is not JSON.
    MediaType,
    /// The requested range is not in the output.
    Range,
    /// Too many requests; `Retry-After` says when to try again.
    RateLimit,
    /// The server failed, or is shutting down.
    Unavailable,
    /// The server does not do this.
    Unsupported,
}

impl ProblemCode {
    fn status(self) -> StatusCode {
        match self {
            Self::Invalid => StatusCode::BAD_REQUEST,
            Self::Unauthorized => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict | Self::Busy => StatusCode::CONFLICT,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Range => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::RateLimit => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Unsupported => StatusCode::NOT_IMPLEMENTED,
        }
    }
}

/// An error of the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Problem {
    /// The reason phrase of the status.
    pub title: &'static str,
    /// The status of the response.
    pub status: u16,
    /// The reason, for programs.
    pub code: ProblemCode,
    /// The reason, for people.
    pub detail: String,
    /// The failure behind it, if there is one: a word that the model would be told as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<FailureCode>,
    /// With the code `rate_limit`: the seconds until the next request is accepted.
    #[serde(rename = "retryAfter", skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
}

impl Problem {
    pub(crate) fn new(code: ProblemCode, detail: impl Into<String>) -> Self {
        let status = code.status();
        Self {
            title: status.canonical_reason().unwrap_or_default(),
            status: status.as_u16(),
            code,
            detail: detail.into(),
            failure: None,
            retry_after: None,
        }
    }

    fn because(mut self, failure: impl Into<Option<FailureCode>>) -> Self {
        self.failure = failure.into();
        self
    }

    /// The answer for everything that a person cannot reach: it tells nobody what exists.
    pub(crate) fn not_found() -> Self {
        Self::new(ProblemCode::NotFound, "there is nothing here")
    }

    pub(crate) fn invalid(detail: impl Into<String>) -> Self {
        Self::new(ProblemCode::Invalid, detail)
    }

    pub(crate) fn forbidden(detail: &str) -> Self {
        Self::new(ProblemCode::Forbidden, detail)
    }

    pub(crate) fn unsupported(detail: &str) -> Self {
        Self::new(ProblemCode::Unsupported, detail)
    }

    pub(crate) fn rate_limit(seconds: u64) -> Self {
        let detail = format!("too many requests; try again in {seconds} s");
        Self {
            retry_after: Some(seconds),
            ..Self::new(ProblemCode::RateLimit, detail)
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.code.status();
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NoSession(_) => Self::not_found(),
            StoreError::Owned { .. } => Self::new(
                ProblemCode::Busy,
                "a turn of this session is running; wait for its end or cancel it",
            ),
            error => {
                tracing::error!(error = %error, "the store failed");
                Self::new(ProblemCode::Unavailable, "the store failed")
                    .because(FailureCode::Unavailable)
            }
        }
    }
}

impl From<ResumeError> for Problem {
    fn from(error: ResumeError) -> Self {
        match error {
            ResumeError::Store(error) => error.into(),
            _ => Self::not_found(),
        }
    }
}

impl From<TurnError> for Problem {
    fn from(error: TurnError) -> Self {
        let code = match error {
            TurnError::KeyTaken | TurnError::Repeated(_) => ProblemCode::Conflict,
            TurnError::ShutDown => ProblemCode::Unavailable,
            _ => ProblemCode::Busy,
        };
        Self::new(code, error.to_string())
    }
}

impl From<PressError> for Problem {
    fn from(error: PressError) -> Self {
        let (code, failure) = match error {
            PressError::Turn(error) => return error.into(),
            PressError::WidgetRemoved | PressError::WidgetChanged => (ProblemCode::Conflict, None),
            PressError::TooLarge => (ProblemCode::TooLarge, Some(FailureCode::Limit)),
            PressError::NoPlugin(_) => (ProblemCode::Forbidden, Some(FailureCode::Unavailable)),
            _ => (ProblemCode::Invalid, Some(FailureCode::InvalidInput)),
        };
        Self::new(code, error.to_string()).because(failure)
    }
}

impl From<RetryError> for Problem {
    fn from(error: RetryError) -> Self {
        match error {
            RetryError::Turn(error) => error.into(),
            _ => Self::not_found(),
        }
    }
}

impl From<SettleError> for Problem {
    fn from(error: SettleError) -> Self {
        let (code, failure) = match error {
            SettleError::Store(error) => return error.into(),
            SettleError::Unknown => return Self::not_found(),
            SettleError::Settled(_) => (ProblemCode::Conflict, None),
            SettleError::Interrupted(_) => (ProblemCode::Conflict, Some(FailureCode::Interrupted)),
            SettleError::Secret | SettleError::NeedsFolder => {
                (ProblemCode::Forbidden, Some(FailureCode::Denied))
            }
            _ => (ProblemCode::Invalid, Some(FailureCode::InvalidInput)),
        };
        Self::new(code, error.to_string()).because(failure)
    }
}
