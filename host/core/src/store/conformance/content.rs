//! Outputs.

use super::{at, batch, commit, output, put_output, row, session};
use crate::store::{Batch, Store, StoreError};
use footlight_vocabulary::item::output_id;
use std::sync::Arc;
use std::time::Duration;

/// Sizes of small and large content, and at the boundary.
const SIZES: [usize; 5] = [0, 1, 64 << 10, (64 << 10) + 1, 300_000];

fn bytes(size: usize) -> Vec<u8> {
    (0..size).map(|n| (n % 251) as u8).collect()
}

pub(super) async fn an_output_is_read_in_parts_and_as_often_as_wanted(store: Arc<dyn Store>) {
    let session = session(&*store, "a").await.session;
    for (n, size) in (1..).zip(SIZES) {
        let row = output(&session, n, "c", size);
        put_output(&*store, &row, &bytes(size)).await;
        let read = |offset, length| store.read_output(&session, &row.id, offset, length, at(2));
        for _ in 0..2 {
            assert_eq!(read(0, usize::MAX).await, Ok(Some(bytes(size))));
        }
        let from = size / 2;
        let part: Vec<u8> = bytes(size).into_iter().skip(from).take(3).collect();
        assert_eq!(read(from as u64, 3).await, Ok(Some(part)));
        for beyond in [size as u64, u64::MAX] {
            assert_eq!(read(beyond, 3).await, Ok(Some(Vec::new())), "{size}");
        }
        assert_eq!(read(0, 0).await, Ok(Some(Vec::new())));
    }
    let rows = store.outputs(Some(&session), at(2)).await.expect("listed");
    assert_eq!(rows.len(), SIZES.len());
}

pub(super) async fn an_output_is_only_for_its_session_and_until_it_expires(store: Arc<dyn Store>) {
    let a = session(&*store, "a").await.session;
    let b = session(&*store, "b").await.session;
    let row = output(&a, 1, "c", 3);
    put_output(&*store, &row, b"abc").await;
    let read = |session, now| store.read_output(session, &row.id, 0, 9, now);
    assert_eq!(read(&a, at(99)).await, Ok(Some(b"abc".to_vec())));
    assert_eq!(read(&a, at(100)).await, Ok(None));
    assert_eq!(read(&b, at(2)).await, Ok(None));
    let unknown = output_id(at(9), 9);
    let unknown = store.read_output(&a, &unknown, 0, 9, at(2));
    assert_eq!(unknown.await, Ok(None));
    let found = |person, now| store.output_of(person, &row.id, now);
    assert_eq!(found("ada", at(99)).await, Ok(Some(row.clone())));
    assert_eq!(found("ada", at(100)).await, Ok(None));
    assert_eq!(found("bob", at(2)).await, Ok(None));
    assert_eq!(store.outputs(None, at(99)).await, Ok(vec![row]));
    assert_eq!(store.outputs(None, at(100)).await, Ok(Vec::new()));
    assert_eq!(store.outputs(Some(&b), at(2)).await, Ok(Vec::new()));
}

pub(super) async fn a_dropped_call_deletes_its_outputs_except_kept_ones(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let other = session(&*store, "b").await.session;
    let session = &lease.session;
    let rows = [
        output(session, 1, "kept", 3),
        output(session, 2, "dropped", 3),
        output(session, 3, "running", 3),
        output(&other, 4, "dropped", 3),
    ];
    for row in &rows {
        put_output(&*store, row, b"abc").await;
    }
    let kept = Batch {
        keep_outputs: vec!["kept".into()],
        ..batch(Vec::new())
    };
    commit(&*store, &lease, kept).await;
    let dropped = Batch {
        drop_calls: vec!["kept".into(), "dropped".into()],
        ..batch(Vec::new())
    };
    commit(&*store, &lease, dropped).await;
    let left = store.outputs(None, at(2)).await.expect("listed");
    let [kept, _, running, theirs] = rows;
    for row in [&kept, &running, &theirs] {
        assert!(left.contains(row), "{row:?}");
        // They had the same content as the deleted one.
        let read = store.read_output(&row.session, &row.id, 0, 9, at(2));
        assert_eq!(read.await, Ok(Some(b"abc".to_vec())));
    }
    assert_eq!(left.len(), 3);
}

pub(super) async fn a_sweep_frees_what_has_expired(store: Arc<dyn Store>) {
    let session = session(&*store, "a").await.session;
    let mut short = output(&session, 1, "c", 100_000);
    short.expires = at(10);
    put_output(&*store, &short, &bytes(100_000)).await;
    let long = output(&session, 2, "c", 3);
    put_output(&*store, &long, b"abc").await;
    assert_eq!(store.sweep(at(9)).await, Ok(0));
    assert_eq!(store.sweep(at(10)).await, Ok(100_000));
    assert_eq!(store.sweep(at(10)).await, Ok(0));
    assert_eq!(store.outputs(None, at(2)).await, Ok(vec![long]));
}

pub(super) async fn a_session_of_outputs_alone_goes_with_the_last_of_them(store: Arc<dyn Store>) {
    let hour = Duration::from_secs(3600);
    for id in ["kept", "dropped", "talk"] {
        store.create(row(id)).await.expect("made");
    }
    let used = session(&*store, "used").await;
    for id in ["kept", "dropped", "used"] {
        let put = store.put_output(output(&id.into(), 1, "c", 3), b"abc".to_vec());
        put.await.expect("room");
    }
    let listed = async || -> Vec<String> {
        let rows = store.sessions(9).await.expect("listed");
        let mut ids: Vec<String> = rows.iter().map(|row| row.id.to_string()).collect();
        ids.sort();
        ids
    };
    // A failed call takes its outputs along.
    let lease = store.claim(&"dropped".into(), "me", hour).await;
    let lease = lease.expect("free");
    let drop_calls = Batch {
        drop_calls: vec!["c".into()],
        ..batch(Vec::new())
    };
    store.commit(&lease, drop_calls).await.expect("committed");
    store.release(&lease).await.expect("released");
    assert_eq!(listed().await, ["kept", "talk", "used"]);
    // A session that was just made has no outputs that could expire.
    store.release(&used).await.expect("released");
    store.sweep(at(99)).await.expect("swept");
    assert_eq!(listed().await, ["kept", "talk", "used"]);
    store.sweep(at(100)).await.expect("swept");
    assert_eq!(listed().await, ["talk", "used"]);
}

pub(super) async fn an_output_must_be_what_it_says(store: Arc<dyn Store>) {
    let session = session(&*store, "a").await.session;
    let mut wrong_id = output(&session, 1, "c", 3);
    wrong_id.id = "../../x".into();
    let wrong_size = output(&session, 1, "c", 4);
    for wrong in [wrong_id, wrong_size] {
        let refused = store.put_output(wrong, b"abc".to_vec()).await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    }
    // Its own call may replace it, another may not.
    let row = output(&session, 1, "c", 3);
    for content in [b"abc", b"def"] {
        put_output(&*store, &row, content).await;
    }
    let other = store.put_output(output(&session, 1, "d", 3), b"ghi".to_vec());
    assert!(matches!(other.await, Err(StoreError::Failed(_))));
    let read = store.read_output(&session, &row.id, 0, 9, at(2));
    assert_eq!(read.await, Ok(Some(b"def".to_vec())));
    let kept = store.outputs(None, at(2)).await.expect("listed");
    assert_eq!(kept.len(), 1);
}

/// The store has a quota of 60 bytes for an output, 100 for a session and 150 for all.
pub(super) async fn a_quota_counts_what_has_not_expired(store: &dyn Store) {
    let a = session(store, "a").await.session;
    let b = session(store, "b").await.session;
    let put = |session, n, size| store.put_output(output(session, n, "c", size), vec![0; size]);
    let full = async |session, n, size| match put(session, n, size).await {
        Err(StoreError::Full(error)) => error.to_string(),
        put => panic!("there is no room: {put:?}"),
    };
    // Each limit is said in bytes.
    assert!(full(&a, 1, 61).await.contains("61 bytes is too large: 60"));
    put(&a, 1, 10).await.expect("room");
    // A replaced output counts once.
    put(&a, 1, 60).await.expect("room");
    assert!(full(&a, 2, 41).await.contains("a session may hold 100"));
    put(&a, 2, 40).await.expect("room");
    assert!(full(&a, 3, 1).await.contains("a session may hold 100"));
    let all = full(&b, 4, 51).await;
    assert!(all.contains("all sessions together may hold 150"), "{all}");
    put(&b, 4, 50).await.expect("room");
    // Expired outputs do not count, also without a sweep.
    let mut later = output(&a, 5, "c", 60);
    (later.created, later.expires) = (at(160), at(200));
    let put = store.put_output(later, vec![0; 60]);
    put.await.expect("room again");
}
