//! What holds whenever the process died: what it reported is in the store, and nothing was done twice.

use super::child::Line;
use super::play::LIAR;
use crate::prefix::answered;
use footlight::LOCAL_PERSON;
use footlight::session::project;
use footlight::store::{
    Bucket, CallRow, CallState, Reply, RequestRow, Snapshot, SqliteStore, Store,
};
use footlight::vocabulary::event::{Event, EventBody};
use footlight::vocabulary::item::{
    CallResult, Content, Item, ItemId, Position, Record, RequestId, Tool, Verdict,
};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// What the processes of one session have reported so far.
#[derive(Default)]
pub(super) struct Reported {
    events: BTreeMap<u64, Event>,
    waits: BTreeMap<RequestId, RequestRow>,
    /// Whose reply counts; `None` if a child replied.
    settled: BTreeMap<RequestId, Option<String>>,
    /// The processes in which a guest read the list, by turn.
    touched: BTreeMap<u32, BTreeSet<usize>>,
    /// The owner of the list, as the plugin knows them.
    owner: Option<String>,
    /// The owner of what the liar writes.
    liars_owner: Option<String>,
    process: usize,
    turn: u32,
    /// Number of lines that the last process reported.
    pub(super) heard: u64,
    /// Number of writes of the last process, once the play is finished.
    pub(super) over: Option<u32>,
}

impl Reported {
    /// Starts another process.
    pub(super) fn begin(&mut self) {
        self.process += 1;
        (self.turn, self.heard) = (0, 0);
    }

    pub(super) fn hear(&mut self, line: Line) {
        self.heard += 1;
        match line {
            Line::Turn(n) => self.turn = n,
            Line::Event(event) => {
                let seq = event.seq.expect("only what is kept is said");
                let before = self.events.insert(seq, *event);
                assert!(before.is_none(), "{seq} was reported twice");
            }
            Line::Waits(request) => {
                assert!(
                    !self.settled.contains_key(&request.id),
                    "asked again for what was settled: {request:?}"
                );
                if let Some(before) = self.waits.insert(request.id.clone(), (*request).clone()) {
                    assert_same(&before, &request);
                }
            }
            Line::Settled(id) => {
                self.settled.insert(id, None);
            }
            Line::Touches(plugin, owner) if plugin == "todo" => {
                self.owner = Some(owner);
                let processes = self.touched.entry(self.turn).or_default();
                processes.insert(self.process);
            }
            Line::Touches(plugin, owner) if plugin == "rogue" => self.liars_owner = Some(owner),
            Line::Touches(..) => {}
            Line::Over(writes) => self.over = Some(writes),
        }
    }

    /// Records that the verdict was given from outside.
    pub(super) fn given(&mut self, id: RequestId, by: &str) {
        self.settled.insert(id, Some(by.to_owned()));
    }
}

fn assert_same(one: &RequestRow, other: &RequestRow) {
    let of = |request: &RequestRow| {
        let request = request.clone();
        (request.kind, request.call, request.body, request.binding)
    };
    assert_eq!(of(one), of(other));
}

/// The list as the plugin stores it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Tasks {
    /// Number of tasks that were ever added.
    last_id: usize,
    list: Vec<Task>,
}

#[derive(Debug, Deserialize)]
struct Task {
    title: String,
}

fn bucket(plugin: &str, owner: String) -> Bucket {
    Bucket {
        person: LOCAL_PERSON.to_owned(),
        plugin: plugin.to_owned(),
        owner,
    }
}

impl Tasks {
    pub(super) async fn load(store: &SqliteStore, reported: &Reported) -> Self {
        let Some(owner) = reported.owner.clone() else {
            return Self::default();
        };
        let bucket = bucket("todo", owner);
        let kept = store.state(&bucket, "tasks").await.expect("read");
        kept.map_or_else(Self::default, |tasks| {
            serde_json::from_str(&tasks).expect("tasks")
        })
    }

    pub(super) fn titles(&self) -> Vec<&str> {
        self.list.iter().map(|task| task.title.as_str()).collect()
    }
}

/// Checks everything that holds at any time. Returns the session, if it exists already.
pub(super) async fn check_invariants(folder: &Path, reported: &Reported) -> Option<Snapshot> {
    let store = SqliteStore::open(folder).expect("opens");
    let mut sessions = store.sessions(2).await.expect("read");
    let Some(session) = sessions.pop() else {
        assert!(reported.events.is_empty(), "the session is lost");
        return None;
    };
    assert!(sessions.is_empty(), "begun twice");
    let snapshot = store.open(&session.id).await.expect("read");
    let log = store.log(&session.id, 0, usize::MAX).await.expect("read");
    is_told(&log, reported);
    assert_eq!(snapshot.seq, log.len() as u64);
    items_change_in_order(&log);
    let record: Record = log.iter().map(|event| &event.what).collect();
    assert_eq!(record.items(), snapshot.items);
    for (id, request) in &reported.waits {
        let stored = snapshot.pending.iter().find(|stored| stored.id == *id);
        assert_same(stored.expect("what waited is there"), request);
    }
    for (id, by) in &reported.settled {
        let stored = snapshot.pending.iter().find(|stored| stored.id == *id);
        match &stored.expect("what waited is there").reply {
            Some(Reply::Verdict {
                verdict: Verdict::Once,
                by: giver,
                ..
            }) => assert_eq!(giver, by),
            Some(Reply::Answer { value: Some(_), .. }) => {}
            other => panic!("{id} was settled, and is {other:?}"),
        }
    }
    once_each(&snapshot, &Tasks::load(&store, reported).await, reported);
    liar_acts_once(&store, &snapshot, reported).await;
    assert_eq!(answered(&project(snapshot.clone())), Ok(()));
    Some(snapshot)
}

/// Checks that the log has no gap and contains every reported event, unchanged or as a tombstone.
fn is_told(log: &[Event], reported: &Reported) {
    let numbers: Vec<u64> = log.iter().filter_map(|event| event.seq).collect();
    assert_eq!(numbers, Vec::from_iter(1..=log.len() as u64));
    for (seq, event) in &reported.events {
        let at = usize::try_from(*seq).expect("a small number") - 1;
        let logged = log.get(at).expect("what was reported is there");
        let mut event = event.clone();
        if let EventBody::Tombstone { .. } = &logged.what {
            event.what = event.what.tombstone().unwrap_or(event.what);
        }
        assert_eq!(*logged, event, "{seq} was reported");
    }
}

/// Checks that an item keeps its position, its revisions grow, and a removed item does not come back.
fn items_change_in_order(log: &[Event]) {
    let mut known: HashMap<&ItemId, (Position, u64)> = HashMap::new();
    let mut withdrawn = BTreeSet::new();
    for event in log {
        match &event.what {
            EventBody::Put { item, rev } => {
                assert!(!withdrawn.contains(&item.id), "{} comes back", item.id);
                if let Some((position, before)) = known.insert(&item.id, (item.position, *rev)) {
                    assert_eq!(position, item.position, "{} has moved", item.id);
                    assert!(before < *rev, "{} was put twice", item.id);
                }
            }
            EventBody::Remove { id } => {
                withdrawn.insert(id.clone());
            }
            _ => {}
        }
    }
}

/// State of a call's effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// Not begun: no effect.
    None,
    /// Interrupted: unknown.
    Perhaps,
    /// Succeeded: the effect is there.
    Done,
}

pub(super) fn effect(snapshot: &Snapshot, row: &CallRow) -> Effect {
    match (row.state, &tool(snapshot, row).result) {
        (CallState::Proposed | CallState::Approval, _) => Effect::None,
        (CallState::Settled, CallResult::Success { .. }) => Effect::Done,
        _ => Effect::Perhaps,
    }
}

pub(super) fn tool<'a>(snapshot: &'a Snapshot, row: &CallRow) -> &'a Tool {
    let is_it = |item: &&Item| item.id.as_str() == row.id.as_str();
    match &snapshot
        .items
        .iter()
        .find(is_it)
        .expect("a call is an item")
        .content
    {
        Content::Tool(tool) => tool,
        other => panic!("a call is no {other:?}"),
    }
}

/// Checks that each change of the list was made once and is recorded.
fn once_each(snapshot: &Snapshot, tasks: &Tasks, reported: &Reported) {
    let of = |function: &'static str| {
        let rows = snapshot.calls.iter();
        rows.filter(move |row| row.function == function)
    };
    let adds: Vec<(&CallRow, Effect)> = of("todo.add")
        .map(|row| (row, effect(snapshot, row)))
        .collect();
    let count = |what: Effect| adds.iter().filter(|(_, effect)| *effect == what).count();
    let (sure, perhaps) = (count(Effect::Done), count(Effect::Perhaps));
    assert!(
        (sure..=sure + perhaps).contains(&tasks.last_id),
        "{sure} calls have added and {perhaps} may have: {tasks:?}"
    );
    let clear = of("todo.clear").next();
    let cleared = clear.map_or(Effect::None, |row| effect(snapshot, row));
    for (row, added) in adds {
        let title = row.input["title"].as_str().expect("a title");
        let times = tasks.titles().iter().filter(|one| **one == title).count();
        let before = clear.is_some_and(|clear| row.turn < clear.turn);
        let expected = match (added, cleared) {
            (Effect::None, _) => 0..=0,
            (_, Effect::Done) if before => 0..=0,
            (Effect::Done, Effect::Perhaps) if before => 0..=1,
            (Effect::Done, _) => 1..=1,
            (Effect::Perhaps, _) => 0..=1,
        };
        assert!(expected.contains(&times), "{title}: {added:?} {tasks:?}");
    }
    // In these turns a single call that is not read-only uses the list: it must not run again.
    for turn in [3, 4] {
        let ran = reported.touched.get(&turn).map_or(0, BTreeSet::len);
        assert!(ran <= 1, "the call of turn {turn} ran {ran} times");
    }
}

/// Checks that a call that says that it only reads has written at most once, and only once it is
/// stored that it has begun.
async fn liar_acts_once(store: &SqliteStore, snapshot: &Snapshot, reported: &Reported) {
    let row = snapshot.calls.iter().find(|row| row.function == LIAR);
    let effect = row.map_or(Effect::None, |row| effect(snapshot, row));
    let acts = match reported.liars_owner.clone() {
        None => None,
        Some(owner) => {
            let kept = store.state(&bucket("rogue", owner), "acts").await;
            kept.expect("read")
        }
    };
    let acts = acts.map_or(0, |acts| acts.parse().expect("a number"));
    let expected = match effect {
        Effect::None => 0..=0,
        Effect::Perhaps => 0..=1,
        Effect::Done => 1..=1,
    };
    assert!(expected.contains(&acts), "{acts} acts: {row:?}");
}
