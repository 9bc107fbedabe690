//! What belongs to one person is answered to another like what does not exist.

use super::*;
use footlight_tests::scripted_session::{calls, says};
use serde_json::json;

#[tokio::test]
async fn nothing_of_one_person_is_visible_to_another() {
    let answers = [calls([("gallery__strike", json!({}))]), says("Done.")];
    let running = Running::start(answers).await;
    let (ada, bob) = (running.client(&running.ada), running.client(&running.bob));
    let id = running.session(&running.ada).await;
    let mut events = ada
        .follow(&format!("/api/sessions/{id}/events?after=0"))
        .await;
    let body = json!({ "prompt": "Strike" }).to_string();
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await;
    let asked = events.until("approval_request").await;
    let request = asked.last().expect("asked").1["id"]
        .as_str()
        .map(str::to_owned);
    let request = request.expect("an id");

    assert_eq!(bob.get("/api/sessions").await.json()["sessions"], json!([]));
    assert_eq!(bob.get("/api/pending").await.json()["pending"], json!([]));
    let declined = bob.post("/api/pending/decline", "{}").await.json();
    assert_eq!(declined["declined"], 0);
    let press = json!({ "session": id, "item": "itm_1", "rev": 0, "path": "x" }).to_string();
    let title = json!({ "title": "Mine" }).to_string();
    for (method, path, body) in [
        ("GET", format!("/api/sessions/{id}"), None),
        ("GET", format!("/api/sessions/{id}/events"), None),
        ("GET", format!("/api/sessions/{id}/socket"), None),
        ("PATCH", format!("/api/sessions/{id}"), Some(title.as_str())),
        ("DELETE", format!("/api/sessions/{id}"), None),
        ("POST", format!("/api/sessions/{id}/prompts"), Some(&*body)),
        ("POST", format!("/api/sessions/{id}/cancel"), Some("{}")),
        (
            "POST",
            format!("/api/approvals/{request}"),
            Some(r#"{"approved":true}"#),
        ),
        (
            "POST",
            format!("/api/asks/{request}"),
            Some(r#"{"skip":true}"#),
        ),
        ("POST", "/api/actions".to_owned(), Some(press.as_str())),
    ] {
        let foreign = bob.send(method, &path, body).await;
        let unknown = path.replace(&id, "ses_0").replace(&request, "call_0_v0");
        let unknown = bob
            .send(
                method,
                &unknown,
                body.map(|b| b.replace(&id, "ses_0")).as_deref(),
            )
            .await;
        assert_eq!(
            (foreign.status, unknown.status),
            (404, 404),
            "{method} {path}"
        );
        assert_eq!(foreign.body, unknown.body, "{method} {path}");
    }
    // Ada's request still waits, and is hers to decline.
    let declined = ada.post("/api/pending/decline", "{}").await.json();
    assert_eq!(declined["declined"], 1);
    events.until("turn_finished").await;
    let renamed = ada
        .send("PATCH", &format!("/api/sessions/{id}"), Some(&title))
        .await;
    assert_eq!(renamed.json()["title"], "Mine", "{}", renamed.body);
    let listed = ada.get("/api/sessions").await.json();
    assert_eq!(listed["sessions"][0]["title"], "Mine");
    let deleted = ada
        .send("DELETE", &format!("/api/sessions/{id}"), None)
        .await;
    assert_eq!(deleted.status, 204, "{}", deleted.body);
    assert_eq!(ada.get(&format!("/api/sessions/{id}")).await.status, 404);
    running.stop().await;
}

#[tokio::test]
async fn sessions_are_listed_page_by_page() {
    let running = Running::start([]).await;
    let ada = running.client(&running.ada);
    let mut made = Vec::new();
    for _ in 0..5 {
        made.push(running.session(&running.ada).await);
    }
    let (mut listed, mut path) = (Vec::new(), "/api/sessions?limit=2".to_owned());
    loop {
        let page = ada.get(&path).await.json();
        let sessions = page["sessions"].as_array().expect("sessions").clone();
        assert!((1..=2).contains(&sessions.len()));
        listed.extend(
            sessions
                .iter()
                .map(|it| it["id"].as_str().unwrap_or_default().to_owned()),
        );
        match page["next"].as_str() {
            Some(next) => path = format!("/api/sessions?limit=2&after={next}"),
            None => break,
        }
    }
    listed.sort();
    made.sort();
    assert_eq!(listed, made);
    for query in [
        "limit=0",
        "limit=201",
        "limit=x",
        "after=x",
        "after=1.%2e%2e",
        "other=1",
    ] {
        let response = ada.get(&format!("/api/sessions?{query}")).await;
        assert_eq!(response.status, 400, "{query}");
    }
    running.stop().await;
}
