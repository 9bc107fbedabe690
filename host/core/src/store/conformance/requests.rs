//! Requests to people.

use super::{answer, at, batch, commit, request, session};
use crate::store::{Batch, Lease, Reply, RequestRow, SettleOutcome, Store, StoreError};
use footlight_vocabulary::item::Verdict;
use serde_json::json;
use std::sync::Arc;

async fn put(store: &dyn Store, lease: &Lease, pending: Vec<RequestRow>) {
    let waiting = Batch {
        pending,
        ..batch(Vec::new())
    };
    commit(store, lease, waiting).await;
}

async fn settle(store: &dyn Store, id: &str, reply: Reply) {
    let settled = store.settle(&id.into(), reply).await;
    assert_eq!(settled, Ok(SettleOutcome::Accepted));
}

async fn reply(store: &dyn Store, id: &str) -> Option<Reply> {
    let request = store.request(&id.into()).await.expect("read");
    request.expect("it is there").reply
}

pub(super) async fn the_first_reply_counts(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let ask = |id: &str| request(&lease.session, id, "c");
    put(&*store, &lease, vec![ask("r"), ask("s")]).await;
    assert_eq!(store.pending().await, Ok(vec![ask("r"), ask("s")]));
    let first = answer(json!("Norway"), 5);
    settle(&*store, "s", first.clone()).await;
    let verdict = Reply::Verdict {
        read_only: false,
        verdict: Verdict::Deny,
        words: None,
        folder: None,
        by: None,
        at: at(6),
    };
    for late in [answer(json!("Ohio"), 6), verdict] {
        let settled = store.settle(&"s".into(), late).await;
        assert_eq!(settled, Ok(SettleOutcome::AlreadySettled(first.clone())));
    }
    let unknown = store.settle(&"t".into(), first.clone()).await;
    assert_eq!(unknown, Ok(SettleOutcome::Unknown));
    assert_eq!(store.pending().await, Ok(vec![ask("r")]));
    // Both are in the snapshot of whoever continues the session.
    let mut answered = ask("s");
    answered.reply = Some(first);
    let snapshot = store.open(&lease.session).await.expect("opens");
    assert_eq!(snapshot.pending, [ask("r"), answered]);
}

pub(super) async fn a_request_is_settled_without_a_lease_and_alone(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let other = session(&*store, "b").await;
    put(&*store, &lease, vec![request(&lease.session, "r", "c")]).await;
    let mut early = request(&other.session, "z", "c");
    early.since = at(0);
    put(&*store, &other, vec![early.clone()]).await;
    let oldest = store.pending().await.expect("listed");
    assert_eq!(oldest[0], early);
    store.release(&lease).await.expect("released");
    settle(&*store, "r", answer(json!(1), 2)).await;
    assert_eq!(store.pending().await, Ok(vec![early]));
}

pub(super) async fn a_commit_does_not_reopen_what_is_settled(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let ask = request(&lease.session, "r", "c");
    put(&*store, &lease, vec![ask.clone()]).await;
    let mut longer = ask.clone();
    longer.expires = Some(at(50));
    put(&*store, &lease, vec![longer.clone()]).await;
    assert_eq!(store.request(&"r".into()).await, Ok(Some(longer)));
    let first = answer(json!("Norway"), 5);
    settle(&*store, "r", first.clone()).await;
    let mut gone = ask.clone();
    gone.reply = Some(Reply::Withdrawn { at: at(9) });
    for late in [ask, gone] {
        put(&*store, &lease, vec![late]).await;
        assert_eq!(reply(&*store, "r").await, Some(first.clone()));
    }
}

pub(super) async fn a_secret_answer_is_never_kept(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let secret = |id: &str| RequestRow {
        recordable: false,
        ..request(&lease.session, id, "c")
    };
    let bare = Reply::Answer {
        value: None,
        by: Some("ada".to_owned()),
        at: at(5),
    };
    put(&*store, &lease, vec![secret("r"), secret("s")]).await;
    settle(&*store, "r", answer(json!("hunter2"), 5)).await;
    assert_eq!(reply(&*store, "r").await, Some(bare.clone()));
    // Neither through a commit that settles it, declares it recordable, or adds it already settled.
    let mut turned = request(&lease.session, "s", "c");
    turned.reply = Some(answer(json!("hunter2"), 5));
    let mut at_once = secret("t");
    at_once.reply = Some(answer(json!("hunter2"), 5));
    put(&*store, &lease, vec![turned, at_once]).await;
    for id in ["s", "t"] {
        assert_eq!(reply(&*store, id).await, Some(bare.clone()), "{id}");
    }
}

pub(super) async fn a_late_reply_learns_that_the_request_has_expired(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let until = |id: &str, seconds| RequestRow {
        expires: Some(at(seconds)),
        ..request(&lease.session, id, "c")
    };
    put(&*store, &lease, vec![until("r", 10), until("s", 10)]).await;
    let expired = Reply::Expired { at: at(10) };
    for seconds in [10, 11] {
        let settled = store.settle(&"r".into(), answer(json!(1), seconds)).await;
        assert_eq!(settled, Ok(SettleOutcome::AlreadySettled(expired.clone())));
    }
    assert_eq!(reply(&*store, "r").await, Some(expired));
    // In time.
    settle(&*store, "s", answer(json!(1), 9)).await;
}

pub(super) async fn a_sweep_settles_expired_requests(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let until = |id: &str, seconds| RequestRow {
        expires: Some(at(seconds)),
        ..request(&lease.session, id, "c")
    };
    let never = request(&lease.session, "never", "c");
    let all = vec![until("r", 10), until("s", 20), never.clone()];
    put(&*store, &lease, all).await;
    store.sweep(at(10)).await.expect("swept");
    let expired = Reply::Expired { at: at(10) };
    assert_eq!(reply(&*store, "r").await, Some(expired));
    assert_eq!(store.pending().await, Ok(vec![never, until("s", 20)]));
}

pub(super) async fn a_dropped_call_withdraws_its_open_requests(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let other = session(&*store, "b").await;
    let ask = |id: &str, call: &str| request(&lease.session, id, call);
    let theirs = request(&other.session, "theirs", "c");
    let all = vec![ask("open", "c"), ask("done", "c"), ask("else", "d")];
    put(&*store, &lease, all).await;
    put(&*store, &other, vec![theirs.clone()]).await;
    let first = answer(json!(1), 2);
    settle(&*store, "done", first.clone()).await;
    let dropped = Batch {
        drop_calls: vec!["c".into()],
        at: at(7),
        // A request of the same batch is withdrawn as well.
        pending: vec![ask("late", "c")],
        ..Batch::default()
    };
    commit(&*store, &lease, dropped).await;
    let gone = Reply::Withdrawn { at: at(7) };
    assert_eq!(reply(&*store, "open").await, Some(gone.clone()));
    assert_eq!(reply(&*store, "late").await, Some(gone));
    assert_eq!(reply(&*store, "done").await, Some(first.clone()));
    assert_eq!(store.pending().await, Ok(vec![ask("else", "d"), theirs]));
    // A withdrawn request can be opened again; a settled one stays.
    put(&*store, &lease, vec![ask("open", "c"), ask("done", "c")]).await;
    assert_eq!(reply(&*store, "open").await, None);
    assert_eq!(reply(&*store, "done").await, Some(first));
}

pub(super) async fn a_request_of_another_session_is_left_alone(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let other = session(&*store, "b").await;
    let theirs = request(&other.session, "r", "c");
    put(&*store, &other, vec![theirs.clone()]).await;
    let mine = Batch {
        pending: vec![request(&lease.session, "r", "c")],
        ..Batch::default()
    };
    let refused = store.commit(&lease, mine).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(store.request(&"r".into()).await, Ok(Some(theirs)));
}

pub(super) async fn a_watcher_is_notified_of_changes(store: Arc<dyn Store>) {
    let lease = session(&*store, "a").await;
    let changed = store.changed();
    put(&*store, &lease, vec![request(&lease.session, "r", "c")]).await;
    changed.await.expect("a new request is a change");
    // Notified from the call on, also if there are two, and before the first poll.
    let (one, two) = (store.changed(), store.changed());
    settle(&*store, "r", answer(json!(1), 2)).await;
    one.await.expect("heard");
    two.await.expect("heard");
}
