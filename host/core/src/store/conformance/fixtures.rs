//! Rows for tests.

use crate::store::{
    Batch, CallRow, CallState, Lease, OutputRow, Reply, RequestKind, RequestRow, SessionRow, Store,
    TurnRow,
};
use footlight_vocabulary::event::{Event, EventBody, Origin};
use footlight_vocabulary::item::{
    CallId, Content, Item, Position, SessionId, Text, Timestamp, TurnId, output_id,
};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// Returns the time this many seconds after the epoch.
pub(in crate::store) fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_763_257_955_000 + seconds * 1000)
}

pub(in crate::store) fn row(id: &str) -> SessionRow {
    SessionRow {
        id: id.into(),
        person: "ada".to_owned(),
        created: at(0),
        updated: at(0),
        title: format!("session {id}"),
        turns: 0,
        meta: Map::from_iter([("model".to_owned(), json!("offline"))]),
        tainted: false,
    }
}

/// Creates a session of Ada with its first turn, and returns its lease.
pub(in crate::store) async fn session(store: &dyn Store, id: &str) -> Lease {
    session_of(store, "ada", id).await
}

/// The same for another person.
pub(super) async fn session_of(store: &dyn Store, person: &str, id: &str) -> Lease {
    let session = SessionRow {
        person: person.to_owned(),
        ..row(id)
    };
    store.create(session).await.expect("made");
    let lease = store.claim(&id.into(), "me", HOUR).await.expect("free");
    let first = Batch {
        turns: vec![turn(1)],
        at: at(0),
        ..Batch::default()
    };
    commit(store, &lease, first).await;
    lease
}

/// The time of a lease that does not expire during a check.
pub(super) const HOUR: Duration = Duration::from_secs(3600);

pub(super) async fn commit(store: &dyn Store, lease: &Lease, batch: Batch) -> Vec<Event> {
    store.commit(lease, batch).await.expect("committed")
}

pub(super) async fn put_output(store: &dyn Store, row: &OutputRow, content: &[u8]) {
    let put = store.put_output(row.clone(), content.to_vec());
    put.await.expect("room");
}

pub(in crate::store) fn turn(n: u32) -> TurnRow {
    let id = TurnId::from(format!("turn-{n}"));
    TurnRow::new(n, id, "How is the weather?", Origin::Person, at(0))
}

pub(in crate::store) fn text(id: &str, n: u32, rev: u64) -> Item {
    Item {
        content: Content::Text(Text {
            text: format!("{id} {rev}"),
            extra: Map::new(),
        }),
        id: id.into(),
        position: Position {
            turn: 1,
            step: 1,
            call: 0,
            n,
        },
        rev,
        start: at(0),
        end: None,
    }
}

/// A batch of events.
pub(in crate::store) fn batch(events: Vec<EventBody>) -> Batch {
    Batch {
        events,
        at: at(1),
        ..Batch::default()
    }
}

pub(in crate::store) fn call(id: &str, n: u32) -> CallRow {
    CallRow {
        id: id.into(),
        turn: 1,
        step: 1,
        n,
        function: "weather.forecast".to_owned(),
        input: json!({ "city": "Oslo" }),
        state: CallState::Proposed,
        reply: None,
        model_text: None,
        digest: None,
        read_only: true,
    }
}

pub(in crate::store) fn request(session: &SessionId, id: &str, call: &str) -> RequestRow {
    RequestRow {
        id: id.into(),
        session: session.clone(),
        call: call.into(),
        plugin: "weather".to_owned(),
        kind: RequestKind::Ask,
        body: json!({ "prompt": "Which Oslo?" }),
        binding: None,
        recordable: true,
        since: at(1),
        expires: None,
        reply: None,
    }
}

pub(in crate::store) fn answer(value: Value, seconds: i64) -> Reply {
    Reply::Answer {
        value: Some(value),
        by: Some("ada".to_owned()),
        at: at(seconds),
    }
}

/// An output made at second 1, with `n` in its id, that expires at second 100.
pub(in crate::store) fn output(session: &SessionId, n: u64, call: &str, size: usize) -> OutputRow {
    OutputRow {
        plugin: "weather".to_owned(),
        id: output_id(at(1), n),
        session: session.clone(),
        call: CallId::from(call),
        title: "A file".to_owned(),
        kind: "file".to_owned(),
        mime_type: "text/plain".to_owned(),
        size: size as u64,
        created: at(1),
        expires: at(100),
        meta: Some(json!({ "lines": 3 })),
    }
}
