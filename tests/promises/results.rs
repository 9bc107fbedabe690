//! Promises about results in a conversation, and about the guide for authors.

use footlight::session::{Settings, Update};
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::item::{CallResult, Content, Item, Tool};
use footlight::vocabulary::kind::WELL_KNOWN;
use footlight_tests::plugins;
use footlight_tests::scripted_session::{Person, Scripted, calls, host, says, turn};
use serde_json::json;

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
