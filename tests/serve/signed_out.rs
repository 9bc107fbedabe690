//! Streams whose token ends: it is signed out, expires, or makes room for another.

use super::client::head;
use super::*;
use footlight_tests::scripted_session::calls;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::io::{AsyncReadExt as _, BufReader};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// How a token ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    SignedOut,
    Expired,
    Evicted,
}

/// The token that ends, and one of the same person that does not.
const TOKEN: &str = "ending-token-0123456789-0123456789";
const OTHER: &str = "lasting-token-0123456789-0123456789";

/// How many tokens from logins a server keeps.
const KEPT: usize = 256;

/// How long the token of a test works that expires: enough to open streams with it.
const LIFETIME: Duration = Duration::from_secs(10);

fn now() -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.expect("it is after 1970")
}

/// Returns the file in which a server keeps the tokens of logins, with so many that one more ends the first.
fn tokens(end: End) -> String {
    let row = |token: &str, lifetime: Duration| {
        let expires = (now() + lifetime).as_millis();
        let hash = footlight::Digest::of(token.as_bytes()).to_string();
        json!({ "hash": hash, "person": "ada", "may": "approve", "expires": expires as u64 })
    };
    let day = Duration::from_secs(24 * 3600);
    let lifetime = if end == End::Expired { LIFETIME } else { day };
    let mut rows = vec![row(TOKEN, lifetime)];
    rows.extend((2..KEPT).map(|n| row(&format!("another-{n}"), day)));
    rows.push(row(OTHER, day));
    json!({ "token": rows }).to_string()
}

#[tokio::test]
async fn every_stream_ends_with_its_token_and_settles_nothing_after_it() {
    for end in [End::SignedOut, End::Expired, End::Evicted] {
        ends(end).await;
    }
}

async fn ends(end: End) {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let host = builder().store(store).build().expect("builds");
    host.load(plugins::GALLERY).await.expect("loads");
    let strike = calls([("gallery__strike", json!({}))]);
    let model = Scripted::new([strike, Answer::Hangs("Wait".to_owned())]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tokens.json");
    std::fs::write(&file, tokens(end)).expect("is written");
    let server = Server::new(host, model, Tokens::new(Some(file)).expect("tokens"));
    let server = server.bind("127.0.0.1:0").await.expect("a free port");
    let (address, may) = (server.address(), Permission::Approve);
    let person = "ada".to_owned();
    let code = server
        .mint_code(Identity { person, may })
        .expect("randomness");
    let task = tokio::spawn(server.run(std::future::pending()));

    // All three streams are open, and a request waits.
    let client = Client::new(address, Some(TOKEN));
    let made = client.post("/api/sessions", "{}").await;
    let id = made.json()["id"].as_str().expect("an id").to_owned();
    let events = format!("/api/sessions/{id}/events?after=0");
    let events = opened(&client, "GET", &events, None).await;
    let request = format!("ws://{address}/api/sessions/{id}/socket?after=0");
    let mut request = request.into_client_request().expect("a URL");
    let protocols = format!("footlight.v1, auth.{TOKEN}").parse();
    let headers = request.headers_mut();
    headers.insert("sec-websocket-protocol", protocols.expect("a header"));
    let connected = tokio_tungstenite::connect_async(request).await;
    let mut socket = connected.expect("opens").0;
    let prompts = format!("/api/sessions/{id}/prompts");
    let started = client.post(&prompts, r#"{"prompt":"Go"}"#);
    assert_eq!(started.await.status, 202);
    let pending = loop {
        let frame = socket.next().await.expect("a frame").expect("a frame");
        let frame: Value = serde_json::from_str(frame.to_text().expect("text")).unwrap_or_default();
        if frame["type"] == "approval_request" {
            break frame["id"].as_str().expect("an id").to_owned();
        }
    };
    let thread = json!({ "type": "threads.create", "params": { "input": {
        "content": [{ "type": "input_text", "text": "Go" }], "attachments": [],
        "inference_options": {} } } });
    let thread = opened(&client, "POST", "/chatkit", Some(&thread.to_string())).await;
    let mut streams = [("events", events), ("ChatKit", thread)];
    for (name, stream) in &mut streams {
        let read = tokio::time::timeout(Duration::from_millis(300), read_to_end(stream)).await;
        assert!(read.is_err(), "{end:?}: the stream of {name} is open");
    }

    match end {
        End::SignedOut => {
            let ended = client.post("/api/logout", "{}").await;
            assert_eq!(ended.status, 204, "{}", ended.body);
        }
        End::Evicted => {
            let login = json!({ "code": code }).to_string();
            let login = Client::new(address, None).post("/api/login", &login).await;
            assert_eq!(login.status, 200, "{}", login.body);
        }
        End::Expired => tokio::time::sleep(LIFETIME).await,
    }
    let frame = json!({ "type": "approval_response", "request_id": pending, "approved": true });
    let sent = socket.send(Message::text(frame.to_string())).await;
    drop(sent);
    let closed = tokio::time::timeout(client::TIMEOUT, async {
        while let Some(Ok(message)) = socket.next().await {
            if let Message::Close(_) = message {
                return;
            }
        }
    });
    closed
        .await
        .unwrap_or_else(|_| panic!("{end:?}: the socket stays open"));
    for (name, stream) in &mut streams {
        let read = tokio::time::timeout(client::TIMEOUT, read_to_end(stream)).await;
        assert!(read.is_ok(), "{end:?}: the stream of {name} stays open");
    }
    assert_eq!(client.get("/api/sessions").await.status, 401, "{end:?}");
    let other = Client::new(address, Some(OTHER));
    let left = other.get(&format!("/api/pending/{pending}")).await;
    assert_eq!(
        left.status, 200,
        "{end:?}: nobody has decided: {}",
        left.body
    );
    task.abort();
}

/// Opens a stream.
async fn opened(
    client: &Client,
    method: &str,
    path: &str,
    body: Option<&str>,
) -> BufReader<TcpStream> {
    let mut stream = client.open(method, path, body, &[]).await;
    let (status, _) = head(&mut stream).await;
    assert_eq!(status, 200, "{method} {path}");
    stream
}

/// Reads a stream to the last chunk of its body.
async fn read_to_end(stream: &mut BufReader<TcpStream>) {
    let mut last = Vec::new();
    let mut bytes = [0; 4 << 10];
    while !last.ends_with(b"\r\n0\r\n\r\n") {
        match stream.read(&mut bytes).await.expect("reads") {
            0 => return,
            read => last.extend_from_slice(&bytes[..read]),
        }
        let surplus = last.len().saturating_sub(16);
        last.drain(..surplus);
    }
}

#[tokio::test]
async fn signing_out_of_a_configured_token_says_that_it_still_works() {
    let running = Running::start([]).await;
    for token in [&running.ada, &running.viewer] {
        let client = running.client(token);
        let refused = client.post("/api/logout", "{}").await;
        assert_eq!(
            (refused.status, refused.problem().as_str()),
            (409, "conflict")
        );
        assert_eq!(client.get("/api/sessions").await.status, 200);
    }
    running.stop().await;
}
