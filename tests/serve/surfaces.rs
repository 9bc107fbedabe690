//! Two surfaces, one session: clients of every kind see the same questions, and the first answer counts.

use super::*;
use footlight_tests::scripted_session::{calls, process, says};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// A client that follows over a WebSocket.
struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn open(running: &Running, id: &str) -> Self {
        let url = format!("ws://{}/api/sessions/{id}/socket?after=0", running.address);
        let mut request = url.into_client_request().expect("a URL");
        let token = format!("Bearer {}", running.ada).parse().expect("a header");
        request.headers_mut().insert("authorization", token);
        let (socket, _) = tokio_tungstenite::connect_async(request)
            .await
            .expect("connects");
        Self(socket)
    }

    /// Reads until a frame of this type, and returns it.
    async fn until(&mut self, kind: &str) -> Value {
        let found = async {
            loop {
                let message = self.0.next().await.expect("open").expect("read");
                if let Message::Text(text) = message {
                    let frame: Value = serde_json::from_str(&text).expect("JSON");
                    if frame["type"] == kind {
                        return frame;
                    }
                }
            }
        };
        let found = tokio::time::timeout(client::TIMEOUT, found);
        found.await.unwrap_or_else(|_| panic!("`{kind}` comes"))
    }

    async fn send(&mut self, frame: Value) {
        let sent = self.0.send(Message::text(frame.to_string())).await;
        sent.expect("sent");
    }
}

async fn prompt(running: &Running, id: &str, text: &str) {
    let body = json!({ "prompt": text }).to_string();
    let ada = running.client(&running.ada);
    let path = format!("/api/sessions/{id}/prompts");
    let started = ada.post(&path, &body).await;
    assert_eq!(started.status, 202, "{}", started.body);
}

/// Returns the ids of what waits for Ada.
async fn pending(running: &Running) -> Vec<String> {
    let ada = running.client(&running.ada);
    let pending = ada.get("/api/pending").await.json();
    let requests = pending["pending"].as_array().expect("a list").iter();
    let id = |pending: &Value| pending["request"]["id"].as_str().map(str::to_owned);
    requests.filter_map(id).collect()
}

fn striking(turns: usize) -> Vec<Answer> {
    let turn = || [calls([("gallery__strike", json!({}))]), says("Struck.")];
    (0..turns).flat_map(|_| turn()).collect()
}

#[tokio::test]
async fn a_question_shows_on_every_surface_and_the_first_answer_counts() {
    let running = Running::start(striking(2)).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut page = ada.follow(&path).await;
    let mut socket = Socket::open(&running, &id).await;
    // The first time the socket is faster, the second time the page.
    for is_socket in [true, false] {
        prompt(&running, &id, "Strike").await;
        let shown = page.until("approval_request").await;
        let shown = &shown.last().expect("asked").1;
        assert_eq!(*shown, socket.until("approval_request").await);
        let request = shown["id"].as_str().expect("an id").to_owned();
        assert_eq!(pending(&running).await, [request.as_str()]);
        let (yes, no) = (
            json!({ "type": "approval_response", "request_id": request, "approved": true }),
            json!({ "type": "approval_response", "request_id": request, "approved": false }),
        );
        let path = format!("/api/approvals/{request}");
        if is_socket {
            socket.send(yes).await;
        } else {
            let given = ada.post(&path, r#"{"approved":true}"#).await;
            assert_eq!(given.status, 204, "{}", given.body);
        }
        let by = match is_socket {
            true => "ada via websocket",
            false => "ada via http",
        };
        let settled = json!({ "type": "request_settled", "request_id": request, "how": "verdict",
                              "by": by, "verdict": "once" });
        assert_eq!(socket.until("request_settled").await, settled);
        let seen = page.until("request_settled").await;
        assert_eq!(seen.last().expect("settled").1, settled);
        socket.until("turn_finished").await;
        page.until("turn_finished").await;
        // The other one comes too late, and is told so.
        if is_socket {
            let late = ada.post(&path, r#"{"approved":false}"#).await;
            assert_eq!((late.status, late.problem().as_str()), (409, "conflict"));
        } else {
            socket.send(no).await;
            let refused = socket.until("refused").await;
            assert_eq!(refused["request_id"], request.as_str());
        }
        assert!(pending(&running).await.is_empty());
    }
    running.stop().await;
}

#[tokio::test]
async fn a_turn_outlives_its_clients_and_waits_while_nobody_is_connected() {
    let running = Running::start(striking(1)).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut page = ada.follow(&path).await;
    let socket = Socket::open(&running, &id).await;
    prompt(&running, &id, "Strike").await;
    page.until("approval_request").await;
    drop((page, socket));
    // Somebody who followed nothing finds it, and decides.
    let waiting = pending(&running).await;
    assert_eq!(waiting.len(), 1);
    let path_to_answer = format!("/api/approvals/{}", waiting[0]);
    let given = ada.post(&path_to_answer, r#"{"approved":true}"#);
    assert_eq!(given.await.status, 204);
    // Whoever comes back has missed nothing.
    let seen = ada.follow(&path).await.until("turn_finished").await;
    let (_, last) = seen.last().expect("an end");
    assert_eq!(last["status"], "done");
    let seqs: Vec<u64> = seen.iter().filter_map(|(seq, _)| *seq).collect();
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    running.stop().await;
}

#[tokio::test]
async fn somebody_who_cannot_ask_settles_a_request_as_such() {
    let running = Running::start(striking(1)).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut page = ada.follow(&path).await;
    prompt(&running, &id, "Strike").await;
    let asked = page.until("approval_request").await;
    let request = asked.last().expect("asked").1["id"].clone();
    let path = format!(
        "/api/pending/{}/no-person",
        request.as_str().expect("an id")
    );
    for (client, status) in [
        (running.client(&running.bob), 404),
        (running.client(&running.viewer), 403),
        (running.client(&running.ada), 204),
        (running.client(&running.ada), 404),
    ] {
        assert_eq!(client.post(&path, "{}").await.status, status);
    }
    let settled = page.until("request_settled").await;
    assert_eq!(settled.last().expect("settled").1["how"], "noPerson");
    let seen = page.until("turn_finished").await;
    let seen: Vec<&Value> = seen.iter().map(|(_, event)| event).collect();
    let text = serde_json::to_string(&seen).expect("JSON");
    assert!(text.contains("no-person"), "{text}");
    running.stop().await;
}

#[test]
fn an_unfinished_turn_is_resumed_by_the_next_server_and_answered_there() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let plugins = [plugins::GALLERY];
    let (id, seqs, request) = process(&store, &plugins, async |host| {
        let running = Running::over(host, striking(1)).await;
        assert_eq!(running.resumed, 0);
        let ada = running.client(&running.ada);
        let id = running.session(&running.ada).await;
        let path = format!("/api/sessions/{id}/events?after=0");
        let mut page = ada.follow(&path).await;
        prompt(&running, &id, "Strike").await;
        let seen = page.until("approval_request").await;
        let seqs: Vec<u64> = seen.iter().filter_map(|(seq, _)| *seq).collect();
        let request = seen.last().expect("asked").1["id"].clone();
        (id, seqs, request)
    });
    process(&store, &plugins, async |host| {
        let running = Running::over(host, [says("Struck.")]).await;
        assert_eq!(running.resumed, 1);
        let ada = running.client(&running.ada);
        // The client continues after what it has seen, and is asked again under the same id.
        let last = seqs.last().expect("some");
        let path = format!("/api/sessions/{id}/events?after={last}");
        let mut page = ada.follow(&path).await;
        let mut socket = Socket::open(&running, &id).await;
        let asked = page.until("approval_request").await;
        assert_eq!(asked.last().expect("asked").1["id"], request);
        socket.until("approval_request").await;
        let yes = json!({ "type": "approval_response", "request_id": request, "approved": true });
        socket.send(yes).await;
        let rest = page.until("turn_finished").await;
        let rest = asked.iter().chain(&rest).filter_map(|(seq, _)| *seq);
        let all: Vec<u64> = seqs.iter().copied().chain(rest).collect();
        assert_eq!(all, (1..=all.len() as u64).collect::<Vec<_>>());
        running.stop().await;
    });
}
