//! What a person granted: rules, verdicts, revocations, and requests that need a yes each.

use super::{HELLO, allowing, call, entry, error, fetch, get, granting, host, named, powers};
use footlight::policy::{ApprovalRequest, Pattern, Rules, Target};
use footlight::vocabulary::item::{Denial, Power, Verdict};
use footlight::{CallEvent, Host, Network};
use footlight_tests::folders::binding;
use footlight_tests::loopback::Server;
use footlight_tests::net_guest::met;
use footlight_tests::scripted_call::{Followed, Script, builder};
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::path::Path;

/// Returns what the person was asked about the network.
fn asked(followed: &Followed) -> Vec<ApprovalRequest> {
    let asks = followed.events.iter().filter_map(|event| match event {
        CallEvent::Approval { ask, .. } if ask.network.is_some() => Some((**ask).clone()),
        _ => None,
    });
    asks.collect()
}

fn saying(verdicts: impl Into<Vec<Verdict>>) -> Script {
    Script {
        verdicts: verdicts.into(),
        ..Script::default()
    }
}

/// Rules that grant no host, but let the tool run.
fn only_tools() -> Rules {
    allowing([Target::Tool(Pattern::ANY)])
}

#[tokio::test]
async fn a_granted_request_is_sent_and_recorded() {
    let server = Server::sending(HELLO).await;
    let port = server.port();
    let host = super::granted(port).await;
    let (met, uses) = fetch(&host, get(port)).await;
    assert_eq!(
        (&met["status"], &met["body"]),
        (&json!(200), &json!("hello"))
    );
    let [used] = &uses[..] else {
        panic!("one use: {uses:?}");
    };
    assert_eq!(used.power, Power::Network);
    assert_eq!(used.target, format!("http://127.0.0.1:{port}"));
    assert_eq!(used.access.as_deref(), Some("GET"));
    assert_eq!(used.path.as_deref(), Some("/path"), "without the query");
    assert_eq!(used.statuses.get("200"), Some(&1));
    assert_eq!(used.sent, server.requests()[0].len() as u64);
    assert_eq!(used.received, HELLO.len() as u64);
    assert_eq!(used.denied, None);
}

#[tokio::test]
async fn what_the_manifest_does_not_list_is_denied_whatever_was_granted() {
    let server = Server::sending(HELLO).await;
    let other = Server::sending(HELLO).await;
    let (port, elsewhere) = (server.port(), other.port());
    let any = allowing([Target::Host(Pattern::ANY), Target::Tool(Pattern::ANY)]);
    let host = host(builder().rules(any), &entry(port, "")).await;
    for (method, url) in [
        ("GET", format!("http://127.0.0.1:{elsewhere}/")),
        ("POST", format!("http://127.0.0.1:{port}/")),
        ("GET", format!("https://127.0.0.1:{port}/")),
        ("GET", format!("http://localhost:{port}/")),
        ("GET", "https://evil.example.com/".to_owned()),
    ] {
        let (met, uses) = fetch(&host, json!({ "method": method, "url": url })).await;
        assert!(error(&met).starts_with("Denied("), "{url}: {met}");
        assert_eq!(uses[0].denied, Some(Denial::Undeclared), "{url}");
    }
    let numbers = format!("http://2130706433:{port}/");
    let (met, uses) = fetch(&host, json!({ "method": "GET", "url": numbers })).await;
    assert!(error(&met).contains("127.0.0.1"), "{met}");
    assert_eq!(uses[0].denied, Some(Denial::Malformed));
    assert!(server.requests().is_empty() && other.requests().is_empty());
}

#[tokio::test]
async fn with_nobody_to_ask_a_request_is_denied_at_once() {
    let server = Server::sending(HELLO).await;
    let builder = builder().attended(false).rules(only_tools());
    let host = host(builder, &entry(server.port(), "")).await;
    let (met, uses) = fetch(&host, get(server.port())).await;
    assert!(error(&met).contains("nobody can be asked"), "{met}");
    assert_eq!(uses[0].denied, Some(Denial::NoPerson));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn a_verdict_covers_what_it_says() {
    for (verdict, asks, sent) in [
        (Verdict::Deny, 1, 0),
        (Verdict::Once, 3, 3),
        (Verdict::Session, 1, 3),
        (Verdict::Always, 1, 3),
    ] {
        let server = Server::sending(HELLO).await;
        let host = host(builder().rules(only_tools()), &entry(server.port(), "")).await;
        let mut three = get(server.port());
        three["times"] = json!(3);
        let followed = call(&host, "fetch", three, saying([verdict; 3])).await;
        let shown = asked(&followed);
        assert_eq!(shown.len(), asks, "{verdict:?}");
        assert_eq!(server.requests().len(), sent, "{verdict:?}");
        let network = shown[0].network.as_ref().expect("about the network");
        let port = server.port();
        assert_eq!(
            (
                network.method.as_str(),
                network.host.as_str(),
                network.url.as_str(),
                network.bytes
            ),
            (
                "GET",
                format!("127.0.0.1:{port}").as_str(),
                format!("http://127.0.0.1:{port}/path?q=1").as_str(),
                0
            )
        );
        if verdict == Verdict::Deny {
            assert_eq!(powers(&followed.ended)[0].denied, Some(Denial::Person));
            assert_eq!(
                powers(&followed.ended)[0].count,
                3,
                "counted, not asked again"
            );
        }
    }
}

#[tokio::test]
async fn no_connection_outlives_a_revocation() {
    let server = Server::sending(
        "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 5\r\n\r\nhello",
    )
    .await;
    let host = super::granted(server.port()).await;
    let (first, _) = fetch(&host, get(server.port())).await;
    assert_eq!(first["status"], 200);
    host.set_rules("local", only_tools());
    let (second, uses) = fetch(&host, get(server.port())).await;
    assert!(error(&second).starts_with("Denied("), "{second}");
    assert_eq!(uses[0].denied, Some(Denial::Person));
    assert_eq!(server.requests().len(), 1);
}

const SENDS: &str = "[[approval]]\naction = \"net.send\"\ndescription = \"Send something\"\n";

/// Returns a manifest whose POSTs need a yes each.
fn guarded(port: u16) -> String {
    let read = entry(port, "");
    let write = entry(port, "methods = [\"POST\"]\napproval = \"net.send\"");
    format!("{SENDS}{read}{write}")
}

fn post(port: u16, body: &str) -> Value {
    json!({ "method": "POST", "url": format!("http://127.0.0.1:{port}/mail?to=ada"), "body": body })
}

#[tokio::test]
async fn a_guarded_request_needs_one_yes_each_whether_or_not_the_plugin_asks() {
    let server = Server::sending(HELLO).await;
    let port = server.port();
    let host = host(builder().rules(granting(port)), &guarded(port)).await;

    // The plugin does not ask: each request does.
    let mut two = post(port, "hello");
    two["times"] = json!(2);
    let followed = call(&host, "fetch", two, saying([Verdict::Once, Verdict::Deny])).await;
    let shown = asked(&followed);
    assert_eq!((shown.len(), server.requests().len()), (2, 1));
    let network = shown[0].network.as_ref().expect("about the network");
    assert_eq!(network.url, format!("http://127.0.0.1:{port}/mail?to=ada"));
    assert_eq!((network.method.as_str(), network.bytes), ("POST", 5));
    let facts: Vec<_> = shown[0]
        .facts
        .iter()
        .map(|fact| fact.value.as_str())
        .collect();
    assert!(
        facts.contains(&format!("POST http://127.0.0.1:{port}/mail?to=ada").as_str()),
        "{facts:?}"
    );
    assert!(facts.contains(&"5 bytes"), "{facts:?}");
    let offered: Vec<_> = shown[0]
        .options
        .iter()
        .map(|option| option.verdict)
        .collect();
    assert_eq!(
        offered,
        [Verdict::Deny, Verdict::Once],
        "it cannot be remembered"
    );

    // The plugin asks: its yes admits one request, and the next asks again.
    let mut two = post(port, "hello");
    (two["times"], two["action"]) = (json!(2), json!("net.send"));
    let followed = call(&host, "fetch", two, saying([Verdict::Once, Verdict::Deny])).await;
    assert_eq!(asked(&followed).len(), 1);
    assert_eq!(server.requests().len(), 2);
    assert!(error(&met(&followed.ended)).starts_with("Denied("));

    // A GET to the same host was granted and needs none.
    let followed = call(&host, "fetch", get(port), saying([])).await;
    assert!(asked(&followed).is_empty());
    assert_eq!(server.requests().len(), 3);
}

/// Returns a host whose guest needs a yes to `net.act` for each POST and for changes in `/gated`.
async fn acting(server: &Server, folder: &Path) -> Host {
    let port = server.port();
    let mut rules = granting(port);
    let folder = folder.canonicalize().expect("it exists");
    let mut gated = binding("/gated", &folder, true);
    gated.plugin = "net".to_owned();
    rules.rules.push(gated);
    let action = "[[approval]]\naction = \"net.act\"\ndescription = \"Act\"\n";
    let gated = "[[fs]]\npath = \"/gated\"\nmode = \"rw\"\napproval = \"net.act\"\n";
    let guarded = entry(port, "methods = [\"POST\"]\napproval = \"net.act\"");
    let powers = format!("{action}{gated}{guarded}");
    host(builder().rules(rules), &powers).await
}

#[tokio::test]
async fn one_yes_admits_one_request_or_the_changes_in_one_folder() {
    let server = Server::sending(HELLO).await;
    let folder = tempfile::tempdir().expect("a folder");
    let host = acting(&server, folder.path()).await;
    let url = format!("http://127.0.0.1:{}/", server.port());
    let read_only = "Err(ReadOnlyFilesystem)";
    for (steps, expected, asks) in [
        // The request uses the yes up, and leaves none for the folder.
        ("approve URL write", ["Ok(())", "200", read_only], 0),
        // The folder uses it up, and keeps it: the request asks again.
        ("approve write URL", ["Ok(())", "Ok(())", "Denied("], 1),
        ("approve write write", ["Ok(())", "Ok(())", "Ok(())"], 0),
        ("write approve write", [read_only, "Ok(())", "Ok(())"], 0),
        // A yes to the request itself is for that request.
        ("write URL write", [read_only, "200", read_only], 1),
    ] {
        let input = json!({ "steps": steps.replace("URL", &url) });
        let followed = call(&host, "steps", input, saying([Verdict::Once])).await;
        let met = met(&followed.ended);
        for (step, expected) in expected.iter().enumerate() {
            let met = met[step].as_str().expect("a text");
            assert!(met.starts_with(expected), "{steps}: {met} at {step}");
        }
        assert_eq!(asked(&followed).len(), asks, "{steps}: {met}");
    }
}

#[tokio::test]
async fn two_approvals_admit_a_request_and_the_changes_in_a_folder() {
    let server = Server::sending(HELLO).await;
    let folder = tempfile::tempdir().expect("a folder");
    let host = acting(&server, folder.path()).await;
    let url = format!("http://127.0.0.1:{}/", server.port());
    for steps in [
        "approve approve write URL write",
        "approve URL approve write write",
    ] {
        let input = json!({ "steps": steps.replace("URL", &url) });
        let followed = call(&host, "steps", input, saying([Verdict::Once; 2])).await;
        let met = met(&followed.ended).to_string();
        assert!(
            !met.contains("Err") && !met.contains("Denied"),
            "{steps}: {met}"
        );
        assert!(asked(&followed).is_empty(), "{steps}");
    }
}

#[tokio::test]
async fn a_tool_that_says_it_only_reads_cannot_write() {
    let server = Server::sending(HELLO).await;
    let port = server.port();
    let powers_text = entry(port, "methods = [\"GET\", \"POST\"]");
    let host = host(builder().rules(granting(port)), &powers_text).await;
    let followed = call(&host, "look", post(port, ""), Script::default()).await;
    assert!(error(&met(&followed.ended)).starts_with("Denied("));
    assert_eq!(powers(&followed.ended)[0].denied, Some(Denial::ReadOnly));
    let followed = call(&host, "look", get(port), Script::default()).await;
    assert_eq!(met(&followed.ended)["status"], 200);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_granted_name_that_leads_into_this_machine_is_denied() {
    let server = Server::sending(HELLO).await;
    let port = server.port();
    let name = format!("api.example.com:{port}");
    let network = Network::new().resolver(|_| {
        Ok(vec![
            Ipv4Addr::new(93, 184, 216, 34).into(),
            Ipv4Addr::LOCALHOST.into(),
        ])
    });
    let rules = allowing([Target::Host(named(&name)), Target::Tool(Pattern::ANY)]);
    let entry = format!("[[net]]\nhost = \"{name}\"\nscheme = \"http\"\n");
    let host = host(builder().rules(rules).network(network), &entry).await;
    let url = format!("http://{name}/");
    let (met, uses) = fetch(&host, json!({ "method": "GET", "url": url })).await;
    assert!(
        error(&met).starts_with("Denied(") && error(&met).contains("this machine"),
        "{met}"
    );
    assert_eq!(uses[0].denied, Some(Denial::Address));
    assert!(server.requests().is_empty());
}

#[tokio::test]
async fn public_suffixes_cannot_be_asked_for() {
    let host = builder().build().expect("builds");
    let powers = "[[net]]\nhost = \"*.github.io\"\n";
    let component = footlight_tests::net_guest::component(powers);
    let refused = host
        .load_bytes(&component, "net")
        .await
        .expect_err("refused");
    let mut reason = String::new();
    let mut cause: Option<&dyn std::error::Error> = Some(&refused);
    while let Some(error) = cause {
        reason.push_str(&error.to_string());
        cause = error.source();
    }
    assert!(
        reason.contains("*.github.io") && reason.contains("anybody"),
        "{reason}"
    );
}
