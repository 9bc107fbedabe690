//! Both stores pass the conformance suite and behave alike.

use super::conformance::{conformance, quota};
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
    quota(|quota| Arc::new(MemoryStore::with_quota(quota))).await;
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
    quota(|quota| {
        let store = SqliteStore::with_quota(folder.path(), quota);
        Arc::new(store.expect("opens"))
    })
    .await;
}
