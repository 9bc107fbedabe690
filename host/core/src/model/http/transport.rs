//! Sends requests to a provider over HTTP.
//!
//! Invariants: a request goes only to the address it was made for. No redirect is followed, and an
//! address without TLS is reached without a proxy, which would see the key. TLS is configured
//! without installing anything globally. No error holds the key.

use super::retry::{RetryPolicy, is_retryable, retry_after};
use crate::model::providers::key::Key;
use crate::model::providers::profile::Profile;
use crate::model::wire::{HttpRequest, error_response, unreachable};
use crate::model::{ModelError, ModelErrorKind};
use crate::tls;
use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, Response, Url, redirect};
use std::error::Error as _;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

/// How much of an error response is read, in bytes.
const MAX_ERROR_BODY: usize = 64 << 10;

/// A connection to one provider.
#[derive(Debug)]
pub(crate) struct Transport {
    pub(crate) profile: Profile,
    pub(crate) base: Url,
    pub(crate) key: Option<Key>,
    pub(crate) policy: RetryPolicy,
    /// Certificates to trust instead of the system's, as PEM.
    pub(crate) roots: Option<Vec<u8>>,
    pub(crate) client: OnceLock<Client>,
}

/// A failed attempt.
#[derive(Debug)]
pub(crate) struct AttemptError {
    pub(crate) error: ModelError,
    pub(crate) may_retry: bool,
    /// The wait that the server asks for.
    pub(crate) wait: Option<Duration>,
}

impl Transport {
    /// Sends a request and returns the response, if its status is a success.
    pub(crate) async fn send(&self, request: &HttpRequest) -> Result<Response, AttemptError> {
        let request = self.request(request).map_err(AttemptError::fatal)?;
        let client = self.client().map_err(AttemptError::fatal)?;
        let limit = self.policy.connect + self.policy.first_byte;
        let response = match tokio::time::timeout(limit, client.execute(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err(AttemptError::retryable(self.disconnected(&error))),
            Err(_) => return Err(AttemptError::retryable(self.timed_out("does not answer"))),
        };
        if response.status().is_success() {
            return Ok(response);
        }
        Err(self.read_error(response).await)
    }

    /// Reads the next piece of a response; `None` at its end.
    pub(crate) async fn read(
        &self,
        response: &mut Response,
    ) -> Result<Option<Vec<u8>>, AttemptError> {
        match tokio::time::timeout(self.policy.idle, response.chunk()).await {
            Ok(Ok(piece)) => Ok(piece.map(|piece| piece.to_vec())),
            Ok(Err(error)) => Err(AttemptError::retryable(self.disconnected(&error))),
            Err(_) => {
                let error = self.timed_out("stopped in the middle of its answer");
                Err(AttemptError::retryable(error))
            }
        }
    }

    fn request(&self, request: &HttpRequest) -> Result<reqwest::Request, ModelError> {
        let method = reqwest::Method::from_bytes(request.method.as_bytes()).ok();
        let base = self.base.as_str().trim_end_matches('/');
        let url = Url::parse(&format!("{base}{}", request.path)).ok();
        let (Some(method), Some(url)) = (method, url) else {
            return Err(self.unusable("the address"));
        };
        let mut sent = reqwest::Request::new(method, url);
        for (name, value) in &request.headers {
            let header = header(name, value).ok_or_else(|| self.unusable("a header"))?;
            sent.headers_mut().insert(header.0, header.1);
        }
        if let (Some(key), Some(place)) = (&self.key, &self.profile.key) {
            let value = format!("{}{}", place.prefix, key.reveal());
            let header = header(&place.header, &value);
            let (name, mut value) = header.ok_or_else(|| self.unusable("the header of the key"))?;
            value.set_sensitive(true);
            sent.headers_mut().insert(name, value);
        }
        *sent.body_mut() = Some(request.body.clone().into());
        Ok(sent)
    }

    /// Returns the client. It is built on first use, because loading the system's certificates is slow.
    fn client(&self) -> Result<&Client, ModelError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let tls = self.base.scheme() == "https";
        let config = tls::config(self.roots.as_deref(), tls).map_err(|what| unreachable(&what))?;
        let mut client = Client::builder()
            .tls_backend_preconfigured(config)
            .redirect(redirect::Policy::none())
            .connect_timeout(self.policy.connect)
            .user_agent(concat!("footlight/", env!("CARGO_PKG_VERSION")));
        if !tls {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|_| {
            unreachable("the HTTP client cannot be set up; check the proxy settings")
        })?;
        Ok(self.client.get_or_init(|| client))
    }

    async fn read_error(&self, mut response: Response) -> AttemptError {
        let status = response.status().as_u16();
        let header = |name| response.headers().get(name).and_then(|v| v.to_str().ok());
        let (millis, after) = (header("retry-after-ms"), header("retry-after"));
        let wait = retry_after(millis, after, SystemTime::now());
        let mut body = Vec::new();
        while let Ok(Some(piece)) = self.read(&mut response).await {
            body.extend_from_slice(&piece[..piece.len().min(MAX_ERROR_BODY - body.len())]);
            if body.len() == MAX_ERROR_BODY {
                break;
            }
        }
        let body = String::from_utf8_lossy(&body);
        if response.status().is_redirection() {
            let host = self.host();
            let message =
                format!("`{host}` redirects to another address (http {status}); use that address");
            return AttemptError::fatal(ModelError::new(ModelErrorKind::Refused, message));
        }
        tracing::debug!(status, provider = %self.profile.name, said = %self.without_key(&body), "the provider answered with an error");
        let error = error_response(&self.profile, status, &body, wait);
        AttemptError {
            // An account without credit answers 429 too, and no wait helps.
            may_retry: is_retryable(status) && error.kind != ModelErrorKind::Refused,
            error,
            wait,
        }
    }

    /// Removes the key from an error: a server may repeat what it was sent.
    pub(crate) fn scrub(&self, mut error: ModelError) -> ModelError {
        error.message = self.without_key(&error.message);
        error
    }

    fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => key.scrub(text),
            None => text.to_owned(),
        }
    }

    fn disconnected(&self, error: &reqwest::Error) -> ModelError {
        let host = self.host();
        // Only the innermost cause is shown: the outer ones repeat the address.
        let mut cause = error.source();
        while let Some(inner) = cause.and_then(std::error::Error::source) {
            cause = Some(inner);
        }
        let cause = cause.map(|cause| format!(" ({cause})")).unwrap_or_default();
        unreachable(&if error.is_connect() {
            format!("`{host}` cannot be reached{cause}; check that it runs and that you are online")
        } else {
            format!("`{host}` closed the connection{cause}; ask again")
        })
    }

    fn timed_out(&self, what: &str) -> ModelError {
        unreachable(&format!("`{}` {what}; try again later", self.host()))
    }

    fn unusable(&self, what: &str) -> ModelError {
        let name = &self.profile.name;
        let message = format!("{what} of `{name}` cannot be used; check its profile");
        ModelError::new(ModelErrorKind::Refused, message)
    }

    fn host(&self) -> &str {
        self.base.host_str().unwrap_or("the provider")
    }
}

fn header(name: &str, value: &str) -> Option<(HeaderName, HeaderValue)> {
    let value = HeaderValue::try_from(value).ok()?;
    Some((HeaderName::try_from(name).ok()?, value))
}

impl AttemptError {
    pub(crate) fn fatal(error: ModelError) -> Self {
        Self {
            error,
            may_retry: false,
            wait: None,
        }
    }

    pub(crate) fn retryable(error: ModelError) -> Self {
        Self {
            may_retry: true,
            ..Self::fatal(error)
        }
    }
}
