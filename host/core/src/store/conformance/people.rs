//! Whose sessions and requests they are, and what stays true of a session.

use super::{at, batch, commit, request, session_of};
use crate::store::{Batch, SessionRow, SettleOutcome, Store, StoreError};
use serde_json::json;
use std::sync::Arc;

async fn ids_of(store: &dyn Store, person: &str, limit: usize) -> Vec<String> {
    let rows = store
        .sessions_of(person, None, limit)
        .await
        .expect("listed");
    assert!(rows.iter().all(|row| row.person == person), "{rows:?}");
    rows.iter().map(|row| row.id.to_string()).collect()
}

pub(super) async fn each_person_has_sessions_of_their_own(store: Arc<dyn Store>) {
    // Names that a pattern, a prefix or another case could confuse.
    for (person, id) in [
        ("ada", "a"),
        ("ada ", "b"),
        ("Ada", "c"),
        ("a%", "d"),
        ("", "e"),
        ("ada", "f"),
    ] {
        session_of(&*store, person, id).await;
    }
    assert_eq!(ids_of(&*store, "ada", 9).await, ["f", "a"]);
    assert_eq!(ids_of(&*store, "ada", 1).await, ["f"]);
    for (person, id) in [("ada ", "b"), ("Ada", "c"), ("a%", "d"), ("", "e")] {
        assert_eq!(ids_of(&*store, person, 9).await, [id], "{person:?}");
    }
    assert!(ids_of(&*store, "ad", 9).await.is_empty());
    let (mut pages, mut last) = (Vec::new(), None::<SessionRow>);
    loop {
        let after = last.as_ref().map(|row| (row.updated, &row.id));
        let page = store.sessions_of("ada", after, 1).await.expect("listed");
        let Some(row) = page.into_iter().next() else {
            break;
        };
        pages.push(row.id.to_string());
        last = Some(row);
    }
    assert_eq!(pages, ["f", "a"], "page by page");
    assert_eq!(store.sessions(9).await.map(|rows| rows.len()), Ok(6));
    let one = store.session(&"c".into()).await.expect("it is there");
    let opened = store.open(&"c".into()).await.expect("it is there");
    assert_eq!((one.person.as_str(), &one), ("Ada", &opened.session));
    let missing = Err(StoreError::NoSession("x".into()));
    assert_eq!(store.session(&"x".into()).await, missing);
}

pub(super) async fn each_person_has_requests_of_their_own(store: Arc<dyn Store>) {
    let (ada, bob) = (
        session_of(&*store, "ada", "a").await,
        session_of(&*store, "bob", "b").await,
    );
    let again = session_of(&*store, "ada", "c").await;
    for (lease, id, seconds) in [(&ada, "r", 3), (&bob, "s", 1), (&again, "t", 2)] {
        let mut ask = request(&lease.session, id, "c");
        ask.since = at(seconds);
        let mut waiting = batch(Vec::new());
        waiting.pending = vec![ask];
        commit(&*store, lease, waiting).await;
    }
    let pending = async |person: &str| -> Vec<String> {
        let rows = store.pending_of(person).await.expect("listed");
        rows.iter().map(|row| row.id.to_string()).collect()
    };
    assert_eq!(pending("ada").await, ["t", "r"]);
    assert_eq!(pending("bob").await, ["s"]);
    assert!(pending("eve").await.is_empty());
    let reply = super::answer(json!("Norway"), 5);
    let settled = store.settle(&"r".into(), reply).await;
    assert_eq!(settled, Ok(SettleOutcome::Accepted));
    store.release(&again).await.expect("released");
    store.delete(&again.session).await.expect("deleted");
    assert!(pending("ada").await.is_empty());
    assert_eq!(ids_of(&*store, "ada", 9).await, ["a"]);
    assert_eq!(pending("bob").await, ["s"]);
}

pub(super) async fn a_tainted_session_stays_tainted_and_others_do_not_become_so(
    store: Arc<dyn Store>,
) {
    let ada = session_of(&*store, "ada", "a").await;
    let other = session_of(&*store, "ada", "b").await;
    let mut taints = batch(Vec::new());
    taints.tainted = true;
    commit(&*store, &ada, taints).await;
    // Neither an ordinary batch nor a new meta clears it, and no refused batch sets it.
    let mut later = batch(Vec::new());
    later.meta = Some(serde_json::Map::new());
    commit(&*store, &ada, later).await;
    let refused = Batch {
        tainted: true,
        pending: vec![request(&ada.session, "r", "c")],
        ..batch(Vec::new())
    };
    assert!(store.commit(&other, refused).await.is_err());
    for (lease, tainted) in [(&ada, true), (&other, false)] {
        let row = store.session(&lease.session).await.expect("it is there");
        assert_eq!(row.tainted, tainted);
        let opened = store.open(&lease.session).await.expect("it is there");
        assert_eq!(opened.session.tainted, tainted);
    }
}
