//! Where a request goes: method and URL as a guest wrote them, parsed once.
//!
//! Everything afterwards uses the parts and never the text: the manifest is asked about them, the
//! person is shown them, and the request is written from them. So no second parser can read the text
//! differently. A host that can be spelled in several ways has to be spelled in the usual one.
//!
//! Invariant: pure. Nothing is looked up.

use footlight_vocabulary::manifest::{Method, Scheme};
use std::net::IpAddr;
use url::{Host, Url};

/// The most bytes of a URL.
const MAX_URL: usize = 8 << 10;

/// The destination of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Destination {
    /// The method.
    pub method: Method,
    /// The scheme.
    pub scheme: Scheme,
    /// The host name in lower case and ASCII, or an address as a URL writes it.
    pub host: String,
    /// The address, if the host is one.
    pub address: Option<IpAddr>,
    /// The port.
    pub port: u16,
    /// The path and the query, without dot segments.
    pub path: String,
}

/// Why a request has no destination.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DestinationError {
    /// No such method can be granted.
    #[error(
        "the method is not one of GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS in upper case"
    )]
    Method,
    /// The URL is too long.
    #[error("the URL has more than {MAX_URL} bytes; shorten it")]
    TooLong,
    /// The URL does not begin with `https://` or `http://` and a host.
    #[error("the URL is not absolute; begin it with `https://` and the host")]
    Relative,
    /// A character that programs treat differently.
    #[error("the URL contains a space, a control character or a backslash; percent-encode it")]
    Character,
    /// A user name or a password.
    #[error("the URL contains `@` in front of the host; remove the user name")]
    User,
    /// A fragment, which is never sent.
    #[error("the URL has a fragment; remove everything from `#` on")]
    Fragment,
    /// The host is written in an unusual way.
    #[error("the host is not written in its usual form; write `{0}`")]
    Spelling(String),
    /// Not a URL.
    #[error("the URL cannot be parsed")]
    Malformed,
}

impl Destination {
    /// Parses a method and an absolute URL.
    ///
    /// # Errors
    /// When the method cannot be granted, or the URL is not absolute, names a user, has a fragment or
    /// spells its host in an unusual way.
    pub fn parse(method: &str, url: &str) -> Result<Self, DestinationError> {
        let method = Method::parse(method).ok_or(DestinationError::Method)?;
        let authority = raw_authority(url)?;
        let parsed = Url::parse(url).map_err(|_| DestinationError::Malformed)?;
        let scheme = Scheme::parse(parsed.scheme()).ok_or(DestinationError::Relative)?;
        let address = match parsed.host().ok_or(DestinationError::Relative)? {
            Host::Domain(_) => None,
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
        };
        let host = parsed.host_str().ok_or(DestinationError::Relative)?;
        let port = parsed.port().unwrap_or(scheme.default_port());
        check_spelling(authority, host, address, port, scheme)?;
        let path = parsed[url::Position::BeforePath..].to_owned();
        let destination = Self {
            method,
            scheme,
            host: host.to_owned(),
            address,
            port,
            path,
        };
        match destination.is_agreed() {
            true => Ok(destination),
            false => Err(DestinationError::Malformed),
        }
    }

    /// Reports whether another parser reads the same host and path in the URL as it is written from
    /// its parts.
    fn is_agreed(&self) -> bool {
        let url = format!("{}{}", self.origin(), self.path);
        let uri: Option<http::Uri> = url.parse().ok();
        uri.is_some_and(|uri| {
            let path = uri.path_and_query().map(http::uri::PathAndQuery::as_str);
            uri.host() == Some(self.host.as_str()) && path == Some(self.path.as_str())
        })
    }

    /// Returns the host, with the port unless it is the scheme's default.
    #[must_use]
    pub fn authority(&self) -> String {
        match self.port == self.scheme.default_port() {
            true => self.host.clone(),
            false => format!("{}:{}", self.host, self.port),
        }
    }

    /// Returns the origin, such as `https://api.example.com`.
    #[must_use]
    pub fn origin(&self) -> String {
        format!("{}://{}", self.scheme.as_str(), self.authority())
    }

    /// Returns the path without the query.
    #[must_use]
    pub fn path_without_query(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }
}

/// Checks what a parser would repair silently, and returns the text between scheme and path.
fn raw_authority(url: &str) -> Result<&str, DestinationError> {
    if url.len() > MAX_URL {
        return Err(DestinationError::TooLong);
    }
    if url
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || c == '\\')
    {
        return Err(DestinationError::Character);
    }
    let (scheme, rest) = url.split_once("://").ok_or(DestinationError::Relative)?;
    if Scheme::parse(&scheme.to_ascii_lowercase()).is_none() {
        return Err(DestinationError::Relative);
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    if authority.is_empty() {
        return Err(DestinationError::Relative);
    }
    if authority.contains('@') {
        return Err(DestinationError::User);
    }
    if rest.contains('#') {
        return Err(DestinationError::Fragment);
    }
    Ok(authority)
}

/// Checks that the host is written as the parser writes it, in any case. A name in another script
/// must become one in the `xn--` form, not one that looks different in ASCII.
fn check_spelling(
    written: &str,
    host: &str,
    address: Option<IpAddr>,
    port: u16,
    scheme: Scheme,
) -> Result<(), DestinationError> {
    let lower = written.to_ascii_lowercase();
    let without_port = match lower.strip_suffix(&format!(":{port}")) {
        Some(without) => without,
        None if port == scheme.default_port() => &lower,
        None => return Err(DestinationError::Spelling(format!("{host}:{port}"))),
    };
    let is_usual = match written.is_ascii() {
        true => without_port == host,
        false => address.is_none() && host.contains("xn--") && !without_port.contains([':', '%']),
    };
    match is_usual {
        true => Ok(()),
        false => Err(DestinationError::Spelling(host.to_owned())),
    }
}
