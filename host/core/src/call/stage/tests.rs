//! A stage without a guest.

use super::*;
use footlight_vocabulary::item::{PendingReason, Record};
use serde_json::{Value, json};

fn stage() -> Stage {
    let tool = Item {
        content: Content::Tool(footlight_vocabulary::item::Tool {
            function: "demo.run".to_owned(),
            input: json!({}),
            result: CallResult::Pending {
                reason: PendingReason::Running,
            },
            verdict: None,
            verdicts: Vec::new(),
            powers: Vec::new(),
            model_id: None,
            extra: Map::new(),
        }),
        id: ItemId::from("call_1"),
        position: Position::default(),
        rev: 0,
        start: now(),
        end: None,
    };
    let identity = Identity {
        session: "s".to_owned(),
        person: "p".to_owned(),
        locale: "en".to_owned(),
        timezone: "Etc/UTC".to_owned(),
    };
    let manifest = Manifest::powerless("demo").expect("an id");
    let stage = Stage::new(StageParts {
        tool_item: tool,
        manifest: Arc::new(manifest),
        identity: Arc::new(identity),
        store: Arc::new(crate::store::MemoryStore::default()),
        session_state: Arc::new(crate::store::MemoryStore::default()),
        output_lifetime: crate::call::outputs::LIFETIME,
        session: SessionId::from("s"),
        person: "local".into(),
        pending: PendingRequests::default(),
        attended: true,
        first_number: 1,
    });
    stage.record().announce_tool();
    stage
}

fn returned() -> CallResult {
    CallResult::Success {
        output: Value::Null,
    }
}

#[tokio::test]
async fn the_record_says_what_a_call_waits_for() {
    let stage = stage();
    let reasons = || {
        let item = record(&stage).remove(0);
        let Content::Tool(tool) = item.content else {
            panic!("the tool's item is the first");
        };
        tool.result
    };
    let seen = stage
        .wait(PendingReason::Approval, None, async { reasons() })
        .await;
    let reason = PendingReason::Approval;
    assert_eq!(seen, Some(CallResult::Pending { reason }));
    let reason = PendingReason::Running;
    assert_eq!(reasons(), CallResult::Pending { reason });
}

fn widget(n: usize) -> Widget {
    Widget {
        call: CallId::from("call_1".to_owned()),
        widget: "w".to_owned(),
        data: json!(n),
        invalid_data: false,
        fallback: String::new(),
        view: None,
        copy_text: None,
        extra: Map::new(),
    }
}

fn record(stage: &Stage) -> Vec<Item> {
    let changes = std::iter::from_fn(|| stage.next_event()).filter_map(|event| match event {
        CallEvent::Event(event) => Some(event),
        _ => None,
    });
    changes.collect::<Record>().into_items()
}

#[test]
fn what_widgets_grow_to_by_updates_counts() {
    let stage = stage();
    let half = Caps::WIDGET_BYTES / 2;
    let show = |bytes| stage.show(widget(0), bytes).ok();
    let (one, other) = (show(1).expect("room"), show(1).expect("room"));
    assert!(matches!(stage.update(&one, widget(1), half), Ok(true)));
    assert!(matches!(
        stage.update(&other, widget(1), half + 1),
        Err(WidgetLimitError::TooLarge(_))
    ));
    assert!(stage.remove(&one));
    assert!(matches!(stage.update(&one, widget(2), 1), Ok(false)));
    assert!(matches!(
        stage.update(&other, widget(2), half + 1),
        Ok(true)
    ));
}

#[test]
fn updates_that_nobody_has_seen_are_overtaken_and_the_stream_still_gives_the_record() {
    let stage = stage();
    let first = stage.show(widget(0), 1).ok().expect("room");
    (1..1_000).for_each(|n| assert!(matches!(stage.update(&first, widget(n), 1), Ok(true))));
    // The tool's own item, and the widget.
    assert_eq!(stage.record().events.len(), 2);
    stage.show(widget(0), 1).ok().expect("room");
    assert!(matches!(stage.update(&first, widget(7), 1), Ok(true)));
    let items = stage.close(returned(), None);
    assert_eq!(record(&stage), items);
    assert_eq!(items[1].rev, 1_000);
}

#[test]
fn no_order_of_updates_and_removals_fills_the_queue() {
    let stage = stage();
    let show = |n| stage.show(widget(n), 1).ok().expect("room");
    let (one, other) = (show(0), show(0));
    for n in 1..1_000 {
        assert!(matches!(stage.update(&one, widget(n), 1), Ok(true)));
        assert!(matches!(stage.update(&other, widget(n), 1), Ok(true)));
        assert!(stage.remove(&show(n)));
    }
    // The tool's own item, and the two widgets.
    assert_eq!(stage.record().events.len(), 3);
    // A session must notice the first widget, also one that is removed at once.
    assert!(stage.remove(&one));
    assert_eq!(stage.record().events.len(), 4);
    let items = stage.close(returned(), None);
    assert_eq!(record(&stage), items);
    assert_eq!(items.len(), 2);
}

#[test]
fn a_record_without_its_events_is_the_same_record() {
    let (taken, discarded) = (stage(), stage());
    discarded.discard_events();
    let items = [&taken, &discarded].map(|stage| {
        let shown = stage.show(widget(0), 1).ok().expect("room");
        assert!(matches!(stage.update(&shown, widget(1), 1), Ok(true)));
        let removed = stage.show(widget(2), 1).ok().expect("room");
        assert!(stage.remove(&removed));
        stage.notice("a notice");
        let items = stage.close(returned(), None);
        items
            .into_iter()
            .map(|item| (item.id, item.rev, item.content))
            .collect::<Vec<_>>()
    });
    assert_eq!(items[0], items[1]);
    assert_eq!(items[0].len(), 3, "the tool, a widget and a notice");
    assert!(taken.next_event().is_some());
    assert!(discarded.next_event().is_none());
}

#[test]
fn an_open_question_is_closed_with_its_call() {
    let stage = stage();
    let question = Question::parse("Sure?", json!([])).expect("a question");
    stage.open_question(&question).expect("the first");
    let failed = CallResult::Error {
        error: "no".to_owned(),
        code: None,
        details: None,
    };
    let items = stage.close(failed, None);
    assert!(matches!(
        &items[1].content,
        Content::Ask(ask) if ask.state == AskState::Cancelled
    ));
    assert_eq!(record(&stage), items);
}
