//! Runs this test binary again, as another process on the same folder.

use crate::store::conformance::{answer, at, batch, call, output, request, row, text, turn};
use crate::store::{Batch, Lease, SettleOutcome, SqliteStore, Store};
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{RequestId, SessionId};
use serde_json::json;
use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const WHAT: &str = "FOOTLIGHT_CHILD";
const FOLDER: &str = "FOOTLIGHT_FOLDER";

/// How large the outputs of a child are: enough to be a file.
pub(super) const LARGE: usize = 80_000;

/// Starts a child that does `what` there; `die_at` as in `crash_point.rs`.
pub(super) fn start(what: &str, folder: &Path, die_at: &str) -> Child {
    command(what, folder, die_at).spawn().expect("starts")
}

/// Returns the command of a child.
pub(super) fn command(what: &str, folder: &Path, die_at: &str) -> Command {
    let (_, module) = module_path!().split_once("::").expect("a path");
    let mut command = Command::new(std::env::current_exe().expect("this binary"));
    command
        .args([
            "--exact",
            "--nocapture",
            &format!("{module}::act_as_a_child"),
        ])
        .env(WHAT, what)
        .env(FOLDER, folder)
        .env("FOOTLIGHT_DIE_AT", die_at)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

/// Does nothing unless this process is a child.
#[test]
fn act_as_a_child() {
    let (Some(folder), Ok(what)) = (std::env::var_os(FOLDER), std::env::var(WHAT)) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime").block_on(async {
        let store = SqliteStore::open(folder).expect("opens");
        match what.split_once(' ') {
            Some(("settle", name)) => settle_everything(&store, name).await,
            Some(("delete", name)) => store.delete(&name.into()).await.expect("deleted"),
            _ => commit_for_ever(&store).await,
        }
    });
}

/// Reports a line to the parent process.
fn say(words: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "> {words}")
        .and_then(|()| out.flush())
        .expect("heard");
}

/// Parses a line that a child reported.
pub(super) fn said(line: &str) -> Option<&str> {
    line.split_once("> ").map(|(_, words)| words)
}

/// Returns a batch that is recognizable by its number in every table.
pub(super) fn numbered(n: u64) -> Batch {
    let number = json!({ "type": "number", "n": n });
    let number = EventBody::Other(number.as_object().cloned().unwrap_or_default());
    let mut batch = batch(vec![EventBody::put(text("t", 1, n)), number]);
    batch.calls = vec![call(&n.to_string(), 1)];
    batch
}

/// The numbers in a log.
pub(super) fn numbers(log: &[Event]) -> Vec<u64> {
    let number = |event: &Event| match &event.what {
        EventBody::Other(members) => members.get("n").and_then(serde_json::Value::as_u64),
        _ => None,
    };
    log.iter().filter_map(number).collect()
}

async fn take(store: &SqliteStore, session: &str) -> Lease {
    let hour = Duration::from_secs(3600);
    let id = SessionId::from(session);
    if store.open(&id).await.is_err() {
        store.create(row(session)).await.expect("made");
    }
    let lease = store
        .claim(&id, "child", hour)
        .await
        .expect("the last one is dead");
    let first = Batch {
        turns: vec![turn(1)],
        ..Batch::default()
    };
    store.commit(&lease, first).await.expect("committed");
    lease
}

/// Commits batches, stores outputs and drops every other of them, and says what it was told is done.
async fn commit_for_ever(store: &SqliteStore) {
    let lease = take(store, "a").await;
    let log = store
        .log(&lease.session, 0, usize::MAX)
        .await
        .expect("read");
    for n in 1 + numbers(&log).len() as u64.. {
        let id = n.to_string();
        if n % 3 == 0 {
            let row = output(&lease.session, n, &id, LARGE);
            store.put_output(row, content(n)).await.expect("room");
            say(&format!("output {n}"));
        }
        let mut batch = numbered(n);
        if n % 2 == 0 {
            batch.drop_calls = vec![id.as_str().into()];
        } else {
            batch.keep_outputs = vec![id.as_str().into()];
        }
        store.commit(&lease, batch).await.expect("committed");
        say(&format!("commit {n}"));
        if n % 8 == 0 {
            store.sweep(at(2)).await.expect("swept");
        }
    }
}

pub(super) fn content(n: u64) -> Vec<u8> {
    n.to_le_bytes().repeat(LARGE / 8)
}

/// How many requests each of the two makes.
pub(super) const REQUESTS: u64 = 40;

/// Makes requests in a session of its own while it settles all of both sessions, and says which
/// replies of its own counted.
async fn settle_everything(store: &SqliteStore, name: &str) {
    let lease = take(store, name).await;
    let id = |session: &str, n: u64| RequestId::from(format!("{session}-{n}"));
    let mut open = BTreeSet::new();
    for n in 0..REQUESTS {
        open.extend([id("a", n), id("b", n)]);
    }
    for n in 0..REQUESTS {
        let mut batch = numbered(n);
        batch.pending = vec![request(&lease.session, id(name, n).as_str(), "c")];
        store.commit(&lease, batch).await.expect("committed");
    }
    while !open.is_empty() {
        let changed = store.changed();
        let before = open.len();
        for id in open.clone() {
            let reply = answer(json!(name), 2);
            match store.settle(&id, reply).await.expect("settled") {
                SettleOutcome::Accepted => say(&format!("settled {id}")),
                SettleOutcome::AlreadySettled(_) => {}
                // The other one has not made it yet.
                SettleOutcome::Unknown => continue,
            }
            open.remove(&id);
        }
        if open.len() == before {
            changed.await.expect("heard");
        }
    }
}
