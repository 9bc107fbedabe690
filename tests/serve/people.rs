//! What belongs to one person is answered to another like what does not exist.

use super::*;
use footlight_tests::scripted_session::{calls, says};
use serde_json::json;

/// What belongs to Ada: the ids that stand in the paths and bodies of requests.
struct Own {
    session: String,
    item: String,
    request: String,
    output: String,
}

impl Own {
    fn unknown() -> Self {
        Self {
            session: "ses_0".to_owned(),
            item: "itm_0".to_owned(),
            request: "call_0_v0".to_owned(),
            output: "out_1_aaaaaa".to_owned(),
        }
    }

    /// Returns the path of a route with these ids. A new route has to be added here.
    fn path(&self, path: &str) -> String {
        let id = match path.split('/').nth(2) {
            Some("sessions") => &self.session,
            Some("asks" | "approvals" | "pending") => &self.request,
            Some("outputs") => &self.output,
            // No grant was given, so that the first number is as good as any.
            Some("grants") => "1",
            _ => {
                assert!(!path.contains('{'), "which ids does {path} take?");
                ""
            }
        };
        path.replace("{id}", id).replace("{item}", &self.item)
    }

    /// Returns a body that would do something.
    fn body(&self, method: &str, path: &str) -> Option<String> {
        let body = match (method, path.rsplit('/').next()?) {
            ("GET" | "DELETE", _) => return None,
            ("PATCH", _) => json!({ "title": "Mine" }),
            (_, "prompts") => json!({ "prompt": "Go" }),
            (_, "actions") => {
                json!({ "session": self.session, "item": self.item, "rev": 0, "path": "x" })
            }
            _ if path.starts_with("/api/asks/") => json!({ "skip": true }),
            _ if path.starts_with("/api/approvals/") => json!({ "approved": true }),
            _ => json!({}),
        };
        Some(body.to_string())
    }
}

#[tokio::test]
async fn nothing_of_one_person_is_visible_to_another() {
    let running = Running::start([
        calls([("gallery__outputs", json!({}))]),
        calls([("gallery__strike", json!({}))]),
        says("Done."),
    ])
    .await;
    let (ada, bob) = (running.client(&running.ada), running.client(&running.bob));
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut events = ada.follow(&path).await;
    let body = json!({ "prompt": "Strike" }).to_string();
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await;
    let seen = events.until("approval_request").await;
    let text = |value: &serde_json::Value| value.as_str().expect("an id").to_owned();
    let of = |kind: &str| {
        let mut items = seen.iter().map(|(_, frame)| &frame["item"]);
        let item = items.find(|item| item["type"] == kind);
        text(&item.expect(kind)["id"])
    };
    let own = Own {
        item: of("tool"),
        output: of("output"),
        request: text(&seen.last().expect("asked").1["id"]),
        session: id.clone(),
    };
    let unknown = Own::unknown();
    let mut with_ids = 0;
    for route in super::credentials::guarded(&running).await.0 {
        let (method, path) = (route.method.as_str(), route.path.as_str());
        if path == "/api/logout" {
            continue;
        }
        let body = own.body(method, path);
        let foreign = bob.send(method, &own.path(path), body.as_deref()).await;
        if !path.contains('{') && path != "/api/actions" {
            let names = [&own.session, &own.item, &own.request, &own.output];
            let named = names
                .iter()
                .any(|name| foreign.body.contains(name.as_str()));
            assert!(!named, "{method} {path}: {}", foreign.body);
            continue;
        }
        let body = unknown.body(method, path);
        let nothing = bob.send(method, &unknown.path(path), body.as_deref()).await;
        assert_eq!(
            (foreign.status, nothing.status),
            (404, 404),
            "{method} {path}"
        );
        assert_eq!(foreign.body, nothing.body, "{method} {path}");
        with_ids += 1;
    }
    assert!(with_ids >= 14, "{with_ids}");
    // Ada's request still waits, and is hers to decline.
    let declined = ada.post("/api/pending/decline", "{}").await.json();
    assert_eq!(declined["declined"], 1);
    events.until("turn_finished").await;
    let title = json!({ "title": "Mine" }).to_string();
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
async fn a_new_server_resumes_the_turns_of_everybody() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let host = async || {
        let host = builder().store(Arc::clone(&store)).build().expect("builds");
        host.load(plugins::GALLERY).await.expect("loads");
        host
    };
    let strike = || calls([("gallery__strike", json!({}))]);
    let running = Running::over(host().await, [strike(), strike()]).await;
    let body = json!({ "prompt": "Strike" }).to_string();
    for token in [&running.ada, &running.bob] {
        let id = running.session(token).await;
        let client = running.client(token);
        let path = format!("/api/sessions/{id}/events?after=0");
        let mut events = client.follow(&path).await;
        client
            .post(&format!("/api/sessions/{id}/prompts"), &body)
            .await;
        events.until("approval_request").await;
    }
    running.stop().await;

    let mut tokens = Tokens::new(None).expect("no file");
    let mut mint = |person: &str| {
        let (person, may) = (person.to_owned(), Permission::Approve);
        tokens.mint(Identity { person, may }).expect("randomness")
    };
    let people = [mint("ada"), mint("bob")];
    let model = Scripted::new([says("Struck."), says("Struck.")]);
    let server = Server::new(host().await, model, tokens);
    let server = server.bind("127.0.0.1:0").await.expect("a free port");
    assert_eq!(server.resume_all().await.expect("resumes"), 2);
    let address = server.address();
    let task = tokio::spawn(server.run(std::future::pending()));
    for token in people {
        let client = Client::new(address, Some(&token));
        let pending = client.get("/api/pending").await.json();
        let pending = pending["pending"].as_array().expect("a list").clone();
        assert_eq!(pending.len(), 1, "{pending:?}");
        assert_eq!(pending[0]["waitedFor"], true);
        let session = pending[0]["session"].as_str().expect("an id");
        let path = format!("/api/sessions/{session}/events?after=0");
        let mut events = client.follow(&path).await;
        let request = pending[0]["request"]["id"].as_str().expect("an id");
        let path = format!("/api/approvals/{request}");
        assert_eq!(client.post(&path, r#"{"approved":true}"#).await.status, 204);
        events.until("turn_finished").await;
    }
    task.abort();
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
