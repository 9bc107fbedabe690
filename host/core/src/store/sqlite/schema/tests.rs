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

#[test]
fn what_was_published_does_not_change() {
    // A database of version 1 was made with exactly this text: append, do not edit.
    let first = crate::Digest::of(MIGRATIONS[0].as_bytes()).to_string();
    assert_eq!(
        first,
        "fa4fe6ededf1de544df025a7b9485c31071b0420f15d1dca289e737e9d3eabff"
    );
}
