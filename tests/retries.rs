//! Retries: a prompt runs again as a new turn, and what came after it is retracted.

use footlight::model::{Message, Part, Request};
use footlight::session::{RetryError, Session, Settings, TurnError, Update};
use footlight::store::{SqliteStore, Store};
use footlight::vocabulary::event::{EventBody, Status};
use footlight::vocabulary::item::{Content, Record, TurnId};
use footlight_tests::plugins;
use footlight_tests::scripted_session::{
    self, Answer, Followed, Person, Scripted, calls, follow, host, press, process, says, turn,
};
use serde_json::json;
use std::sync::Arc;

async fn session_with(
    answers: impl IntoIterator<Item = Answer>,
    window: Option<u64>,
) -> (Session, Scripted) {
    let mut model = Scripted::new(answers);
    if let Some(window) = window {
        model = model.window(window);
    }
    let host = host(&[plugins::TODO, plugins::GALLERY]).await;
    let settings = Settings::new(model.clone()).attended();
    (host.session(settings).await.expect("a session"), model)
}

async fn retried(session: &Session, turn: &TurnId) -> Followed {
    let turn = session.retry(turn).expect("it can run again");
    follow(session, turn, Person::default())
        .await
        .expect("the store works")
}

/// Returns the ids of the turns that are part of the record.
fn turns(session: &Session) -> Vec<TurnId> {
    let (record, _) = session.follow_with_record();
    record.turns.into_iter().map(|turn| turn.id).collect()
}

/// Returns everything that the model was sent, as text.
fn text(request: &Request) -> String {
    serde_json::to_string(&*request.messages).expect("JSON")
}

fn said(session: &Session) -> Vec<String> {
    let items = session.items().into_iter();
    let said = items.filter_map(|item| match item.content {
        Content::Text(text) => Some(text.text),
        _ => None,
    });
    said.collect()
}

async fn session_log(session: &Session) -> Record {
    let store = session.host().store();
    let log = store.log(session.id(), 0, usize::MAX).await.expect("a log");
    log.iter().map(|event| &event.what).collect()
}

#[tokio::test]
async fn a_prompt_runs_again_and_everything_after_it_is_retracted() {
    let (session, model) = session_with(
        [
            says("First."),
            calls([("todo__add", json!({ "title": "milk" }))]),
            says("Wrong."),
            says("Later."),
            says("Right."),
        ],
        None,
    )
    .await;
    for prompt in ["One", "Two", "Three"] {
        turn(&session, prompt, Person::default()).await;
    }
    let before = turns(&session);
    let followed = retried(&session, &before[1]).await;
    assert_eq!(followed.status, Status::Done);
    assert_eq!(said(&session), ["First.", "Right."]);
    assert_eq!(followed.types(), ["text", "notice", "text"]);
    // The live stream and the log say so, too.
    let log = followed.log();
    assert!(matches!(
        &log[0].what,
        EventBody::TurnStarted { prompt, retries: Some(retries), .. }
            if prompt == "Two" && *retries == before[1]
    ));
    let removed = log
        .iter()
        .filter(|event| matches!(event.what, EventBody::Remove { .. }));
    assert_eq!(removed.count(), 4, "a call, its card and two texts");
    assert_eq!(session_log(&session).await.items(), session.items());
    let after = turns(&session);
    assert_eq!((after.len(), &after[0]), (2, &before[0]));
    assert!(!before.contains(&after[1]));
    // The model is sent what is kept, and the prompt once.
    let sent = model.sent();
    let request = sent.last().expect("one");
    let part = |text: &str| Part::Text { text: text.into() };
    let prompts: Vec<Part> = request
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Person { content } => Some(content.clone()),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(prompts, [part("One"), part("Two")]);
    for gone in ["Wrong.", "Later.", "Three", "milk"] {
        assert!(!text(request).contains(gone), "{gone}: {}", text(request));
    }
    let snapshot = session.host().store().open(session.id()).await;
    let snapshot = snapshot.expect("it is stored");
    let retracted: Vec<bool> = snapshot.turns.iter().map(|turn| turn.retracted).collect();
    assert_eq!(retracted, [false, true, true, false]);
    assert_eq!(snapshot.turns[3].retries.as_ref(), Some(&before[1]));
}

#[tokio::test]
async fn what_a_retracted_tool_has_done_stays_done() {
    let (session, _) = session_with(
        [
            calls([("todo__add", json!({ "title": "milk" }))]),
            says("Added."),
            calls([("todo__list", json!({ "filter": "all" }))]),
            says("Here."),
        ],
        None,
    )
    .await;
    turn(&session, "Add milk", Person::default()).await;
    let added = turns(&session);
    let followed = retried(&session, &added[0]).await;
    let card = followed.items.iter().find_map(|item| match &item.content {
        Content::Widget(widget) => Some(widget),
        _ => None,
    });
    assert_eq!(card.expect("a card").data["tasks"][0]["title"], "milk");
    // The person is told, before anything else of the turn.
    let Content::Notice(notice) = &followed.items[0].content else {
        panic!("a notice: {:?}", followed.items);
    };
    assert_eq!(
        notice.text,
        "what `todo.add` did before this retry stays done"
    );
    // It is told again after another retry, of a turn that only read.
    let again = turns(&session)[0].clone();
    let followed = retried(&session, &again).await;
    assert_eq!(followed.types(), ["notice", "text"]);
}

#[tokio::test]
async fn a_retry_can_be_retried_and_a_retracted_turn_cannot() {
    let (session, model) = session_with([says("A"), says("B"), says("C")], None).await;
    turn(&session, "Sing", Person::default()).await;
    let first = turns(&session)[0].clone();
    retried(&session, &first).await;
    let second = turns(&session)[0].clone();
    let again = session.retry(&first).err();
    assert_eq!(again, Some(RetryError::Retracted(first.clone())));
    retried(&session, &second).await;
    assert_eq!(said(&session), ["C"]);
    assert_eq!(text(&model.sent()[2]), text(&model.sent()[0]));
}

#[tokio::test]
async fn presses_unknown_turns_and_busy_sessions_are_refused() {
    let (session, _) = session_with(
        [
            calls([("gallery__card", json!({}))]),
            says("There."),
            Answer::Hangs("La".to_owned()),
        ],
        None,
    )
    .await;
    turn(&session, "Show it", Person::default()).await;
    let items = session.items();
    let card = items
        .iter()
        .find(|item| item.content.type_name() == "widget");
    let next = press(card.expect("a card"), "next_act", json!({}));
    let pressed = session.press(next).expect("begins");
    let pressed_id = pressed.id().clone();
    pressed.finish().await.expect("the store works");
    let before = session.items();
    let refused = session.retry(&pressed_id).err();
    assert_eq!(refused, Some(RetryError::NoPrompt(pressed_id)));
    let unknown = TurnId::from("turn_0");
    let refused = session.retry(&unknown).err();
    assert_eq!(refused, Some(RetryError::NoTurn(unknown)));
    assert_eq!(session.items(), before);
    let first = turns(&session)[0].clone();
    let mut running = session.turn("Sing").expect("begins");
    while let Some(update) = running.next().await {
        if matches!(update, Ok(Update::Event(event)) if matches!(event.what, EventBody::TextDelta { .. }))
        {
            break;
        }
    }
    let refused = session.retry(&first).err();
    assert_eq!(refused, Some(RetryError::Turn(TurnError::Busy)));
    running.cancel();
    running.finish().await.expect("the store works");
}

#[tokio::test]
async fn a_turn_that_another_process_has_retracted_is_not_run_again() {
    let (session, _) = session_with([says("A"), says("B")], None).await;
    turn(&session, "Sing", Person::default()).await;
    let first = turns(&session)[0].clone();
    let second = scripted_session::second_host(session.host(), &[plugins::TODO]).await;
    let late = Scripted::new([]);
    let settings = Settings::new(late.clone()).attended();
    let other = second.resume(session.id(), settings).await.expect("opens");
    retried(&session, &first).await;
    // The other process does not know yet.
    let turn = other.retry(&first).expect("begins");
    assert!(turn.finish().await.is_err());
    assert_eq!(late.sent().len(), 0);
    assert_eq!(turns(&other), turns(&session));
}

#[tokio::test]
async fn a_summary_that_tells_of_a_retracted_turn_is_dropped() {
    // Each answer takes a good part of the model's context window. One of them is a summary.
    let answers = (0..30).map(|n| says(&format!("answer-{n} {}", "x".repeat(1_000))));
    let (session, model) = session_with(answers, Some(3_500)).await;
    let store = session.host().store();
    let stored = async || {
        let snapshot = store.open(session.id()).await.expect("it is stored");
        snapshot.summary.map(|summary| summary.text)
    };
    let mut prompts = 0;
    while stored().await.is_none() {
        assert!(prompts < 20, "it was asked for a summary");
        let prompt = format!("prompt-{prompts}");
        turn(&session, &prompt, Person::default()).await;
        prompts += 1;
    }
    let summary = stored().await.expect("a summary");
    let sent = model.sent();
    assert!(text(sent.last().expect("one")).contains(&summary));
    let second = turns(&session)[1].clone();
    let followed = retried(&session, &second).await;
    assert_eq!(followed.status, Status::Done);
    assert_eq!(stored().await.as_deref(), Some(""));
    let sent = model.sent();
    let request = text(sent.last().expect("one"));
    assert!(!request.contains(&summary) && !request.contains("in short"));
    assert!(request.contains("prompt-0") && request.contains("answer-0"));
    assert!(!request.contains("prompt-2"), "{request}");
}

#[test]
fn a_retracted_turn_stays_retracted_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_path_buf();
    let open = || -> Arc<dyn Store> { Arc::new(SqliteStore::open(&path).expect("opens")) };
    let answers = [says("Wrong."), Answer::Hangs("Ri".to_owned())];
    let store = open();
    let id = process(&store, &[plugins::TODO], async |host| {
        let settings = Settings::new(Scripted::new(answers)).attended();
        let session = host.session(settings).await.expect("a session");
        turn(&session, "Sing", Person::default()).await;
        let mut turn = session.retry(&turns(&session)[0]).expect("begins");
        while let Some(update) = turn.next().await {
            if matches!(update, Ok(Update::Event(event)) if matches!(event.what, EventBody::TextDelta { .. }))
            {
                break;
            }
        }
        session.id().clone()
    });
    drop(store);
    let model = Scripted::new([says("Right.")]);
    process(&open(), &[plugins::TODO], async |host| {
        let settings = Settings::new(model.clone()).attended();
        let session = host.resume(&id, settings).await.expect("opens");
        assert_eq!(session.items(), []);
        let turn = session.resume().expect("goes on");
        turn.finish().await.expect("works");
        assert_eq!(said(&session), ["Right."]);
        assert_eq!(turns(&session).len(), 1);
    });
    assert!(!text(&model.sent()[0]).contains("Wrong."));
}
