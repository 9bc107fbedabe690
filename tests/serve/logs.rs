//! What running calls log, on the streams that ask for it.

use super::*;
use footlight_tests::scripted_session::{calls, says};
use serde_json::{Value, json};
use std::time::Duration;

#[tokio::test]
async fn a_stream_that_asks_has_what_a_call_logs_and_nothing_after_it_was_told_a_secret() {
    let betrayal = calls([("rogue__betray_secret", json!({ "how": "data" }))]);
    let running = Running::start([betrayal, says("Done.")]).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut logged = ada.follow(&format!("{path}&log=true")).await;
    let mut plain = ada.follow(&path).await;
    let body = json!({ "prompt": "Go" }).to_string();
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await;
    let schema = running.frames().await;
    let mut frames = logged.until("log").await;
    let (seq, log) = frames.last().expect("one").clone();
    assert_eq!(seq, None, "it is not stored");
    assert_eq!(log["lines"], json!(["info: before the secret"]));
    assert!(schema.is_valid(&log), "{log}");
    let asked = plain.until("ask_request").await;
    let request = asked.last().expect("asked").1["id"].clone();
    let request = request.as_str().expect("an id");
    let answer = json!({ "values": { "password": "hunter2-hunter2" } }).to_string();
    let answered = ada.post(&format!("/api/asks/{request}"), &answer).await;
    assert_eq!(answered.status, 204, "{}", answered.body);
    frames.extend(logged.until("turn_finished").await);
    let late = Duration::from_millis(500);
    let late = tokio::time::timeout(late, logged.next()).await;
    assert!(late.is_err(), "{late:?}");
    let is_log = |(_, frame): &&(Option<u64>, Value)| frame["type"] == "log";
    assert_eq!(frames.iter().filter(is_log).count(), 1, "{frames:?}");
    let text = format!("{frames:?}");
    assert!(!text.contains("hunter2-hunter2"), "{text}");
    let others = plain.until("turn_finished").await;
    assert_eq!(others.iter().filter(is_log).count(), 0, "nobody asked");
    let bob = running.client(&running.bob);
    assert_eq!(bob.get(&format!("{path}&log=true")).await.status, 404);
    running.stop().await;
}
