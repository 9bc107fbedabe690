//! Live and dead owners, and notifications between processes.

use super::open;
use crate::store::conformance::{answer, batch, request, session};
use crate::store::{Batch, SettleOutcome, Store, StoreError};
use serde_json::json;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);

#[tokio::test]
async fn a_dead_owner_is_succeeded_at_once_and_a_living_one_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = open(folder.path());
    let two = open(folder.path());
    let lease = session(&one, "a").await;
    // Also under the same name: another process is another owner.
    for name in ["you", "me"] {
        let refused = two.claim(&lease.session, name, HOUR).await;
        assert!(
            matches!(refused, Err(StoreError::Owned { .. })),
            "{refused:?}"
        );
    }
    let refused = two.delete(&lease.session).await;
    assert!(
        matches!(refused, Err(StoreError::Owned { .. })),
        "{refused:?}"
    );
    // It does not release the session, it just ends.
    drop(one);
    let taken = two.claim(&lease.session, "you", HOUR).await;
    let taken = taken.expect("the dead own nothing");
    assert_eq!(taken.epoch, lease.epoch + 1);
    assert_eq!(
        two.commit(&lease, Batch::default()).await,
        Err(StoreError::LeaseLost)
    );
}

#[tokio::test]
async fn a_living_owner_who_is_late_is_succeeded_and_fenced_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = open(folder.path());
    let two = open(folder.path());
    let old = session(&one, "a").await;
    one.renew(&old, Duration::ZERO).await.expect("mine");
    let new = two.claim(&old.session, "you", HOUR).await.expect("late");
    assert_eq!(
        one.commit(&old, Batch::default()).await,
        Err(StoreError::LeaseLost)
    );
    assert_eq!(one.renew(&old, HOUR).await, Err(StoreError::LeaseLost));
    two.commit(&new, Batch::default()).await.expect("its own");
}

#[tokio::test]
async fn who_waits_hears_what_another_process_settled() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = open(folder.path());
    let two = open(folder.path());
    let lease = session(&one, "a").await;
    let mut waiting = batch(Vec::new());
    waiting.pending = vec![request(&lease.session, "r", "c")];
    one.commit(&lease, waiting).await.expect("committed");
    let id = "r".into();
    let heard = async {
        loop {
            let changed = one.changed();
            let request = one.request(&id).await.expect("read").expect("there");
            if let Some(reply) = request.reply {
                return reply;
            }
            changed.await.expect("heard");
        }
    };
    let settle = async {
        let settled = two.settle(&id, answer(json!("Norway"), 2)).await;
        assert_eq!(settled, Ok(SettleOutcome::Accepted));
    };
    let (reply, ()) = tokio::join!(heard, settle);
    assert_eq!(reply, answer(json!("Norway"), 2));
}

#[tokio::test]
async fn a_refused_job_does_not_harm_those_it_shares_a_transaction_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let good = session(&store, "a").await;
    let mut lost = good.clone();
    lost.epoch -= 1;
    // None is awaited before all are asked for.
    let asked: Vec<_> = (0..50)
        .map(|n| {
            let lease = if n % 5 == 0 { &lost } else { &good };
            (n, store.commit(lease, super::child::numbered(n)))
        })
        .collect();
    let mut kept = Vec::new();
    for (n, answer) in asked {
        match answer.await {
            Ok(_) => kept.push(n),
            Err(error) => assert_eq!((error, n % 5), (StoreError::LeaseLost, 0)),
        }
    }
    let log = store.log(&good.session, 0, 999).await.expect("read");
    let numbers: Vec<u64> = super::child::numbers(&log);
    assert_eq!(numbers, kept);
    assert_eq!(kept.len(), 40);
}
