//! One session with several handles, and grants that end with their session.

use super::*;
use footlight::session::{FollowError, ResumeError, TurnError};
use footlight::store::{MemoryStore, SessionRow, SqliteStore, Store, StoreError};
use footlight::vocabulary::event::Status;
use footlight::vocabulary::item::SessionId;
use footlight_tests::scripted_call::builder;
use footlight_tests::scripted_session::{Person, second_host, turn};
use std::sync::Arc;

#[tokio::test]
async fn resuming_a_session_again_does_not_disturb_its_turn() {
    let host = host(&PLUGINS).await;
    for asked in ASKED {
        let (session, first, request) = asking(&host, asked).await;
        let again = host
            .resume(session.id(), settings([]))
            .await
            .expect("opens");
        assert!(again.is_running() && again.is_unfinished());
        assert_eq!(again.items(), session.items());
        assert!(matches!(again.turn("And?"), Err(TurnError::Busy)));
        assert!(matches!(again.resume(), Err(TurnError::Busy)));
        // The other handle sees what is pending, and settles it.
        let mut updates = again.follow();
        let seen = updates
            .next()
            .await
            .expect("open")
            .expect("the store works");
        assert_eq!(seen, Update::Pending(Box::new(request.clone())));
        let verb = match asked {
            Asked::ForApproval => Verb::Decide,
            _ => Verb::Answer,
        };
        let settled = verb.reply(&again, asked, &request.id).await;
        settled.expect("it is the same session");
        let outcome = first.finish().await.expect("nothing has taken it over");
        assert_eq!(outcome.status, Status::Done, "{asked:?}");
        assert_eq!(again.items(), session.items());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_who_resume_at_once_one_drives_the_turn() {
    let host = host(&[plugins::HELLO]).await;
    let id = {
        let session = host.session(settings([])).await.expect("a session");
        session.id().clone()
    };
    let clients = (0..16).map(|_| {
        let (host, id) = (host.clone(), id.clone());
        tokio::spawn(async move {
            let greet = calls([("hello__greet", json!({ "name": "Ada" }))]);
            let session = host.resume(&id, settings([greet])).await.expect("opens");
            let turn = session.turn("Greet");
            (session, turn)
        })
    });
    let mut started = Vec::new();
    let mut sessions = Vec::new();
    for client in clients.collect::<Vec<_>>() {
        let (session, turn) = client.await.expect("no panic");
        match turn {
            Ok(turn) => started.push(turn),
            Err(error) => assert!(matches!(error, TurnError::Busy), "{error}"),
        }
        sessions.push(session);
    }
    assert!(!started.is_empty());
    let count = started.len();
    for turn in started {
        let outcome = turn.finish().await.expect("nobody takes it over");
        assert_eq!(outcome.status, Status::Done);
    }
    let turns = host.store().open(&id).await.expect("it is there").turns;
    assert_eq!(turns.len(), count);
    for session in &sessions {
        assert_eq!(session.items(), sessions[0].items());
    }
}

#[tokio::test]
async fn each_handle_has_settings_of_its_own() {
    let host = host(&[plugins::GALLERY]).await;
    let mut ada = settings([says("I am Ada's model.")]);
    ada.by = Some("Ada".to_owned());
    let mut bob = settings([Asked::ForApproval.call(), says("I am Bob's model.")]);
    bob.by = Some("Bob".to_owned());
    let first = host.session(ada).await.expect("a session");
    let second = host.resume(first.id(), bob).await.expect("opens");
    let said = |session: &Session, words: &str| {
        let is = |content: &Content| matches!(content, Content::Text(text) if text.text == words);
        session.items().iter().any(|item| is(&item.content))
    };
    turn(&first, "Who are you?", Person::default()).await;
    assert!(said(&second, "I am Ada's model."), "the record is shared");
    let mut running = second.turn("Clear it").expect("begins");
    let request = until_it_waits(&mut running).await;
    // A receipt names whoever replied.
    first
        .decide(&request.id, Verdict::Once, None)
        .await
        .expect("it is the same session");
    running.finish().await.expect("the store works");
    assert!(said(&first, "I am Bob's model."));
    let by = first.items().iter().find_map(|item| match &item.content {
        Content::Tool(tool) => tool.verdict.clone(),
        _ => None,
    });
    assert_eq!(by.and_then(|receipt| receipt.by).as_deref(), Some("Ada"));
}

#[tokio::test]
async fn a_handle_opened_later_sees_what_another_process_wrote() {
    let host = host(&[plugins::HELLO]).await;
    let session = host.session(settings([])).await.expect("a session");
    let elsewhere = second_host(&host, &[plugins::HELLO]).await;
    let other = elsewhere
        .resume(session.id(), settings([says("From elsewhere.")]))
        .await
        .expect("opens");
    turn(&other, "Hello", Person::default()).await;
    assert!(session.items().is_empty(), "nobody has told this process");
    let again = host
        .resume(session.id(), settings([]))
        .await
        .expect("opens");
    assert_eq!(again.items(), other.items());
    assert_eq!(
        session.items(),
        other.items(),
        "both handles are one session"
    );
}

/// Gives an approval for the session, and returns the session.
async fn granted(host: &Host) -> Session {
    let settings = settings([Asked::ForApproval.call(), says("Cleared.")]);
    let session = host.session(settings).await.expect("a session");
    let person = Person {
        verdicts: vec![Verdict::Session],
        ..Person::default()
    };
    turn(&session, "Clear", person).await;
    assert_eq!(host.grants().len(), 1);
    session
}

/// Reports whether a session asks for what was granted.
async fn asks_again(host: &Host, id: &SessionId) -> bool {
    let settings = settings([Asked::ForApproval.call(), says("Cleared.")]);
    let session = host.resume(id, settings).await.expect("opens");
    let followed = turn(&session, "Clear", Person::default()).await;
    let asked = |update: &Update| matches!(update, Update::Pending(_));
    followed.updates.iter().any(asked)
}

fn row(id: &SessionId) -> SessionRow {
    serde_json::from_value(json!({
        "id": id, "created": "2026-11-16T01:52:35.123Z", "updated": "2026-11-16T01:52:35.123Z",
        "title": "", "turns": 0, "meta": {},
    }))
    .expect("a row")
}

#[tokio::test]
async fn grants_last_while_the_session_is_open_and_end_with_it() {
    let host = host(&[plugins::GALLERY]).await;
    let session = granted(&host).await;
    let id = session.id().clone();
    let other = host.resume(&id, settings([])).await.expect("opens");
    drop(session);
    assert!(!asks_again(&host, &id).await, "it is still open");
    assert_eq!(host.grants().len(), 1);
    drop(other);
    assert_eq!(host.grants(), [], "the last handle was dropped");
    assert!(asks_again(&host, &id).await);
}

#[tokio::test]
async fn a_new_session_with_an_old_id_has_no_grants_of_the_old_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let sqlite = SqliteStore::open(folder.path()).expect("opens");
    for store in [
        Arc::new(MemoryStore::default()) as Arc<dyn Store>,
        Arc::new(sqlite),
    ] {
        let host = builder().store(Arc::clone(&store)).build().expect("builds");
        host.load(plugins::GALLERY).await.expect("loads");
        for is_dropped in [true, false] {
            let old = granted(&host).await;
            let id = old.id().clone();
            let kept = (!is_dropped).then_some(old);
            store.delete(&id).await.expect("nobody uses it");
            let gone = host.resume(&id, settings([])).await;
            assert!(matches!(
                gone,
                Err(ResumeError::Store(StoreError::NoSession(_)))
            ));
            assert_eq!(host.grants(), []);
            store.create(row(&id)).await.expect("the id is free");
            assert!(asks_again(&host, &id).await, "dropped: {is_dropped}");
            // A handle to the old session does not drive the new one.
            if let Some(old) = kept {
                let before = store.log(&id, 0, usize::MAX).await.expect("a log");
                let refused = old
                    .turn("Clear")
                    .expect("it knows no better")
                    .finish()
                    .await;
                assert!(
                    matches!(refused, Err(FollowError::Store(StoreError::NoSession(_)))),
                    "{refused:?}"
                );
                let after = store.log(&id, 0, usize::MAX).await.expect("a log");
                assert_eq!(after, before);
            }
        }
    }
}

#[tokio::test]
async fn a_session_that_was_replaced_unseen_asks_again() {
    let host = host(&[plugins::GALLERY]).await;
    let old = granted(&host).await;
    let id = old.id().clone();
    // Nobody looks at the store between the two.
    host.store().delete(&id).await.expect("nobody uses it");
    host.store().create(row(&id)).await.expect("the id is free");
    assert_eq!(host.grants().len(), 1, "the host has not noticed yet");
    assert!(asks_again(&host, &id).await);
}

#[tokio::test]
async fn a_session_with_a_running_turn_cannot_be_deleted() {
    let host = host(&[plugins::GALLERY]).await;
    let (session, turn, _) = asking(&host, Asked::ForApproval).await;
    let refused = host.store().delete(session.id()).await;
    assert!(
        matches!(refused, Err(StoreError::Owned { .. })),
        "{refused:?}"
    );
    session.cancel();
    turn.finish().await.expect("the store works");
    host.store()
        .delete(session.id())
        .await
        .expect("nobody uses it");
}
