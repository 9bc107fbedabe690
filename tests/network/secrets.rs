//! Secrets: who gets them, and who does not.

use super::{allowing, call, entry, error, named, powers};
use footlight::policy::{Pattern, Rules, Target};
use footlight::vocabulary::item::{Denial, Verdict};
use footlight::{
    CallEvent, Host, HostBuilder, MemorySecrets, Network, SecretError, SecretId, SecretSource,
    SecretValue,
};
use footlight_tests::loopback::Server;
use footlight_tests::loopback_tls::{Authority, serving};
use footlight_tests::net_guest::{self, met};
use footlight_tests::scripted_call::{Script, builder};
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

/// Returns a manifest with a secret for a server on this machine.
pub(super) fn manifest(port: u16) -> String {
    format!(
        "[[net]]\nhost = \"localhost:{port}\"\nmethods = [\"GET\", \"POST\"]\n\
         [[secret]]\nname = \"token\"\nhost = \"localhost:{port}\"\nheader = \"authorization\"\nprefix = \"Bearer \"\n"
    )
}

pub(super) fn rules(port: u16) -> Rules {
    allowing([
        Target::Host(named(&format!("localhost:{port}"))),
        Target::Secret(named("token")),
        Target::Tool(Pattern::ANY),
    ])
}

/// Returns secrets in which this person has a token.
pub(super) fn secrets(person: &str, value: &str) -> Arc<MemorySecrets> {
    let secrets = MemorySecrets::default();
    let id = SecretId {
        person,
        plugin: "net",
        name: "token",
    };
    secrets.insert(&id, SecretValue::new(value).expect("a value"));
    Arc::new(secrets)
}

/// Starts a server that answers over TLS, and returns a builder of hosts that trust it.
pub(super) async fn trusted(
    answer: impl Fn(&str) -> String + Send + Sync + Clone + 'static,
) -> (Server, HostBuilder) {
    let authority = Authority::new();
    let server = serving(authority.server("localhost", false), answer, true).await;
    let network = Network::new().roots(authority.pem());
    let builder = builder().network(network).rules(rules(server.port()));
    (server, builder)
}

pub(super) fn answer(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn get(server: &Server) -> Value {
    json!({ "method": "GET", "url": format!("https://localhost:{}/me", server.port()) })
}

async fn load(builder: HostBuilder, server: &Server) -> Host {
    let host = builder.build().expect("builds");
    net_guest::load(&host, &manifest(server.port())).await;
    host
}

#[tokio::test]
async fn a_secret_is_sent_by_the_host_and_placeholders_stay_what_they_are() {
    let (server, builder) = trusted(|_| answer("hello")).await;
    let host = load(builder.secrets(secrets("local", "canary-1f2e3d")), &server).await;
    let url = format!(
        "https://localhost:{}/{{{{token}}}}?t={{{{token}}}}",
        server.port()
    );
    let request = json!({
        "method": "POST",
        "url": url,
        "headers": [["Authorization", "mine"], ["x-other", "{{token}} ${token} $token"]],
        "body": "{{token}}",
    });
    let followed = call(&host, "fetch", request, Script::default()).await;
    assert_eq!(met(&followed.ended)["body"], "hello");
    let sent = server.requests().concat();
    assert_eq!(sent.matches("canary-1f2e3d").count(), 1, "{sent}");
    assert!(
        sent.contains("authorization: Bearer canary-1f2e3d\r\n"),
        "{sent}"
    );
    assert!(
        !sent.contains("mine") && sent.contains("x-other: {{token}} ${token} $token\r\n"),
        "{sent}"
    );
    assert!(sent.ends_with("{{token}}"), "{sent}");
    assert_eq!(powers(&followed.ended)[0].secrets, ["token"]);
}

/// Secrets that cannot be read.
#[derive(Debug)]
struct Broken(fn() -> Result<Option<SecretValue>, SecretError>);

impl SecretSource for Broken {
    fn get(&self, _: &SecretId<'_>) -> Result<Option<SecretValue>, SecretError> {
        (self.0)()
    }
}

#[tokio::test]
async fn without_a_value_nothing_is_sent() {
    let sources: [Arc<dyn SecretSource>; 4] = [
        Arc::new(MemorySecrets::default()),
        // Another person's does not count.
        secrets("ada", "canary-1f2e3d"),
        Arc::new(Broken(|| {
            Err(SecretError::Unavailable("locked".to_owned()))
        })),
        Arc::new(Broken(|| panic!("on purpose"))),
    ];
    for source in sources {
        let (server, builder) = trusted(|_| answer("hello")).await;
        let host = load(builder.secrets(source), &server).await;
        let followed = call(&host, "fetch", get(&server), Script::default()).await;
        let met = met(&followed.ended);
        assert!(
            error(&met).starts_with("Denied(") && error(&met).contains("`token`"),
            "{met}"
        );
        assert_eq!(powers(&followed.ended)[0].denied, Some(Denial::NoValue));
        assert!(server.requests().is_empty());
    }
}

/// A source that answers once it is let go.
#[derive(Debug)]
struct Hangs(Mutex<Receiver<()>>);

impl SecretSource for Hangs {
    fn get(&self, _: &SecretId<'_>) -> Result<Option<SecretValue>, SecretError> {
        let held = self.0.lock().expect("nobody panicked");
        // It ends when the test does.
        let _ = held.recv();
        Ok(None)
    }
}

#[tokio::test]
async fn a_source_that_hangs_costs_the_request_and_not_the_call() {
    let (server, builder) = trusted(|_| answer("hello")).await;
    let (let_go, held) = channel();
    let host = load(builder.secrets(Arc::new(Hangs(Mutex::new(held)))), &server).await;
    let followed = call(&host, "fetch", get(&server), Script::default()).await;
    let met = met(&followed.ended);
    assert!(error(&met).contains("`token`"), "{met}");
    assert_eq!(powers(&followed.ended)[0].denied, Some(Denial::NoValue));
    assert!(server.requests().is_empty());
    drop(let_go);
}

#[tokio::test]
async fn the_person_is_asked_for_the_secret_together_with_the_request() {
    let (server, builder) = trusted(|_| answer("hello")).await;
    let host_only = allowing([
        Target::Host(named(&format!("localhost:{}", server.port()))),
        Target::Tool(Pattern::ANY),
    ]);
    for (verdict, sent) in [(Verdict::Deny, 0), (Verdict::Once, 1)] {
        let builder = builder.clone().rules(host_only.clone());
        let host = load(builder.secrets(secrets("local", "canary-1f2e3d")), &server).await;
        let script = Script {
            verdicts: vec![verdict],
            ..Script::default()
        };
        let followed = call(&host, "fetch", get(&server), script).await;
        let asks = followed.events.iter().filter_map(|event| match event {
            CallEvent::Approval { ask, .. } => ask.network.clone(),
            _ => None,
        });
        let asks: Vec<_> = asks.collect();
        assert_eq!(asks.len(), 1);
        assert_eq!(asks[0].secrets, ["token"]);
        assert_eq!(server.requests().len(), sent);
    }
}

#[tokio::test]
async fn no_server_that_cannot_prove_who_it_is_gets_a_secret() {
    let authority = Authority::new();
    let server = serving(
        authority.server("example.com", false),
        |_| answer("hello"),
        true,
    )
    .await;
    let network = Network::new().roots(authority.pem());
    let builder = builder().network(network).rules(rules(server.port()));
    let host = load(builder.secrets(secrets("local", "canary-1f2e3d")), &server).await;
    let followed = call(&host, "fetch", get(&server), Script::default()).await;
    let met = met(&followed.ended);
    assert!(
        error(&met).starts_with("Unreachable(") && error(&met).contains("another name"),
        "{met}"
    );
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_secret_reaches_this_machine_without_tls_where_the_manifest_says_so() {
    let server = Server::sending(answer("hello")).await;
    let port = server.port();
    let secret =
        format!("[[secret]]\nname = \"token\"\nhost = \"127.0.0.1:{port}\"\nheader = \"x-key\"\n");
    let rules = allowing([
        Target::Host(Pattern::ANY),
        Target::Secret(named("token")),
        Target::Tool(Pattern::ANY),
    ]);
    let builder = builder()
        .rules(rules)
        .secrets(secrets("local", "canary-1f2e3d"));
    let host = builder.build().expect("builds");
    net_guest::load(&host, &format!("{}{secret}", entry(port, ""))).await;
    let followed = call(&host, "fetch", super::get(port), Script::default()).await;
    assert_eq!(met(&followed.ended)["status"], 200);
    assert!(
        server
            .requests()
            .concat()
            .contains("x-key: canary-1f2e3d\r\n")
    );
}
