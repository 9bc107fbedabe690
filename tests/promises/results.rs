//! Promises about results in a conversation, and about the guide for authors.

use footlight::session::{Settings, Update};
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::item::{CallResult, Content, Item, Tool};
use footlight::vocabulary::kind::WELL_KNOWN;
use footlight::vocabulary::normalise::normalise;
use footlight_tests::plugins;
use footlight_tests::scripted_session::{Person, Scripted, calls, host, says, turn};
use serde_json::{Value, json};

/// Returns every state of the calls that a subscriber is sent, in order.
fn told(updates: &[Update]) -> Vec<(&Item, &Tool)> {
    let events = updates.iter().filter_map(|update| match update {
        Update::Event(event) => Some(&event.what),
        _ => None,
    });
    let calls = events.filter_map(|what| match what {
        EventBody::Put { item, .. } => match &item.content {
            Content::Tool(tool) => Some((&**item, tool)),
            _ => None,
        },
        _ => None,
    });
    calls.collect()
}

#[tokio::test]
async fn a_call_has_one_complete_result_with_its_metadata() {
    let forecast = calls([("weather__forecast", json!({ "city": "Oslo", "days": 2 }))]);
    let model = Scripted::new([forecast, says("It rains.")]);
    let host = host(&[plugins::WEATHER]).await;
    let session = host.session(Settings::new(model).attended()).await;
    let session = session.expect("a session");
    let followed = turn(&session, "Go", Person::default()).await;

    let told = told(&followed.updates);
    let over = told.iter().filter_map(|(item, tool)| match &tool.result {
        CallResult::Success { output } => Some((item, tool, output)),
        _ => None,
    });
    let [(item, tool, output)] = over.collect::<Vec<_>>()[..] else {
        panic!("one result, told once: {told:?}");
    };
    assert_eq!(tool.function, "weather.forecast");
    assert_eq!(tool.input, json!({ "city": "Oslo", "days": 2 }));
    let took = item.end.map(|end| end.millis() - item.start.millis());
    assert!(took.is_some_and(|millis| millis >= 0), "{took:?}");
    // The whole value is kept beside its summary.
    assert_eq!(output["kind"], "table");
    assert!(output["summary"].is_string(), "{output}");
    assert_eq!(output["data"]["rows"].as_array().map(Vec::len), Some(2));
    // Only text of the model is streamed, never a result.
    let flowing = followed.updates.iter().filter_map(|update| match update {
        Update::Event(event) => match &event.what {
            EventBody::TextDelta { item, .. } => Some(item),
            _ => None,
        },
        _ => None,
    });
    let texts: Vec<_> = flowing.collect();
    assert!(!texts.is_empty() && texts.iter().all(|id| id.as_str() != item.id.as_str()));
}

#[test]
fn the_guide_for_authors_names_every_core_kind_and_none_has_a_dot() {
    let guide = include_str!("../../sdk/README.md");
    for kind in WELL_KNOWN {
        assert!(guide.contains(&format!("\n| `{kind}` | ")), "{kind}");
        assert!(!kind.contains('.'), "{kind}");
    }
    // A plugin's own kind has a dot between its namespace and its name.
    assert!(guide.contains(r#"`Custom::new("recipe.card", value)`"#));
}

/// Returns plain data as a tool may return it: results of older tools, reported failures, and data
/// that only resembles them.
fn plain_data() -> Vec<Value> {
    vec![
        json!({ "kind": "diff", "path": "a", "original": "x", "modified": "y", "isNew": false }),
        json!({ "kind": "diff", "path": "a", "modified": "y", "summary": "s", "mimeType": "text/x-diff" }),
        json!({ "kind": "text", "content": "a", "display": { "language": "c" } }),
        json!({ "kind": "file_content", "path": "p", "content": "c", "size": 1, "lines": 1 }),
        json!({ "kind": "file_list", "files": ["a.txt", "src/"], "count": 2 }),
        json!({ "kind": "image", "url": "https://example.com/a.png", "alt": "a", "mimeType": "image/png" }),
        json!({ "kind": "table", "columns": [{ "key": "a" }], "rows": [{ "a": 1 }] }),
        json!({ "kind": "table", "data": { "columns": [{ "key": "a" }], "rows": [{ "a": 1 }] } }),
        json!({ "kind": "json", "data": [1] }),
        json!({ "success": false, "error": "no disk" }),
        json!({ "success": false, "error": { "message": "no disk", "code": 1 } }),
        json!({ "kind": "diff", "path": "a", "success": false, "error": "read-only" }),
        json!({ "success": true, "error": "x" }),
        json!({ "success": false }),
        json!({ "kind": "dog", "name": "Rex" }),
        json!({ "kind": "diff", "path": 5 }),
        json!({ "a": 1 }),
        json!([{ "kind": "text", "content": "a" }]),
        json!("hi"),
        json!(5),
        json!(null),
    ]
}

#[tokio::test]
async fn the_record_holds_plain_data_as_the_result_that_a_surface_draws() {
    let host = host(&[plugins::ROGUE]).await;
    for data in plain_data() {
        let model = Scripted::new([
            calls([("rogue__plain", json!({ "data": data.to_string() }))]),
            says("Done."),
        ]);
        let session = host.session(Settings::new(model)).await;
        let session = session.expect("a session");
        let followed = turn(&session, "Go", Person::default()).await;
        let Content::Tool(tool) = &followed.items[0].content else {
            panic!("{data}: {:?}", followed.items);
        };
        let (expected, is_plain) = match normalise(data.clone()) {
            Ok(result) => {
                let is_plain = !data.is_object();
                (serde_json::to_value(result).map_err(drop), is_plain)
            }
            Err(failed) => {
                let is_said = matches!(&tool.result, CallResult::Error { error, .. } if *error == failed.message);
                assert!(is_said, "{data}: {:?}", tool.result);
                continue;
            }
        };
        let CallResult::Success { output } = &tool.result else {
            panic!("{data}: {:?}", tool.result);
        };
        match is_plain {
            // Structured data may be any value: a guest that means a text returns a text.
            true => assert_eq!(*output, json!({ "kind": "structured", "data": data })),
            false => assert_eq!(Ok(output.clone()), expected, "{data}"),
        }
    }
}
