//! Promises about widgets in a conversation that no other file tests.

use footlight::policy::{AskMode, Rules};
use footlight::session::{Session, Settings, Update};
use footlight::store::Bucket;
use footlight::vocabulary::event::EventBody;
use footlight::vocabulary::item::{CallResult, Content, Item, Verdict};
use footlight::vocabulary::widget::Widget;
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Answer, Followed, Person, Scripted, calls, host, turn};
use serde_json::{Value, json};

const ALL: [&str; 4] = [
    plugins::WEATHER,
    plugins::TODO,
    plugins::ROGUE,
    plugins::GALLERY,
];

async fn talk(answers: Vec<Answer>, person: Person) -> (Session, Followed) {
    let settings = Settings::new(Scripted::new(answers)).attended();
    let session = host(&ALL).await.session(settings).await;
    let session = session.expect("a session");
    let followed = turn(&session, "Go", person).await;
    (session, followed)
}

fn yes(times: usize) -> Person {
    Person {
        verdicts: vec![Verdict::Once; times],
        ..Person::default()
    }
}

/// Returns each call's function with the number of widgets directly after it.
fn by_call(items: &[Item]) -> Vec<(&str, usize)> {
    let mut calls: Vec<(&str, usize)> = Vec::new();
    for item in items {
        match (&item.content, calls.last_mut()) {
            (Content::Tool(tool), _) => calls.push((&tool.function, 0)),
            (Content::Widget(_), Some((_, widgets))) => *widgets += 1,
            _ => {}
        }
    }
    calls
}

#[tokio::test]
async fn a_widget_that_is_too_large_leaves_a_notice_for_the_person() {
    for (part, bytes) in [("view", 60_000), ("data", 300_000)] {
        let big = calls([("rogue__big_widget", json!({ part: bytes }))]);
        let (_, followed) = talk(vec![big], Person::default()).await;
        let notices = followed
            .items
            .iter()
            .filter_map(|item| match &item.content {
                Content::Notice(notice) => Some(notice.text.as_str()),
                _ => None,
            });
        let notices: Vec<&str> = notices.collect();
        let [notice] = notices[..] else {
            panic!("{part}: {notices:?}");
        };
        let said = format!("a widget of `rogue` is not shown: the widget's `{part}` is too large");
        assert!(notice.starts_with(&said), "{notice}");
        assert!(followed.types().contains(&"tool") && !followed.types().contains(&"widget"));
    }
}

#[tokio::test]
async fn a_widget_entry_has_its_members_and_begins_after_its_call() {
    let both = calls([
        (
            "weather__compare",
            json!({ "cities": ["Oslo", "Rome"], "days": 1 }),
        ),
        ("weather__forecast", json!({ "city": "Rome", "days": 1 })),
    ]);
    let (_, followed) = talk(vec![both], Person::default()).await;
    let mut widgets = 0;
    for item in &followed.items {
        let Content::Widget(widget) = &item.content else {
            continue;
        };
        widgets += 1;
        let call = followed
            .items
            .iter()
            .find(|call| call.id.as_str() == widget.call.as_str());
        let call = call.expect("its call is in the record");
        assert!(
            item.start >= call.start,
            "{:?} {:?}",
            item.start,
            call.start
        );
        let written = serde_json::to_value(item).expect("JSON");
        let members = written.as_object().expect("an object");
        for member in ["widget", "fallback", "start"] {
            assert!(members[member].is_string(), "{member}: {written}");
        }
        assert_eq!(members["type"], "widget");
        // The members a plugin gives, and those that the host adds.
        let known = "type widget data fallback start id call view rev position";
        for member in members.keys() {
            assert!(known.split(' ').any(|known| known == member), "{member}");
        }
    }
    assert_eq!(widgets, 4);
}

#[tokio::test]
async fn widgets_of_a_call_are_in_the_order_in_which_they_were_shown() {
    let compare = calls([(
        "weather__compare",
        json!({ "cities": ["Rome", "Oslo"], "days": 1 }),
    )]);
    let (_, followed) = talk(vec![compare], Person::default()).await;
    let widgets = followed
        .items
        .iter()
        .filter_map(|item| match &item.content {
            Content::Widget(widget) => Some((widget.widget.as_str(), widget.fallback.as_str())),
            _ => None,
        });
    let widgets: Vec<_> = widgets.collect();
    let types: Vec<&str> = widgets.iter().map(|(kind, _)| *kind).collect();
    let expected = ["weather-forecast", "weather-forecast", "weather-comparison"];
    assert_eq!(types, expected);
    assert!(widgets[0].1.contains("Rome") && widgets[1].1.contains("Oslo"));
}

#[tokio::test]
async fn concurrent_calls_keep_their_own_widgets() {
    // All of them are read-only, and none asks.
    let reading = calls([
        ("todo__list", json!({ "filter": "all" })),
        ("rogue__canary", json!({})),
        ("todo__list", json!({ "filter": "done" })),
    ]);
    let (_, followed) = talk(vec![reading], Person::default()).await;
    let expected = [("todo.list", 1), ("rogue.canary", 0), ("todo.list", 1)];
    assert_eq!(by_call(&followed.items), expected);
    for item in &followed.items {
        if let Content::Widget(widget) = &item.content {
            let own = |call: &&Item| call.id.as_str() == widget.call.as_str();
            let call = followed.items.iter().find(own).expect("its call");
            assert_eq!(call.position.call, item.position.call);
        }
    }
}

#[tokio::test]
async fn a_tool_that_only_shows_a_widget_returns_displayed_and_nothing_else() {
    let show = calls([(
        "weather__show_forecast",
        json!({ "city": "Oslo", "days": 1 }),
    )]);
    let (_, followed) = talk(vec![show], Person::default()).await;
    assert_eq!(by_call(&followed.items), [("weather.show_forecast", 1)]);
    let Content::Tool(tool) = &followed.items[0].content else {
        panic!("a tool comes first");
    };
    let CallResult::Success { output } = &tool.result else {
        panic!("it succeeds: {:?}", tool.result);
    };
    assert_eq!(output["data"], json!({ "displayed": true }));
}

#[tokio::test]
async fn a_widget_that_no_renderer_can_draw_is_recorded_all_the_same() {
    // One of an unknown type, and one of a known type with data that does not fit.
    for widget in ["from-the-future", "weather-forecast"] {
        let show = calls([("rogue__unknown_widget", json!({ "widget": widget }))]);
        let (_, followed) = talk(vec![show], Person::default()).await;
        assert_eq!(by_call(&followed.items), [("rogue.unknown_widget", 1)]);
        let shown = followed.items.iter().find_map(|item| match &item.content {
            Content::Widget(shown) => Some(shown),
            _ => None,
        });
        let shown = shown.expect("it is in the record");
        assert_eq!(shown.widget, widget);
        assert_eq!(shown.data, json!({ "version": 99 }));
        assert_eq!(shown.fallback, "Seen without a renderer.");
    }
}

#[tokio::test]
async fn after_approval_the_entry_is_replaced_in_place_and_the_rest_of_the_step_follows() {
    let answers = vec![
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([
            ("gallery__strike", json!({})),
            ("todo__list", json!({})),
            ("weather__forecast", json!({ "city": "Oslo", "days": 1 })),
        ]),
    ];
    let (_, followed) = talk(answers, yes(1)).await;
    let expected = [
        ("todo.add", 1),
        ("gallery.strike", 1),
        ("todo.list", 1),
        ("weather.forecast", 1),
    ];
    assert_eq!(by_call(&followed.items), expected);
    // A subscriber saw the same entry pending and then settled, at the same position.
    let states = followed.updates.iter().filter_map(|update| match update {
        Update::Event(event) => match &event.what {
            EventBody::Put { item, .. } => match &item.content {
                Content::Tool(tool) if tool.function == "gallery.strike" => {
                    Some((item.id.clone(), item.position, tool.result.clone()))
                }
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    let states: Vec<_> = states.collect();
    assert!(
        states
            .iter()
            .all(|(id, place, _)| (id, place) == (&states[0].0, &states[0].1))
    );
    let waits = |result: &CallResult| matches!(result, CallResult::Pending { reason } if reason.as_str() == "approval");
    assert!(
        states.iter().any(|(_, _, result)| waits(result)),
        "{states:?}"
    );
    let last = states.last().expect("it was put");
    assert!(matches!(last.2, CallResult::Success { .. }));
}

#[tokio::test]
async fn an_approved_tool_that_fails_leaves_no_widget() {
    let mut rules = Rules::default();
    rules.ask = AskMode::Always;
    let host = builder().rules(rules).build().expect("builds");
    host.load(plugins::ROGUE).await.expect("loads");
    let fails = calls([("rogue__fail_halfway", json!({ "by": "failure" }))]);
    let settings = Settings::new(Scripted::new([fails])).attended();
    let session = host.session(settings).await.expect("a session");
    let followed = turn(&session, "Go", yes(1)).await;
    let asked = |update: &Update| matches!(update, Update::Pending(_));
    assert!(followed.updates.iter().any(asked), "it was approved");
    let bucket = Bucket::of_session(footlight::LOCAL_PERSON, "rogue", session.id());
    let state = session.host().store().state(&bucket, "left").await;
    assert_eq!(
        state,
        Ok(Some("\"failure\"".to_owned())),
        "it ran, and had shown something"
    );
    assert_eq!(followed.types(), ["tool", "text"]);
    let Content::Tool(tool) = &followed.items[0].content else {
        panic!("a tool comes first");
    };
    assert!(matches!(tool.result, CallResult::Error { .. }), "{tool:?}");
    assert_eq!(
        tool.verdict.as_ref().map(|receipt| receipt.decision),
        Some(Verdict::Once)
    );
}

#[test]
fn data_that_is_changed_after_it_was_shown_does_not_change_the_widget() {
    let mut data = json!({ "days": [1] });
    let widget = Widget::new("w", &data).fallback("f");
    data["days"] = json!([2]);
    let parts = widget.into_parts().expect("JSON");
    let sent: Value = serde_json::from_str(&parts.data).expect("JSON");
    assert_eq!(sent, json!({ "days": [1] }));
}

#[test]
fn a_record_from_before_widgets_is_read() {
    // Only texts and tools, without any member that was added later.
    let old = json!([
        { "type": "text", "id": "a", "text": "Hi", "start": "2026-01-01T00:00:00Z",
          "position": { "turn": 1, "step": 1, "call": 0, "n": 0 } },
        { "type": "tool", "id": "b", "function": "weather.forecast", "input": {},
          "result": { "type": "success", "output": 1 }, "start": "2026-01-01T00:00:00Z",
          "position": { "turn": 1, "step": 1, "call": 1, "n": 0 } },
    ]);
    let items: Vec<Item> = serde_json::from_value(old).expect("it is read");
    let types: Vec<&str> = items.iter().map(|item| item.content.type_name()).collect();
    assert_eq!(types, ["text", "tool"]);
    assert_eq!(items[0].rev, 0);
}
