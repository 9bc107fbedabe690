//! Links for one decision: a credential that reads one request and settles it, and nothing else.

use super::*;
use footlight_tests::scripted_session::{calls, says};
use serde_json::{Value, json};
use std::time::Duration;

const PUBLIC: &str = "https://tools.example";

/// Starts a server whose links work for this long, with a request for approval and a question that wait.
async fn start(lifetime: Duration) -> (Running, String, String) {
    let host = builder()
        .store(Arc::new(MemoryStore::default()) as Arc<dyn Store>)
        .build()
        .expect("builds");
    host.load(plugins::GALLERY).await.expect("loads");
    let model = Scripted::new([
        calls([("gallery__strike", json!({}))]),
        calls([("gallery__ask_text", json!({}))]),
        says("Done."),
        says("Done."),
    ]);
    let running = Running::with(host, model, |server| {
        server.public_origin(PUBLIC).link_lifetime(lifetime)
    })
    .await;
    let approval = waiting(&running, "approval_request").await;
    let question = waiting(&running, "ask_request").await;
    (running, approval, question)
}

/// Starts a turn in a session of its own, and returns the request that it waits for.
async fn waiting(running: &Running, kind: &str) -> String {
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut events = ada.follow(&path).await;
    let path = format!("/api/sessions/{id}/prompts");
    let started = ada.post(&path, r#"{"prompt":"Go"}"#).await;
    assert_eq!(started.status, 202, "{}", started.body);
    let asked = events.until(kind).await;
    let id = asked.last().expect("asked").1["id"]
        .as_str()
        .map(str::to_owned);
    id.expect("an id")
}

/// Makes a link, and returns its secret.
async fn link(running: &Running, request: &str) -> String {
    let path = format!("/api/pending/{request}/link");
    let made = running.client(&running.ada).post(&path, "{}").await;
    assert_eq!(made.status, 201, "{}", made.body);
    let url = made.json()["url"].as_str().expect("a URL").to_owned();
    let begin = format!("{PUBLIC}/reply#{request}/");
    let secret = url.strip_prefix(&begin).unwrap_or_else(|| panic!("{url}"));
    secret.to_owned()
}

/// Every route of the table, with the id of the link's own request and with that of another one.
#[tokio::test]
async fn a_link_opens_its_own_request_and_no_other_route() {
    let (running, approval, question) = start(Duration::from_secs(600)).await;
    let anybody = Client::new(running.address, None);
    let document = anybody.get("/api/openapi.json").await.json();
    let mut opened = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            if operation.get("security").is_none() {
                continue;
            }
            for id in [&approval, &question] {
                // A new one for each, so that no limit and no reply comes in between.
                let guest = running.client(&link(&running, &approval).await);
                let method = method.to_ascii_uppercase();
                let own = path.replace("{id}", id).replace("{item}", "itm_0");
                let body = (method != "GET" && method != "DELETE").then_some("{}");
                let refused = guest.send(&method, &own, body).await;
                let is_open = operation["x-links"] == true && *id == approval;
                if is_open {
                    opened.push(format!("{method} {path}"));
                }
                let is_forbidden = (refused.status, is_open) == (403, false);
                assert_ne!(is_forbidden, is_open, "{method} {own}: {}", refused.body);
                assert_ne!(refused.status, 429, "{method} {own}");
            }
        }
    }
    opened.sort();
    assert_eq!(
        opened,
        [
            "GET /api/pending/{id}",
            "POST /api/approvals/{id}",
            "POST /api/asks/{id}",
        ]
    );
    running.stop().await;
}

#[tokio::test]
async fn a_link_outlives_every_request_that_settles_nothing() {
    let (running, approval, _) = start(Duration::from_secs(600)).await;
    let pending = format!("/api/pending/{approval}");
    for method in ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "DELETE"] {
        for route in ["pending", "approvals", "asks"] {
            let guest = running.client(&link(&running, &approval).await);
            let path = format!("/api/{route}/{approval}");
            let met = guest.send(method, &path, None).await.status;
            let left = guest.get(&pending).await;
            assert_eq!(left.status, 200, "{method} {path} met {met}: {}", left.body);
        }
    }
    running.stop().await;
}

#[tokio::test]
async fn a_link_decides_once_and_the_record_says_so() {
    let (running, approval, question) = start(Duration::from_secs(600)).await;
    let guest = running.client(&link(&running, &approval).await);
    let read = guest
        .get(&format!("/api/pending/{approval}?markup=true"))
        .await
        .json();
    assert_eq!(read["request"]["id"], approval.as_str());
    assert!(!read.to_string().contains(&question));
    let path = format!("/api/approvals/{approval}");
    for lasting in [
        r#"{"approved":true,"always":true}"#,
        r#"{"approved":true,"always":true,"remember":true}"#,
    ] {
        let refused = guest.post(&path, lasting).await;
        assert_eq!(refused.status, 403, "{}", refused.body);
    }
    let once = r#"{"approved":true}"#;
    assert_eq!(guest.post(&path, once).await.status, 204);
    for again in [
        guest.post(&path, once).await,
        guest.get(&format!("/api/pending/{approval}")).await,
    ] {
        assert_eq!((again.status, &*again.problem()), (401, "unauthorized"));
    }
    let guest = running.client(&link(&running, &question).await);
    let path = format!("/api/asks/{question}");
    // An answer that does not fit uses nothing up.
    assert_eq!(guest.post(&path, "{}").await.status, 400);
    assert_eq!(guest.post(&path, r#"{"value":"Grace"}"#).await.status, 204);
    assert_eq!(guest.post(&path, r#"{"value":"Ada"}"#).await.status, 401);
    let (by_verdict, by_answer) = (recorded(&running).await, "ada via link");
    assert_eq!(by_verdict, [by_answer, by_answer]);
    running.stop().await;
}

/// Returns who decided and who answered, as the sessions have recorded it at the end of their turns.
async fn recorded(running: &Running) -> Vec<String> {
    let ada = running.client(&running.ada);
    let sessions = ada.get("/api/sessions").await.json();
    let mut by = Vec::new();
    for session in sessions["sessions"].as_array().expect("a list") {
        let id = session["id"].as_str().expect("an id");
        let path = format!("/api/sessions/{id}/events?after=0");
        let events = ada.follow(&path).await.until("turn_finished").await;
        let items = events.iter().map(|(_, event)| &event["item"]);
        let named = |item: &Value| match &item["answeredBy"] {
            Value::Null => item["verdict"]["by"].as_str().map(str::to_owned),
            by => by.as_str().map(str::to_owned),
        };
        by.extend(items.filter_map(named).next_back());
    }
    by
}

#[tokio::test]
async fn a_link_ends_with_its_time_with_another_one_and_with_a_reply_elsewhere() {
    let (running, approval, _) = start(Duration::from_millis(1)).await;
    let late = running.client(&link(&running, &approval).await);
    tokio::time::sleep(Duration::from_millis(2)).await;
    let path = format!("/api/pending/{approval}");
    assert_eq!(late.get(&path).await.status, 401);
    running.stop().await;

    let (running, approval, _) = start(Duration::from_secs(600)).await;
    let path = format!("/api/pending/{approval}");
    let first = running.client(&link(&running, &approval).await);
    assert_eq!(first.get(&path).await.status, 200);
    let second = running.client(&link(&running, &approval).await);
    assert_eq!(first.get(&path).await.status, 401);
    let verdict = format!("/api/approvals/{approval}");
    let ada = running.client(&running.ada);
    assert_eq!(
        ada.post(&verdict, r#"{"approved":false}"#).await.status,
        204
    );
    let late = second.post(&verdict, r#"{"approved":true}"#).await;
    assert_eq!(late.status, 409, "{}", late.body);
    assert_eq!(second.get(&path).await.status, 401);
    running.stop().await;
}

#[tokio::test]
async fn a_link_is_made_by_whoever_may_reply_where_others_can_reach_the_server() {
    let (running, approval, question) = start(Duration::from_secs(600)).await;
    let make = async |token: &str, request: &str| {
        let path = format!("/api/pending/{request}/link");
        running.client(token).post(&path, "{}").await.status
    };
    assert_eq!(make(&running.viewer, &question).await, 403);
    assert_eq!(make(&running.user, &question).await, 201);
    assert_eq!(make(&running.user, &approval).await, 403);
    assert_eq!(make(&running.bob, &approval).await, 404);
    assert_eq!(make(&running.ada, "call_0_v0").await, 404);

    // Whoever opens it comes from the server's public name alone.
    let secret = link(&running, &approval).await;
    let guest = |host: &str, origin: &str| {
        let client = running.client(&secret).without_host();
        client
            .with(format!("Host: {host}"))
            .with(format!("Origin: {origin}"))
    };
    let path = format!("/api/pending/{approval}");
    for (host, origin, status) in [
        ("tools.example", PUBLIC, 200),
        ("tools.example", "http://tools.example", 403),
        ("tools.example", "https://evil.example", 403),
        ("evil.example", PUBLIC, 403),
    ] {
        let read = guest(host, origin).get(&path).await;
        assert_eq!(read.status, status, "{host} {origin}: {}", read.body);
    }
    let page = running.client("").without_host();
    let page = page.with("Host: tools.example").get("/reply").await;
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("wss://tools.example"), "{policy}");

    // Reading again and again is limited, and so is guessing.
    let guest = running.client(&secret);
    let mut answers = Vec::new();
    for _ in 0..25 {
        answers.push(guest.get(&path).await.status);
    }
    assert!(answers.contains(&429), "{answers:?}");
    let guess = running.client("link-0000");
    let mut answers = Vec::new();
    for _ in 0..25 {
        answers.push(guess.get(&path).await.status);
    }
    assert_eq!((answers[0], answers[24]), (401, 429));
    running.stop().await;

    let running = Running::start([calls([("gallery__strike", json!({}))]), says("Done.")]).await;
    let approval = waiting(&running, "approval_request").await;
    let path = format!("/api/pending/{approval}/link");
    let none = running.client(&running.ada).post(&path, "{}").await;
    assert_eq!((none.status, &*none.problem()), (501, "unsupported"));
    running.stop().await;
}
