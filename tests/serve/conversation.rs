//! Turns and live streams: everybody sees the same, in order, and whoever comes later misses nothing.

use super::*;
use footlight::store::SqliteStore;
use footlight::vocabulary::item::SessionId;
use footlight_tests::scripted_session::{calls, says};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{Error, Message};

async fn prompt(running: &Running, id: &str, text: &str) -> client::Response {
    let body = json!({ "prompt": text }).to_string();
    let ada = running.client(&running.ada);
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await
}

fn stored(events: &[(Option<u64>, Value)]) -> Vec<u64> {
    events.iter().filter_map(|(id, _)| *id).collect()
}

#[tokio::test]
async fn a_stream_has_every_event_once_and_continues_where_a_client_left() {
    let answers = [
        calls([("gallery__table", json!({}))]),
        says("There it is."),
        says("Again."),
    ];
    let running = Running::start(answers).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events");
    let mut first = ada.follow(&path).await;
    let (_, snapshot) = first.next().await;
    assert_eq!(
        (&snapshot["type"], &snapshot["seq"]),
        (&json!("snapshot"), &json!(0))
    );
    let started = prompt(&running, &id, "Show a table").await;
    assert_eq!(started.status, 202, "{}", started.body);
    let seen = first.until("turn_finished").await;
    let seqs = stored(&seen);
    assert_eq!(seqs, (1..=seqs.len() as u64).collect::<Vec<_>>());
    for (id, event) in &seen {
        assert_eq!(*id, event["seq"].as_u64(), "only what is stored has an id");
    }

    // From the middle, by the query and by the header of a browser that reconnects.
    let middle = seqs.len() as u64 / 2;
    let mut by_query = ada.follow(&format!("{path}?after={middle}")).await;
    let header = format!("Last-Event-ID: {middle}");
    let mut by_header = running
        .client(&running.ada)
        .with(header)
        .follow(&path)
        .await;
    for events in [&mut by_query, &mut by_header] {
        let rest = events.until("turn_finished").await;
        assert_eq!(stored(&rest), seqs[middle as usize..]);
    }
    // One that names an event that never was gets the record.
    let mut lost = ada.follow(&format!("{path}?after=999999")).await;
    let (_, record) = lost.next().await;
    assert_eq!(record["type"], "snapshot");
    let items = record["items"].as_array().expect("items");
    assert!(
        items.iter().any(|item| item["text"] == "There it is."),
        "{record}"
    );

    // All of them go on with the next turn.
    assert_eq!(prompt(&running, &id, "Once more").await.status, 202);
    for events in [&mut first, &mut by_query, &mut by_header, &mut lost] {
        let next = events.until("turn_finished").await;
        assert_eq!(stored(&next)[0], seqs.len() as u64 + 1);
    }
    running.stop().await;
}

#[tokio::test]
async fn a_prompt_that_is_sent_twice_with_one_key_starts_one_turn() {
    let running = Running::start([says("One."), says("Two.")]).await;
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/prompts");
    let keyed = running.client(&running.ada).with("Idempotency-Key: k-1");
    let body = json!({ "prompt": "Go" }).to_string();
    let (first, second) = (
        keyed.post(&path, &body).await,
        keyed.post(&path, &body).await,
    );
    assert_eq!((first.status, second.status), (202, 200));
    assert_eq!(first.json()["turn"], second.json()["turn"]);
    for wrong in ["", " ", &"k".repeat(200)] {
        let body = json!({ "prompt": wrong }).to_string();
        let ada = running.client(&running.ada);
        let key = ada.with(format!("Idempotency-Key: {wrong}"));
        assert_eq!(key.post(&path, &body).await.status, 400, "{wrong:?}");
    }
    running.stop().await;
}

#[tokio::test]
async fn a_key_names_one_prompt_also_after_a_restart() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let host = || builder().store(Arc::clone(&store)).build().expect("builds");
    let send = async |running: &Running, id: &str, key: &str, text: &str| {
        let keyed = running.client(&running.ada);
        let keyed = keyed.with(format!("Idempotency-Key: {key}"));
        let body = json!({ "prompt": text }).to_string();
        keyed
            .post(&format!("/api/sessions/{id}/prompts"), &body)
            .await
    };
    let running = Running::over(host(), [says("One.")]).await;
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut events = running.client(&running.ada).follow(&path).await;
    let first = send(&running, &id, "k-1", "Go").await;
    assert_eq!(first.status, 202, "{}", first.body);
    events.until("turn_finished").await;
    running.stop().await;

    let running = Running::over(host(), [says("Two.")]).await;
    let again = send(&running, &id, "k-1", "Go").await;
    assert_eq!((again.status, again.json()), (200, first.json()));
    let other = send(&running, &id, "k-1", "Stop").await;
    assert_eq!((other.status, other.problem().as_str()), (409, "conflict"));
    // The key of another session is another key.
    let elsewhere = running.session(&running.ada).await;
    let elsewhere = send(&running, &elsewhere, "k-1", "Go").await;
    assert_eq!(elsewhere.status, 202);
    assert_ne!(elsewhere.json(), first.json());
    let next = send(&running, &id, "k-2", "Go").await;
    assert_eq!(next.status, 202, "{}", next.body);
    running.stop().await;
}

#[tokio::test]
async fn the_first_answer_counts_and_every_client_sees_who_gave_it() {
    let ask = calls([(
        "weather__forecast",
        json!({ "city": "Springfield", "days": 1 }),
    )]);
    let running = Running::start([ask, says("Done.")]).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let (mut one, mut two) = (ada.follow(&path).await, ada.follow(&path).await);
    assert_eq!(prompt(&running, &id, "Weather").await.status, 202);
    let asked = one.until("ask_request").await;
    let (seq, frame) = asked.last().expect("it is asked");
    assert_eq!(*seq, None, "a request is not an event of the log");
    let request = frame["id"].as_str().expect("an id").to_owned();
    // Whoever connects meanwhile is asked as well, and so is whoever lists what waits.
    let late = ada
        .follow(&format!("/api/sessions/{id}/events"))
        .await
        .until("ask_request")
        .await;
    assert_eq!(late.last().expect("asked").1["id"], request.as_str());
    let pending = ada.get("/api/pending").await.json();
    assert_eq!(pending["pending"][0]["request"]["id"], request.as_str());
    assert_eq!(pending["pending"][0]["waitedFor"], true);

    let path = format!("/api/asks/{request}");
    let wrong = ada.post(&path, r#"{"value":"Atlantis"}"#).await;
    assert_eq!((wrong.status, wrong.problem().as_str()), (400, "invalid"));
    let foreign = running.client(&running.bob);
    let foreign = foreign.post(&path, r#"{"value":"Springfield, MA"}"#).await;
    assert_eq!(foreign.status, 404);
    let kind = ada
        .post(&format!("/api/approvals/{request}"), r#"{"approved":true}"#)
        .await;
    assert_eq!(kind.status, 400, "{}", kind.body);
    let answer = ada.post(&path, r#"{"value":"Springfield, MA"}"#).await;
    assert_eq!(answer.status, 204, "{}", answer.body);
    let again = ada.post(&path, r#"{"value":"Springfield, IL"}"#).await;
    assert_eq!(again.problem(), "conflict");
    for events in [&mut one, &mut two] {
        let settled = events.until("request_settled").await;
        let (_, settled) = settled.last().expect("settled");
        assert_eq!(
            settled,
            &json!({ "type": "request_settled", "request_id": request, "how": "answer", "by": "ada via http", "value": "Springfield, MA" })
        );
        events.until("turn_finished").await;
    }
    running.stop().await;
}

#[tokio::test]
async fn an_unattended_session_fails_at_once_where_a_person_is_needed() {
    let ask = json!({ "city": "Springfield", "days": 1 });
    let running = Running::start([
        calls([("gallery__strike", json!({}))]),
        calls([("weather__forecast", ask)]),
        says("Done."),
    ])
    .await;
    let ada = running.client(&running.ada);
    let made = ada.post("/api/sessions", r#"{"attended":false}"#).await;
    let id = made.json()["id"].as_str().expect("an id").to_owned();
    let mut events = ada
        .follow(&format!("/api/sessions/{id}/events?after=0"))
        .await;
    assert_eq!(prompt(&running, &id, "Strike").await.status, 202);
    let seen = events.until("turn_finished").await;
    let failed = |(_, event): &&(Option<u64>, Value)| {
        let result = &event["item"]["result"];
        result["type"] == "error" && result["code"] == "no-person"
    };
    let failed: Vec<_> = seen.iter().filter(failed).collect();
    assert_eq!(failed.len(), 2, "a question and an approval: {seen:?}");
    for (_, event) in failed {
        let error = event["item"]["result"]["error"]
            .as_str()
            .expect("a sentence");
        assert!(error.contains("nobody can be asked"), "{error}");
    }
    let asks = seen
        .iter()
        .filter(|(_, event)| event["type"] == "ask_request" || event["type"] == "approval_request");
    assert_eq!(asks.count(), 0, "nobody is asked");
    running.stop().await;
}

#[tokio::test]
async fn over_a_socket_frames_settle_requests_and_nonsense_harms_nothing() {
    let running = Running::start([calls([("gallery__strike", json!({}))]), says("Done.")]).await;
    let id = running.session(&running.ada).await;
    let url = format!("ws://{}/api/sessions/{id}/socket?after=0", running.address);
    let connect = async |token: &str| {
        let mut request = url.as_str().into_client_request().expect("a URL");
        let protocols = format!("footlight.v1, auth.{token}")
            .parse()
            .expect("a header");
        request
            .headers_mut()
            .insert("sec-websocket-protocol", protocols);
        tokio_tungstenite::connect_async(request).await
    };
    for (token, status) in [("0123456789abcdef", 401), (&*running.bob, 404)] {
        match connect(token).await {
            Err(Error::Http(response)) => assert_eq!(response.status(), status),
            other => panic!("refused before the upgrade: {other:?}"),
        }
    }
    let (mut socket, response) = connect(&running.ada).await.expect("connects");
    let chosen = response.headers().get("sec-websocket-protocol");
    assert_eq!(chosen.and_then(|it| it.to_str().ok()), Some("footlight.v1"));
    assert_eq!(prompt(&running, &id, "Strike").await.status, 202);
    let next = async |socket: &mut _, kind: &str| -> Value {
        let socket: &mut tokio_tungstenite::WebSocketStream<_> = socket;
        let found = async {
            loop {
                let message: Message = socket.next().await.expect("open").expect("read");
                if let Message::Text(text) = message {
                    let frame: Value = serde_json::from_str(&text).expect("JSON");
                    if frame["type"] == kind {
                        return frame;
                    }
                }
            }
        };
        tokio::time::timeout(client::TIMEOUT, found)
            .await
            .expect(kind)
    };
    let asked = next(&mut socket, "approval_request").await;
    assert_eq!(asked["payload"]["tool"], "gallery.strike");
    assert_eq!(asked["payload"]["options"][0]["verdict"], "deny");
    let request = asked["id"].as_str().expect("an id").to_owned();
    for (nonsense, answer) in [
        ("nonsense".to_owned(), "invalid"),
        ("{}".to_owned(), "invalid"),
        (json!({ "type": "hello" }).to_string(), "invalid"),
        (
            format!(
                r#"{{"type":"approval_response","request_id":"{request}","approved":false,"approved":true}}"#
            ),
            "invalid",
        ),
        (
            json!({ "type": "approval_response", "request_id": "r", "approved": true }).to_string(),
            "refused",
        ),
        (
            json!({ "type": "ask_response", "request_id": request, "value": "Yes" }).to_string(),
            "refused",
        ),
    ] {
        socket.send(Message::text(nonsense)).await.expect("sent");
        next(&mut socket, answer).await;
    }
    let yes = json!({ "type": "approval_response", "request_id": request, "approved": true });
    socket
        .send(Message::text(yes.to_string()))
        .await
        .expect("sent");
    let settled = next(&mut socket, "request_settled").await;
    assert_eq!(
        (&settled["how"], &settled["by"]),
        (&json!("verdict"), &json!("ada via websocket"))
    );
    next(&mut socket, "turn_finished").await;
    let late = json!({ "type": "approval_response", "request_id": request, "approved": false });
    socket
        .send(Message::text(late.to_string()))
        .await
        .expect("sent");
    next(&mut socket, "refused").await;
    // Open streams do not hold up the end of the server.
    running.stop().await;
}

#[tokio::test]
async fn a_server_that_ends_leaves_what_waits_to_the_next_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let over = async |answers: Vec<Answer>| {
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(folder.path()).expect("opens"));
        let host = builder().store(store).build().expect("builds");
        host.load(plugins::GALLERY).await.expect("loads");
        Running::over(host, answers).await
    };
    let running = over(vec![calls([("gallery__strike", json!({}))])]).await;
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut events = running.client(&running.ada).follow(&path).await;
    assert_eq!(prompt(&running, &id, "Strike").await.status, 202);
    let asked = events.until("approval_request").await;
    let request = asked.last().expect("asked").1["id"].clone();
    running.stop().await;

    // The lease is released: no other owner has to wait for it to expire.
    let store = SqliteStore::open(folder.path()).expect("opens");
    let session = SessionId::from(&*id);
    let lease = store.claim(&session, "another", client::TIMEOUT).await;
    store
        .release(&lease.expect("free"))
        .await
        .expect("released");
    drop(store);

    let running = over(vec![says("Struck.")]).await;
    let mut events = running.client(&running.ada).follow(&path).await;
    let asked = events.until("approval_request").await;
    assert_eq!(asked.last().expect("asked").1["id"], request);
    let ada = running.client(&running.ada);
    let request = request.as_str().expect("an id");
    let verdict = format!("/api/approvals/{request}");
    let decided = ada.post(&verdict, r#"{"approved":true}"#).await;
    assert_eq!(decided.status, 204, "{}", decided.body);
    events.until("turn_finished").await;
    running.stop().await;
}
