//! Both stores pass the conformance suite and behave alike.

use super::conformance::conformance;
use super::*;
use std::sync::Arc;

#[cfg(feature = "sqlite")]
mod same;

#[tokio::test]
async fn the_store_in_memory_conforms() {
    conformance(|| Arc::new(MemoryStore::new())).await;
}

#[tokio::test]
async fn the_store_in_memory_has_a_quota() {
    a_quota_counts_what_has_not_expired(&MemoryStore::with_quota(QUOTA)).await;
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn the_store_on_disk_conforms() {
    let folder = tempfile::tempdir().expect("a folder");
    let next = std::cell::Cell::new(0);
    conformance(|| {
        next.set(next.get() + 1);
        let store = SqliteStore::open(folder.path().join(next.get().to_string()));
        Arc::new(store.expect("opens"))
    })
    .await;
}

#[cfg(feature = "sqlite")]
#[tokio::test]
async fn the_store_on_disk_has_a_quota() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::with_quota(folder.path(), QUOTA).expect("opens");
    a_quota_counts_what_has_not_expired(&store).await;
}

const QUOTA: Quota = Quota {
    session: 100,
    total: 150,
};

async fn a_quota_counts_what_has_not_expired(store: &dyn Store) {
    use conformance::{at, output, session};
    let a = session(store, "a").await.session;
    let b = session(store, "b").await.session;
    let put = |session, n, size| store.put_output(output(session, n, "c", size), vec![0; size]);
    let is_full = |put| matches!(put, Err(StoreError::Full(_)));
    assert!(is_full(put(&a, 1, 101).await));
    put(&a, 1, 60).await.expect("room");
    // A replaced output counts once.
    put(&a, 1, 100).await.expect("room");
    assert!(is_full(put(&a, 2, 1).await));
    assert!(is_full(put(&b, 3, 51).await));
    put(&b, 3, 50).await.expect("room");
    // Expired outputs do not count, also without a sweep.
    let mut later = output(&a, 4, "c", 100);
    (later.created, later.expires) = (at(160), at(200));
    store
        .put_output(later, vec![0; 100])
        .await
        .expect("room again");
}
