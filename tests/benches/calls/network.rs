//! `http.fetch` to a server on loopback, beside the same request by `reqwest` without a sandbox.

use crate::timing::{Samples, head, row};
use crate::{builder, call};
use footlight::policy::{Pattern, Target};
use footlight_tests::loopback::{Server, read_request};
use footlight_tests::net_guest;
use serde_json::json;
use std::hint::black_box;
use std::path::Path;
use tokio::io::AsyncWriteExt as _;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

const HELLO: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";

/// Rounds, and requests of each variant in a round.
const ROUNDS: usize = 50;
const REQUESTS: usize = 20;

pub(crate) fn measure(cache: &Path) {
    // The server has a thread of its own, as it would have a machine of its own.
    let outside = runtime(1);
    let server = outside.block_on(Server::serving(|mut stream, _| async move {
        while !read_request(&mut stream).await.is_empty() {
            if stream.write_all(HELLO.as_bytes()).await.is_err() {
                return;
            }
        }
    }));
    let url = format!("http://127.0.0.1:{}/", server.port());
    let inside = runtime(1);
    let rules = net_guest::allowing([Target::Host(Pattern::ANY), Target::Tool(Pattern::ANY)]);
    let host = builder(cache).rules(rules).build().expect("a host");
    let entry = format!(
        "[[net]]\nhost = \"127.0.0.1:{}\"\nscheme = \"http\"\n",
        server.port()
    );
    inside.block_on(net_guest::load(&host, &entry));
    let input = json!({ "method": "GET", "url": url });
    let nothing = json!({ "method": "", "url": "" });

    let native = |client: &reqwest::Client| {
        inside.block_on(async {
            let response = client.get(&url).send().await.expect("a response");
            black_box(response.bytes().await.expect("a body"));
        });
    };
    let (pooled, fresh) = (client(true), client(false));
    let mut samples: [Samples; 4] = Default::default();
    for _ in 0..ROUNDS {
        samples[0].take(REQUESTS, || native(&pooled));
        samples[1].take(REQUESTS, || native(&fresh));
        samples[2].take(REQUESTS, || {
            black_box(inside.block_on(call(&host, "net.look", &nothing)));
        });
        samples[3].take(REQUESTS, || {
            black_box(inside.block_on(call(&host, "net.look", &input)));
        });
    }
    let [pooled, fresh, refused, fetched] = samples;
    head("one GET to loopback, 5 bytes back");
    row("reqwest, connection kept", &pooled, None);
    row("reqwest, new connection", &fresh, None);
    row("a call whose request is refused", &refused, None);
    row("a call with `http.fetch`", &fetched, Some(&fresh));
    let added = fetched.p50() - fresh.p50();
    println!(
        "  the sandboxed call adds {added:.0} us to reqwest with a new connection (target 200)"
    );
}

fn runtime(threads: usize) -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(threads)
        .enable_all()
        .build()
        .expect("a runtime")
}

fn client(is_pooled: bool) -> reqwest::Client {
    let config = ClientConfig::builder_with_provider(default_provider().into())
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(config)
        .no_proxy();
    let client = match is_pooled {
        true => client,
        false => client.pool_max_idle_per_host(0),
    };
    client.build().expect("a client")
}
