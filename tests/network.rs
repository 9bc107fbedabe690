//! `http.fetch` from a real guest, against servers on loopback.
//!
//! `host/core/src/power/net/tests` has the servers that lie and flood; this is about what a person
//! granted, what is recorded, and who gets to see a secret.

mod canary;
mod granted;
mod limits;
mod secrets;

pub(crate) use canary::Log;

use footlight::policy::{Pattern, Rules, Target};
use footlight::vocabulary::item::{Content, PowerUse};
use footlight::{CallOutcome, Host, HostBuilder};
use footlight_tests::net_guest::{self, allowing};
use footlight_tests::scripted_call::{Followed, Script, builder, follow};
use serde_json::{Value, json};

const HELLO: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";

fn named(name: &str) -> Pattern {
    Pattern::parse(name).expect("a plain name")
}

/// Returns a manifest entry for a server on this machine, by its address.
fn entry(port: u16, more: &str) -> String {
    format!("[[net]]\nhost = \"127.0.0.1:{port}\"\nscheme = \"http\"\n{more}\n")
}

/// Returns rules that grant this server, by its address, and every call of the guest.
fn granting(port: u16) -> Rules {
    let host = Target::Host(named(&format!("127.0.0.1:{port}")));
    allowing([host, Target::Tool(Pattern::ANY)])
}

async fn host(builder: HostBuilder, powers: &str) -> Host {
    let host = builder.build().expect("builds");
    net_guest::load(&host, powers).await;
    host
}

/// Returns a host whose guest was granted this server.
async fn granted(port: u16) -> Host {
    let methods = "methods = [\"GET\", \"HEAD\", \"POST\", \"PUT\"]";
    host(builder().rules(granting(port)), &entry(port, methods)).await
}

async fn call(host: &Host, tool: &str, input: Value, script: Script) -> Followed {
    let call = host.call(&format!("net.{tool}"), input);
    follow(host, call, script).await
}

/// Has the guest send a request, with nobody to ask.
async fn fetch(host: &Host, input: Value) -> (Value, Vec<PowerUse>) {
    let followed = call(host, "fetch", input, Script::default()).await;
    (net_guest::met(&followed.ended), powers(&followed.ended))
}

fn get(port: u16) -> Value {
    json!({ "method": "GET", "url": format!("http://127.0.0.1:{port}/path?q=1") })
}

/// Returns what the call did with powers, from its record.
fn powers(outcome: &CallOutcome) -> Vec<PowerUse> {
    match &outcome.items[0].content {
        Content::Tool(tool) => tool.powers.clone(),
        other => panic!("a tool item comes first: {other:?}"),
    }
}

fn error(met: &Value) -> &str {
    met["error"].as_str().unwrap_or_default()
}
