//! Headers of requests and responses.
//!
//! A guest cannot set what frames a message or routes it: with those a request could carry a second
//! one. Secrets are added last and replace what the guest wrote under their names.

use crate::sandbox::limits::Caps;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};

/// Headers of a request that only the host sets.
#[rustfmt::skip]
const SET_BY_HOST: &[&str] = &[
    "accept-encoding", "connection", "content-length", "expect", "host", "http2-settings",
    "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
];

/// Headers of a response that are about the connection and not about the content.
const HOP_BY_HOP: &[&str] = &[
    "connection",
    "keep-alive",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Why the headers of a guest are refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HeaderError {
    #[error("the request has more than {} headers", Caps::REQUEST_HEADERS)]
    TooMany,
    #[error(
        "the headers have more than {} bytes together",
        Caps::REQUEST_HEADER_BYTES
    )]
    TooLarge,
    #[error("the header `{0}` is set by the host; leave it out")]
    SetByHost(String),
    #[error("a header's name is not a name; use letters, digits and `-`")]
    Name,
    #[error("the value of the header `{0}` has characters other than visible ASCII and spaces")]
    Value(String),
}

/// Checks the headers of a guest.
pub(crate) fn checked(headers: &[(String, String)]) -> Result<HeaderMap, HeaderError> {
    if headers.len() > Caps::REQUEST_HEADERS {
        return Err(HeaderError::TooMany);
    }
    let bytes = headers.iter().map(|(name, value)| name.len() + value.len());
    if bytes.sum::<usize>() > Caps::REQUEST_HEADER_BYTES {
        return Err(HeaderError::TooLarge);
    }
    let mut map = HeaderMap::with_capacity(headers.len() + 4);
    for (name, value) in headers {
        let name = HeaderName::try_from(name.as_str()).map_err(|_| HeaderError::Name)?;
        if SET_BY_HOST.contains(&name.as_str()) || name.as_str().starts_with("proxy-") {
            return Err(HeaderError::SetByHost(name.as_str().to_owned()));
        }
        let value = HeaderValue::from_str(value)
            .ok()
            .filter(|_| value.is_ascii());
        let Some(value) = value else {
            return Err(HeaderError::Value(name.as_str().to_owned()));
        };
        map.append(name, value);
    }
    Ok(map)
}

/// Adds the headers that only the host sets.
pub(crate) fn add_own(headers: &mut HeaderMap, authority: &str) -> Result<(), HeaderError> {
    let host =
        HeaderValue::from_str(authority).map_err(|_| HeaderError::Value("host".to_owned()))?;
    headers.insert(header::HOST, host);
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    let agent = HeaderValue::from_static(concat!("footlight/", env!("CARGO_PKG_VERSION")));
    headers.entry(header::USER_AGENT).or_insert(agent);
    Ok(())
}

/// Returns the headers of a response for a guest, in order, without those of the connection.
pub(crate) fn received(headers: &HeaderMap) -> Vec<(String, String)> {
    let content = headers
        .iter()
        .filter(|(name, _)| !HOP_BY_HOP.contains(&name.as_str()));
    let texts = content.map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
        (name.as_str().to_owned(), value)
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, value: &str) -> Result<HeaderMap, HeaderError> {
        checked(&[(name.to_owned(), value.to_owned())])
    }

    #[test]
    fn what_frames_or_routes_a_message_is_set_by_the_host_alone() {
        let forbidden = SET_BY_HOST.iter().copied();
        for name in forbidden.chain([
            "Host",
            "TRANSFER-ENCODING",
            "proxy-authorization",
            "Proxy-Connection",
        ]) {
            let refused = HeaderError::SetByHost(name.to_ascii_lowercase());
            assert_eq!(check(name, "x"), Err(refused), "{name}");
        }
        for name in [
            "cookie",
            "Authorization",
            "accept",
            "x-forwarded-for",
            "range",
            "user-agent",
        ] {
            assert!(check(name, "x").is_ok(), "{name}");
        }
    }

    #[test]
    fn no_header_can_end_its_line() {
        for name in [
            "", "a b", "a:b", "a\r\nb", "a\nb", "a\0", "é", "(a)", " a", "a\t",
        ] {
            assert_eq!(check(name, "x"), Err(HeaderError::Name), "{name:?}");
        }
        for value in [
            "a\r\nb: c",
            "a\nb",
            "a\rb",
            "a\0",
            "\u{7f}",
            "é",
            "\u{85}",
            "a\r\n b",
        ] {
            let refused = HeaderError::Value("x-a".to_owned());
            assert_eq!(check("x-a", value), Err(refused), "{value:?}");
        }
    }

    #[test]
    fn the_number_and_the_size_of_headers_are_bounded() {
        let many = vec![("a".to_owned(), String::new()); Caps::REQUEST_HEADERS + 1];
        assert_eq!(checked(&many), Err(HeaderError::TooMany));
        let long = "x".repeat(Caps::REQUEST_HEADER_BYTES);
        assert_eq!(check("a", &long), Err(HeaderError::TooLarge));
    }
}
