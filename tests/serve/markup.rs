//! What a page draws, on request: a client renders nothing itself.

use super::*;
use footlight::model::{Finished, Model, Request, Step};
use footlight_tests::scripted_session::{Answer, calls, says};
use serde_json::{Value, json};
use tokio::sync::watch;

/// Returns the texts of a tree, one after the other.
fn text(markup: &Value) -> String {
    match markup {
        Value::String(text) => text.clone(),
        Value::Array(nodes) => nodes.iter().map(text).collect(),
        Value::Null => String::new(),
        element => text(&element["children"]),
    }
}

fn is_tree(markup: &Value) -> bool {
    markup.as_array().is_some_and(|nodes| !nodes.is_empty())
}

#[tokio::test]
async fn items_and_requests_carry_what_a_page_draws_if_the_client_asks() {
    let running = Running::start([
        calls([("gallery__table", json!({}))]),
        calls([(
            "weather__forecast",
            json!({ "city": "Springfield", "days": 1 }),
        )]),
        calls([("gallery__dim", json!({}))]),
        says("It is **done** & <dusted>."),
    ])
    .await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0");
    let mut drawn = ada.follow(&format!("{path}&markup=true")).await;
    let mut plain = ada.follow(&path).await;
    let schema = running.frames().await;
    let body = json!({ "prompt": "Go" }).to_string();
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await;

    let mut seen = drawn.until("ask_request").await;
    let ask = seen.last().expect("asked").1.clone();
    let shown = text(&ask["markup"]);
    assert!(
        shown.contains("weather asks") && shown.contains("Springfield, MA"),
        "{shown}"
    );
    assert_eq!(ask["markup"][0]["attrs"]["data-item"], ask["id"]);
    let pending = ada.get("/api/pending?markup=true").await.json();
    assert_eq!(pending["pending"][0]["request"], ask);
    let request = ask["id"].as_str().expect("an id").to_owned();
    ada.post(
        &format!("/api/asks/{request}"),
        r#"{"value":"Springfield, MA"}"#,
    )
    .await;

    seen.extend(drawn.until("approval_request").await);
    let approval = seen.last().expect("asked").1.clone();
    let shown = text(&approval["markup"]);
    let at = |word: &str| {
        shown
            .find(word)
            .unwrap_or_else(|| panic!("{word} in {shown}"))
    };
    assert!(at("gallery.dim") < at("The play begins in a minute."));
    let digest = approval["payload"]["binding"]["digest"].as_str();
    let digest = digest.expect("a digest");
    // Folded to its first digits, with all of them inside.
    let folded = format!("build{}…{digest}", &digest[..12]);
    assert!(shown.contains(&folded), "{folded} in {shown}");
    assert_eq!(shown.matches(digest).count(), 1, "{shown}");
    let request = approval["id"].as_str().expect("an id").to_owned();
    let yes = r#"{"approved":true}"#;
    ada.post(&format!("/api/approvals/{request}"), yes).await;
    seen.extend(drawn.until("turn_finished").await);

    for (_, frame) in &seen {
        let errors: Vec<String> = schema.iter_errors(frame).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{frame}: {errors:?}");
        if frame["type"] == "put" {
            assert!(is_tree(&frame["item"]["markup"]), "{frame}");
        }
    }
    // The same trees as those of the whole record.
    let shown = ada
        .get(&format!("/api/sessions/{id}?markup=true"))
        .await
        .json();
    let items = shown["record"]["items"].as_array().expect("items");
    for item in items {
        let mut puts = seen.iter().rev();
        let put = puts.find(|(_, frame)| frame["item"]["id"] == item["id"]);
        assert_eq!(&put.expect("it was put").1["item"], item);
    }
    let words = items.iter().find(|item| item["type"] == "text");
    assert_eq!(
        words.expect("text")["markup"][0]["children"],
        json!(["It is ", { "tag": "strong", "children": ["done"] }, " & <dusted>."])
    );
    let widget = items.iter().find(|item| item["type"] == "widget");
    assert!(
        text(&widget.expect("a widget")["markup"]).starts_with("weather"),
        "{widget:?}"
    );

    // Whoever comes later and names an event is drawn the same, with the names of plugins.
    let last = seen
        .iter()
        .filter_map(|(seq, _)| *seq)
        .max()
        .unwrap_or_default();
    let mut later = ada
        .follow(&format!(
            "/api/sessions/{id}/events?after={}&markup=true",
            last / 2
        ))
        .await;
    for (seq, frame) in later.until("turn_finished").await {
        // What was replaced since is not in the log any more.
        if frame["type"] != "tombstone" {
            let known = seen.iter().find(|(known, _)| *known == seq);
            assert_eq!(known.map(|(_, frame)| frame), Some(&frame));
        }
    }
    for (_, frame) in plain.until("turn_finished").await {
        assert!(!frame.to_string().contains("\"markup\""), "{frame}");
    }
    running.stop().await;
}

/// A model that writes word by word and does not end before it is told to.
struct Writer {
    words: usize,
    may_end: watch::Receiver<bool>,
}

impl Model for Writer {
    fn name(&self) -> &str {
        "writer"
    }

    fn step(&self, _: Request) -> Step {
        let (words, mut may_end) = (self.words, self.may_end.clone());
        Step::from_fn(move |deltas| async move {
            let mut text = String::new();
            for n in 0..words {
                let word = format!("word{n} ");
                text.push_str(&word);
                deltas.text(word);
                tokio::task::yield_now().await;
            }
            let _ = may_end.wait_for(|may| *may).await;
            Ok(Finished::text(&text))
        })
    }
}

#[tokio::test]
async fn text_is_drawn_while_it_is_written_and_its_last_state_always() {
    let (end, may_end) = watch::channel(false);
    let words = 2_000;
    let host = builder().build().expect("builds");
    let running = Running::with_model(host, Writer { words, may_end }).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0&markup=true");
    let mut events = ada.follow(&path).await;
    let body = json!({ "prompt": "Go" }).to_string();
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await;
    let (mut said, mut drawn) = (String::new(), 0);
    loop {
        let (_, frame) = events.next().await;
        if frame["type"] != "text_delta" {
            continue;
        }
        said.push_str(frame["delta"].as_str().expect("text"));
        if is_tree(&frame["markup"]) {
            drawn += 1;
            let shown = text(&frame["markup"]);
            assert_eq!(
                shown.trim(),
                said.trim(),
                "a tree is of the whole text so far"
            );
            if said.contains(&format!("word{} ", words - 1)) {
                break;
            }
        }
    }
    assert!(drawn < words / 4, "{drawn} trees for {words} pieces");
    end.send_replace(true);
    let rest = events.until("turn_finished").await;
    let put = rest.iter().find(|(_, frame)| frame["type"] == "put");
    let shown = text(&put.expect("the text is put").1["item"]["markup"]);
    assert_eq!(shown.trim(), said.trim());
    running.stop().await;
}

#[tokio::test]
async fn reasoning_is_drawn_while_it_is_written_and_once_it_ends() {
    let pieces = vec!["Let me ".to_owned(), "*see*.".to_owned()];
    let answer = Answer::Reasons(pieces, Box::new(says("Seen.")));
    let running = Running::start([answer]).await;
    let ada = running.client(&running.ada);
    let id = running.session(&running.ada).await;
    let path = format!("/api/sessions/{id}/events?after=0&markup=true");
    let mut events = ada.follow(&path).await;
    let body = json!({ "prompt": "Go" }).to_string();
    ada.post(&format!("/api/sessions/{id}/prompts"), &body)
        .await;
    let frames = events.until("turn_finished").await;
    let of = |kind: &str| {
        let own = frames.iter().filter(|(_, frame)| frame["type"] == kind);
        own.map(|(_, frame)| frame.clone()).collect::<Vec<_>>()
    };
    let pieces = of("reasoning_delta");
    let said: Vec<&str> = pieces
        .iter()
        .filter_map(|frame| frame["delta"].as_str())
        .collect();
    assert_eq!(said.concat(), "Let me *see*.");
    let last = pieces.last().expect("there are pieces");
    assert!(
        last["end"].is_string() && last["start"].is_string(),
        "{last}"
    );
    assert_eq!(text(&last["markup"]), "Thought for a momentLet me see.");
    let puts = of("put");
    let types: Vec<&str> = puts
        .iter()
        .filter_map(|put| put["item"]["type"].as_str())
        .collect();
    assert_eq!(types, ["reasoning", "text"]);
    assert_eq!(puts[0]["item"]["markup"], last["markup"]);
    assert_eq!(puts[0]["item"]["markup"][0]["tag"], "details");
    running.stop().await;
}
