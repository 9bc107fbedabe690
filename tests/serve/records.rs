//! Reading what a session holds: page by page, as rows of a table, and as one document.

use super::*;
use footlight::{Observed, Observer};
use footlight_tests::scripted_session::{calls, says};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Runs a turn to its end and returns the session.
async fn talked(running: &Running) -> String {
    let id = running.session(&running.ada).await;
    talk(running, &id, 1).await;
    id
}

/// Runs turns to their ends.
async fn talk(running: &Running, id: &str, turns: usize) {
    let ada = running.client(&running.ada);
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut events = ada.follow(&path).await;
    let body = json!({ "prompt": "Go <on>" }).to_string();
    for _ in 0..turns {
        // A turn holds its session for a moment after clients have seen its end.
        while ada
            .post(&format!("/api/sessions/{id}/prompts"), &body)
            .await
            .status
            == 409
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        events.until("turn_finished").await;
    }
}

/// Lets clients read what is stored for a moment before its turn goes on.
struct Hesitant;

impl Observer for Hesitant {
    fn observe(&self, event: &Observed<'_>) {
        if let Observed::Stored { operation, .. } = event
            && *operation == "commit"
        {
            std::thread::sleep(Duration::from_millis(400));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_is_deleted_as_soon_as_a_client_has_read_that_its_turn_is_over() {
    let host = builder().observer(Arc::new(Hesitant)).build();
    let running = Running::over(host.expect("builds"), [says("Done.")]).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let body = json!({ "prompt": "Go" }).to_string();
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await;
    // A stream begins with what is stored, before it is told what comes.
    let path = format!("/api/sessions/{id}/events?after=0");
    let is_over = async || {
        let mut events = ada.follow(&path).await;
        let end = events.until("turn_finished");
        let end = tokio::time::timeout(Duration::from_millis(50), end).await;
        end.is_ok()
    };
    let start = Instant::now();
    while !is_over().await {
        assert!(start.elapsed() < client::TIMEOUT, "the turn does not end");
    }
    let deleted = ada
        .send("DELETE", &format!("/api/sessions/{id}"), None)
        .await;
    assert_eq!(deleted.status, 204, "{}", deleted.body);
    running.stop().await;
}

#[tokio::test]
async fn the_rows_of_a_table_are_paged_sorted_and_filtered() {
    let running = Running::start([calls([("gallery__table", json!({}))]), says("Done.")]).await;
    let ada = running.client(&running.ada);
    let id = talked(&running).await;
    let record = ada.get(&format!("/api/sessions/{id}")).await.json();
    let items = record["record"]["items"].as_array().expect("items");
    let of = |kind: &str| {
        let item = items.iter().find(|item| item["type"] == kind);
        item.expect(kind)["id"].as_str().expect("an id").to_owned()
    };
    let rows = format!("/api/sessions/{id}/items/{}/rows", of("tool"));
    let all = ada.get(&rows).await.json();
    let total = all["total"].as_u64().expect("a number");
    assert!(total >= 3 && all["matched"] == total, "{all}");
    assert_eq!(all["columns"][0]["label"], "Play");

    let page = ada
        .get(&format!("{rows}?sort=seats&order=desc&limit=2&markup=true"))
        .await
        .json();
    let seats = |page: &Value| -> Vec<u64> {
        let rows = page["rows"].as_array().expect("rows").iter();
        rows.filter_map(|row| row["seats"].as_u64()).collect()
    };
    let mut sorted = seats(&all);
    sorted.sort_by(|a, b| b.cmp(a));
    assert_eq!(seats(&page), sorted[..2]);
    assert!(page["markup"].to_string().contains("fl-table"), "{page}");
    let next = ada
        .get(&format!("{rows}?sort=seats&order=desc&limit=2&offset=2"))
        .await
        .json();
    assert_eq!(seats(&next), sorted[2..sorted.len().min(4)]);

    let title = all["rows"][0]["title"]
        .as_str()
        .expect("a title")
        .to_uppercase();
    let filter: String = title.bytes().map(|byte| format!("%{byte:02x}")).collect();
    let found = ada.get(&format!("{rows}?filter={filter}")).await.json();
    assert_eq!(
        found["rows"][0]["title"], all["rows"][0]["title"],
        "{found}"
    );
    assert!(found["matched"].as_u64() < Some(total) && found["total"] == total);

    for wrong in [
        "limit=0",
        "limit=1001",
        "sort=nothing",
        "order=up",
        "offset=-1",
        "x=1",
    ] {
        assert_eq!(
            ada.get(&format!("{rows}?{wrong}")).await.status,
            400,
            "{wrong}"
        );
    }
    let text = format!("/api/sessions/{id}/items/{}/rows", of("text"));
    assert_eq!(ada.get(&text).await.problem(), "not_found");
    running.stop().await;
}

#[tokio::test]
async fn items_are_listed_page_by_page_in_order() {
    let table = || calls([("gallery__table", json!({}))]);
    let running = Running::start([table(), table(), says("Done.")]).await;
    let ada = running.client(&running.ada);
    let id = talked(&running).await;
    let record = ada
        .get(&format!("/api/sessions/{id}?markup=true"))
        .await
        .json();
    let path = format!("/api/sessions/{id}/items?limit=1&markup=true");
    let (mut items, mut next) = (Vec::new(), path.clone());
    loop {
        let page = ada.get(&next).await.json();
        let listed = page["items"].as_array().expect("items").clone();
        assert_eq!(listed.len(), 1);
        items.extend(listed);
        match page["next"].as_str() {
            Some(after) => next = format!("{path}&after={after}"),
            None => break,
        }
    }
    assert_eq!(record["record"]["items"], json!(items));
    for wrong in ["after=1.1.1", "after=1.1.1.1.1", "after=x", "limit=201"] {
        let path = format!("/api/sessions/{id}/items?{wrong}");
        assert_eq!(ada.get(&path).await.status, 400, "{wrong}");
    }
    running.stop().await;
}

#[tokio::test]
async fn a_record_is_read_from_its_end_page_by_page() {
    let turn = |n: u32| {
        [
            calls([("gallery__text", json!({}))]),
            says(&format!("Turn {n}.")),
        ]
    };
    let running = Running::start((1..=5).flat_map(turn)).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    talk(&running, &id, 5).await;
    let path = format!("/api/sessions/{id}");
    let whole = ada.get(&path).await.json()["record"].clone();
    assert_eq!(
        (&whole["earlier"], whole["turns"].as_array().map(Vec::len)),
        (&json!(0), Some(5))
    );
    let (mut turns, mut items, mut before) = (Vec::new(), Vec::new(), String::new());
    for (earlier, count) in [(3, 2), (1, 2), (0, 1)] {
        let page = ada.get(&format!("{path}?turns=2{before}")).await.json()["record"].clone();
        assert_eq!(page["earlier"], earlier, "{page}");
        let own = page["turns"].as_array().expect("turns").clone();
        assert_eq!(own.len(), count);
        before = format!("&before={}", own[0]["n"]);
        turns.splice(..0, own);
        items.splice(..0, page["items"].as_array().expect("items").clone());
    }
    assert_eq!(
        (&whole["turns"], &whole["items"]),
        (&json!(turns), &json!(items))
    );
    let before_all = ada.get(&format!("{path}?turns=2&before=1")).await.json();
    assert_eq!(before_all["record"]["turns"], json!([]));
    // A stream without a place to continue begins with as many turns as the client asks for.
    let mut events = ada
        .follow(&format!("{path}/events?turns=1&markup=true"))
        .await;
    let (_, snapshot) = events.next().await;
    assert_eq!(
        (&snapshot["type"], &snapshot["earlier"]),
        (&json!("snapshot"), &json!(4))
    );
    assert_eq!(snapshot["turns"], json!([turns[4]]));
    assert!(running.frames().await.is_valid(&snapshot), "{snapshot}");
    for wrong in ["turns=0", "turns=201", "turns=x", "before=-1", "after=1"] {
        assert_eq!(
            ada.get(&format!("{path}?{wrong}")).await.status,
            400,
            "{wrong}"
        );
    }
    for wrong in ["turns=0", "turns=201"] {
        let events = format!("{path}/events?{wrong}");
        assert_eq!(ada.get(&events).await.status, 400, "{wrong}");
    }
    running.stop().await;
}

#[tokio::test]
async fn a_session_is_exported_as_one_document_that_runs_nothing() {
    let answers = [calls([("gallery__outputs", json!({}))]), says("**Done**.")];
    let running = Running::start(answers).await;
    let (ada, bob) = (running.client(&running.ada), running.client(&running.bob));
    let id = talked(&running).await;
    let path = format!("/api/sessions/{id}/export");
    for (format, kind, has) in [
        ("", "text/html; charset=utf-8", "Go &lt;on&gt;"),
        (
            "?format=html",
            "text/html; charset=utf-8",
            "<strong>Done</strong>",
        ),
        (
            "?format=markdown",
            "text/markdown; charset=utf-8",
            "**Done**",
        ),
        ("?format=json", "application/json", "\"prompt\":\"Go <on>\""),
    ] {
        let document = ada.get(&format!("{path}{format}")).await;
        assert_eq!(
            (document.status, document.header("content-type")),
            (200, Some(kind))
        );
        assert!(document.body.contains(has), "{format}: {}", document.body);
        let disposition = document.header("content-disposition").expect("one");
        assert!(disposition.starts_with("attachment"), "{disposition}");
        let policy = document.header("content-security-policy").expect("one");
        assert!(
            policy.starts_with("sandbox; default-src 'none'"),
            "{policy}"
        );
        assert!(!document.body.contains("<script"));
    }
    let json: Value = ada.get(&format!("{path}?format=json")).await.json();
    assert_eq!(json["id"], id.as_str());
    assert_eq!(json["turns"].as_array().map(Vec::len), Some(1));
    assert_eq!(ada.get(&format!("{path}?format=pdf")).await.status, 400);
    assert_eq!(bob.get(&path).await.status, 404);
    running.stop().await;
}
