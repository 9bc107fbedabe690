//! Damaged databases, and those of other programs or newer versions.

use super::child::numbered;
use super::open;
use crate::store::conformance::{at, batch, output, request, session};
use crate::store::{SqliteStore, Store, StoreError};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Creates a closed store with some of everything.
async fn some(folder: &Path) {
    let store = open(folder);
    let lease = session(&store, "a").await;
    for n in 1..=30 {
        store.commit(&lease, numbered(n)).await.expect("committed");
    }
    let mut waiting = batch(Vec::new());
    waiting.pending = vec![request(&lease.session, "r", "c")];
    store.commit(&lease, waiting).await.expect("committed");
    for (n, size) in [(1, 3), (2, 9000), (3, 100_000)] {
        let row = output(&lease.session, n, "c", size);
        store.put_output(row, vec![7; size]).await.expect("room");
    }
}

fn database(folder: &Path) -> PathBuf {
    folder.join("footlight.db")
}

/// All files below, with what is in them.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(contents(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).expect("a file"));
        }
    }
    found
}

#[tokio::test]
async fn a_newer_database_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    some(folder.path()).await;
    let db = Connection::open(database(folder.path())).expect("opens");
    db.pragma_update(None, "user_version", 99).expect("set");
    drop(db);
    let before = contents(folder.path());
    let refused = SqliteStore::open(folder.path());
    assert!(matches!(refused, Err(StoreError::Newer(_))), "{refused:?}");
    assert_eq!(contents(folder.path()), before);
}

#[tokio::test]
async fn a_newer_version_that_is_only_in_the_write_ahead_log_is_seen_too() {
    let folder = tempfile::tempdir().expect("a folder");
    some(folder.path()).await;
    // Its process goes on, so nothing is moved from the log to the database.
    let db = Connection::open(database(folder.path())).expect("opens");
    db.pragma_update(None, "user_version", 99).expect("set");
    let before = fs::read(database(folder.path())).expect("a file");
    let refused = SqliteStore::open(folder.path());
    assert!(matches!(refused, Err(StoreError::Newer(_))), "{refused:?}");
    assert_eq!(fs::read(database(folder.path())).expect("a file"), before);
}

#[tokio::test]
async fn a_database_of_another_program_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    let db = Connection::open(database(folder.path())).expect("opens");
    db.execute_batch("CREATE TABLE theirs (x)").expect("made");
    drop(db);
    let before = contents(folder.path());
    let refused = SqliteStore::open(folder.path());
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(contents(folder.path()), before);
}

#[tokio::test]
async fn what_is_no_database_is_called_damaged_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let garbage = "these are notes, not a database\n".repeat(99);
    fs::write(database(folder.path()), &garbage).expect("written");
    for _ in 0..2 {
        let refused = SqliteStore::open(folder.path());
        assert!(
            matches!(refused, Err(StoreError::Damaged(_))),
            "{refused:?}"
        );
    }
    let after = fs::read_to_string(database(folder.path()));
    assert_eq!(after.expect("still there"), garbage);
}

#[tokio::test]
async fn a_row_that_cannot_be_understood_is_damage_and_not_a_panic() {
    for broken in [
        "UPDATE events SET body = '{' WHERE seq = 3",
        "UPDATE events SET body = replace(body, '\"seq\":3', '\"seq\":4') WHERE seq = 3",
        "DELETE FROM events WHERE seq = 3",
        "UPDATE items SET body = '[]'",
        "UPDATE turns SET body = 'null'",
        "UPDATE calls SET body = '{}'",
        "UPDATE requests SET body = '\"x\"'",
        "UPDATE requests SET reply = '{\"type\":\"yes\"}'",
        "UPDATE sessions SET body = ''",
        "UPDATE sessions SET seq = -1",
        "UPDATE sessions SET summary = '{}'",
        "UPDATE outputs SET body = '{}'",
        "UPDATE outputs SET sha256 = '../../x'",
        "UPDATE contents SET size = 5 WHERE bytes IS NULL",
        "UPDATE sessions SET body = CAST(x'ff' AS TEXT)",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        some(folder.path()).await;
        let db = Connection::open(database(folder.path())).expect("opens");
        db.pragma_update(None, "foreign_keys", false).expect("set");
        db.execute_batch(broken).expect("broken");
        drop(db);
        let errors = look(folder.path()).await;
        let damaged = |error: &StoreError| matches!(error, StoreError::Damaged(_));
        assert!(
            !errors.is_empty() && errors.iter().all(damaged),
            "{broken}: {errors:?}"
        );
    }
}

/// Reads everything and returns the errors.
async fn look(folder: &Path) -> Vec<StoreError> {
    let store = match SqliteStore::open(folder) {
        Ok(store) => store,
        Err(error) => return vec![error],
    };
    let session = "a".into();
    let mut errors = Vec::new();
    errors.extend(store.sessions(9).await.err());
    errors.extend(store.sessions_of("ada", None, 9).await.err());
    errors.extend(store.session(&session).await.err());
    errors.extend(store.pending_of("ada").await.err());
    errors.extend(store.open(&session).await.err());
    errors.extend(store.log(&session, 0, 999).await.err());
    errors.extend(store.pending().await.err());
    errors.extend(store.request(&"r".into()).await.err());
    errors.extend(store.outputs(None, at(2)).await.err());
    for n in 1..=3 {
        let id = output(&session, n, "", 0).id;
        let read = store.read_output(&session, &id, 0, 9, at(2));
        errors.extend(read.await.err());
    }
    errors
}

#[tokio::test]
async fn flipped_bytes_give_errors_and_never_a_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    some(folder.path()).await;
    let path = database(folder.path());
    let whole = fs::read(&path).expect("a file");
    // A fixed sequence, so that what fails once fails again.
    let mut seed = 7_u64;
    let mut next = |most: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(seed >> 33).unwrap_or(0) % most
    };
    let mut found = 0;
    for round in 0..100 {
        let mut broken = whole.clone();
        if round % 10 == 9 {
            broken.truncate(next(whole.len()));
        }
        for _ in 0..=next(40) {
            let most = if round % 3 == 0 { 4096 } else { broken.len() };
            let at = next(most.clamp(1, broken.len().max(1)));
            if let Some(byte) = broken.get_mut(at) {
                *byte ^= 1 << next(8);
            }
        }
        fs::write(&path, &broken).expect("written");
        found += usize::from(!look(folder.path()).await.is_empty());
        assert!(path.exists(), "it is never deleted");
        for beside in ["footlight.db-wal", "footlight.db-shm"] {
            let _ = fs::remove_file(folder.path().join(beside));
        }
    }
    assert!(found > 20, "hardly anything was damaged: {found}");
}

#[tokio::test]
async fn damaged_content_is_not_passed_off_as_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let session = session(&store, "a").await.session;
    let row = output(&session, 1, "c", 100_000);
    let put = || store.put_output(row.clone(), vec![1; 100_000]);
    let read = || store.read_output(&session, &row.id, 0, 9, at(2));
    put().await.expect("room");
    let sha256 = crate::Digest::of(&[1; 100_000]).to_string();
    let path = folder
        .path()
        .join("blobs")
        .join(&sha256[..2])
        .join(&sha256[2..]);
    fs::write(&path, [1; 99_999]).expect("written");
    let cut = read().await;
    assert!(matches!(cut, Err(StoreError::Damaged(_))), "{cut:?}");
    fs::remove_file(&path).expect("removed");
    let missing = read().await;
    assert!(
        matches!(missing, Err(StoreError::Damaged(_))),
        "{missing:?}"
    );
    // Stored again, it is readable again.
    put().await.expect("room");
    assert_eq!(read().await, Ok(Some(vec![1; 9])));
}
