//! The files of the folder.

use super::open;
use crate::store::conformance::{at, output, session};
use crate::store::{SqliteStore, Store};
use std::fs;
use std::path::Path;

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_may_look_into_the_folder() {
    use std::os::unix::fs::PermissionsExt as _;
    fn check(path: &Path) {
        let mode = fs::metadata(path).expect("there").permissions().mode() & 0o777;
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{}", path.display());
        if path.is_dir() {
            for entry in fs::read_dir(path).expect("a folder") {
                check(&entry.expect("an entry").path());
            }
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("new/data");
    fs::create_dir_all(&data).expect("made");
    // Also if the folder was readable by everybody before.
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).expect("set");
    let store = open(&data);
    let session = session(&store, "a").await.session;
    let row = output(&session, 1, "c", 100_000);
    store.put_output(row, vec![1; 100_000]).await.expect("room");
    assert!(data.join("footlight.db-wal").exists());
    check(&data);
}

#[tokio::test]
async fn opening_and_sweeping_a_store_in_order_writes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    session(&store, "a").await;
    drop(store);
    let database = || fs::read(folder.path().join("footlight.db")).expect("closed");
    let before = database();
    let store = open(folder.path());
    store.sweep(at(0)).await.expect("nothing to do");
    drop(store);
    // The first page has a counter of all transactions that wrote something.
    assert_eq!(database()[..100], before[..100]);
}

#[tokio::test]
async fn a_store_that_is_dropped_leaves_no_thread_and_no_lock() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let session = session(&store, "a").await.session;
    let row = output(&session, 1, "c", 100_000);
    let id = row.id.clone();
    drop(store.put_output(row, vec![3; 100_000]));
    drop(store);
    // The database was closed by all of its threads, or the log would still be there.
    assert!(!folder.path().join("footlight.db-wal").exists());
    let owners = fs::read_dir(folder.path().join("owners"));
    assert_eq!(owners.expect("a folder").count(), 0);
    // Submitted work was done first, although its future was dropped.
    let store = open(folder.path());
    let content = store.read_output(&session, &id, 0, 100_000, at(2)).await;
    assert_eq!(content, Ok(Some(vec![3; 100_000])));
}

#[tokio::test]
async fn content_of_the_same_bytes_is_one_file_that_goes_with_its_last_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let a = session(&store, "a").await.session;
    let b = session(&store, "b").await.session;
    let mut short = output(&a, 1, "c", 100_000);
    short.expires = at(10);
    let long = output(&b, 2, "c", 100_000);
    for row in [short, long] {
        store.put_output(row, vec![5; 100_000]).await.expect("room");
    }
    let sha256 = crate::Digest::of(&[5; 100_000]).to_string();
    let file = folder
        .path()
        .join("blobs")
        .join(&sha256[..2])
        .join(&sha256[2..]);
    // Also the content of a process that has ended.
    drop(store);
    let store = open(folder.path());
    assert_eq!(store.sweep(at(10)).await, Ok(0));
    assert!(file.exists());
    assert_eq!(store.sweep(at(100)).await, Ok(100_000));
    assert!(!file.exists());
}

#[tokio::test]
async fn a_secret_is_in_no_file() {
    use crate::store::conformance::{answer, batch, request};
    use serde_json::json;
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let lease = session(&store, "a").await;
    let mut waiting = batch(Vec::new());
    let mut secret = request(&lease.session, "r", "c");
    secret.recordable = false;
    waiting.pending = vec![secret];
    store.commit(&lease, waiting).await.expect("committed");
    let reply = answer(json!("correct horse battery"), 2);
    store.settle(&"r".into(), reply).await.expect("settled");
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let bytes = fs::read(&path).expect("a file");
            let found = bytes.windows(13).any(|part| part == b"correct horse");
            assert!(!found, "{}", path.display());
        }
    }
}

#[tokio::test]
async fn what_is_acknowledged_is_on_the_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let pragmas = store.write(|tx| {
        let number = |name| tx.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let mode: String = tx.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        let timeout = number("busy_timeout")?;
        Ok((
            mode,
            number("synchronous")?,
            number("foreign_keys")?,
            timeout,
        ))
    });
    // 2 is FULL.
    assert_eq!(pragmas.await, Ok(("wal".to_owned(), 2, 1, 5000)));
}

#[test]
fn a_path_with_odd_letters_is_a_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let odd = folder.path().join("a ?b#c%20d é");
    for _ in 0..2 {
        drop(SqliteStore::open(&odd).expect("opens"));
    }
    assert!(odd.join("footlight.db").exists());
}
