//! What must be true at the end of the play, however often its process died.

use super::invariants::{Effect, Reported, Tasks, check_invariants, effect, tool};
use super::play::{Begins, CALLS, Made, PLAY, TEXTS, shown};
use footlight::store::{CallRow, CallState, Reply, RequestRow, Snapshot, SqliteStore, Store};
use footlight::vocabulary::event::Status;
use footlight::vocabulary::failure::FailureCode;
use footlight::vocabulary::item::{AskState, CallResult, Content, Item};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Checks the end of the play after this many deaths. Returns the calls that were interrupted.
pub(super) async fn check_final_state(
    folder: &Path,
    reported: &Reported,
    deaths: usize,
) -> Vec<&'static str> {
    let snapshot = check_invariants(folder, reported).await.expect("a session");
    let rows = &snapshot.calls;
    let made = rows.iter().map(|row| (row.turn, row.function.as_str()));
    let planned = CALLS.iter().map(|made| (made.turn, made.function));
    assert_eq!(Vec::from_iter(made), Vec::from_iter(planned));
    let mut interrupted = Vec::new();
    for (row, made) in rows.iter().zip(&CALLS) {
        if !has_ended(&snapshot, row, made) {
            interrupted.push(made.function);
        }
    }
    assert!(
        interrupted.len() <= deaths,
        "{interrupted:?} of {deaths} deaths"
    );
    let texts = |item: &&Item| matches!(item.content, Content::Text(_));
    assert_eq!(snapshot.items.iter().filter(texts).count(), TEXTS);
    nothing_is_open(&snapshot);
    answers_stay(&snapshot);
    turns_ended(&snapshot);
    cards(&snapshot);
    let store = SqliteStore::open(folder).expect("opens");
    let tasks = Tasks::load(&store, reported).await;
    let listed = rows.last().map(|row| tool(&snapshot, row).result.clone());
    assert_eq!(listed_titles(listed), tasks.titles());
    outputs_are_kept(&store, &snapshot).await;
    interrupted
}

/// A model can recover from a failed call; the outcome of a press is that of its call.
fn turns_ended(snapshot: &Snapshot) {
    for (turn, begins) in snapshot.turns.iter().zip(&PLAY) {
        let of_turn = |row: &&CallRow| row.turn == turn.n;
        let is_done = |row: &CallRow| effect(snapshot, row) == Effect::Done;
        let went_well = match begins {
            Begins::Prompt(..) | Begins::Answered(..) => true,
            Begins::Press(..) => snapshot.calls.iter().filter(of_turn).all(is_done),
        };
        let status = if went_well {
            Status::Done
        } else {
            Status::Error
        };
        assert_eq!(turn.status, Some(status), "turn {}", turn.n);
    }
    assert_eq!(snapshot.turns.len(), PLAY.len());
}

/// Checks that every output of the record can be read and that the store has no others.
async fn outputs_are_kept(store: &SqliteStore, snapshot: &Snapshot) {
    let (id, now) = (&snapshot.session.id, snapshot.session.updated);
    let outputs = store.outputs(Some(id), now).await.expect("read");
    for row in &outputs {
        let content = store.read_output(id, &row.id, 0, usize::MAX, now).await;
        let length = content.expect("read").map(|content| content.len() as u64);
        assert_eq!(length, Some(row.size), "{}", row.title);
    }
    let kept = outputs.into_iter().map(|row| row.id);
    let output = |item: &Item| match item.content {
        Content::Output(_) => Some(item.id.clone()),
        _ => None,
    };
    let shown = snapshot.items.iter().filter_map(output);
    assert_eq!(BTreeSet::from_iter(kept), BTreeSet::from_iter(shown));
}

/// Reports whether a call succeeded. Otherwise it must be recorded as interrupted, with nothing shown.
fn has_ended(snapshot: &Snapshot, row: &CallRow, made: &Made) -> bool {
    assert_eq!(row.state, CallState::Settled, "{}", made.function);
    let reply = row.reply.as_ref().expect("the model has a reply");
    let success = match &tool(snapshot, row).result {
        CallResult::Success { .. } => true,
        CallResult::Error {
            code: Some(FailureCode::Interrupted),
            ..
        } if !made.reads => false,
        other => panic!("{} ended as {other:?}", made.function),
    };
    assert_eq!(reply.is_error, !success);
    let of_call = |item: &&Item| item.content.call() == Some(&row.id);
    let of_type = |name: &str| {
        let own = snapshot.items.iter().filter(of_call);
        own.filter(|item| item.content.type_name() == name).count()
    };
    let shows = (of_type("widget"), of_type("output"));
    let expected = if success { made.shows } else { (0, 0) };
    assert_eq!(shows, expected, "{}", made.function);
    success
}

fn nothing_is_open(snapshot: &Snapshot) {
    for request in &snapshot.pending {
        assert!(request.reply.is_some(), "it still waits: {request:?}");
    }
    for item in &snapshot.items {
        let open = matches!(&item.content, Content::Ask(ask) if ask.state == AskState::Open);
        assert!(!open, "it is still asked: {item:?}");
    }
    // However often it was requested, the approval to strike the set is one row.
    let strike = snapshot
        .calls
        .iter()
        .find(|row| row.function == "gallery.strike");
    let strike = strike.expect("it is planned");
    let for_all = |request: &&RequestRow| {
        request.call == strike.id && request.body["binding"]["action"].is_null()
    };
    let requests: Vec<&RequestRow> = snapshot.pending.iter().filter(for_all).collect();
    let [request] = requests[..] else {
        panic!("approval was requested once: {requests:?}");
    };
    let Some(Reply::Verdict { verdict, by, .. }) = &request.reply else {
        panic!("it was given: {request:?}");
    };
    // A call that finished has its verdict as a receipt.
    if effect(snapshot, strike) == Effect::Done {
        let receipt = tool(snapshot, strike).verdict.as_ref().expect("a receipt");
        assert_eq!((&receipt.decision, &receipt.by), (verdict, by));
    }
}

/// Checks that every answer that was accepted is in the record, whatever became of the call.
fn answers_stay(snapshot: &Snapshot) {
    for request in &snapshot.pending {
        let Some(Reply::Answer { .. }) = &request.reply else {
            continue;
        };
        let is_its = |item: &&Item| item.id.as_str() == request.id.as_str();
        let item = snapshot.items.iter().find(is_its);
        let stays = item.is_some_and(|item| match &item.content {
            Content::Ask(ask) => ask.state == AskState::Answered && ask.response.is_some(),
            _ => false,
        });
        assert!(stays, "{request:?}: {item:?}");
    }
}

/// Returns the answers to the questions of a function's calls.
pub(super) async fn answers_of(folder: &Path, function: &str) -> Vec<Value> {
    let snapshot = only_session(folder).await;
    let is_its = |request: &&RequestRow| {
        let mut calls = snapshot.calls.iter();
        calls.any(|row| row.id == request.call && row.function == function)
    };
    let answers = snapshot.pending.iter().filter(is_its);
    let answer = |request: &RequestRow| match &request.reply {
        Some(Reply::Answer { value, .. }) => value.clone(),
        _ => None,
    };
    answers.filter_map(answer).collect()
}

/// Returns the functions whose interrupted calls say, to the model and to the person, that a reply of
/// this kind may not have been used.
pub(super) async fn reported_as_unused(folder: &Path, kind: &str) -> Vec<String> {
    let snapshot = only_session(folder).await;
    let mut found = Vec::new();
    for row in &snapshot.calls {
        let is_reported = matches!(&tool(&snapshot, row).result, CallResult::Error {
            details: Some(details), ..
        } if details[kind].is_array());
        if !is_reported {
            continue;
        }
        let told = serde_json::to_string(&row.reply).expect("JSON");
        assert!(told.contains("may not have been used"), "{told}");
        let is_notice = |item: &Item| matches!(&item.content, Content::Notice(notice) if notice.text.contains(&row.function));
        assert!(snapshot.items.iter().any(is_notice), "{}", row.function);
        found.push(row.function.clone());
    }
    found
}

async fn only_session(folder: &Path) -> Snapshot {
    let store = SqliteStore::open(folder).expect("opens");
    let row = store.sessions(1).await.expect("read").remove(0);
    store.open(&row.id).await.expect("read")
}

/// Checks that a pressed card shows the outcome, or is unchanged if the call was interrupted.
fn cards(snapshot: &Snapshot) {
    let pressed = |turn: u32| {
        let call = snapshot.calls.iter().find(|row| row.turn == turn);
        effect(snapshot, call.expect("it is planned")) == Effect::Done
    };
    let (_, list) = shown(&snapshot.items, "todo-list");
    let titles = list.data["tasks"].as_array().expect("tasks");
    let has_honey = titles.iter().any(|task| task["title"] == "honey");
    assert_eq!(has_honey, pressed(3), "{}", list.data);
    let (_, card) = shown(&snapshot.items, "gallery-card");
    let act = if pressed(6) { 3 } else { 1 };
    assert_eq!(card.data["act"], act);
}

/// Returns the titles in a table of tasks.
fn listed_titles(listed: Option<CallResult>) -> Vec<String> {
    let Some(CallResult::Success { output }) = listed else {
        panic!("the list was returned: {listed:?}");
    };
    let rows = output["data"]["rows"].as_array().expect("rows");
    let title = |row: &Value| row["title"].as_str().map(str::to_owned);
    rows.iter().filter_map(title).collect()
}
