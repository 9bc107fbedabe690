//! A full disk, and one without write permission.

use super::child::{LARGE, content, numbered, numbers};
use super::kill::files;
use super::open;
use crate::store::conformance::{output, session, text};
use crate::store::{Batch, SqliteStore, Store, StoreError};
use footlight_vocabulary::event::EventBody;
use std::fs;

/// Lets the database grow by so many pages.
async fn limit_pages(store: &SqliteStore, pages: i64) {
    let limit = store.write(move |tx| {
        let count: i64 = tx.pragma_query_value(None, "page_count", |row| row.get(0))?;
        tx.pragma_update_and_check(None, "max_page_count", count + pages, |_| Ok(()))?;
        Ok(())
    });
    limit.await.expect("set");
}

fn large() -> Batch {
    let mut batch = numbered(99);
    let mut item = text("large", 2, 1);
    if let footlight_vocabulary::item::Content::Text(text) = &mut item.content {
        text.text = "x".repeat(2 << 20);
    }
    batch.events.push(EventBody::put(item));
    batch
}

#[tokio::test]
async fn a_full_disk_is_said_and_nothing_is_half_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let lease = session(&store, "a").await;
    store.commit(&lease, numbered(1)).await.expect("room");
    let before = store.open(&lease.session).await;
    limit_pages(&store, 30).await;
    let full = store.commit(&lease, large()).await;
    assert!(matches!(full, Err(StoreError::Full(_))), "{full:?}");
    // What is there can be read, and goes on being written to when there is room again.
    assert_eq!(store.open(&lease.session).await, before);
    limit_pages(&store, 1 << 20).await;
    let events = store.commit(&lease, large()).await.expect("room again");
    assert_eq!(events[0].seq, Some(3));
}

#[tokio::test]
async fn who_does_not_fit_does_not_keep_others_from_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let lease = session(&store, "a").await;
    limit_pages(&store, 60).await;
    // All in one transaction, which a full disk takes down as a whole.
    let asked: Vec<_> = (1..=9)
        .map(|n| {
            let batch = if n == 5 { large() } else { numbered(n) };
            (n, store.commit(&lease, batch))
        })
        .collect();
    for (n, answer) in asked {
        let answer = answer.await;
        assert_eq!(
            matches!(answer, Err(StoreError::Full(_))),
            n == 5,
            "{n}: {answer:?}"
        );
        assert_eq!(answer.is_ok(), n != 5);
    }
    let log = store.log(&lease.session, 0, 99).await.expect("gap-free");
    assert_eq!(numbers(&log), [1, 2, 3, 4, 6, 7, 8, 9]);
}

#[tokio::test]
async fn content_whose_row_has_no_room_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let lease = session(&store, "a").await;
    limit_pages(&store, 0).await;
    let mut full = None;
    for n in 0..500_u64 {
        // Until the row of one does not fit.
        let mut row = output(&lease.session, n, "c", LARGE);
        row.title = "x".repeat(3000);
        let count = || files(&folder.path().join("blobs"));
        let before = count();
        full = store.put_output(row, content(n)).await.err();
        if full.is_some() {
            assert_eq!(count(), before);
            break;
        }
    }
    assert!(matches!(full, Some(StoreError::Full(_))), "{full:?}");
}

#[tokio::test]
async fn a_session_is_deleted_on_a_full_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let lease = session(&store, "a").await;
    store.commit(&lease, large()).await.expect("room");
    limit_pages(&store, 0).await;
    let mut more = large();
    if let Some(EventBody::Put { item, rev }) = more.events.last_mut() {
        (item.rev, *rev) = (2, 2);
    }
    let full = store.commit(&lease, more).await;
    assert!(matches!(full, Err(StoreError::Full(_))), "{full:?}");
    store.release(&lease).await.expect("released");
    store.delete(&lease.session).await.expect("deleted");
    let again = session(&store, "b").await;
    store.commit(&again, large()).await.expect("room again");
}

#[tokio::test]
async fn what_may_not_be_written_to_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let lease = session(&store, "a").await;
    let read_only = store.write(|tx| Ok(tx.pragma_update(None, "query_only", true)?));
    read_only.await.expect("set");
    let refused = store.commit(&lease, numbered(1)).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert!(store.open(&lease.session).await.is_ok(), "it can be read");
}

#[test]
fn a_folder_that_cannot_be_one_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "x").expect("written");
    for wrong in [file.clone(), file.join("below")] {
        let refused = SqliteStore::open(&wrong);
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    }
}
