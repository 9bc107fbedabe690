//! Downloads with bounds: of size, of time, and of where a redirect leads.
//!
//! Invariant: a redirect leads to the same origin, or from TLS to TLS on another machine, and no login
//! goes along.

use super::digest::Sha256;
use crate::http_client;
use footlight_render::filter;
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url, header};
use std::net::IpAddr;
use std::time::Duration;

/// How long one request may take, with everything that is sent and received.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(300);

/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(60);

/// How many redirects are followed.
const MAX_REDIRECTS: usize = 3;

/// The most bytes of an answer that says what went wrong.
const MAX_PROBLEM: usize = 8 << 10;

/// Why something was not fetched or sent.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TransferError {
    #[error("`{0}` cannot be reached")]
    Unreachable(String),
    #[error("the connection to `{0}` was lost, or took too long")]
    Lost(String),
    /// The login that is known, if any, is not enough.
    #[error("`{0}` does not allow this without a login that may")]
    Unauthorized(String),
    #[error("there is no `{0}`")]
    NotFound(String),
    #[error("`{host}` answers with status {status}{detail}")]
    Refused {
        host: String,
        status: u16,
        detail: String,
    },
    #[error("`{from}` redirects to `{to}`, which is not followed")]
    Redirected { from: String, to: String },
    #[error("{what} of `{host}` is larger than {most} bytes")]
    TooLarge {
        what: &'static str,
        host: String,
        most: usize,
    },
    #[error("{what} is not what its digest says: {expected} was expected, and {found} came")]
    Digest {
        what: &'static str,
        expected: Sha256,
        found: Sha256,
    },
    /// What came is no artifact with a component, for this reason.
    #[error("`{host}` sends no plugin: {reason}")]
    Layout { host: String, reason: String },
    /// The registry accepts an upload without saying where to send it.
    #[error("`{0}` does not say where to send an upload")]
    NoUploadPlace(String),
    /// The registry sends the login somewhere else.
    #[error("`{host}` wants the login to be sent to `{realm}`, which is not allowed")]
    Realm { host: String, realm: String },
    #[error("the HTTP client cannot be set up: {0}")]
    Setup(String),
}

/// Creates a client for one server.
pub(super) fn client(server: &Url) -> Result<Client, TransferError> {
    let setup = |error: String| TransferError::Setup(error);
    let builder = http_client::builder(server).map_err(|error| setup(format!("{error:#}")))?;
    let builder = builder.timeout(REQUEST_TIMEOUT).read_timeout(SILENCE);
    builder.build().map_err(|error| setup(error.to_string()))
}

/// Returns the host and port of a URL, for people and for comparisons.
pub(super) fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Reports whether two URLs have the same scheme, host and port.
pub(super) fn is_same_origin(a: &Url, b: &Url) -> bool {
    a.scheme() == b.scheme() && authority(a) == authority(b)
}

/// Sends a request.
pub(super) async fn send(request: RequestBuilder, url: &Url) -> Result<Response, TransferError> {
    let host = authority(url);
    request
        .send()
        .await
        .map_err(|error| match error.is_connect() {
            true => TransferError::Unreachable(host),
            false => TransferError::Lost(host),
        })
}

/// Downloads a URL, from wherever it redirects to.
pub(super) async fn download(
    url: &Url,
    what: &'static str,
    most: usize,
) -> Result<Vec<u8>, TransferError> {
    let response = send(client(url)?.get(url.clone()), url).await?;
    let (response, url) = follow(response, url.clone()).await?;
    read(checked(response, &url).await?, &url, what, most).await
}

/// Follows the redirects of an answer, without a login.
pub(super) async fn follow(
    mut response: Response,
    mut url: Url,
) -> Result<(Response, Url), TransferError> {
    for _ in 0..MAX_REDIRECTS {
        if !response.status().is_redirection() {
            return Ok((response, url));
        }
        let location = response.headers().get(header::LOCATION);
        let location = location.and_then(|value| value.to_str().ok());
        url = redirect_target(&url, location.unwrap_or_default())?;
        response = send(client(&url)?.get(url.clone()), &url).await?;
    }
    match response.status().is_redirection() {
        true => Err(TransferError::Redirected {
            from: authority(&url),
            to: "yet another place".to_owned(),
        }),
        false => Ok((response, url)),
    }
}

/// Returns where a redirect leads, if it may lead there.
fn redirect_target(from: &Url, location: &str) -> Result<Url, TransferError> {
    let refused = || TransferError::Redirected {
        from: authority(from),
        to: filter::line(location, 200),
    };
    let to = from.join(location).map_err(|_| refused())?;
    let is_encrypted = from.scheme() == "https" && to.scheme() == "https";
    let has_login = !to.username().is_empty() || to.password().is_some();
    // A server elsewhere has nothing to ask of this machine.
    let may_follow = is_same_origin(from, &to) || is_encrypted && !leads_here(&to);
    match may_follow && !has_login {
        true => Ok(to),
        false => Err(refused()),
    }
}

/// Reports whether a URL can be one of this machine, in any spelling.
pub(super) fn leads_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let address = host.trim_start_matches('[').trim_end_matches(']');
    match address
        .parse::<IpAddr>()
        .map(|address| address.to_canonical())
    {
        Ok(address) => address.is_loopback() || address.is_unspecified(),
        Err(_) => host == "localhost" || host.ends_with(".localhost"),
    }
}

/// Returns an answer of success, or says what the answer says.
pub(super) async fn checked(response: Response, url: &Url) -> Result<Response, TransferError> {
    let (status, host) = (response.status(), authority(url));
    match status {
        status if status.is_success() => Ok(response),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(TransferError::Unauthorized(host)),
        StatusCode::NOT_FOUND => Err(TransferError::NotFound(filter::line(url.as_str(), 300))),
        status if status.is_redirection() => Err(TransferError::Redirected {
            from: host,
            to: "another place".to_owned(),
        }),
        status => {
            let body = read(response, url, "the answer", MAX_PROBLEM).await;
            let body = String::from_utf8_lossy(&body.unwrap_or_default()).into_owned();
            let detail = filter::line(body.trim(), 200);
            let detail = match detail.is_empty() {
                true => detail,
                false => format!(": {detail}"),
            };
            Err(TransferError::Refused {
                host,
                status: status.as_u16(),
                detail,
            })
        }
    }
}

/// Reads an answer of at most `most` bytes.
pub(super) async fn read(
    mut response: Response,
    url: &Url,
    what: &'static str,
    most: usize,
) -> Result<Vec<u8>, TransferError> {
    let host = authority(url);
    let mut body = Vec::new();
    while let Some(piece) = response
        .chunk()
        .await
        .map_err(|_| TransferError::Lost(host.clone()))?
    {
        if body.len() + piece.len() > most {
            return Err(TransferError::TooLarge { what, host, most });
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_redirect_stays_where_it_is_or_goes_from_tls_to_tls() {
        let may = |from: &str, location: &str| {
            let from = Url::parse(from).expect("is a URL");
            redirect_target(&from, location).map(String::from).ok()
        };
        let https = "https://r.example/v2/a/blobs/x";
        for (from, location, expected) in [
            (https, "/other", Some("https://r.example/other")),
            (
                https,
                "https://cdn.example/x?s=1",
                Some("https://cdn.example/x?s=1"),
            ),
            (https, "http://r.example/x", None),
            (https, "http://cdn.example/x", None),
            (https, "https://127.0.0.1/x", None),
            (https, "https://localhost:8443/x", None),
            (https, "https://[::1]/x", None),
            (https, "https://[::ffff:127.0.0.1]/x", None),
            (https, "https://0.0.0.0/x", None),
            (https, "https://[::]/x", None),
            (https, "https://127.1/x", None),
            (https, "https://localhost./x", None),
            (https, "https://a.localhost/x", None),
            (https, "http://127.0.0.1:8080/x", None),
            (https, "https://ada:secret@cdn.example/x", None),
            (https, "file:///etc/passwd", None),
            (https, "https://", None),
            (
                "http://127.0.0.1:5000/a",
                "/b",
                Some("http://127.0.0.1:5000/b"),
            ),
            ("http://127.0.0.1:5000/a", "http://127.0.0.1:5001/b", None),
            ("http://127.0.0.1:5000/a", "http://localhost:5000/b", None),
            ("http://127.0.0.1:5000/a", "https://a.example/b", None),
        ] {
            assert_eq!(
                may(from, location).as_deref(),
                expected,
                "{from} {location}"
            );
        }
    }
}
