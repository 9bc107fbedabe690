//! Deleting needs little room, however much is deleted, and can be interrupted.

use super::child;
use super::open;
use crate::store::conformance::{at, batch, call, output, request, session, text, turn};
use crate::store::{Batch, Bucket, BucketLimits, Expected, SqliteStore, Store, StoreError};
use footlight_vocabulary::event::{EventBody, Status};
use footlight_vocabulary::item::Content;
use std::fs;
use std::path::Path;

const MIB: u64 = 1 << 20;

/// The tables that have rows of a session.
const TABLES: [&str; 8] = [
    "events",
    "items",
    "turns",
    "steps",
    "calls",
    "requests",
    "outputs",
    "superseded",
];

/// Fills a session with revisions of one text, each of a mebibyte, and with a row of everything.
async fn fill(store: &SqliteStore, id: &str, mebibytes: u64) {
    let lease = session(store, id).await;
    for rev in 1..=mebibytes {
        let mut item = text("t", 1, rev);
        if let Content::Text(text) = &mut item.content {
            text.text = "x".repeat(1 << 20);
        }
        let events = batch(vec![EventBody::put(item)]);
        store.commit(&lease, events).await.expect("room");
    }
    let mut all = batch(vec![EventBody::put(text("u", 2, 1))]);
    all.calls = vec![call("c", 1)];
    all.pending = vec![request(&lease.session, &format!("r-{id}"), "c")];
    store.commit(&lease, all).await.expect("room");
    let row = output(&lease.session, 1, "c", 100_000);
    let content = vec![id.as_bytes()[0]; 100_000];
    store.put_output(row, content).await.expect("room");
    let bucket = Bucket::of_session("ada", "todo", &lease.session);
    let (bytes, values) = (1_000, 10);
    let room = BucketLimits { bytes, values };
    let set = store.set_state(&bucket, "k", Some("1".to_owned()), Expected::Absent, room);
    set.await.expect("stored").expect("room");
    store.release(&lease).await.expect("released");
}

fn size(path: &Path) -> u64 {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            let entries = fs::read_dir(path).expect("a folder");
            entries
                .map(|entry| size(&entry.expect("an entry").path()))
                .sum()
        }
        Ok(found) => found.len(),
        Err(_) => 0,
    }
}

/// How many rows a session has in all tables.
async fn rows_of(store: &SqliteStore, session: &'static str) -> i64 {
    let rows = store.write(move |tx| {
        let mut rows = 0;
        for table in TABLES {
            let sql = format!("SELECT count(*) FROM {table} WHERE session = ?1");
            rows += tx.query_row(&sql, [session], |row| row.get::<_, i64>(0))?;
        }
        let sql =
            "SELECT (SELECT count(*) FROM state) + (SELECT count(*) FROM sessions WHERE id = ?1)";
        Ok(rows + tx.query_row(sql, [session], |row| row.get::<_, i64>(0))?)
    });
    rows.await.expect("counted")
}

#[tokio::test]
async fn deleting_a_large_session_frees_the_disk_and_needs_little_room_meanwhile() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    fill(&store, "a", 48).await;
    drop(store);
    assert!(size(folder.path()) > 48 * MIB);
    let store = open(folder.path());
    store.delete(&"a".into()).await.expect("deleted");
    assert_eq!(rows_of(&store, "a").await, 0);
    // The log is as large as it ever was while the store was open.
    let wal = size(&folder.path().join("footlight.db-wal"));
    assert!(wal < 8 * MIB, "{wal}");
    drop(store);
    let left = size(folder.path());
    // The reserve, and some free pages.
    assert!(left < 4 * MIB, "{left}");
}

#[tokio::test]
async fn the_content_that_a_turn_replaced_is_freed_when_it_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    fill(&store, "a", 24).await;
    let hour = std::time::Duration::from_secs(3600);
    let lease = store.claim(&"a".into(), "me", hour).await.expect("free");
    let before = store.open(&lease.session).await.expect("opens");
    let mut ended = turn(1);
    ended.status = Some(Status::Done);
    let over = Batch {
        turns: vec![ended],
        ..batch(Vec::new())
    };
    store.commit(&lease, over).await.expect("committed");
    // All content goes with the turn; the free pages go with the next sweep.
    let log = store.log(&lease.session, 0, usize::MAX).await;
    let puts = log.expect("gap-free").into_iter();
    let puts = puts.filter(|event| matches!(event.what, EventBody::Put { .. }));
    assert_eq!(puts.count(), 2);
    store.sweep(at(2)).await.expect("swept");
    let wal = size(&folder.path().join("footlight.db-wal"));
    assert!(wal < 8 * MIB, "{wal}");
    let after = store.open(&lease.session).await.expect("opens");
    assert_eq!((after.items, after.seq), (before.items, before.seq));
    let log = store
        .log(&lease.session, 0, usize::MAX)
        .await
        .expect("gap-free");
    let tombstones = log
        .iter()
        .filter(|event| matches!(event.what, EventBody::Tombstone { .. }));
    assert_eq!(tombstones.count(), 23);
    drop(store);
    let left = size(folder.path());
    assert!(left < 8 * MIB, "{left}");
}

/// Kills a process at every commit of a deletion in steps.
#[tokio::test]
async fn killed_while_it_deletes_a_session_it_leaves_all_of_it_or_nothing_to_see() {
    for die_at in [
        "BeforeCommit:1",
        "AfterCommit:1",
        "BeforeCommit:2",
        "AfterCommit:2",
        "BeforeCommit:5",
        "AfterCommit:8",
        "BeforePurge:1",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let store = open(folder.path());
        fill(&store, "a", 6).await;
        fill(&store, "b", 1).await;
        let before = store.open(&"a".into()).await;
        let other = store.open(&"b".into()).await;
        drop(store);
        let ended = child::start("delete a", folder.path(), die_at).wait();
        assert!(
            !ended.expect("ended").success(),
            "{die_at}: it was not killed"
        );
        let store = open(folder.path());
        let listed = store.sessions(9).await.expect("listed").len();
        if die_at == "BeforeCommit:1" {
            assert_eq!(store.open(&"a".into()).await, before);
            store.delete(&"a".into()).await.expect("deleted");
        } else {
            // Nothing of it can be seen, although some of it is there.
            assert_eq!(listed, 1, "{die_at}");
            let missing = Err(StoreError::NoSession("a".into()));
            assert_eq!(store.open(&"a".into()).await, missing, "{die_at}");
            assert_eq!(store.request(&"r-a".into()).await, Ok(None));
            let outputs = store.outputs(None, at(2)).await.expect("listed");
            assert!(outputs.iter().all(|row| row.session.as_str() == "b"));
            let pending = store.pending().await.expect("listed");
            assert!(pending.iter().all(|row| row.session.as_str() == "b"));
        }
        store.sweep(at(2)).await.expect("swept");
        // The state of `b` is left.
        assert_eq!(rows_of(&store, "a").await, 1, "{die_at}");
        assert_eq!(store.open(&"b".into()).await, other, "{die_at}");
        let b = output(&"b".into(), 1, "c", 0).id;
        let content = store.read_output(&"b".into(), &b, 0, 9, at(2)).await;
        assert_eq!(content, Ok(Some(b"bbbbbbbbb".to_vec())), "{die_at}");
    }
}

#[tokio::test]
async fn on_a_full_disk_whatever_frees_space_gets_the_reserve() {
    use crate::store::sqlite::error::SqliteError;
    use std::io;
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let reserve = folder.path().join("reserve");
    assert!(size(&reserve) >= MIB);
    let full = |needs: fn(&Path) -> bool, path: &Path| match needs(path) {
        true => Err(SqliteError::Io(io::ErrorKind::StorageFull.into())),
        false => Ok(()),
    };
    // What does not free anything leaves it alone.
    let path = reserve.clone();
    let write = store.write(move |_| full(Path::exists, &path)).await;
    assert!(matches!(write, Err(StoreError::Full(_))), "{write:?}");
    assert!(reserve.exists());
    let path = reserve.clone();
    let freed = store
        .writer
        .write_alone(move |_| full(Path::exists, &path))
        .await;
    assert_eq!(freed, Ok(()));
    assert!(!reserve.exists());
    // Once, and not for ever; and what is deleted later is overwritten again.
    let still = store
        .writer
        .write_alone(move |_| full(|_| true, Path::new("")));
    assert!(matches!(still.await, Err(StoreError::Full(_))));
    let secure = store
        .write(|tx| Ok(tx.pragma_query_value(None, "secure_delete", |row| row.get::<_, i64>(0))?));
    assert_eq!(secure.await, Ok(1));
    drop(store);
    drop(open(folder.path()));
    assert!(reserve.exists(), "it is filled again");
}
