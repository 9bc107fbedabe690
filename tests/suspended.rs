//! Turns that are suspended: nothing is cancelled, and any host continues at once.

use footlight::session::{FollowError, Session, Settings, TurnError};
use footlight::store::{CallState, MemoryStore, SqliteStore, Store};
use footlight::vocabulary::event::Status;
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{CallResult, Content, Item, Verdict};
use footlight::{Host, Turn, Update};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Answer, Person, Scripted, calls, follow, says};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

async fn host(store: Arc<dyn Store>) -> Host {
    let host = builder().store(store).build().expect("builds");
    for path in [
        plugins::HELLO,
        plugins::TODO,
        plugins::GALLERY,
        plugins::ROGUE,
        plugins::WEATHER,
    ] {
        host.load(path).await.expect("loads");
    }
    host
}

fn sqlite(folder: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(folder).expect("opens"))
}

fn memory() -> Arc<dyn Store> {
    Arc::new(MemoryStore::default())
}

async fn session(host: &Host, answers: impl IntoIterator<Item = Answer>) -> Session {
    let settings = Settings::new(Scripted::new(answers)).attended();
    host.session(settings).await.expect("a session")
}

/// Follows a turn until an update is as `expected`.
async fn until(turn: &mut Turn, expected: impl Fn(&Update) -> bool) -> Update {
    loop {
        let update = turn.next().await.expect("it goes on").expect("no error");
        if expected(&update) {
            return update;
        }
    }
}

fn is_pending(update: &Update) -> bool {
    matches!(update, Update::Pending(_))
}

/// Whether another owner can claim the session at once.
async fn is_free(store: &dyn Store, session: &Session) -> bool {
    let claimed = store.claim(session.id(), "another", Duration::from_secs(1));
    match claimed.await {
        Ok(lease) => store.release(&lease).await.is_ok(),
        Err(_) => false,
    }
}

fn results(items: &[Item]) -> Vec<(String, CallResult)> {
    let tool = |item: &Item| match &item.content {
        Content::Tool(tool) => Some((tool.function.clone(), tool.result.clone())),
        _ => None,
    };
    items.iter().filter_map(tool).collect()
}

#[tokio::test]
async fn a_suspended_approval_stays_pending_and_another_host_continues_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (sqlite(folder.path()), sqlite(folder.path()));
    let here = host(first).await;
    let add = calls([("todo__add", json!({ "title": "milk" }))]);
    let strike = calls([("gallery__strike", json!({}))]);
    let left = session(&here, [add, strike]).await;
    let mut follower = left.follow();
    let mut turn = left.turn("Strike the set").expect("begins");
    let Update::Pending(request) = until(&mut turn, is_pending).await else {
        panic!("a request");
    };
    assert!(!is_free(&*second, &left).await, "the turn holds it");
    left.suspend().await.expect("the store works");
    assert!(is_free(&*second, &left).await);
    assert!(left.is_unfinished() && !left.is_running());

    // Everybody who follows is told, and nothing else comes.
    assert_eq!(turn.next().await, Some(Err(FollowError::Suspended)));
    assert_eq!(turn.next().await, None);
    let mut seen = Vec::new();
    while let Some(update) = follower.next().await {
        seen.push(update);
    }
    assert_eq!(seen.pop(), Some(Err(FollowError::Suspended)));
    let last = seen.iter().rev().find_map(|update| match update {
        Ok(Update::Event(event)) => event.seq,
        _ => None,
    });
    let log = second.log(left.id(), 0, usize::MAX).await.expect("a log");
    assert_eq!(
        last,
        log.last().and_then(|event| event.seq),
        "nothing is missed"
    );
    let waiting = second.pending().await.expect("the store works");
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0].id, request.id);

    let there = host(second).await;
    let settings = Settings::new(Scripted::new([says("Struck.")])).attended();
    let resumed = there.resume(left.id(), settings).await.expect("there");
    let turn = resumed.resume().expect("it goes on");
    let person = Person {
        verdicts: vec![Verdict::Once],
        ..Person::default()
    };
    let followed = follow(&resumed, turn, person).await.expect("it ends");
    assert_eq!(followed.status, Status::Done);
    let asked = followed.updates.iter().find(|update| is_pending(update));
    assert!(
        matches!(asked, Some(Update::Pending(again)) if again.id == request.id),
        "{asked:?}"
    );
    let results = results(&followed.items);
    assert_eq!(results.len(), 2, "{results:?}");
    for (function, result) in results {
        assert!(
            matches!(result, CallResult::Success { .. }),
            "{function}: {result:?}"
        );
    }
}

#[tokio::test]
async fn a_suspended_turn_is_resumed_by_the_same_session() {
    let host = host(memory()).await;
    let ask = calls([("footlight__ask", json!({ "prompt": "Go on?" }))]);
    let session = session(&host, [ask, says("Good.")]).await;
    let mut turn = session.turn("Ask me").expect("begins");
    until(&mut turn, is_pending).await;
    session.suspend().await.expect("the store works");
    session.suspend().await.expect("no turn runs");
    assert_eq!(turn.finish().await, Err(FollowError::Suspended));
    let turn = session.resume().expect("at once");
    let person = Person {
        answers: vec![Some(json!("Yes"))],
        ..Person::default()
    };
    let followed = follow(&session, turn, person).await.expect("it ends");
    assert_eq!(followed.status, Status::Done);
    assert_eq!(followed.types(), ["tool", "ask", "text"]);
}

#[tokio::test]
async fn a_call_that_had_begun_is_interrupted_unless_it_only_reads() {
    let host = host(memory()).await;
    let begun = |update: &Update| match update {
        Update::Event(event) => format!("{:?}", event.what).contains("Running"),
        _ => false,
    };
    // The guest sleeps for years.
    let session = session(&host, [calls([("rogue__sleep", json!({}))]), says("Over.")]).await;
    let mut turn = session.turn("Sleep").expect("begins");
    until(&mut turn, begun).await;
    // The start of the call is stored right after its item.
    loop {
        let rows = host.store().open(session.id()).await.expect("open").calls;
        if rows.iter().any(|row| row.state == CallState::Running) {
            break;
        }
        tokio::task::yield_now().await;
    }
    session.suspend().await.expect("the store works");
    let turn = session.resume().expect("it goes on");
    let ended = turn.finish().await.expect("it ends");
    assert_eq!(ended.status, Status::Done);
    let results = results(&ended.items);
    let [(_, CallResult::Error { code, .. })] = &results[..] else {
        panic!("{results:?}");
    };
    assert_eq!(*code, Some(FailureCode::Interrupted));

    // One that only reads and asks is run again, and asks again.
    let forecast = calls([(
        "weather__forecast",
        json!({ "city": "Springfield", "days": 1 }),
    )]);
    let session = self::session(&host, [forecast, says("Fine.")]).await;
    let mut turn = session.turn("The weather").expect("begins");
    until(&mut turn, is_pending).await;
    session.suspend().await.expect("the store works");
    let turn = session.resume().expect("it goes on");
    let followed = follow(&session, turn, Person::default()).await;
    let followed = followed.expect("it ends");
    assert_eq!(
        followed.updates.iter().filter(|it| is_pending(it)).count(),
        1
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guests_that_run_concurrently_are_dropped_before_the_session_is_free() {
    let host = host(memory()).await;
    let step = calls([
        ("rogue__compute", json!({ "million": 4_000 })),
        ("hello__greet", json!({ "name": "Ada" })),
    ]);
    let session = session(&host, [step, says("Over.")]).await;
    let mut turn = session.turn("Compute").expect("begins");
    until(&mut turn, |update| {
        matches!(update, Update::Event(event) if format!("{:?}", event.what).contains("Hello, Ada"))
    })
    .await;
    session.suspend().await.expect("the store works");
    assert!(is_free(&**host.store(), &session).await);
    let rows = host.store().open(session.id()).await.expect("open").calls;
    assert!(rows.iter().any(|row| row.state != CallState::Settled));
    // The one that had ended does not run again.
    let mut turn = session.resume().expect("at once");
    until(&mut turn, |update| matches!(update, Update::Event(_))).await;
    session.cancel();
    let ended = turn.finish().await.expect("it ends");
    let results = results(&ended.items);
    assert_eq!(results.len(), 2);
    for (function, result) in results {
        match &*function {
            "hello.greet" => assert!(matches!(result, CallResult::Success { .. })),
            _ => assert!(!matches!(result, CallResult::Success { .. })),
        }
    }
}

#[tokio::test]
async fn a_model_that_is_suspended_is_asked_again() {
    let host = host(memory()).await;
    let answers = [Answer::Hangs("I was just".to_owned()), says("Done.")];
    let session = session(&host, answers).await;
    let mut turn = session.turn("Go").expect("begins");
    until(
        &mut turn,
        |update| matches!(update, Update::Event(event) if event.seq.is_none()),
    )
    .await;
    session.suspend().await.expect("the store works");
    let turn = session.resume().expect("it goes on");
    let ended = turn.finish().await.expect("it ends");
    assert_eq!(ended.items.len(), 1, "{:?}", ended.items);
}

#[tokio::test]
async fn an_accepted_prompt_is_stored_however_early_its_turn_is_suspended() {
    let host = host(memory()).await;
    let session = session(&host, [says("Hello.")]).await;
    drop(session.turn("Hello").expect("begins"));
    session.suspend().await.expect("the store works");
    // It was stored and suspended, or had ended.
    let stored = host.store().open(session.id()).await.expect("open");
    assert_eq!(stored.turns.len(), 1);
    if session.is_unfinished() {
        let ended = session.resume().expect("it goes on").finish().await;
        assert_eq!(ended.expect("it ends").status, Status::Done);
    }
}

#[tokio::test]
async fn a_host_that_is_shut_down_suspends_everything_and_starts_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (sqlite(folder.path()), sqlite(folder.path()));
    let host = host(first).await;
    let mut sessions = Vec::new();
    for _ in 0..8 {
        let session = session(&host, [calls([("gallery__strike", json!({}))])]).await;
        let mut turn = session.turn("Strike").expect("begins");
        until(&mut turn, is_pending).await;
        sessions.push((session, turn));
    }
    let idle = session(&host, []).await;
    host.shutdown().await.expect("the store works");
    for (session, turn) in sessions {
        assert!(is_free(&*second, &session).await);
        assert_eq!(turn.finish().await, Err(FollowError::Suspended));
        assert_eq!(session.resume().err(), Some(TurnError::ShutDown));
    }
    assert_eq!(idle.turn("Hello").err(), Some(TurnError::ShutDown));
    assert_eq!(second.pending().await.expect("the store works").len(), 8);
    let refused = host.call("hello.greet", json!({ "name": "Ada" }));
    let refused = refused.finish().await.result.expect_err("refused");
    assert_eq!(refused.code, FailureCode::Unavailable);
    host.shutdown().await.expect("a second time does nothing");
}
