//! JSON of items.

pub(crate) mod arbitrary;

use super::*;
use arbitrary::{any_json, any_object};
use proptest::prelude::*;
use serde_json::json;

fn read(value: Value) -> Result<Item, serde_json::Error> {
    serde_json::from_value(value)
}

fn written(item: &Item) -> Value {
    serde_json::to_value(item).expect("serialises")
}

fn with_head(mut content: Value) -> Value {
    let head = json!({
        "id": "i1", "position": { "turn": 1, "step": 1, "call": 1, "n": 2 }, "rev": 3,
        "start": "2026-11-16T01:52:35.123Z",
    });
    for (name, value) in head.as_object().expect("an object") {
        if content.get(name).is_none() {
            content[name] = value.clone();
        }
    }
    content
}

fn one_of_each() -> [Value; 10] {
    let tool = |result: Value| {
        json!({ "type": "tool", "function": "weather.forecast", "input": { "city": "Oslo" },
                "result": result })
    };
    let mut denied = tool(json!({ "type": "error", "error": "no", "code": "denied" }));
    denied["verdict"] = json!({ "decision": "deny", "at": "2026-11-16T01:52:36.000Z" });
    denied["modelId"] = "call_1".into();
    [
        json!({ "type": "text", "text": "Hi", "end": "2026-11-16T01:52:36.000Z" }),
        json!({ "type": "reasoning", "text": "Hm", "omittedBytes": 3, "end": "2026-11-16T01:52:36.000Z" }),
        tool(json!({ "type": "success", "output": null })),
        denied,
        tool(json!({ "type": "pending", "reason": "approval" })),
        json!({ "type": "widget", "call": "c", "widget": "w", "data": [1], "fallback": "f" }),
        json!({ "type": "ask", "call": "c", "prompt": "?", "state": "answered",
                "widgets": [{ "name": "answer", "type": "text" }], "response": "a",
                "values": { "answer": "a" } }),
        json!({ "type": "output", "id": "out_1763257955123_a1b2c3", "call": "c", "title": "t",
                "kind": "file", "mimeType": "text/plain", "size": 3,
                "expires": "2026-11-16T02:22:35.123Z" }),
        json!({ "type": "notice", "level": "warning", "text": "Hm" }),
        json!({ "type": "hologram", "beam": { "n": 1 } }),
    ]
    .map(with_head)
}

#[test]
fn every_type_of_item_survives_a_round_trip() {
    for sent in one_of_each() {
        let item = read(sent.clone()).expect("an item");
        assert_eq!(written(&item), sent);
        assert_eq!(item.content.type_name(), sent["type"]);
    }
}

#[test]
fn members_this_version_does_not_know_survive() {
    for mut sent in one_of_each() {
        sent["later"] = json!({ "a": [1] });
        assert_eq!(written(&read(sent.clone()).expect("an item")), sent);
    }
}

#[test]
fn widget_without_a_string_for_fallback_or_widget_is_refused() {
    let good = json!({ "type": "widget", "call": "c", "widget": "w", "data": 1, "fallback": "f" });
    for name in ["widget", "fallback", "data"] {
        let mut wrong = good.clone();
        wrong.as_object_mut().expect("an object").shift_remove(name);
        assert!(read(with_head(wrong)).is_err(), "{name}");
    }
    for name in ["widget", "fallback"] {
        let mut wrong = good.clone();
        wrong[name] = 3.into();
        assert!(read(with_head(wrong)).is_err(), "{name}");
    }
}

#[test]
fn widget_data_may_be_any_json() {
    for data in [
        json!({}),
        json!([]),
        json!("s"),
        json!(1.5),
        json!(true),
        json!(null),
    ] {
        let sent = with_head(
            json!({ "type": "widget", "call": "c", "widget": "w", "data": data, "fallback": "" }),
        );
        assert_eq!(written(&read(sent.clone()).expect("an item")), sent);
    }
}

#[test]
fn dates_without_a_time_are_refused() {
    let mut item = with_head(json!({ "type": "text", "text": "" }));
    item["start"] = "2026-11-16".into();
    assert!(read(item).is_err());
}

#[test]
fn output_whose_id_could_be_a_path_is_refused() {
    let mut output = one_of_each()[7].clone();
    output["id"] = "out_1_../../x".into();
    assert!(read(output).is_err());
}

#[test]
fn unknown_verdict_is_refused() {
    let mut tool = one_of_each()[3].clone();
    tool["verdict"]["decision"] = "sure".into();
    assert!(read(tool).is_err());
}

#[test]
fn type_is_the_first_member() {
    let item = read(one_of_each()[0].clone()).expect("an item");
    let line = serde_json::to_string(&item).expect("serialises");
    assert!(line.starts_with(r#"{"type":"text","#), "{line}");
}

#[test]
fn positions_are_compared_from_turn_to_item() {
    let at = |turn, step, call, n| Position {
        turn,
        step,
        call,
        n,
    };
    let sorted = [
        at(1, 1, 0, 0),
        at(1, 1, 1, 0),
        at(1, 1, 1, 9),
        at(1, 1, 2, 0),
        at(1, 2, 0, 0),
        at(2, 0, 0, 0),
    ];
    assert!(sorted.is_sorted());
}

#[cfg(feature = "schema")]
#[test]
fn published_schema_is_closed_and_says_date_time() {
    let schema = schemars::schema_for!(Item).to_value();
    let types: Vec<_> = schema["anyOf"]
        .as_array()
        .expect("alternatives")
        .iter()
        .map(|one| &one["properties"]["type"]["const"])
        .collect();
    assert_eq!(types, Content::KNOWN, "{schema:#}");
    assert_eq!(schema["$defs"]["Timestamp"]["format"], "date-time");
}

proptest! {
    #[test]
    fn reading_never_panics_and_what_is_read_survives(json in any_json(), object in any_object()) {
        let _ = read(json);
        let _ = read(object.clone());
        if let Ok(item) = read(with_head(object)) {
            prop_assert_eq!(read(written(&item)).ok(), Some(item));
        }
    }
}

#[test]
fn verdict_is_spelt_alike_everywhere() {
    for verdict in [
        Verdict::Deny,
        Verdict::Once,
        Verdict::Session,
        Verdict::Always,
    ] {
        assert_eq!(json!(verdict), verdict.as_str());
    }
}
