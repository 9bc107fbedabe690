//! The log, and the record that results from it.

use super::{HOUR, at, batch, commit, request, row, session, text, turn};
use crate::store::{Batch, Store, StoreError};
use footlight_vocabulary::event::{Event, EventBody, Status};
use footlight_vocabulary::item::Record;
use serde_json::{Value, json};
use std::sync::Arc;

fn seqs(events: &[Event]) -> Vec<u64> {
    events.iter().filter_map(|event| event.seq).collect()
}

pub(super) async fn seq_is_gap_free_and_every_session_has_its_own(store: Arc<dyn Store>) {
    let a = session(&*store, "a").await;
    let b = session(&*store, "b").await;
    let put = |n| EventBody::put(text("t", 1, n));
    let puts = |revs: &[u64]| batch(revs.iter().map(|rev| put(*rev)).collect());
    assert_eq!(seqs(&commit(&*store, &a, puts(&[1, 2])).await), [1, 2]);
    assert_eq!(seqs(&commit(&*store, &b, puts(&[1])).await), [1]);
    assert!(commit(&*store, &a, puts(&[])).await.is_empty());
    assert_eq!(seqs(&commit(&*store, &a, puts(&[3])).await), [3]);
    assert_eq!(store.open(&a.session).await.map(|all| all.seq), Ok(3));
    // Also for the next owner.
    store.release(&a).await.expect("released");
    let a = store.claim(&a.session, "you", HOUR).await.expect("free");
    assert_eq!(seqs(&commit(&*store, &a, puts(&[4])).await), [4]);
}

pub(super) async fn the_log_is_read_in_parts(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let mut all = Vec::new();
    for n in 1..=5 {
        let events = vec![EventBody::put(text("t", 1, n))];
        all.extend(commit(&*store, &lease, batch(events)).await);
    }
    let id = &lease.session;
    assert_eq!(store.log(id, 0, usize::MAX).await, Ok(all.clone()));
    assert_eq!(store.log(id, 2, 2).await, Ok(all[2..4].to_vec()));
    assert_eq!(store.log(id, 4, 9).await, Ok(all[4..].to_vec()));
    assert_eq!(store.log(id, 5, 9).await, Ok(Vec::new()));
    assert_eq!(store.log(id, u64::MAX, 9).await, Ok(Vec::new()));
    assert_eq!(store.log(id, 0, 0).await, Ok(Vec::new()));
}

pub(super) async fn the_record_is_what_the_log_says(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let remove = |id: &str| EventBody::Remove { id: id.into() };
    let batches = [
        vec![
            EventBody::put(text("b", 2, 1)),
            EventBody::put(text("a", 1, 2)),
        ],
        // Older, equal, elsewhere, unknown.
        vec![
            EventBody::put(text("a", 1, 1)),
            EventBody::put(text("a", 1, 2)),
            EventBody::put(text("b", 9, 2)),
            remove("nothing"),
        ],
        vec![remove("a"), EventBody::put(text("c", 3, 0))],
        // An old revision does not restore it; a new one does, at its old position.
        vec![EventBody::put(text("a", 1, 2))],
        vec![EventBody::put(text("a", 8, 3)), remove("c"), remove("c")],
    ];
    for events in batches {
        commit(&*store, &lease, batch(events)).await;
        let log = store.log(&lease.session, 0, usize::MAX).await;
        let log = log.expect("read");
        let record = Record::from_iter(log.iter().map(|event| &event.what));
        let snapshot = store.open(&lease.session).await.expect("opens");
        assert_eq!(snapshot.items, record.items());
    }
}

pub(super) async fn what_a_turn_replaced_or_removed_is_a_tombstone_after_it(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let put = |id: &str, rev| EventBody::put(text(id, 1, rev));
    let remove = |id: &str| EventBody::Remove { id: id.into() };
    let gone = |id: &str, rev| EventBody::Tombstone {
        item: id.into(),
        rev,
    };
    let log = async || -> Vec<EventBody> {
        let log = store
            .log(&lease.session, 0, usize::MAX)
            .await
            .expect("read");
        assert_eq!(seqs(&log), Vec::from_iter(1..=log.len() as u64));
        log.into_iter().map(|event| event.what).collect()
    };
    let events = vec![
        put("a", 1),
        put("b", 1),
        put("a", 2),
        put("c", 1),
        remove("c"),
    ];
    let kept = store.commit(&lease, batch(events.clone())).await;
    assert_eq!(kept.expect("kept").len(), events.len());
    // A put that comes too late has no effect, and is logged as such.
    let late = store.commit(&lease, batch(vec![put("a", 1)])).await;
    assert_eq!(late.expect("kept")[0].what, gone("a", 1));
    let before = store.open(&lease.session).await.expect("opens");
    // While the turn runs, everything is there.
    assert_eq!(log().await[..5], events);
    let mut ended = turn(1);
    ended.status = Some(Status::Done);
    let over = Batch {
        turns: vec![ended],
        ..batch(Vec::new())
    };
    store.commit(&lease, over.clone()).await.expect("committed");
    let mut expected = vec![
        gone("a", 1),
        put("b", 1),
        put("a", 2),
        gone("c", 1),
        remove("c"),
        gone("a", 1),
    ];
    assert_eq!(log().await, expected);
    // The record is the same.
    let after = store.open(&lease.session).await.expect("opens");
    assert_eq!((after.items, after.seq), (before.items, before.seq));
    // What the next turn replaces goes when that turn ends.
    let next = Batch {
        turns: vec![turn(2)],
        ..batch(vec![put("b", 2)])
    };
    store.commit(&lease, next).await.expect("committed");
    expected.push(put("b", 2));
    assert_eq!(log().await, expected);
    let mut ended = turn(2);
    ended.status = Some(Status::Done);
    let over = Batch {
        turns: vec![ended],
        ..over
    };
    store.commit(&lease, over).await.expect("committed");
    expected[1] = gone("b", 1);
    assert_eq!(log().await, expected);
}

pub(super) async fn a_batch_that_is_refused_leaves_nothing_behind(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let before = store.open(&lease.session).await;
    let put = || vec![EventBody::put(text("t", 1, 1))];
    let mut foreign = batch(put());
    foreign.pending = vec![request(&"other".into(), "r", "c")];
    foreign.turns = vec![turn(2)];
    let refused = store.commit(&lease, foreign).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(store.open(&lease.session).await, before);
    assert_eq!(store.request(&"r".into()).await, Ok(None));
    assert_eq!(seqs(&commit(&*store, &lease, batch(put())).await), [1]);
}

pub(super) async fn what_is_transient_or_cannot_be_read_again_is_refused(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let delta = EventBody::TextDelta {
        item: "t".into(),
        rev: 1,
        delta: "!".to_owned(),
    };
    let two_revisions = EventBody::Put {
        item: Box::new(text("t", 1, 1)),
        rev: 2,
    };
    let mut deep = Value::Null;
    for _ in 0..200 {
        deep = json!([deep]);
    }
    let other = |json: Value| EventBody::Other(json.as_object().cloned().unwrap_or_default());
    let deep = other(json!({ "type": "x", "deep": deep }));
    let large = EventBody::put(text("t", 1, u64::MAX));
    for wrong in [delta, two_revisions, deep, large] {
        let refused = store.commit(&lease, batch(vec![wrong])).await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    }
    // Unknown members, which a newer version may write, are kept.
    let new = other(json!({ "type": "fireworks", "colours": ["red"] }));
    let kept = commit(&*store, &lease, batch(vec![new])).await;
    assert_eq!(store.log(&lease.session, 0, 9).await, Ok(kept));
}

pub(super) async fn an_event_has_the_turn_of_its_batch_or_the_last_one(store: Arc<dyn Store>) {
    store.create(row("a")).await.expect("made");
    let lease = store.claim(&"a".into(), "me", HOUR).await.expect("free");
    let put = || vec![EventBody::put(text("t", 1, 1))];
    let none = store.commit(&lease, batch(put())).await;
    assert!(matches!(none, Err(StoreError::Failed(_))), "{none:?}");
    let named = Batch {
        turn: Some("other".into()),
        turns: vec![turn(1), turn(2)],
        ..batch(put())
    };
    let own = Batch {
        turns: vec![turn(3)],
        ..batch(put())
    };
    for (batch, expected) in [(named, "other"), (own, "turn-3"), (batch(put()), "turn-3")] {
        let events = commit(&*store, &lease, batch).await;
        assert_eq!(events[0].turn.as_str(), expected);
        assert_eq!((events[0].at, &events[0].session), (at(1), &lease.session));
    }
}
