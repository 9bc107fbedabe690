//! Two processes on one folder.

use super::child::{self, REQUESTS};
use super::open;
use crate::store::Store;
use std::io::Read as _;

#[tokio::test]
async fn two_processes_write_and_settle_at_once_and_nothing_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let children = ["settle a", "settle b"].map(|what| child::start(what, folder.path(), ""));
    let mut settled = Vec::new();
    for mut child in children {
        let mut said = String::new();
        let mut out = child.stdout.take().expect("piped");
        out.read_to_string(&mut said).expect("text");
        // No error came up in either, not even that the database is locked.
        assert!(child.wait().expect("stopped").success(), "{said}");
        let words = said.lines().filter_map(child::said);
        settled.extend(words.filter_map(|words| words.strip_prefix("settled ").map(str::to_owned)));
    }
    // Each by exactly one of them.
    let mut expected: Vec<String> = (0..REQUESTS)
        .flat_map(|n| [format!("a-{n}"), format!("b-{n}")])
        .collect();
    expected.sort();
    settled.sort();
    assert_eq!(settled, expected);
    let store = open(folder.path());
    assert_eq!(store.pending().await, Ok(Vec::new()));
    for session in ["a", "b"] {
        let log = store.log(&session.into(), 0, usize::MAX).await;
        let numbers = child::numbers(&log.expect("gap-free"));
        assert_eq!(numbers, Vec::from_iter(0..REQUESTS));
    }
}
