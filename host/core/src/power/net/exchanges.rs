//! Requests that something else than the network answers, and records of what the network answered.

use super::exchange::{ExchangeError, Received, Traffic};
use crate::sandbox::bindings::footlight::plugin::http::{Request, Response};
use crate::sandbox::limits::Caps;

/// A request of a plugin as the plugin wrote it, without secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpRequest {
    /// The method.
    pub method: String,
    /// The URL.
    pub url: String,
    /// The headers that the plugin set.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

/// A response as a plugin gets it, without secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HttpResponse {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// Returns a response.
    #[must_use]
    pub fn new(status: u16, headers: Vec<(String, String)>, body: Vec<u8>) -> Self {
        Self {
            status,
            headers,
            body,
        }
    }
}

/// Why a request has no response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum HttpFailure {
    /// The host has no address, or cannot be connected to.
    Unreachable,
    /// No connection was made in time.
    TimedOut,
    /// The request was sent, and not answered in time.
    Unanswered,
    /// The connection was closed before the response was complete.
    Closed,
    /// The response is not valid HTTP.
    Malformed,
    /// The response is too large.
    TooLarge,
}

/// Somebody who answers requests of plugins in place of the network, or records what it answers, see
/// [`Simulation::exchanges`](crate::Simulation::exchanges). Requests get here once they were allowed.
///
/// It is called on the task of the call and must not block.
pub trait Exchanges: Send + Sync {
    /// Answers a request; with none, it goes to the network.
    fn answer(&self, request: &HttpRequest) -> Option<Result<HttpResponse, HttpFailure>>;

    /// Takes notice of an answer, from wherever it came, as the plugin gets it.
    fn answered(&self, request: HttpRequest, answer: Result<HttpResponse, HttpFailure>) {
        let _ = (request, answer);
    }
}

impl HttpRequest {
    pub(super) fn of(request: &Request) -> Self {
        Self {
            method: request.method.clone(),
            url: request.url.clone(),
            headers: request.headers.clone(),
            body: request.body.clone(),
        }
    }
}

impl HttpResponse {
    pub(super) fn of(response: &Response) -> Self {
        Self {
            status: response.status,
            headers: response.headers.clone(),
            body: response.body.clone(),
        }
    }
}

impl HttpFailure {
    pub(super) fn of(error: &ExchangeError, traffic: &Traffic) -> Self {
        match error {
            ExchangeError::TimedOut if traffic.sent() == 0 => Self::TimedOut,
            ExchangeError::TimedOut => Self::Unanswered,
            ExchangeError::Closed => Self::Closed,
            ExchangeError::Malformed | ExchangeError::Encoding => Self::Malformed,
            ExchangeError::TooLarge(_) => Self::TooLarge,
            ExchangeError::Address(_)
            | ExchangeError::NoAddress
            | ExchangeError::Unreachable
            | ExchangeError::Certificate(_)
            | ExchangeError::Tls
            | ExchangeError::Setup(_) => Self::Unreachable,
        }
    }
}

/// Counts an answer as if it had come over a connection, and returns it.
pub(super) fn received(
    request: &HttpRequest,
    answer: Result<HttpResponse, HttpFailure>,
    traffic: &Traffic,
) -> Result<Received, ExchangeError> {
    let sent = request.body.len() as u64;
    match answer {
        Ok(response) => {
            traffic.count(sent.max(1), response.body.len() as u64);
            if response.body.len() > Caps::RESPONSE_BODY {
                return Err(ExchangeError::TooLarge(Caps::RESPONSE_BODY as u64));
            }
            let headers = response.headers.into_iter();
            Ok(Received {
                status: response.status,
                headers: headers
                    .map(|(name, value)| (name.to_ascii_lowercase(), value))
                    .collect(),
                body: response.body,
            })
        }
        Err(HttpFailure::Unreachable) => Err(ExchangeError::Unreachable),
        Err(HttpFailure::TimedOut) => Err(ExchangeError::TimedOut),
        Err(failure) => {
            traffic.count(sent.max(1), 0);
            Err(match failure {
                HttpFailure::Closed => ExchangeError::Closed,
                HttpFailure::Malformed => ExchangeError::Malformed,
                HttpFailure::TooLarge => ExchangeError::TooLarge(Caps::RESPONSE_BODY as u64),
                _ => ExchangeError::TimedOut,
            })
        }
    }
}
