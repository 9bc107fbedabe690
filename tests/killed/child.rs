//! This test binary as the child process that dies: it resumes the play from the store
//! and reports what it was sent.

use super::counting_store::{Accepted, CountingStore, Point};
use super::play::{PLAY, Steady};
use footlight::session::{Session, Settings, Turn, Update};
use footlight::store::{RequestKind, RequestRow, SqliteStore, Store};
use footlight::vocabulary::event::{Event, EventBody};
use footlight::vocabulary::item::{RequestId, Verdict};
use footlight_tests::plugins;
use footlight_tests::scripted_call::builder;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

const VARIABLE: &str = "FOOTLIGHT_CHILD";

/// Instructions for a child.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Orders {
    /// Folder of the store.
    pub(super) folder: PathBuf,
    /// The write at which it kills itself.
    pub(super) dies_at: Option<Point>,
    /// The reply after which it kills itself, before the call gets it.
    pub(super) dies_after: Option<Accepted>,
    /// Whether it approves what is pending.
    pub(super) decides: bool,
}

/// One reported line of a child.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Line {
    /// It begins or resumes this turn.
    Turn(u32),
    /// It received this event.
    Event(Box<Event>),
    /// It learnt that this request is pending.
    Waits(Box<RequestRow>),
    /// Its reply to this request was accepted.
    Settled(RequestId),
    /// A guest of this plugin is about to read the state of this owner.
    Touches(String, String),
    /// The play is finished, after this many writes.
    Over(u32),
}

/// Reports a line to the parent process.
pub(super) fn say(line: &Line) {
    let line = serde_json::to_string(line).expect("JSON");
    let mut out = std::io::stdout().lock();
    writeln!(out, "> {line}")
        .and_then(|()| out.flush())
        .expect("heard");
}

/// Parses a line of a child's output. Lines of the test harness are ignored, and so is a
/// line that was cut short by the kill.
pub(super) fn said(line: &str) -> Option<Line> {
    let (_, line) = line.split_once("> ")?;
    serde_json::from_str(line).ok()
}

pub(super) fn start(orders: &Orders) -> Child {
    let (_, module) = module_path!().split_once("::").expect("a path");
    Command::new(std::env::current_exe().expect("this binary"))
        .args([
            "--exact",
            "--nocapture",
            &format!("{module}::act_as_a_child"),
        ])
        .env(VARIABLE, serde_json::to_string(orders).expect("JSON"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts")
}

/// Does nothing unless the process was started as a child.
#[test]
fn act_as_a_child() {
    let Ok(orders) = std::env::var(VARIABLE) else {
        return;
    };
    let orders = serde_json::from_str(&orders).expect("orders");
    // One thread, so that the writes have the same numbers each time.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(act(orders));
}

async fn act(orders: Orders) {
    let store = SqliteStore::open(&orders.folder).expect("opens");
    let store = Arc::new(CountingStore::new(store, orders.dies_at, orders.dies_after));
    let host = builder().store(Arc::clone(&store) as Arc<dyn Store>);
    let host = host.build().expect("builds");
    for path in [
        plugins::HELLO,
        plugins::TODO,
        plugins::WEATHER,
        plugins::GALLERY,
        plugins::ROGUE,
    ] {
        host.load(path).await.expect("loads");
    }
    let settings = Settings::new(Steady).attended();
    let known = store.sessions(1).await.expect("read").pop();
    let session = match known {
        Some(row) => host.resume(&row.id, settings).await.expect("it is there"),
        None => host.session(settings).await.expect("a session"),
    };
    loop {
        let turns = store.open(session.id()).await.expect("read").turns;
        let unfinished = session.is_unfinished();
        let n = turns.len() + usize::from(!unfinished);
        let Some(begins) = PLAY.get(n - 1) else {
            break;
        };
        say(&Line::Turn(u32::try_from(n).expect("few turns")));
        let turn = if unfinished {
            session.resume().expect("it goes on")
        } else {
            begins.begin(&session)
        };
        follow(&session, turn, orders.decides).await;
    }
    say(&Line::Over(store.writes()));
}

async fn follow(session: &Session, mut turn: Turn, decides: bool) {
    loop {
        let update = turn.next().await.expect("a turn ends with how it ended");
        match update.expect("the store works") {
            Update::Event(event) => {
                let is_over = matches!(event.what, EventBody::TurnFinished { .. });
                if event.seq.is_some() {
                    say(&Line::Event(event));
                }
                if is_over {
                    return;
                }
            }
            Update::Pending(request) => {
                say(&Line::Waits(request.clone()));
                let taken = match request.kind {
                    RequestKind::Approval | RequestKind::Binding if !decides => continue,
                    RequestKind::Approval | RequestKind::Binding => {
                        let once = session.decide(&request.id, Verdict::Once, None);
                        once.await
                    }
                    RequestKind::Ask => session.answer(&request.id, answer(&request)).await,
                };
                taken.expect("nobody else settles it");
                say(&Line::Settled(request.id));
            }
            _ => {}
        }
    }
}

/// Returns the answer to each of the two questions in the play.
fn answer(request: &RequestRow) -> Value {
    match request.body["prompt"].as_str() {
        Some("Which one?") => json!("Springfield, MA"),
        _ => json!("Yes"),
    }
}
