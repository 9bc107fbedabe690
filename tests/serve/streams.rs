//! Clients that do not read, or come back after too long: they miss nothing and hold up nobody.

use super::*;
use footlight::Settings;
use footlight::vocabulary::event::EventBody;
use footlight_tests::scripted_session::{says, writes};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// How many turns of much text, which fill the buffers below a stream, and of many events.
const LONG: usize = 12;
const EVENTFUL: usize = 40;

/// Connects with a small buffer, so that little is under way to a client that does not read.
async fn connect(address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4 << 10).expect("it is small");
    socket.connect(address).await.expect("connects")
}

/// The stored events of a stream by their `seq`, and its last frame.
#[derive(Default)]
struct Seen {
    events: BTreeMap<u64, Value>,
    last: Value,
}

impl Seen {
    fn add(&mut self, frame: Value) {
        if let Some(seq) = frame["seq"].as_u64().filter(|_| frame["type"] != "resync") {
            let before = self
                .events
                .last_key_value()
                .map_or(seq - 1, |(last, _)| *last);
            assert_eq!(seq, before + 1, "in order, and each once");
            self.events.insert(seq, frame.clone());
        }
        self.last = frame;
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_told_to_resync_and_others_lose_nothing() {
    let host = builder().build().expect("builds");
    let running = Running::over(host.clone(), []).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");

    // One that reads, and two that do not.
    let mut reader = ada.follow(&path).await;
    let (stop, mut stopped) = oneshot::channel::<()>();
    let read = tokio::spawn(async move {
        let mut seen = Seen::default();
        loop {
            tokio::select! {
                (_, frame) = reader.next() => seen.add(frame),
                _ = &mut stopped => return (seen, reader),
            }
        }
    });
    let mut stalled = connect(running.address).await;
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
        running.address, running.ada
    );
    stalled.write_all(request.as_bytes()).await.expect("sent");
    let url = format!("ws://{}/api/sessions/{id}/socket?after=0", running.address);
    let mut request = url.into_client_request().expect("a URL");
    let token = format!("footlight.v1, auth.{}", running.ada);
    let headers = request.headers_mut();
    headers.insert("sec-websocket-protocol", token.parse().expect("a header"));
    let stream = connect(running.address).await;
    let (mut socket, _) = tokio_tungstenite::client_async(request, stream)
        .await
        .expect("opens");

    // The same session, without the limit on requests.
    let long = "x".repeat(512 << 10);
    let mut answers: Vec<Answer> = (0..LONG).map(|_| says(&long)).collect();
    for _ in 0..EVENTFUL {
        let call = ("nobody__nothing", json!({}).to_string());
        answers.push(writes(std::array::from_fn::<_, 100, _>(|_| call.clone())));
        answers.push(says("Done."));
    }
    let settings = Settings::new(Scripted::new(answers));
    let (person, own) = (host.person("ada"), id.as_str().into());
    let session = person.resume(&own, settings).await.expect("it is open");
    for _ in 0..LONG + EVENTFUL {
        let mut turn = session.turn("Go").expect("none is running");
        while let Some(Ok(update)) = turn.next().await {
            let footlight::Update::Event(event) = update else {
                continue;
            };
            if let EventBody::TurnFinished { .. } = event.what {
                break;
            }
        }
        // Let those who read do so.
        tokio::task::yield_now().await;
    }
    let last = session.follow_with_record().0.seq;
    assert!(last > 1_200, "{last} events");
    let mut late = ada
        .follow(&format!("/api/sessions/{id}/events?after={}", last - 1))
        .await;
    assert_eq!(late.next().await.0, Some(last));

    let mut by_socket = Seen::default();
    while let Some(Ok(message)) = socket.next().await {
        match message {
            Message::Text(text) => by_socket.add(serde_json::from_str(&text).expect("JSON")),
            Message::Close(close) => {
                let close = close.expect("a reason");
                assert_eq!((u16::from(close.code), &*close.reason), (1013, "resync"));
            }
            _ => {}
        }
    }
    let mut by_events = Seen::default();
    let mut lines = BufReader::new(stalled).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some(data) = line.strip_prefix("data: ") {
            by_events.add(serde_json::from_str(data).expect("JSON"));
        }
    }
    for seen in [by_socket, by_events] {
        let (sent, _) = seen.events.last_key_value().expect("some were sent");
        assert_eq!(seen.last, json!({ "type": "resync", "seq": sent }));
        assert!(*sent < last, "it was too far behind");
        // It goes on after the last event that it has, or with the whole record.
        let mut rest = ada
            .follow(&format!("/api/sessions/{id}/events?after={sent}"))
            .await;
        let (seq, first) = rest.next().await;
        match first["type"].as_str() {
            Some("snapshot") => assert_eq!(seq, Some(last)),
            _ => assert_eq!(seq, Some(sent + 1)),
        }
    }
    // The gap of one who has seen next to nothing is too large to be filled event by event.
    let mut old = ada
        .follow(&format!("/api/sessions/{id}/events?after=1"))
        .await;
    let (seq, snapshot) = old.next().await;
    assert_eq!((seq, &snapshot["type"]), (Some(last), &json!("snapshot")));

    let _ = stop.send(());
    let (mut seen, mut reader) = read.await.expect("reads");
    while seen.events.len() < last as usize {
        seen.add(reader.next().await.1);
    }
    assert_eq!(seen.events.len() as u64, last);
    running.stop().await;
}

#[tokio::test]
async fn streams_and_clients_that_do_not_read_hold_up_no_shutdown() {
    let host = builder().build().expect("builds");
    let running = Running::over(host, []).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events");
    let mut followed = Vec::new();
    for _ in 0..8 {
        followed.push(ada.follow(&path).await);
    }
    // Half a request, and one that is not read.
    let mut half = connect(running.address).await;
    half.write_all(b"GET /healthz HTTP/1.1\r\nHost:")
        .await
        .expect("sent");
    let mut unread = connect(running.address).await;
    let request = format!(
        "GET /api/openapi.json HTTP/1.1\r\nHost: {}\r\n\r\n",
        running.address
    );
    unread.write_all(request.as_bytes()).await.expect("sent");
    running.stop().await;
}
