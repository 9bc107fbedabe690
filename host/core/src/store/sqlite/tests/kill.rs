//! `kill -9` at any moment loses nothing that was acknowledged and applies nothing twice.

use super::child::{self, LARGE};
use super::open;
use crate::store::Store;
use crate::store::conformance::{at, output};
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::time::Duration;

/// The writes that were acknowledged to a child.
#[derive(Default)]
struct Told {
    commits: u64,
    outputs: BTreeSet<u64>,
}

impl Told {
    fn hear(&mut self, line: &str) {
        let words = child::said(line.trim_end()).and_then(|words| words.split_once(' '));
        match words {
            Some(("commit", n)) => self.commits = n.parse().expect("a number"),
            Some(("output", n)) => {
                self.outputs.insert(n.parse().expect("a number"));
            }
            _ => {}
        }
    }
}

/// Checks everything that must hold after a crash.
async fn is_whole(folder: &Path, told: &Told) {
    let store = open(folder);
    let session = "a".into();
    let Ok(snapshot) = store.open(&session).await else {
        assert_eq!(told.commits, 0, "the session is lost");
        return;
    };
    // The log reads without a gap, and every batch is there whole and once.
    let log = store.log(&session, 0, usize::MAX).await.expect("gap-free");
    let numbers = child::numbers(&log);
    let last = numbers.len() as u64;
    assert_eq!(numbers, Vec::from_iter(1..=last));
    assert!(last >= told.commits, "{last} of {}", told.commits);
    assert_eq!(snapshot.seq, log.len() as u64);
    assert_eq!(log.len() as u64, 2 * last);
    assert_eq!(snapshot.calls.len() as u64, last);
    let rev = snapshot.items.first().map_or(0, |item| item.rev);
    assert_eq!(rev, last);
    // What was stored is there, unless its call dropped it.
    for n in (3..=last).step_by(3) {
        let id = output(&session, n, "", 0).id;
        let read = store.read_output(&session, &id, 0, LARGE, at(2)).await;
        let expected = (n % 2 == 1).then(|| child::content(n));
        assert!(read == Ok(expected), "output {n} of {last}");
    }
    let next = last + 1;
    if told.outputs.contains(&next) {
        let id = output(&session, next, "", 0).id;
        let read = store.read_output(&session, &id, 0, LARGE, at(2)).await;
        assert!(read == Ok(Some(child::content(next))), "output {next}");
    }
    // Nothing is left behind by dead processes: each file has its row.
    store.sweep(at(2)).await.expect("swept");
    let rows = store.outputs(None, at(2)).await.expect("listed").len();
    assert_eq!(files(&folder.join("blobs")), rows);
    assert_eq!(files(&folder.join("owners")), 1, "this one's own");
}

/// How many files there are, in all folders below.
pub(super) fn files(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder");
    let count = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files(&path) } else { 1 }
    };
    entries.map(count).sum()
}

/// Returns a random number up to `most`.
fn random(most: u64) -> u64 {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("random");
    u64::from_le_bytes(bytes) % (most + 1)
}

#[tokio::test]
async fn killed_at_any_moment_it_keeps_what_it_acknowledged() {
    let rounds = std::env::var("FOOTLIGHT_KILLS").map_or(Ok(60), |rounds| rounds.parse());
    let mut commits = 0;
    let mut life = None;
    for round in 0..rounds.expect("a number") {
        // Each store dies twenty times.
        if round % 20 == 0 {
            life = Some((tempfile::tempdir().expect("a folder"), Told::default()));
        }
        let (folder, told) = life.as_mut().expect("made in the first round");
        let mut child = child::start("commit", folder.path(), "");
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        for _ in 0..random(8) {
            line.clear();
            out.read_line(&mut line).expect("text");
            told.hear(&line);
        }
        // Not an event to wait for: the moment is meant to be any.
        std::thread::sleep(Duration::from_micros(random(4000)));
        child.kill().expect("killed");
        child.wait().expect("dead");
        out.lines()
            .map_while(Result::ok)
            .for_each(|line| told.hear(&line));
        is_whole(folder.path(), told).await;
        commits += told.commits;
    }
    assert!(commits > 0, "no child got anywhere");
}

#[tokio::test]
async fn it_may_die_between_any_two_effects() {
    for point in [
        "Migrating",
        "Staged",
        "Placed",
        "BeforeCommit",
        "AfterCommit",
        "BeforePurge",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let mut told = Told::default();
        let most = if point == "Migrating" { 1 } else { 8 };
        for n in 1..=most {
            let mut child = child::start("commit", folder.path(), &format!("{point}:{n}"));
            let out = BufReader::new(child.stdout.take().expect("piped"));
            out.lines()
                .map_while(Result::ok)
                .for_each(|line| told.hear(&line));
            let status = child.wait().expect("stopped");
            assert_eq!(status.code(), None, "{point}: it did not die");
            is_whole(folder.path(), &told).await;
        }
    }
}
