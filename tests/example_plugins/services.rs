//! A component whose services are servers on loopback.
//!
//! A plugin names the services that it asks, and no name may lead to this machine, whatever a resolver
//! says. So the addresses in the component are replaced, by ones of the same length, and everything else
//! is as it is: the plugin, the manifest, the decision about each request, TLS.

use footlight::policy::{Pattern, Rule, Rules, Target};
use footlight::{Host, Network};
use footlight_tests::loopback::Server;
use footlight_tests::loopback_tls::{Authority, serving};
use footlight_tests::scripted_call::builder;
use std::sync::{Arc, Mutex, PoisonError};

/// A service over TLS, which answers what it was told last.
pub(super) struct Service {
    server: Server,
    answer: Arc<Mutex<String>>,
}

impl Service {
    pub(super) async fn start(authority: &Authority) -> Self {
        let answer = Arc::new(Mutex::new(String::new()));
        let said = Arc::clone(&answer);
        let answers = move |_: &str| said.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let server = serving(authority.server("localhost", false), answers, true).await;
        Self { server, answer }
    }

    pub(super) fn host(&self) -> String {
        format!("localhost:{}", self.server.port())
    }

    /// Answers every request from now on with these bytes.
    pub(super) fn answers(&self, raw: impl Into<String>) {
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = raw.into();
    }

    /// Returns the last request, and what was said of it in TLS.
    pub(super) fn last_request(&self) -> String {
        self.server.requests().pop().expect("a request")
    }

    pub(super) fn count(&self) -> usize {
        self.server.requests().len()
    }
}

/// Returns an answer of JSON with this status.
pub(super) fn answer(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Returns answers that are no good, whatever was asked, each with a name.
pub(super) fn broken(body: &str) -> Vec<(&'static str, String)> {
    let half = &body[..body.floor_char_boundary(body.len() / 2)];
    let longer = body.len();
    let cut = format!("HTTP/1.1 200 OK\r\ncontent-length: {longer}\r\n\r\n{half}");
    let chunked = format!(
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{half}\r\n",
        half.len()
    );
    vec![
        ("a body that is cut short", cut),
        ("chunks without an end", chunked),
        ("JSON that is cut short", answer("200 OK", half)),
        ("an empty body", answer("200 OK", "")),
        (
            "a page",
            answer("200 OK", "<!doctype html><title>Hello</title>"),
        ),
        ("an empty object", answer("200 OK", "{}")),
        ("a list", answer("200 OK", "[1, 2, 3]")),
        ("nothing", answer("200 OK", "null")),
        ("deep nesting", answer("200 OK", &"[".repeat(100_000))),
        (
            "bytes that are no HTTP",
            "\u{0}\u{1}nonsense\r\n\r\n".to_owned(),
        ),
        ("silence", String::new()),
        (
            "a redirection",
            "HTTP/1.1 302 Found\r\nlocation: https://localhost/\r\ncontent-length: 0\r\n\r\n"
                .to_owned(),
        ),
        ("too many requests", answer("429 Too Many Requests", "{}")),
        (
            "an error of the server",
            answer("500 Internal Server Error", body),
        ),
        (
            "a service that is down",
            answer("503 Service Unavailable", ""),
        ),
    ]
}

/// Replaces each text of a component by a shorter one, which is filled up to the same length.
///
/// # Panics
/// If a text is not there, or its replacement is longer.
fn replaced(component: &str, texts: &[(&str, String, char)]) -> Vec<u8> {
    let mut bytes = std::fs::read(component).expect("built by build.rs");
    for (old, new, fill) in texts {
        let missing = old.len().checked_sub(new.len()).expect("is not longer");
        let new = format!("{new}{}", String::from(*fill).repeat(missing));
        let places: Vec<usize> = (0..bytes.len() - old.len())
            .filter(|at| bytes[*at..].starts_with(old.as_bytes()))
            .collect();
        assert!(!places.is_empty(), "`{old}` is in the component");
        for at in places {
            bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
        }
    }
    bytes
}

/// A service, the host in the manifest that it takes the place of, and the addresses in the component,
/// each with the path that it gets.
type InPlaceOf<'a> = (&'a Service, &'a str, &'a [(&'a str, &'a str)]);

/// Loads a plugin whose hosts and addresses are those of services, and grants it these services.
pub(super) async fn load(
    (id, component): (&str, &str),
    authority: &Authority,
    services: &[InPlaceOf<'_>],
) -> Host {
    let mut texts = Vec::new();
    let mut rules = Rules::default();
    for (service, host, addresses) in services {
        texts.push((
            format!("\"{host}\""),
            format!("\"{}\"", service.host()),
            ' ',
        ));
        for (address, path) in *addresses {
            let new = format!("https://{}/{path}", service.host());
            texts.push(((*address).to_owned(), new, '-'));
        }
        let host = Pattern::parse(&service.host()).expect("a plain name");
        rules.rules.push(Rule::allow(id, Target::Host(host)));
    }
    let texts: Vec<(&str, String, char)> = texts
        .iter()
        .map(|(old, new, fill)| (old.as_str(), new.clone(), *fill))
        .collect();
    let component = replaced(component, &texts);
    let network = Network::new().roots(authority.pem());
    let host = builder().rules(rules).network(network).attended(false);
    let host = host.build().expect("builds");
    let loaded = host.load_bytes(&component, id).await;
    loaded.expect("loads");
    host
}
