//! The transcript of the official server, version 1.6.5: its requests are made again here, and the
//! answers compared with its own in the order of frames and in the names of members.

use super::*;
use std::collections::BTreeSet;

/// The requests and answers of the official server. Ids and times are its own.
const TRANSCRIPT: &str = include_str!("transcript.jsonl");

/// An exchange: the request, and the frames or the object that answered it.
struct Exchange {
    request: Value,
    answer: Value,
}

fn transcript() -> Vec<Exchange> {
    let lines = TRANSCRIPT.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        Exchange {
            request: line["request"].take(),
            answer: line["answer"].take(),
        }
    });
    lines.collect()
}

/// Returns the names of members, with those of the objects in them that both servers write.
fn members(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    for (name, value) in value.as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        // What a widget shows is the plugin's, and a title comes when there is one.
        if !["widget", "copy_text", "title", "icon"].contains(&name.as_str()) {
            found.insert(path.clone());
            members(value, &path, found);
        }
    }
}

fn has_members_of(ours: &Value, official: &Value) {
    let (mut own, mut wanted) = (BTreeSet::new(), BTreeSet::new());
    members(ours, "", &mut own);
    members(official, "", &mut wanted);
    let missing: Vec<_> = wanted.difference(&own).collect();
    assert!(missing.is_empty(), "{missing:?} of {official} in {ours}");
}

/// Compares two streams: what both have is in the same order, and has the same members.
fn compare_streams(ours: &[Value], official: &[Value], only: &[&str]) {
    let (our_kinds, official_kinds) = (kinds(ours), kinds(official));
    let wanted = official_kinds.iter().enumerate();
    let mut from = 0;
    for (n, kind) in wanted.filter(|(_, kind)| only.contains(&kind.as_str())) {
        let at = our_kinds[from..].iter().position(|it| it == kind);
        let at = at.unwrap_or_else(|| panic!("{kind} after {from} in {our_kinds:#?}"));
        has_members_of(&ours[from + at], &official[n]);
        from += at + 1;
    }
}

#[tokio::test]
async fn the_requests_of_the_official_transcript_are_answered_in_the_same_shape() {
    let answers = [
        calls([
            ("gallery__live", json!({ "pause": 400 })),
            ("gallery__card", json!({})),
        ]),
        says("There."),
        says("The second act is on."),
    ];
    let running = Running::start(answers).await;
    let front = FrontEnd::new(&running);
    let (mut thread, mut card) = (String::new(), Value::Null);
    let mut kinds_of_requests = BTreeSet::new();
    for Exchange { request, answer } in transcript() {
        let kind = request["type"].as_str().expect("a type").to_owned();
        let mut request = request;
        if !request["params"]["thread_id"].is_null() {
            request["params"]["thread_id"] = thread.as_str().into();
        }
        match kind.as_str() {
            "threads.create" => {
                let events = front.stream(request).await;
                let official = answer.as_array().expect("frames");
                let shared = [
                    "thread.created",
                    "thread.item.done user_message",
                    "stream_options",
                    "progress_update",
                    "thread.item.added widget",
                    "thread.item.updated widget.streaming_text.value_delta",
                    "thread.item.done widget",
                ];
                compare_streams(&events, official, &shared);
                assert_eq!(kinds(&events)[..3], kinds(official)[..3]);
                assert!(kinds(&events).contains(&"thread.updated".to_owned()));
                thread = thread_of(&events);
                card = last_item(&events, "widget").clone();
            }
            "threads.custom_action" | "threads.sync_custom_action" => {
                let action = pressed(action_labelled(&card["widget"], "Go on"), json!({}));
                request["params"]["item_id"] = card["id"].clone();
                request["params"]["action"] = action;
                if kind == "threads.custom_action" {
                    let events = front.stream(request).await;
                    let official = answer.as_array().expect("frames");
                    let shared = ["stream_options", "thread.item.replaced widget"];
                    compare_streams(&events, official, &shared);
                    assert_eq!(events[0], official[0]);
                    let is_it = |item: &Value| item["id"] == card["id"];
                    let replaced = events.iter().rev().map(|event| event["item"].clone());
                    card = replaced.into_iter().find(is_it).expect("the card");
                } else {
                    let updated = front.json("sync", request).await;
                    has_members_of(&updated, &answer);
                    card = updated["updated_item"].clone();
                }
            }
            // A question is a card here, and is answered by a press.
            "threads.add_structured_input" => {
                assert_eq!(front.refused(request).await.1, "unsupported");
            }
            "items.feedback" => {
                request["params"]["item_ids"] = json!([card["id"]]);
                assert_eq!(front.json("void", request).await, answer);
            }
            "threads.delete" => assert_eq!(front.json("void", request).await, answer),
            _ => {
                let answered = match kind.as_str() {
                    "threads.list" => front.json("threads", request).await,
                    "items.list" => front.json("items", request).await,
                    _ => front.json("thread", request).await,
                };
                has_members_of(&answered, &answer);
                for (one, other) in [(&answered, &answer), (&answered["items"], &answer["items"])] {
                    let (one, other) = (&one["data"][0], &other["data"][0]);
                    if one["type"] == other["type"] {
                        has_members_of(one, other);
                    }
                }
            }
        }
        kinds_of_requests.insert(kind);
    }
    assert_eq!(kinds_of_requests.len(), 10, "{kinds_of_requests:?}");
    running.stop().await;
    front.check();
}
