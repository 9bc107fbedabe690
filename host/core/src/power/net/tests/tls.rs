//! TLS against a server on loopback with a certificate of its own.

use super::super::destination::Destination;
use super::super::exchange::ExchangeError;
use super::super::fetch::Outgoing;
use super::loopback::Server;
use super::loopback_tls::{Authority, serving};
use super::{egress, network, outgoing};
use crate::power::secret::SecretValue;
use footlight_vocabulary::manifest::{Manifest, Secret};
use std::sync::Arc;

const HELLO: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";

fn always(answer: &'static str) -> impl Fn(&str) -> String + Send + Sync + Clone + 'static {
    move |_| answer.to_owned()
}

fn url(server: &Server) -> String {
    format!("https://api.example.com:{}/", server.port())
}

#[tokio::test]
async fn the_name_is_in_tls_and_in_the_request_while_the_address_is_pinned() {
    let authority = Authority::new();
    let server = serving(
        authority.server("api.example.com", false),
        always(HELLO),
        true,
    )
    .await;
    let egress = egress(network().roots(authority.pem()), &server);
    let received = egress
        .send(outgoing("GET", &url(&server)), &Arc::default())
        .await;
    assert_eq!(received.expect("trusted").body, b"hello");
    let requests = server.requests();
    let host = format!("host: api.example.com:{}\r\n", server.port());
    assert!(
        requests[0].starts_with("api.example.com http/1.1 GET / HTTP/1.1\r\n"),
        "{requests:?}"
    );
    assert!(requests[0].contains(&host), "{requests:?}");
}

#[tokio::test]
async fn no_request_reaches_a_server_that_cannot_prove_who_it_is() {
    let (authority, other) = (Authority::new(), Authority::new());
    for (config, why) in [
        (
            authority.server("api.example.org", false),
            "is for another name",
        ),
        (
            authority.server("example.com", false),
            "is for another name",
        ),
        (
            authority.server("*.api.example.com", false),
            "is for another name",
        ),
        (authority.server("127.0.0.1", false), "is for another name"),
        (authority.server("api.example.com", true), "has expired"),
        (
            other.server("api.example.com", false),
            "is from an issuer that is not trusted",
        ),
    ] {
        let server = serving(config, always(HELLO), true).await;
        let egress = egress(network().roots(authority.pem().to_owned()), &server);
        let with_secret = Outgoing {
            secrets: vec![secret()],
            ..outgoing("GET", &url(&server))
        };
        let refused = egress.send(with_secret, &Arc::default()).await;
        assert_eq!(refused.err(), Some(ExchangeError::Certificate(why)));
        assert!(server.requests().is_empty());
    }
}

#[tokio::test]
async fn a_server_without_tls_is_not_spoken_to_in_the_clear() {
    let authority = Authority::new();
    let server = Server::sending(HELLO).await;
    let egress = egress(network().roots(authority.pem()), &server);
    let failed = egress
        .send(outgoing("GET", &url(&server)), &Arc::default())
        .await;
    assert!(matches!(
        failed,
        Err(ExchangeError::Tls | ExchangeError::Unreachable | ExchangeError::TimedOut)
    ));
    assert!(server.requests().iter().all(|sent| !sent.contains("GET")));
}

#[tokio::test]
async fn a_body_that_was_cut_off_on_the_way_is_noticed() {
    let authority = Authority::new();
    let config = authority.server("api.example.com", false);
    // Without a length only the end of TLS says that the body is complete.
    let open_ended = "HTTP/1.1 200 OK\r\n\r\nhello";
    for (says_goodbye, is_whole) in [(true, true), (false, false)] {
        let server = serving(Arc::clone(&config), always(open_ended), says_goodbye).await;
        let egress = egress(network().roots(authority.pem().to_owned()), &server);
        let received = egress
            .send(outgoing("GET", &url(&server)), &Arc::default())
            .await;
        assert_eq!(received.is_ok(), is_whole);
    }
}

/// Returns a secret for `api.example.com`, and its value.
fn secret() -> (Secret, SecretValue) {
    let manifest = "[plugin]\nid = \"a\"\nversion = \"0.1.0\"\napi = \"0.1\"\ndescription = \"A\"\n\
        [[net]]\nhost = \"api.example.com\"\n\
        [[secret]]\nname = \"token\"\nhost = \"api.example.com\"\nheader = \"authorization\"\nprefix = \"Bearer \"\n";
    let manifest = Manifest::parse(manifest).expect("valid");
    let value = SecretValue::new("canary-4f9a").expect("a value");
    (manifest.secrets[0].clone(), value)
}

#[tokio::test]
async fn a_secret_replaces_what_the_guest_wrote_and_travels_encrypted_only() {
    let authority = Authority::new();
    let server = serving(
        authority.server("api.example.com", false),
        always(HELLO),
        true,
    )
    .await;
    let egress = egress(network().roots(authority.pem()), &server);
    let mut request = outgoing("GET", &url(&server));
    for value in ["Bearer mine", "Bearer {{token}}"] {
        let value = value.parse().expect("a value");
        request.headers.append("authorization", value);
    }
    request.secrets.push(secret());
    let plain = Outgoing {
        destination: Destination::parse("GET", &url(&server).replace("https", "http"))
            .expect("http"),
        headers: request.headers.clone(),
        body: bytes::Bytes::new(),
        literal: false,
        secrets: vec![secret()],
    };
    egress.send(request, &Arc::default()).await.expect("sent");
    let requests = server.requests();
    assert_eq!(requests[0].matches("authorization").count(), 1);
    assert!(requests[0].contains("authorization: Bearer canary-4f9a\r\n"));
    // Even if a rule for plain HTTP were mistaken for one that may carry it.
    let refused = egress.send(plain, &Arc::default()).await;
    assert!(matches!(refused, Err(ExchangeError::Setup(_))));
    assert!(server.requests().len() == 1);
}
