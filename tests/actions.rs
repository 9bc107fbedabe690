//! Actions in widgets: a press is a turn of its own that runs one tool and replaces the widget
//! in place. `answered` has presses that the model answers, `refused` those that call nothing.

mod answered;
mod refused;

use footlight::model::{Message, ModelPart, Part};
use footlight::session::{Press, PressError, Session, Settings, TurnError, Update};
use footlight::store::{MemoryStore, Store};
use footlight::vocabulary::event::{EventBody, Origin, Status};
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{CallResult, Content, Item, Record, Widget};
use footlight_tests::plugins;
use footlight_tests::scripted_session::{
    self, Answer, Followed, Person, Scripted, calls, follow, host, process, says, turn,
};
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns a session in which the model has called a tool that shows a card.
async fn session_with(tool: &str, input: Value) -> (Session, Scripted) {
    let model = Scripted::new([calls([(tool, input)]), says("There.")]);
    let settings = Settings::new(model.clone()).attended();
    let host = host(&[plugins::TODO, plugins::GALLERY]).await;
    let session = host.session(settings).await.expect("a session");
    turn(&session, "Show it", Person::default()).await;
    (session, model)
}

async fn with_card() -> (Session, Scripted) {
    session_with("gallery__card", json!({})).await
}

fn widgets(items: &[Item]) -> Vec<(&Item, &Widget)> {
    let widget = |item| match item {
        &Item {
            content: Content::Widget(ref widget),
            ..
        } => Some((item, widget)),
        _ => None,
    };
    items.iter().filter_map(widget).collect()
}

/// Returns a press on the last widget.
fn press(session: &Session, tool: &str, values: Value) -> Press {
    let items = session.items();
    let (item, _) = widgets(&items).pop().expect("a widget");
    scripted_session::press(item, tool, values)
}

async fn pressed(session: &Session, press: Press, person: Person) -> Followed {
    let turn = session.press(press).expect("it can be pressed");
    follow(session, turn, person)
        .await
        .expect("the store works")
}

/// Returns the act that the only card of the record shows.
fn act(items: &[Item]) -> Value {
    let [(_, widget)] = widgets(items)[..] else {
        panic!("one card: {items:?}");
    };
    widget.data["act"].clone()
}

fn last_result(items: &[Item]) -> &CallResult {
    let tool = |item| match item {
        &Item {
            content: Content::Tool(ref tool),
            ..
        } => Some(&tool.result),
        _ => None,
    };
    items.iter().filter_map(tool).next_back().expect("a call")
}

#[tokio::test]
async fn a_press_runs_one_tool_and_replaces_the_card_in_place() {
    let (session, model) = with_card().await;
    let before = session.items();
    let (card, shown) = widgets(&before)[0];
    let asked = model.sent().len();
    let followed = pressed(
        &session,
        press(&session, "next_act", json!({})),
        Person::default(),
    )
    .await;
    assert_eq!(followed.status, Status::Done);
    assert_eq!(act(&followed.items), 2);
    let (now, widget) = widgets(&followed.items)[0];
    assert_eq!(
        (&now.id, now.position, now.start, &widget.call),
        (&card.id, card.position, card.start, &shown.call)
    );
    assert!(now.rev > card.rev);
    assert_eq!(followed.types(), ["tool", "widget", "text", "tool"]);
    assert_eq!(model.sent().len(), asked, "no model is asked");
    let log = followed.log();
    assert!(matches!(
        &log[0].what,
        EventBody::TurnStarted { origin: Origin::Action, item: Some(item), rev: Some(rev), prompt, retries: None }
            if *item == card.id && *rev == card.rev && prompt == "[action:gallery.next_act]"
    ));
    let put_again = log
        .iter()
        .filter(|event| matches!(&event.what, EventBody::Put { item, .. } if item.id == card.id));
    assert_eq!(put_again.count(), 1);
}

#[tokio::test]
async fn the_model_reads_one_line_and_the_result_of_an_action() {
    let (session, model) = with_card().await;
    pressed(
        &session,
        press(&session, "next_act", json!({})),
        Person::default(),
    )
    .await;
    turn(&session, "Which act is on?", Person::default()).await;
    let sent = model.sent().pop().expect("it was asked");
    let [.., line, call, results, prompt] = &sent.messages[..] else {
        panic!("{:?}", sent.messages);
    };
    let said = |message: &Message| match message {
        Message::Person { content } => content.clone(),
        other => panic!("a person's: {other:?}"),
    };
    let text = |text: &str| Part::Text { text: text.into() };
    assert_eq!(said(line), [text("[action:gallery.next_act]")]);
    assert_eq!(said(prompt), [text("Which act is on?")]);
    assert!(
        matches!(call, Message::Model { parts } if matches!(&parts[..], [ModelPart::Call(call)] if call.name == "gallery__next_act"))
    );
    let Message::Results { results } = results else {
        panic!("its result: {results:?}");
    };
    assert_eq!(results[0].content, [text(r#"{"content":"Act 2 is on."}"#)]);
}

#[tokio::test]
async fn a_forms_values_go_with_the_press_where_the_payload_has_room() {
    let (session, _) = session_with("todo__add", json!({ "title": "milk" })).await;
    let add = press(&session, "add", json!({ "title": "bread" }));
    let followed = pressed(&session, add, Person::default()).await;
    assert_eq!(followed.status, Status::Done);
    let tick = press(&session, "toggle", json!({ "done": false }));
    let followed = pressed(&session, tick, Person::default()).await;
    let (_, card) = widgets(&followed.items)[0];
    let tasks = &card.data["tasks"];
    let done = |n: usize| (tasks[n]["title"].clone(), tasks[n]["done"].clone());
    assert_eq!(
        (done(0), done(1)),
        ((json!("bread"), json!(false)), (json!("milk"), json!(true)))
    );
}

#[tokio::test]
async fn a_form_keeps_what_was_filled_in_when_its_action_shows_nothing() {
    let (session, _) = with_card().await;
    let values = json!({ "words": "louder", "mail": true });
    let noted = pressed(&session, press(&session, "note", values), Person::default()).await;
    let fields = |items: &[Item]| {
        let (item, widget) = widgets(items)[0];
        let view = widget.view.clone().expect("a view").to_string();
        (
            item.rev,
            view.contains("louder"),
            view.contains("defaultChecked\":true"),
        )
    };
    let (rev, words, mail) = fields(&noted.items);
    assert!(words && mail);
    // Pressing again with the same values changes nothing, and an unticked box stays unticked.
    let values = json!({ "words": "louder", "mail": true });
    let same = pressed(&session, press(&session, "note", values), Person::default()).await;
    assert_eq!(fields(&same.items), (rev, true, true));
    let values = json!({ "words": "louder" });
    let off = pressed(&session, press(&session, "note", values), Person::default()).await;
    assert_eq!(fields(&off.items), (rev + 1, true, false));
}

#[tokio::test]
async fn an_action_that_fails_leaves_the_card_as_it_was_and_it_can_be_pressed_again() {
    let (session, _) = with_card().await;
    let before = session.items();
    let followed = pressed(
        &session,
        press(&session, "fall", json!({})),
        Person::default(),
    )
    .await;
    assert_eq!(followed.status, Status::Error);
    assert_eq!(act(&followed.items), 1);
    assert_eq!(widgets(&followed.items)[0].1, widgets(&before)[0].1);
    assert!(
        matches!(last_result(&followed.items), CallResult::Error { error, .. } if error.contains("fell off"))
    );
    let again = pressed(
        &session,
        press(&session, "next_act", json!({})),
        Person::default(),
    )
    .await;
    assert_eq!((again.status, act(&again.items)), (Status::Done, json!(2)));
    let log = session_log(&session).await;
    assert_eq!(log.items(), session.items());
}

#[tokio::test]
async fn actions_are_compacted_too_when_they_exceed_the_context_window() {
    let card = calls([("gallery__card", json!({}))]);
    let model = Scripted::new([card, says("There.")]).window(2_000);
    let settings = Settings::new(model.clone()).attended();
    let host = host(&[plugins::GALLERY]).await;
    let session = host.session(settings).await.expect("a session");
    turn(&session, "Show it", Person::default()).await;
    // Some forty notes of two hundred letters do not fit the model's context window.
    for n in 0..40 {
        let words = format!("{n} {}", "x".repeat(190));
        let note = press(&session, "note", json!({ "words": words }));
        let noted = pressed(&session, note, Person::default()).await;
        assert_eq!(noted.status, Status::Done);
    }
    let followed = turn(&session, "And now?", Person::default()).await;
    assert_eq!(followed.status, Status::Done);
    let size = |messages: &[Message]| serde_json::to_string(messages).expect("JSON").len();
    let sent = model.sent();
    assert!(sent.len() > 3, "it was asked for a summary");
    for request in &sent {
        assert!(
            size(&request.messages) < 3 * 4 * 2_000,
            "no request is too long"
        );
    }
}

/// Returns the record made from the whole log.
async fn session_log(session: &Session) -> Record {
    let store = session.host().store();
    let log = store.log(session.id(), 0, usize::MAX).await.expect("a log");
    log.iter().map(|event| &event.what).collect()
}

#[tokio::test]
async fn a_card_that_was_replaced_while_the_call_waited_comes_back_when_it_fails() {
    for (answer, status, shown) in [
        (Some(json!("Yes")), Status::Done, 3),
        (Some(json!("No")), Status::Error, 1),
        (None, Status::Error, 1),
    ] {
        let (session, _) = with_card().await;
        let person = Person {
            answers: vec![answer],
            ..Person::default()
        };
        let followed = pressed(&session, press(&session, "prompt", json!({})), person).await;
        assert_eq!(
            (followed.status, act(&followed.items)),
            (status, json!(shown))
        );
        let log = session_log(&session).await;
        assert_eq!(log.items(), session.items());
    }
}

#[tokio::test]
async fn cancelling_an_action_brings_the_card_back() {
    let (session, _) = with_card().await;
    let mut turn = session
        .press(press(&session, "prompt", json!({})))
        .expect("begins");
    loop {
        match turn
            .next()
            .await
            .expect("it ends")
            .expect("the store works")
        {
            Update::Pending(_) => {
                assert_eq!(act(&session.items()), 3);
                assert_eq!(
                    session.press(press(&session, "next_act", json!({}))).err(),
                    Some(PressError::Turn(TurnError::Busy))
                );
                turn.cancel();
            }
            Update::Event(event) => {
                if let EventBody::TurnFinished { status, .. } = event.what {
                    assert_eq!(status, Status::Cancelled);
                    break;
                }
            }
            _ => {}
        }
    }
    assert_eq!(act(&session.items()), 1);
    assert!(
        session
            .host()
            .store()
            .pending()
            .await
            .expect("works")
            .is_empty()
    );
}

#[tokio::test]
async fn an_invalid_press_is_refused_and_nothing_happens() {
    let (session, _) = session_with("gallery__inputs", json!({})).await;
    let before = session.items();
    let good = press(&session, "note", json!({}));
    let tool = before[0].id.clone();
    let values = |value: Value| value.as_object().cloned().expect("an object");
    for (why, press) in [
        (
            PressError::WidgetRemoved,
            Press {
                item: "nothing".into(),
                ..good.clone()
            },
        ),
        (
            PressError::NoAction,
            Press {
                item: tool,
                ..good.clone()
            },
        ),
        (
            PressError::WidgetChanged,
            Press {
                rev: good.rev + 1,
                ..good.clone()
            },
        ),
        (
            PressError::NoAction,
            Press {
                path: "children[0]".into(),
                ..good.clone()
            },
        ),
        (
            PressError::NoAction,
            Press {
                path: String::new(),
                ..good.clone()
            },
        ),
        (
            PressError::NoField("id".into()),
            Press {
                values: values(json!({ "id": 7 })),
                ..good.clone()
            },
        ),
        (
            PressError::NoField("never".into()),
            Press {
                values: values(json!({ "never": "it is disabled" })),
                ..good.clone()
            },
        ),
        (
            PressError::TooLarge,
            Press {
                values: values(json!({ "words": "x".repeat(100_000) })),
                ..good.clone()
            },
        ),
        (
            PressError::Secret("input.password".into()),
            Press {
                values: values(json!({ "input.password": "1234" })),
                ..good.clone()
            },
        ),
    ] {
        assert_eq!(session.press(press).err(), Some(why));
    }
    assert_eq!(session.items(), before);
}

#[tokio::test]
async fn a_press_on_a_card_that_somebody_else_has_changed_calls_nothing_and_says_so() {
    let (session, _) = with_card().await;
    let settings = Settings::new(Scripted::new([])).attended();
    let second = scripted_session::second_host(session.host(), &[plugins::GALLERY]).await;
    let other = second.resume(session.id(), settings).await.expect("opens");
    let stale = press(&other, "next_act", json!({}));
    pressed(
        &session,
        press(&session, "next_act", json!({})),
        Person::default(),
    )
    .await;
    // The other client does not know yet that the card has changed.
    let followed = pressed(&other, stale, Person::default()).await;
    assert_eq!(followed.status, Status::Error);
    assert_eq!(act(&followed.items), 2);
    assert!(followed.items.iter().any(|item| {
        matches!(&item.content, Content::Notice(notice) if notice.text.contains("has changed"))
    }));
}

#[test]
fn a_crash_in_the_middle_of_an_action_brings_the_card_back() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let settings = |answers: Vec<Answer>| Settings::new(Scripted::new(answers)).attended();
    let id = process(&store, &[plugins::GALLERY], async |host| {
        let answers = vec![calls([("gallery__card", json!({}))]), says("There.")];
        let session = host.session(settings(answers)).await.expect("a session");
        turn(&session, "Show it", Person::default()).await;
        let mut turn = session
            .press(press(&session, "prompt", json!({})))
            .expect("begins");
        while let Some(update) = turn.next().await {
            if matches!(update, Ok(Update::Pending(_))) {
                break;
            }
        }
        assert_eq!(act(&session.items()), 3);
        session.id().clone()
    });
    process(&store, &[plugins::GALLERY], async |host| {
        let session = host.resume(&id, settings(Vec::new())).await.expect("opens");
        assert!(session.is_unfinished());
        let turn = session.resume().expect("goes on");
        let followed = follow(&session, turn, Person::default())
            .await
            .expect("works");
        assert_eq!(
            (followed.status, act(&followed.items)),
            (Status::Error, json!(1))
        );
        assert!(matches!(
            last_result(&followed.items),
            CallResult::Error {
                code: Some(FailureCode::Interrupted),
                ..
            }
        ));
        let log = session_log(&session).await;
        assert_eq!(log.items(), session.items());
        let again = press(&session, "next_act", json!({}));
        let again = pressed(&session, again, Person::default()).await;
        assert_eq!((again.status, act(&again.items)), (Status::Done, json!(2)));
    });
}
