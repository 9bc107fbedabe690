//! Sessions whose process ends in the middle of a turn: the store is enough to resume.

mod verdicts;

use footlight::Host;
use footlight::session::{self, Session, Settings, Update};
use footlight::store::{Batch, CallState, MemoryStore, Store};
use footlight::vocabulary::event::{EventBody, Status};
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{
    CallResult, Content, Item, Record, RequestId, SessionId, Verdict,
};
use footlight_tests::plugins;
use footlight_tests::scripted_session::{self, Answer, Person, Scripted, calls, follow, says};
use serde_json::json;
use std::sync::Arc;

/// A process that has loaded the plugins of these sessions.
fn process<T>(store: &Arc<dyn Store>, life: impl AsyncFnOnce(Host) -> T) -> T {
    let all = [
        plugins::HELLO,
        plugins::WEATHER,
        plugins::TODO,
        plugins::GALLERY,
        plugins::ROGUE,
    ];
    scripted_session::process(store, &all, life)
}

fn store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::default())
}

/// Runs a turn until something is pending, then ends the process.
async fn until_it_waits(session: &Session, prompt: &str) -> RequestId {
    let mut turn = session.turn(prompt).expect("begins");
    while let Some(update) = turn.next().await {
        if let Update::Pending(request) = update.expect("the store works") {
            return request.id.clone();
        }
    }
    panic!("it waits for a person");
}

fn results(items: &[Item]) -> Vec<(String, CallResult)> {
    let tool = |item: &Item| match &item.content {
        Content::Tool(tool) => Some((tool.function.clone(), tool.result.clone())),
        _ => None,
    };
    items.iter().filter_map(tool).collect()
}

fn striking() -> Vec<Answer> {
    vec![
        calls([("todo__add", json!({ "title": "milk" }))]),
        calls([
            ("gallery__strike", json!({})),
            ("hello__greet", json!({ "name": "Ada" })),
        ]),
        says("Struck."),
    ]
}

#[test]
fn a_pending_approval_survives_a_restart_and_can_be_given_meanwhile() {
    let store = store();
    let (id, request) = left_waiting(&store);
    // While no session runs, another process gives the verdict.
    let decided = process(&store, async |host| {
        let waiting = host.store().pending().await.expect("the store works");
        assert_eq!(waiting.len(), 1);
        session::decide(
            &**host.store(),
            &request,
            Verdict::Once,
            None,
            Some("ada".to_owned()),
        )
        .await
    });
    decided.expect("the first verdict counts");
    let items = process(&store, async |host| {
        let rest = striking().split_off(2);
        let settings = Settings::new(Scripted::new(rest)).attended();
        let session = host.resume(&id, settings).await.expect("it is there");
        assert!(session.is_unfinished());
        let turn = session.resume().expect("it goes on");
        let followed = follow(&session, turn, Person::default())
            .await
            .expect("the store works");
        assert_eq!(followed.status, Status::Done);
        let asked = |update: &Update| matches!(update, Update::Pending(_));
        assert!(!followed.updates.iter().any(asked), "nobody is asked twice");
        followed.items
    });
    let results = results(&items);
    let names: Vec<&str> = results.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        ["todo.add", "gallery.strike", "hello.greet"],
        "the deferred call too"
    );
    for (name, result) in &results {
        assert!(
            matches!(result, CallResult::Success { .. }),
            "{name}: {result:?}"
        );
    }
}

/// Returns a session whose call waits for approval, left behind by a process that has ended.
fn left_waiting(store: &Arc<dyn Store>) -> (SessionId, RequestId) {
    process(store, async |host| {
        let settings = Settings::new(Scripted::new(striking())).attended();
        let session = host.session(settings).await.expect("a session");
        let request = until_it_waits(&session, "Strike the set").await;
        (session.id().clone(), request)
    })
}

#[test]
fn a_yes_to_something_else_is_no_yes() {
    // The stored verdict belongs to a request about another input.
    let store = store();
    let (id, request) = left_waiting(&store);
    let items = process(&store, async |host| {
        // With the session's own lease: the store in memory cannot tell that its process has ended.
        let owner = format!("process {}", std::process::id());
        let mut row = host
            .store()
            .request(&request)
            .await
            .expect("works")
            .expect("waits");
        row.binding.as_mut().expect("it is bound").push('!');
        let lease = host
            .store()
            .claim(&id, &owner, std::time::Duration::from_secs(5))
            .await;
        let lease = lease.expect("nobody has it");
        let mut batch = Batch::default();
        batch.pending = vec![row];
        host.store().commit(&lease, batch).await.expect("committed");
        host.store().release(&lease).await.expect("released");
        let taken = session::decide(&**host.store(), &request, Verdict::Once, None, None).await;
        taken.expect("it waits");
        let rest = striking().split_off(2);
        let settings = Settings::new(Scripted::new(rest)).attended();
        let session = host.resume(&id, settings).await.expect("it is there");
        let turn = session.resume().expect("it goes on");
        follow(&session, turn, Person::default())
            .await
            .expect("works")
            .items
    });
    let (name, result) = &results(&items)[1];
    assert_eq!(name, "gallery.strike");
    assert!(
        matches!(result, CallResult::Error { error, .. } if error.contains("has changed since")),
        "{result:?}"
    );
}

#[test]
fn no_turn_begins_over_one_that_somebody_else_has_left() {
    let store = store();
    let id = process(&store, async |host| {
        let settings = Settings::new(Scripted::new([])).attended();
        let session = host.session(settings).await.expect("a session");
        // This host has not begun a turn yet.
        let settings = Settings::new(Scripted::new(striking())).attended();
        let second = scripted_session::second_host(
            &host,
            &[plugins::HELLO, plugins::TODO, plugins::GALLERY],
        )
        .await;
        let other = second.resume(session.id(), settings).await.expect("opens");
        until_it_waits(&other, "Strike the set").await;
        let refused = session
            .turn("Hello?")
            .expect("it knows no better")
            .finish()
            .await;
        assert!(
            matches!(&refused, Err(error) if error.to_string().contains("not finished")),
            "{refused:?}"
        );
        session.id().clone()
    });
    let turns = process(&store, async |host| {
        host.store()
            .open(&id)
            .await
            .expect("it is there")
            .turns
            .len()
    });
    assert_eq!(turns, 1);
}

#[test]
fn a_question_of_the_model_survives_a_restart() {
    let store = store();
    let ask = || {
        vec![
            calls([("footlight__ask", json!({ "prompt": "Sure?" }))]),
            says("Good."),
        ]
    };
    let (id, request) = process(&store, async |host| {
        let session = host
            .session(Settings::new(Scripted::new(ask())).attended())
            .await
            .expect("a session");
        let request = until_it_waits(&session, "Ask me").await;
        (session.id().clone(), request)
    });
    let items = process(&store, async |host| {
        let model = Scripted::new(ask().split_off(1));
        let session = host
            .resume(&id, Settings::new(model).attended())
            .await
            .expect("it is there");
        let turn = session.resume().expect("it goes on");
        let person = Person {
            answers: vec![Some(json!("Yes"))],
            ..Person::default()
        };
        let followed = follow(&session, turn, person)
            .await
            .expect("the store works");
        let waits: Vec<_> = followed
            .updates
            .iter()
            .filter_map(|update| match update {
                Update::Pending(request) => Some(request.id.clone()),
                _ => None,
            })
            .collect();
        assert_eq!(waits, [request], "under the same id");
        followed.items
    });
    let asks = items
        .iter()
        .filter(|item| item.content.type_name() == "ask")
        .count();
    assert_eq!(asks, 1);
    assert!(matches!(results(&items)[0].1, CallResult::Success { .. }));
}

#[test]
fn a_call_that_had_begun_ends_as_interrupted_and_a_read_only_one_runs_again() {
    let store = store();
    let asking = || {
        vec![calls([
            ("todo__add", json!({ "title": "milk" })),
            ("todo__edit", json!({ "task": "1" })),
            (
                "weather__forecast",
                json!({ "city": "Springfield", "days": 1 }),
            ),
        ])]
    };
    let id = process(&store, async |host| {
        let session = host
            .session(Settings::new(Scripted::new(asking())).attended())
            .await
            .expect("a session");
        until_it_waits(&session, "Edit it").await;
        session.id().clone()
    });
    let items = process(&store, async |host| {
        let snapshot = host.store().open(&id).await.expect("it is there");
        assert_eq!(snapshot.calls[1].state, CallState::Running);
        let model = Scripted::new([says("Sorry.")]);
        let session = host
            .resume(&id, Settings::new(model.clone()).attended())
            .await
            .expect("it is there");
        let turn = session.resume().expect("it goes on");
        let followed = follow(&session, turn, Person::default())
            .await
            .expect("the store works");
        assert!(
            host.store()
                .pending()
                .await
                .expect("the store works")
                .is_empty()
        );
        let told = serde_json::to_string(&*model.sent()[0].messages).expect("JSON");
        assert!(
            told.contains("interrupted; it may have taken effect"),
            "{told}"
        );
        followed.items
    });
    let results = results(&items);
    assert!(
        matches!(&results[0].1, CallResult::Success { .. }),
        "what was done stays done"
    );
    assert!(matches!(
        &results[1].1,
        CallResult::Error {
            code: Some(FailureCode::Interrupted),
            ..
        }
    ));
}

#[test]
fn what_a_call_that_only_reads_had_shown_is_shown_once_when_it_runs_again() {
    let store = store();
    let live = || vec![calls([("gallery__live", json!({ "pause": 100 }))])];
    let id = process(&store, async |host| {
        let settings = Settings::new(Scripted::new(live())).attended();
        let session = host.session(settings).await.expect("a session");
        let mut turn = session.turn("Show it").expect("begins");
        while let Some(update) = turn.next().await {
            let Ok(Update::Event(event)) = update else {
                continue;
            };
            // The process ends as soon as the widget is recorded.
            if matches!(&event.what, EventBody::Put { item, .. } if matches!(item.content, Content::Widget(_)))
            {
                break;
            }
        }
        session.id().clone()
    });
    let (items, log) = process(&store, async |host| {
        let snapshot = host.store().open(&id).await.expect("it is there");
        assert_eq!(snapshot.calls[0].state, CallState::Proposed);
        let settings = Settings::new(Scripted::new([says("There.")])).attended();
        let session = host.resume(&id, settings).await.expect("it is there");
        let turn = session.resume().expect("it goes on");
        let followed = follow(&session, turn, Person::default())
            .await
            .expect("the store works");
        assert_eq!(followed.types(), ["tool", "widget", "text"]);
        let log = host.store().log(&id, 0, usize::MAX).await;
        (followed.items, log.expect("a log"))
    });
    // A subscriber from the beginning sees the same.
    let record: Record = log.iter().map(|event| &event.what).collect();
    assert_eq!(record.items(), items);
}

#[test]
fn an_answer_that_was_on_its_way_is_asked_for_again() {
    let store = store();
    let id = process(&store, async |host| {
        let model = Scripted::new([Answer::Hangs("Half a ".to_owned())]);
        let session = host.session(Settings::new(model)).await.expect("a session");
        let mut turn = session.turn("Hello").expect("begins");
        while let Some(update) = turn.next().await {
            if let Update::Event(event) = update.expect("the store works")
                && let EventBody::TextDelta { .. } = event.what
            {
                break;
            }
        }
        session.id().clone()
    });
    process(&store, async |host| {
        let model = Scripted::new([says("Hello, whole.")]);
        let session = host
            .resume(&id, Settings::new(model))
            .await
            .expect("it is there");
        let turn = session.resume().expect("it goes on");
        let followed = follow(&session, turn, Person::default())
            .await
            .expect("the store works");
        assert_eq!(followed.types(), ["text"]);
        assert!(
            matches!(&followed.items[0].content, Content::Text(text) if text.text == "Hello, whole.")
        );
    });
}

#[test]
fn an_answer_that_came_while_the_process_died_is_used_or_reported() {
    use footlight::store::{Reply, SettleOutcome};
    for (tool, input, answer, is_used) in [
        (
            "weather__forecast",
            json!({ "city": "Springfield", "days": 1 }),
            json!("Springfield, MA"),
            true,
        ),
        (
            "todo__edit",
            json!({ "task": "1" }),
            json!({ "title": "oat milk" }),
            false,
        ),
    ] {
        let store = store();
        let asking = [
            calls([("todo__add", json!({ "title": "milk" }))]),
            calls([(tool, input)]),
        ];
        let (id, request) = process(&store, async |host| {
            let settings = Settings::new(Scripted::new(asking)).attended();
            let session = host.session(settings).await.expect("a session");
            let request = until_it_waits(&session, "Go").await;
            (session.id().clone(), request)
        });
        process(&store, async |host| {
            // The check of the reply has passed, and its process is gone before the reply is stored.
            let reply = Reply::Answer {
                value: Some(answer),
                by: None,
                at: Default::default(),
            };
            let settled = host.store().settle(&request, reply).await;
            assert_eq!(settled, Ok(SettleOutcome::Accepted));
            let model = Scripted::new([says("Well.")]);
            let settings = Settings::new(model.clone()).attended();
            let session = host.resume(&id, settings).await.expect("it is there");
            let turn = session.resume().expect("it goes on");
            let followed = follow(&session, turn, Person::default()).await;
            let followed = followed.expect("the store works");
            let asked = |update: &Update| matches!(update, Update::Pending(_));
            assert!(
                !followed.updates.iter().any(asked),
                "{tool}: nobody is asked"
            );
            let stays = |item: &Item| {
                matches!(&item.content, Content::Ask(ask)
                    if item.id.as_str() == request.as_str() && ask.response.is_some())
            };
            assert!(followed.items.iter().any(stays), "{tool}: the answer stays");
            let told = serde_json::to_string(&*model.sent()[0].messages).expect("JSON");
            let notices = followed
                .items
                .iter()
                .filter(|item| item.content.type_name() == "notice");
            let (notices, result) = (notices.count(), results(&followed.items).remove(1).1);
            if is_used {
                assert!(matches!(result, CallResult::Success { .. }), "{result:?}");
                assert_eq!(notices, 0);
                return;
            }
            assert!(told.contains("the answer may not have been used"), "{told}");
            assert_eq!(notices, 1);
            assert!(
                matches!(&result, CallResult::Error { code: Some(FailureCode::Interrupted), details: Some(details), .. }
                    if details["unusedAnswers"] == json!([request])),
                "{result:?}"
            );
        });
    }
}
