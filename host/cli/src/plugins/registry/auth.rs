//! How a registry asks for a login, and the answer.

use super::credentials::Credentials;
use crate::plugins::transfer::{
    self, TransferError, authority, checked, is_same_origin, leads_here, read,
};
use footlight_render::filter;
use reqwest::header::{self, HeaderMap};
use reqwest::{RequestBuilder, Url};
use serde::Deserialize;

/// The most bytes of an answer with a token.
const MAX_TOKEN: usize = 64 << 10;

/// What requests carry.
pub(super) enum Authorization {
    None,
    /// The name and the password.
    Basic,
    Token(String),
}

impl Authorization {
    /// Adds it to a request.
    pub(super) fn add_to(
        &self,
        request: RequestBuilder,
        credentials: Option<&Credentials>,
    ) -> RequestBuilder {
        match (self, credentials) {
            (Self::Token(token), _) => request.bearer_auth(token),
            (Self::Basic, Some(login)) => request.basic_auth(&login.user, Some(&login.password)),
            _ => request,
        }
    }
}

/// What an answer with status 401 wants.
#[derive(Debug, PartialEq)]
pub(super) enum Challenge {
    Basic,
    Bearer {
        realm: String,
        service: Option<String>,
        scope: Option<String>,
    },
}

#[derive(Deserialize)]
struct TokenAnswer {
    token: Option<String>,
    access_token: Option<String>,
}

impl Challenge {
    /// Finds a challenge that can be answered.
    pub(super) fn find(headers: &HeaderMap) -> Option<Self> {
        let values = headers.get_all(header::WWW_AUTHENTICATE).iter();
        let mut challenges = values.filter_map(|value| Self::parse(value.to_str().ok()?));
        challenges.next()
    }

    fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        if scheme.eq_ignore_ascii_case("basic") {
            return Some(Self::Basic);
        }
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let parameters = parameters(rest);
        let of = |name: &str| {
            let mut found = parameters
                .iter()
                .filter(|(found, _)| found.as_str() == name);
            found.next().map(|(_, value)| value.clone())
        };
        Some(Self::Bearer {
            realm: of("realm")?,
            service: of("service"),
            scope: of("scope"),
        })
    }

    /// Answers the challenge of a registry: with the login, or with a token that is fetched for it.
    pub(super) async fn answer(
        self,
        registry: &Url,
        default_scope: &str,
        credentials: Option<&Credentials>,
    ) -> Result<Authorization, TransferError> {
        let (realm, service, scope) = match self {
            Self::Basic => return Ok(Authorization::Basic),
            Self::Bearer {
                realm,
                service,
                scope,
            } => (realm, service, scope),
        };
        let mut url = allowed_realm(registry, &realm).ok_or_else(|| TransferError::Realm {
            host: authority(registry),
            realm: filter::line(&realm, 200),
        })?;
        {
            let mut query = url.query_pairs_mut();
            if let Some(service) = &service {
                query.append_pair("service", service);
            }
            query.append_pair("scope", scope.as_deref().unwrap_or(default_scope));
        }
        let request = transfer::client(&url)?.get(url.clone());
        let request = match credentials {
            Some(login) => request.basic_auth(&login.user, Some(&login.password)),
            None => request,
        };
        let response = checked(transfer::send(request, &url).await?, &url).await?;
        let answer = read(response, &url, "the token", MAX_TOKEN).await?;
        let answer: Option<TokenAnswer> = serde_json::from_slice(&answer).ok();
        let token = answer.and_then(|answer| answer.token.or(answer.access_token));
        let is_header = |token: &String| token.bytes().all(|b| b.is_ascii_graphic());
        let token = token
            .filter(is_header)
            .ok_or_else(|| TransferError::Layout {
                host: authority(&url),
                reason: "its answer to a login has no token".to_owned(),
            })?;
        Ok(Authorization::Token(token))
    }
}

/// Returns the server for tokens that a registry names, if it may: over TLS on the same site, or the
/// registry itself.
fn allowed_realm(registry: &Url, realm: &str) -> Option<Url> {
    let url = Url::parse(realm).ok()?;
    let has_login = !url.username().is_empty() || url.password().is_some();
    let is_site = registry.scheme() == "https"
        && url.scheme() == "https"
        && !leads_here(&url)
        && site(&url).is_some_and(|found| site(registry) == Some(found));
    (!has_login && (is_same_origin(&url, registry) || is_site)).then_some(url)
}

/// Returns the domain that was registered, of which the host is a part.
fn site(url: &Url) -> Option<&str> {
    let host = url.host_str()?;
    let is_address = host.starts_with('[') || host.parse::<std::net::IpAddr>().is_ok();
    match is_address {
        true => None,
        false => psl::domain_str(host),
    }
}

/// Reads parameters such as `realm="https://a.example/token",service="a"`.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim_matches([' ', ',']).to_ascii_lowercase();
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => match quoted.split_once('"') {
                Some(parts) => parts,
                None => break,
            },
            None => after.split_once(',').unwrap_or((after, "")),
        };
        found.push((name, value.trim().to_owned()));
        rest = after;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_challenge_is_read_in_any_order() {
        let bearer = |text: &str| match Challenge::parse(text) {
            Some(Challenge::Bearer {
                realm,
                service,
                scope,
            }) => (realm, service, scope),
            other => panic!("{text}: {other:?}"),
        };
        let expected = (
            "https://a.example/token".to_owned(),
            Some("a.example".to_owned()),
            Some("repository:a/b:pull,push".to_owned()),
        );
        for text in [
            "Bearer realm=\"https://a.example/token\",service=\"a.example\",scope=\"repository:a/b:pull,push\"",
            "bearer scope=\"repository:a/b:pull,push\", service=a.example, realm=\"https://a.example/token\"",
        ] {
            assert_eq!(bearer(text), expected);
        }
        assert_eq!(
            Challenge::parse("Basic realm=\"x\""),
            Some(Challenge::Basic)
        );
        for text in ["", "Digest realm=\"x\"", "Bearer", "Bearer realm=\"x"] {
            assert_eq!(Challenge::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_login_goes_to_the_registry_or_to_its_site() {
        let https = "https://registry.acme.example/";
        for (registry, realm, expected) in [
            (https, "https://registry.acme.example/token", true),
            (https, "https://auth.acme.example/token", true),
            (https, "http://auth.acme.example/token", false),
            (https, "http://registry.acme.example/token", false),
            (https, "https://auth.evil.example/token", false),
            (https, "https://acme.example.evil.example/token", false),
            (https, "https://x:y@auth.acme.example/token", false),
            (https, "https://127.0.0.1/token", false),
            (https, "token", false),
            // Hosts under a public suffix belong to different people.
            (
                "https://ada.github.io/",
                "https://bob.github.io/token",
                false,
            ),
            ("https://192.0.2.1/", "https://192.0.2.2/token", false),
            (
                "http://127.0.0.1:5000/",
                "http://127.0.0.1:5000/token",
                true,
            ),
            (
                "http://127.0.0.1:5000/",
                "http://127.0.0.1:5001/token",
                false,
            ),
            ("http://127.0.0.1:5000/", "https://a.example/token", false),
        ] {
            let url = Url::parse(registry).expect("is a URL");
            let found = allowed_realm(&url, realm).is_some();
            assert_eq!(found, expected, "{registry} {realm}");
        }
    }

    proptest! {
        #[test]
        fn any_header_is_read_without_a_panic(text in "(Bearer|bearer) [a-z=\",: é]{0,60}") {
            let _ = Challenge::parse(&text);
        }
    }
}
