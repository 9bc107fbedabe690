//! What a client sends over a socket: only a well-formed reply to what is asked settles anything.

use super::*;
use footlight_tests::scripted_session::{calls, says};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

#[tokio::test]
async fn no_malformed_late_or_unknown_frame_settles_anything() {
    let running = Running::start([calls([("gallery__strike", json!({}))]), says("Done.")]).await;
    let id = running.session(&running.ada).await;
    let url = format!("ws://{}/api/sessions/{id}/socket?after=0", running.address);
    let connect = async || {
        let mut request = url.as_str().into_client_request().expect("a URL");
        let protocols = format!("footlight.v1, auth.{}", running.ada);
        let protocols = protocols.parse().expect("a header");
        let headers = request.headers_mut();
        headers.insert("sec-websocket-protocol", protocols);
        let opened = tokio_tungstenite::connect_async(request).await;
        opened.expect("opens").0
    };
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut events = running.client(&running.ada).follow(&path).await;
    let ada = running.client(&running.ada);
    let body = json!({ "prompt": "Strike" }).to_string();
    let prompts = format!("/api/sessions/{id}/prompts");
    assert_eq!(ada.post(&prompts, &body).await.status, 202);
    let asked = events.until("approval_request").await;
    let request = asked.last().expect("asked").1["id"].clone();

    let kinds = [
        json!("ask_response"),
        json!("ask_request"),
        json!("approval_request"),
        json!("nothing"),
        json!(1),
        Value::Null,
    ];
    let ids = [
        request.clone(),
        json!("call_0_v0"),
        json!(7),
        json!(""),
        json!(["x"]),
        Value::Null,
    ];
    let mut frames = Vec::new();
    for kind in &kinds {
        for id in &ids {
            for more in [
                json!({}),
                json!({ "value": true }),
                json!({ "values": [] }),
                json!({ "approved": true }),
            ] {
                let mut frame = more;
                frame["type"] = kind.clone();
                frame["request_id"] = id.clone();
                frames.push(frame.to_string());
            }
        }
    }
    // A verdict on something else, and what is not a frame at all.
    let elsewhere =
        json!({ "type": "approval_response", "request_id": "call_0_v0", "approved": true });
    frames.push(elsewhere.to_string());
    frames.extend(["", "[]", "{", "\"x\"", "{\"type\":\"approval_response\"}"].map(str::to_owned));
    frames.push("[".repeat(100_000));
    // A client may send a hundred a second, and each is answered but the empty one.
    for frames in frames.chunks(90) {
        let mut socket = connect().await;
        for frame in frames {
            socket.send(Message::text(frame)).await.expect("sent");
        }
        let mut left = frames.iter().filter(|frame| !frame.is_empty()).count();
        while left > 0 {
            let message = tokio::time::timeout(client::TIMEOUT, socket.next()).await;
            let message = message.expect("in time").expect("open").expect("read");
            let Message::Text(text) = message else {
                continue;
            };
            let frame: Value = serde_json::from_str(&text).expect("JSON");
            match frame["type"].as_str() {
                Some("invalid" | "refused") => left -= 1,
                Some("request_settled") => panic!("{frame}"),
                _ => {}
            }
        }
    }
    let pending = running
        .client(&running.ada)
        .get("/api/pending")
        .await
        .json();
    assert_eq!(pending["pending"][0]["request"]["id"], request);
    let yes = json!({ "type": "approval_response", "request_id": request, "approved": true });
    let yes = Message::text(yes.to_string());
    connect().await.send(yes).await.expect("sent");
    events.until("turn_finished").await;
    running.stop().await;
}
