//! Requests to a running `footlight serve`.
//!
//! Invariant: the token is sent to a machine other than this one over TLS alone, and never printed.

use crate::data::{self, Data};
use crate::exit::ExitError;
use crate::http_client::{self, is_loopback};
use anyhow::{Context, Result};
use footlight_render::filter;
use reqwest::{Method, RequestBuilder, Response, Url, header};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Where a token is read from if no file has it.
pub(super) const TOKEN_VARIABLE: &str = "FOOTLIGHT_TOKEN";

/// The most bytes of a file with a token.
const MAX_TOKEN_FILE: usize = 4 << 10;

/// The most bytes of an answer: a session with everything in it.
pub(super) const MAX_ANSWER: usize = 64 << 20;

/// How long a request may take that is not a stream.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a stream may be silent. The server sends something every 15 seconds.
const SILENCE: Duration = Duration::from_secs(60);

/// How often a request is tried again after a connection was lost: for about two minutes.
pub(super) const TRIES: u32 = 30;

/// Why a server did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerError {
    /// Nothing listens there.
    #[error("no server answers at `{0}`")]
    Unreachable(String),
    /// The connection ended in the middle of an answer.
    #[error("the connection to `{0}` was lost")]
    Lost(String),
    /// The token cannot be read.
    #[error("the token cannot be read: {0}")]
    Token(String),
    /// The token is none of this server's.
    #[error("the server at `{0}` does not accept the token")]
    Unauthorized(String),
    /// What answers is no server of this version.
    #[error("the server at `{url}` is {what}, and this command is version {}", env!("CARGO_PKG_VERSION"))]
    Version {
        /// The server.
        url: String,
        /// What it is.
        what: String,
    },
    /// The server refused, for this reason.
    #[error("the server says: {detail}")]
    Refused {
        /// The status of the answer.
        status: u16,
        /// The reason, for people.
        detail: String,
    },
    /// The answer is not what the server promises.
    #[error("the answer of `{0}` cannot be read")]
    Unreadable(String),
}

impl ServerError {
    /// Reports whether the same request can succeed later: the server is starting, or busy.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            // A server that was started anew has another token, which its file has.
            Self::Unreachable(_) | Self::Lost(_) | Self::Unauthorized(_) => true,
            Self::Refused { status, .. } => [429, 503].contains(status),
            Self::Token(_) | Self::Version { .. } | Self::Unreadable(_) => false,
        }
    }

    /// Reports whether the person may not do that. Somebody else may.
    pub(crate) fn is_forbidden(&self) -> bool {
        matches!(self, Self::Refused { status: 403, .. })
    }

    /// Reports whether somebody else was faster, or there is nothing to settle any more.
    pub(crate) fn is_settled(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if [404, 409].contains(status))
    }
}

/// Where the token is.
#[derive(Debug)]
enum Token {
    /// In a file, which a restarted server writes anew.
    File(PathBuf),
    /// In the environment.
    Given(String),
}

/// A client of one server.
#[derive(Debug)]
pub(crate) struct Client {
    base: Url,
    token: Token,
    http: reqwest::Client,
}

impl Client {
    /// Creates a client. Nothing is sent yet.
    ///
    /// # Errors
    /// When the URL is not that of a server, or there is no token for it.
    pub(crate) fn new(url: &str, token_file: Option<PathBuf>, data: &Data) -> Result<Self> {
        let base = parse(url)?;
        let is_here = is_loopback(&base);
        if base.scheme() == "http" && !is_here {
            return Err(ExitError::usage(
                "`--server` with `http:` is for this machine alone, since the token would be sent in the clear; use `https:`",
            ));
        }
        let token = match token_file {
            Some(file) => Token::File(file),
            None => find_token(&base, is_here, data)?,
        };
        let http = http_client::builder(&base)?.read_timeout(SILENCE);
        let http = http.build().context("the HTTP client cannot be set up")?;
        Ok(Self { base, token, http })
    }

    /// Returns the address, for people.
    pub(crate) fn url(&self) -> String {
        filter::line(self.base.as_str().trim_end_matches('/'), 200)
    }

    /// Returns the token. It is read each time, because a server that starts again writes another one.
    fn token(&self) -> Result<String, ServerError> {
        let text = match &self.token {
            Token::Given(token) => token.clone(),
            // A file that has gone is that of a server that has ended.
            Token::File(path) => match data::read_private(path, MAX_TOKEN_FILE) {
                Ok(Some(text)) => text,
                Ok(None) => return Err(ServerError::Unauthorized(self.url())),
                Err(error) => return Err(ServerError::Token(format!("{error:#}"))),
            },
        };
        Ok(text.trim().to_owned())
    }

    fn request(&self, method: Method, path: &str) -> Result<RequestBuilder, ServerError> {
        let url = self.base.join(path).map_err(|_| self.unreadable())?;
        Ok(self.http.request(method, url).bearer_auth(self.token()?))
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, ServerError> {
        let response = request
            .send()
            .await
            .map_err(|error| match error.is_connect() {
                true => ServerError::Unreachable(self.url()),
                false => ServerError::Lost(self.url()),
            })?;
        match response.status().as_u16() {
            200..300 => Ok(response),
            401 => Err(ServerError::Unauthorized(self.url())),
            status => {
                let problem = self.read(response).await.unwrap_or_default();
                let detail = problem["detail"].as_str();
                let detail = detail.map_or_else(|| format!("status {status}"), str::to_owned);
                Err(ServerError::Refused { status, detail })
            }
        }
    }

    /// Reads an answer; null if it is empty.
    async fn read(&self, mut response: Response) -> Result<Value, ServerError> {
        let lost = |_| ServerError::Lost(self.url());
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(lost)? {
            if body.len() + piece.len() > MAX_ANSWER {
                return Err(self.unreadable());
            }
            body.extend_from_slice(&piece);
        }
        match body.is_empty() {
            true => Ok(Value::Null),
            false => serde_json::from_slice(&body).map_err(|_| self.unreadable()),
        }
    }

    pub(super) fn unreadable(&self) -> ServerError {
        ServerError::Unreadable(self.url())
    }

    /// Reads something.
    pub(crate) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ServerError> {
        let request = self.request(Method::GET, path)?.timeout(REQUEST_TIMEOUT);
        let answer = self.read(self.send(request).await?).await?;
        serde_json::from_value(answer).map_err(|_| self.unreadable())
    }

    /// Returns how long the server takes to answer.
    pub(crate) async fn time(&self, path: &str) -> Result<Duration, ServerError> {
        let request = self.request(Method::GET, path)?.timeout(REQUEST_TIMEOUT);
        let start = Instant::now();
        self.send(request).await?;
        Ok(start.elapsed())
    }

    /// Changes something.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Result<Value, ServerError> {
        let request = self.request(Method::POST, path)?;
        self.change(request, body).await
    }

    /// Changes something once, however often it is sent with this key.
    pub(super) async fn post_with_key(
        &self,
        path: &str,
        body: Value,
        key: &str,
    ) -> Result<Value, ServerError> {
        let request = self.request(Method::POST, path)?;
        self.change(request.header("idempotency-key", key), body)
            .await
    }

    async fn change(&self, request: RequestBuilder, body: Value) -> Result<Value, ServerError> {
        let request = request.header(header::CONTENT_TYPE, "application/json");
        let request = request.body(body.to_string()).timeout(REQUEST_TIMEOUT);
        self.read(self.send(request).await?).await
    }

    /// Changes something that does no harm if it is done twice. A lost connection is tried again.
    pub(crate) async fn post_again(&self, path: &str, body: Value) -> Result<Value, ServerError> {
        self.again(|| self.post(path, body.clone())).await
    }

    /// Does something, again and again for about two minutes while the server cannot be reached.
    pub(super) async fn again<T>(
        &self,
        attempt: impl AsyncFn() -> Result<T, ServerError>,
    ) -> Result<T, ServerError> {
        let mut tries = 0;
        loop {
            match attempt().await {
                Err(error) if error.is_passing() && tries < TRIES => tries += 1,
                done => return done,
            }
            tokio::time::sleep(pause(tries)).await;
        }
    }

    /// Cancels the running turn of a session.
    pub(crate) async fn cancel(&self, session: &str) -> Result<(), ServerError> {
        let path = format!("/api/sessions/{session}/cancel");
        self.post(&path, json!({})).await.map(drop)
    }

    /// Opens the live stream of a session after an event.
    pub(super) async fn events(&self, session: &str, after: u64) -> Result<Response, ServerError> {
        let path = format!("/api/sessions/{session}/events?after={after}");
        self.send(self.request(Method::GET, &path)?).await
    }
}

/// Returns how long to wait before the next try.
pub(super) fn pause(tries: u32) -> Duration {
    let millis = 100_u64.saturating_mul(1 << tries.min(8));
    Duration::from_millis(millis.min(5_000))
}

/// Reads the address of a server.
fn parse(url: &str) -> Result<Url> {
    let wrong = || {
        ExitError::usage(format!(
            "`--server {}` is not the address of a server; write it like http://127.0.0.1:7390",
            filter::line(url, 100)
        ))
    };
    let base = Url::parse(url).map_err(|_| wrong())?;
    let is_plain = base.username().is_empty()
        && base.password().is_none()
        && base.query().is_none()
        && base.fragment().is_none()
        && base.path() == "/";
    match base.scheme() {
        "http" | "https" if is_plain && base.has_host() => Ok(base),
        _ => Err(wrong()),
    }
}

/// Finds the token: in the file that a server on this machine writes, or in the environment.
fn find_token(base: &Url, is_here: bool, data: &Data) -> Result<Token> {
    // The token of a server here is not sent to one elsewhere.
    if is_here && let (Some(folder), Some(port)) = (data.location(), base.port_or_known_default()) {
        let file = folder.join(token_file_name(port));
        if file.exists() {
            return Ok(Token::File(file));
        }
    }
    match std::env::var(TOKEN_VARIABLE) {
        Ok(token) if !token.trim().is_empty() => Ok(Token::Given(token)),
        _ => Err(ExitError::usage(format!(
            "there is no token for this server; start it with `footlight serve`, name the file that it prints with `--token-file`, or set {TOKEN_VARIABLE}"
        ))),
    }
}

/// Returns the name of the file in the data folder that has the token of the server on a port.
pub(crate) fn token_file_name(port: u16) -> String {
    format!("serve-{port}.token")
}

/// Returns the port in the name of such a file.
pub(crate) fn token_file_port(name: &str) -> Option<u16> {
    let port = name.strip_prefix("serve-")?.strip_suffix(".token")?;
    port.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_of_a_server_is_accepted() {
        for url in [
            "http://127.0.0.1:7390",
            "http://localhost:1/",
            "https://tools.example",
        ] {
            assert!(parse(url).is_ok(), "{url}");
        }
        for url in [
            "",
            "7390",
            "127.0.0.1:7390",
            "ftp://a",
            "http://ada:secret@127.0.0.1",
            "http://127.0.0.1/api",
            "http://127.0.0.1/?token=x",
        ] {
            assert!(parse(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_token_leaves_the_machine_over_tls_alone() {
        let data = Data::new(Some(PathBuf::from("nowhere")));
        let open = |url: &str| Client::new(url, Some(PathBuf::from("token")), &data);
        assert!(open("http://127.0.0.1:7390").is_ok());
        assert!(open("http://127.9.9.9:7390").is_ok());
        for url in [
            "http://192.0.2.1:7390",
            "http://127.0.0.1.example",
            "http://[::2]",
        ] {
            assert!(open(url).is_err(), "{url}");
        }
    }

    #[test]
    fn a_lost_connection_is_tried_again_for_about_two_minutes() {
        let all: Duration = (1..=TRIES).map(pause).sum();
        assert!((60..180).contains(&all.as_secs()), "{all:?}");
    }
}
