//! Migrations: each applied whole or not at all, and none to databases of other programs.

use super::*;
use crate::store::sqlite::error::SqliteError;
use rusqlite::Connection;

const TWO: &[&str] = &[
    "CREATE TABLE a (x)",
    "CREATE TABLE b (y); INSERT INTO b VALUES (1)",
];

fn open(folder: &Path) -> Connection {
    Connection::open(folder.join("x.db")).expect("opens")
}

#[test]
fn each_step_runs_once_and_in_its_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut db = open(folder.path());
    run(&mut db, folder.path(), &TWO[..1]).expect("migrates");
    assert_eq!(number(&db, "user_version").ok(), Some(1));
    for _ in 0..2 {
        run(&mut db, folder.path(), TWO).expect("migrates");
        assert_eq!(number(&db, "user_version").ok(), Some(2));
        let rows = db.query_row("SELECT count(*) FROM b", [], |row| row.get(0));
        assert_eq!(rows, Ok(1));
    }
}

#[test]
fn a_step_that_fails_leaves_the_database_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut db = open(folder.path());
    let broken = [
        "CREATE TABLE a (x)",
        "CREATE TABLE b (y); INSERT INTO nothing VALUES (1)",
    ];
    assert!(run(&mut db, folder.path(), &broken).is_err());
    assert_eq!(number(&db, "user_version").ok(), Some(1));
    run(&mut db, folder.path(), TWO).expect("the step can be done again");
}

#[test]
fn a_newer_one_and_one_of_another_program_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut db = open(folder.path());
    run(&mut db, folder.path(), TWO).expect("migrates");
    let newer = run(&mut db, folder.path(), &TWO[..1]);
    assert!(
        matches!(newer, Err(SqliteError::Store(StoreError::Newer(_)))),
        "{newer:?}"
    );
    db.pragma_update(None, "application_id", 7).expect("set");
    let other = run(&mut db, folder.path(), TWO);
    assert!(
        matches!(other, Err(SqliteError::Store(StoreError::Failed(_)))),
        "{other:?}"
    );
}

/// Undoes what leads from version 2 to version 3.
const BACK_TO_2: &str = "
    DROP INDEX sessions_by_person;
    ALTER TABLE sessions DROP COLUMN person;
    UPDATE sessions SET body = json_remove(body, '$.person', '$.tainted');
    CREATE TABLE old (
        plugin  TEXT NOT NULL,
        owner   TEXT NOT NULL,
        key     TEXT NOT NULL,
        value   TEXT NOT NULL,
        PRIMARY KEY (plugin, owner, key)
    ) STRICT;
    INSERT INTO old SELECT plugin, owner, key, value FROM state;
    DROP TABLE state;
    ALTER TABLE old RENAME TO state;
    PRAGMA user_version = 2;";

/// Before version 3 there was one person, whose everything stays as it was.
#[tokio::test]
async fn what_a_database_of_version_2_holds_belongs_to_the_local_person() {
    use crate::host::LOCAL_PERSON;
    use crate::store::conformance::{answer, at, batch, call, output, request, row, turn};
    use crate::store::{Batch, Bucket, BucketLimits, Expected, SessionRow, SqliteStore, Store};
    use std::time::Duration;
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(folder.path()).expect("opens");
    let session = SessionRow {
        person: LOCAL_PERSON.to_owned(),
        ..row("a")
    };
    store.create(session).await.expect("made");
    let hour = Duration::from_secs(3600);
    let lease = store.claim(&"a".into(), "me", hour).await.expect("free");
    let first = Batch {
        turns: vec![turn(1)],
        calls: vec![call("c", 1)],
        pending: vec![request(&lease.session, "r", "c")],
        ..batch(Vec::new())
    };
    store.commit(&lease, first).await.expect("committed");
    let kept = output(&lease.session, 1, "c", 3);
    let put = store.put_output(kept.clone(), b"abc".to_vec());
    put.await.expect("room");
    let (bytes, values) = (1_000, 10);
    let room = BucketLimits { bytes, values };
    let buckets = [
        Bucket::of_person(LOCAL_PERSON, "todo"),
        Bucket::of_session(LOCAL_PERSON, "todo", &lease.session),
    ];
    for bucket in &buckets {
        let value = Some(format!("\"{}\"", bucket.owner));
        let set = store.set_state(bucket, "k", value, Expected::Absent, room);
        set.await.expect("stored").expect("room");
    }
    store.release(&lease).await.expect("released");
    let (before, log) = (
        store.open(&lease.session).await.expect("opens"),
        store.log(&lease.session, 0, 99).await,
    );
    drop(store);
    let path = folder.path().join("footlight.db");
    let db = Connection::open(&path).expect("opens");
    db.execute_batch(BACK_TO_2).expect("goes back");
    drop(db);
    let store = SqliteStore::open(folder.path()).expect("migrates");
    assert_eq!(store.open(&lease.session).await, Ok(before.clone()));
    assert_eq!(store.log(&lease.session, 0, 99).await, log);
    assert_eq!(before.session.person, LOCAL_PERSON);
    assert!(!before.session.tainted);
    let own = store.sessions_of(LOCAL_PERSON, None, 9).await;
    assert_eq!(own, Ok(vec![before.session]));
    let pending = store.pending_of(LOCAL_PERSON).await.expect("listed");
    assert_eq!(pending, before.pending);
    assert_eq!(store.outputs(None, at(2)).await, Ok(vec![kept]));
    for bucket in &buckets {
        let value = store.state(bucket, "k").await;
        assert_eq!(value, Ok(Some(format!("\"{}\"", bucket.owner))));
        let of_another = Bucket {
            person: "ada".to_owned(),
            ..bucket.clone()
        };
        assert_eq!(store.state(&of_another, "k").await, Ok(None));
    }
    let settled = store.settle(&"r".into(), answer(serde_json::json!(1), 2));
    settled.await.expect("settled");
    drop(store);
    let mut db = Connection::open(&path).expect("opens");
    let older = run(&mut db, folder.path(), &MIGRATIONS[..2]);
    assert!(
        matches!(older, Err(SqliteError::Store(StoreError::Newer(_)))),
        "{older:?}"
    );
}

/// What version 1 has logged is as good as what this version logs.
#[tokio::test]
async fn a_database_of_version_1_opens_and_loses_what_was_replaced() {
    use crate::store::conformance::{at, batch, session, text, turn};
    use crate::store::{Batch, SqliteStore, Store};
    use footlight_vocabulary::event::{EventBody, Status};
    let folder = tempfile::tempdir().expect("a folder");
    let put = |id: &str, rev| EventBody::put(text(id, 1, rev));
    let remove = |id: &str| EventBody::Remove { id: id.into() };
    let store = SqliteStore::open(folder.path()).expect("opens");
    let lease = session(&store, "a").await;
    let events = vec![
        put("a", 1),
        put("a", 2),
        put("b", 1),
        remove("b"),
        put("c", 1),
    ];
    store
        .commit(&lease, batch(events))
        .await
        .expect("committed");
    store.release(&lease).await.expect("released");
    let before = store.open(&lease.session).await.expect("opens");
    drop(store);
    // Back to version 1, with a damaged row.
    let db = Connection::open(folder.path().join("footlight.db")).expect("opens");
    db.execute_batch(BACK_TO_2).expect("goes back");
    db.execute_batch(
        "DROP TABLE superseded; ALTER TABLE items DROP COLUMN seq;
         DROP INDEX sessions_deleted; ALTER TABLE sessions DROP COLUMN deleted;
         INSERT INTO sessions (id, updated, body) VALUES ('d', 0, '');
         INSERT INTO events (session, seq, body) VALUES ('d', 1, '{\"type\":');
         PRAGMA user_version = 1;",
    )
    .expect("goes back");
    drop(db);
    let store = SqliteStore::open(folder.path()).expect("migrates");
    let migrated = store.open(&lease.session).await.expect("opens");
    assert_eq!((&migrated.items, migrated.seq), (&before.items, before.seq));
    assert_eq!(migrated.session.person, crate::host::LOCAL_PERSON);
    let hour = std::time::Duration::from_secs(3600);
    let lease = store.claim(&lease.session, "me", hour).await.expect("free");
    let mut ended = turn(1);
    ended.status = Some(Status::Done);
    let over = Batch {
        turns: vec![ended],
        ..batch(vec![put("c", 2)])
    };
    store.commit(&lease, over).await.expect("committed");
    store.sweep(at(2)).await.expect("swept");
    let log = store.log(&lease.session, 0, 99).await.expect("gap-free");
    let gone = |event: &&footlight_vocabulary::event::Event| {
        matches!(event.what, EventBody::Tombstone { .. })
    };
    let gone: Vec<_> = log
        .iter()
        .filter(gone)
        .filter_map(|event| event.seq)
        .collect();
    assert_eq!(gone, [1, 3, 5]);
    let after = store.open(&lease.session).await.expect("opens");
    assert_eq!(after.items[0], before.items[0]);
}

#[test]
fn what_was_published_does_not_change() {
    // Databases were made with exactly these texts: append, do not edit.
    let digests = MIGRATIONS
        .iter()
        .map(|step| crate::Digest::of(step.as_bytes()).to_string());
    assert_eq!(
        digests.collect::<Vec<_>>(),
        [
            "fa4fe6ededf1de544df025a7b9485c31071b0420f15d1dca289e737e9d3eabff",
            "1c419af1ede4f087e4ff7dc6b4b551a0126301e679d7d9a04bede686801e6084",
            "c161c1f2e71ae39a73510c00b46e9970b827eaa333d5a60936fc00de64ba10e2"
        ]
    );
}
