//! Sessions as rows.

use super::{HOUR, at, batch, call, commit, output, put_output, request, row, session, text, turn};
use crate::model::Finished;
use crate::store::{
    Batch, Bucket, BucketLimits, CallState, Expected, Lease, StepRow, Store, StoreError, Summary,
};
use footlight_vocabulary::event::{EventBody, Status};
use serde_json::{Map, json};
use std::sync::Arc;
use std::time::Duration;

pub(super) async fn a_session_is_listed_and_opened_as_it_was_made(store: Arc<dyn Store>) {
    assert_eq!(store.sessions(10).await, Ok(Vec::new()));
    store.create(row("a")).await.expect("made");
    assert!(store.create(row("a")).await.is_err(), "its id is taken");
    assert_eq!(store.sessions(10).await, Ok(vec![row("a")]));
    let snapshot = store.open(&"a".into()).await.expect("it is there");
    assert_eq!((snapshot.session, snapshot.seq), (row("a"), 0));
    assert!(snapshot.items.is_empty() && snapshot.turns.is_empty());
}

pub(super) async fn an_unknown_session_is_an_error_everywhere(store: Arc<dyn Store>) {
    let id = "nobody".into();
    let missing = || StoreError::NoSession("nobody".into());
    let lease = Lease {
        session: "nobody".into(),
        owner: "me".to_owned(),
        epoch: 1,
    };
    let time = Duration::from_secs(1);
    assert_eq!(store.open(&id).await, Err(missing()));
    assert_eq!(store.log(&id, 0, 1).await, Err(missing()));
    assert_eq!(store.delete(&id).await, Err(missing()));
    assert_eq!(store.claim(&id, "me", time).await, Err(missing()));
    assert_eq!(store.renew(&lease, time).await, Err(missing()));
    assert_eq!(store.release(&lease).await, Ok(()));
    assert_eq!(store.commit(&lease, Batch::default()).await, Err(missing()));
    let put = store.put_output(output(&id, 1, "c", 1), vec![0]).await;
    assert_eq!(put, Err(missing()));
}

pub(super) async fn the_sessions_used_last_come_first(store: Arc<dyn Store>) {
    for id in ["a", "b", "c"] {
        store.create(row(id)).await.expect("made");
    }
    let lease = store.claim(&"a".into(), "me", HOUR).await.expect("free");
    // A clock that was set back does not reduce the time of the last write.
    for seconds in [50, -50] {
        let mut used = batch(Vec::new());
        used.at = at(seconds);
        commit(&*store, &lease, used).await;
    }
    let ids = |rows: Vec<crate::store::SessionRow>| -> Vec<String> {
        rows.iter().map(|row| row.id.to_string()).collect()
    };
    let all = store.sessions(10).await.expect("listed");
    assert_eq!(all.first().map(|row| row.updated), Some(at(50)));
    assert_eq!(ids(all), ["a", "c", "b"]);
    assert_eq!(ids(store.sessions(2).await.expect("listed")), ["a", "c"]);
}

pub(super) async fn rows_replace_those_with_the_same_key(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let step = |model: &str| StepRow {
        turn: 1,
        step: 1,
        model: model.to_owned(),
        finished: Finished::default(),
    };
    let summary = |text: &str| Summary {
        turn: 1,
        step: 1,
        text: text.to_owned(),
    };
    let first = Batch {
        turns: vec![turn(2)],
        steps: vec![step("one")],
        calls: vec![call("y", 2), call("x", 1)],
        summary: Some(summary("old")),
        ..Batch::default()
    };
    commit(&*store, &lease, first).await;
    let mut over = turn(2);
    over.status = Some(Status::Done);
    let mut settled = call("y", 2);
    settled.state = CallState::Settled;
    let second = Batch {
        turns: vec![over.clone()],
        steps: vec![step("two")],
        calls: vec![settled.clone()],
        summary: Some(summary("new")),
        ..Batch::default()
    };
    commit(&*store, &lease, second).await;
    let snapshot = store.open(&lease.session).await.expect("opens");
    assert_eq!(snapshot.turns, [turn(1), over]);
    assert_eq!(snapshot.steps, [step("two")]);
    assert_eq!(snapshot.calls, [call("x", 1), settled]);
    assert_eq!(snapshot.summary, Some(summary("new")));
    assert_eq!(snapshot.session.turns, 2);
}

pub(super) async fn title_and_meta_can_change(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let meta = Map::from_iter([("model".to_owned(), json!("other"))]);
    let change = Batch {
        title: Some("Weather".to_owned()),
        meta: Some(meta.clone()),
        ..Batch::default()
    };
    commit(&*store, &lease, change).await;
    // Changes neither.
    commit(&*store, &lease, Batch::default()).await;
    let rows = store.sessions(1).await.expect("listed");
    assert_eq!((rows[0].title.as_str(), &rows[0].meta), ("Weather", &meta));
}

pub(super) async fn a_deleted_session_leaves_nothing_and_harms_no_other(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let other = session(&*store, "b").await;
    let bucket = Bucket::of_person("ada", "todo");
    let room = BucketLimits {
        bytes: 100,
        values: 1,
    };
    let value = Some("1".to_owned());
    let set = store.set_state(&bucket, "k", value, Expected::Absent, room);
    assert_eq!(set.await, Ok(Ok(true)));
    for lease in [&lease, &other] {
        let mut all = batch(vec![EventBody::put(text("t", 1, 1))]);
        all.calls = vec![call("c", 1)];
        let id = format!("r-{}", lease.session);
        all.pending = vec![request(&lease.session, &id, "c")];
        commit(&*store, lease, all).await;
        let row = output(&lease.session, 1, "c", 100_000);
        put_output(&*store, &row, &[7; 100_000]).await;
    }
    let before = store.open(&other.session).await;
    store.release(&lease).await.expect("released");
    store.delete(&lease.session).await.expect("deleted");
    let missing = Err(StoreError::NoSession("a".into()));
    assert_eq!(store.open(&lease.session).await, missing);
    assert_eq!(store.request(&"r-a".into()).await, Ok(None));
    let mine = output(&lease.session, 1, "c", 0).id;
    let read = store.read_output(&lease.session, &mine, 0, 1, at(2));
    assert_eq!(read.await, Ok(None));
    // The other session keeps its rows, and the content that both had.
    assert_eq!(store.open(&other.session).await, before);
    let theirs = output(&other.session, 1, "c", 100_000);
    let read = store.read_output(&other.session, &theirs.id, 99_999, 5, at(2));
    assert_eq!(read.await, Ok(Some(vec![7])));
    assert_eq!(store.outputs(None, at(2)).await, Ok(vec![theirs]));
    // A person's state is not the session's.
    assert_eq!(store.state(&bucket, "k").await, Ok(Some("1".to_owned())));
    // A new session of the same id is empty.
    store.create(row("a")).await.expect("its id is free");
    assert_eq!(store.log(&lease.session, 0, 9).await, Ok(Vec::new()));
}
