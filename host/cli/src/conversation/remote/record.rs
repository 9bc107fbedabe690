//! What this process knows of a session in a server.

use super::frame::{Snapshot, TurnFrame};
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{Item, ItemId, Record, TurnId};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The record of a session, shared by the session and the turn that is followed.
#[derive(Clone)]
pub(crate) struct SharedRecord(Arc<Mutex<Known>>);

struct Known {
    /// The last stored event.
    seq: u64,
    turns: Vec<TurnFrame>,
    record: Record,
}

impl Known {
    fn new(snapshot: Snapshot) -> Self {
        let mut record = Record::default();
        for item in snapshot.items {
            record.put(item);
        }
        Self {
            seq: snapshot.seq,
            turns: snapshot.turns,
            record,
        }
    }
}

impl SharedRecord {
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        Self(Arc::new(Mutex::new(Known::new(snapshot))))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn seq(&self) -> u64 {
        self.known().seq
    }

    pub(crate) fn items(&self) -> Vec<Item> {
        self.known().record.items().to_vec()
    }

    /// Returns how many turns there are.
    pub(crate) fn turns(&self) -> usize {
        self.known().turns.len()
    }

    /// Returns the last turn, if it has not ended.
    pub(crate) fn open_turn(&self) -> Option<TurnId> {
        let known = self.known();
        let last = known.turns.last();
        let open = last.filter(|turn| turn.status.is_none());
        open.map(|turn| turn.id.clone())
    }

    /// Adds an event.
    pub(crate) fn apply(&self, event: &Event) {
        let mut known = self.known();
        known.seq = event.seq.unwrap_or(known.seq);
        known.record.apply(&event.what);
        match &event.what {
            EventBody::TurnStarted { prompt, .. } => {
                let n = known.turns.last().map_or(0, |turn| turn.n) + 1;
                known.turns.push(TurnFrame {
                    id: event.turn.clone(),
                    n,
                    prompt: prompt.clone(),
                    status: None,
                });
            }
            EventBody::TurnFinished { status, .. } => {
                if let Some(turn) = known.turns.iter_mut().find(|turn| turn.id == event.turn) {
                    turn.status = Some(status.clone());
                }
            }
            _ => {}
        }
    }

    /// Takes another record in place of the events that led to it. Returns what has changed in a turn.
    pub(crate) fn replace(&self, snapshot: Snapshot, turn: &TurnId) -> Vec<EventBody> {
        let mut known = self.known();
        let before = std::mem::replace(&mut *known, Known::new(snapshot));
        let Some(turn) = known.turns.iter().find(|known| known.id == *turn) else {
            return Vec::new();
        };
        let own = |record: &Record| -> Vec<Item> {
            let items = record.items().iter();
            let own = items.filter(|item| item.position.turn == turn.n);
            own.cloned().collect()
        };
        let now = own(&known.record);
        let kept: HashSet<&ItemId> = now.iter().map(|item| &item.id).collect();
        let gone = own(&before.record).into_iter().map(|item| item.id);
        let mut changes: Vec<EventBody> = gone
            .filter(|id| !kept.contains(id))
            .map(|id| EventBody::Remove { id })
            .collect();
        let is_new = |item: &&Item| {
            let old = before.record.item(&item.id);
            old.is_none_or(|old| old.rev < item.rev)
        };
        changes.extend(now.iter().filter(is_new).cloned().map(EventBody::put));
        if let Some(status) = turn.status.clone() {
            changes.push(EventBody::TurnFinished {
                status,
                output: None,
                usage: None,
            });
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn item(id: &str, rev: u64, turn: u32) -> Value {
        json!({ "type": "text", "text": "Hi", "id": id, "rev": rev,
                "position": { "turn": turn, "step": 1, "call": 0, "n": 0 },
                "start": "2026-11-16T01:52:35.000Z" })
    }

    fn snapshot(status: Option<&str>, items: &[Value]) -> Snapshot {
        let record = json!({ "seq": 9, "items": items, "turns": [
            { "id": "t1", "n": 1, "prompt": "a", "status": "done" },
            { "id": "t2", "n": 2, "prompt": "b", "status": status } ] });
        serde_json::from_value(record).expect("a record")
    }

    #[test]
    fn a_record_that_replaces_events_is_told_as_what_changed_in_the_turn() {
        let before = [
            item("old", 1, 1),
            item("same", 1, 2),
            item("new", 1, 2),
            item("gone", 1, 2),
        ];
        let record = SharedRecord::new(snapshot(None, &before));
        assert_eq!(record.open_turn(), Some("t2".into()));
        let after = [
            item("old", 5, 1),
            item("same", 1, 2),
            item("new", 2, 2),
            item("more", 0, 2),
        ];
        let changes = record.replace(snapshot(Some("done"), &after), &"t2".into());
        let told: Vec<String> = changes
            .iter()
            .map(|change| match change {
                EventBody::Put { item, rev } => format!("{}@{rev}", item.id),
                EventBody::Remove { id } => format!("-{id}"),
                EventBody::TurnFinished { status, .. } => status.as_str().to_owned(),
                other => panic!("{other:?}"),
            })
            .collect();
        let mut expected = vec!["-gone", "more@0", "new@2", "done"];
        expected.sort_unstable();
        let mut sorted = told.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected);
        assert_eq!(
            told.last().map(String::as_str),
            Some("done"),
            "the end is last"
        );
        assert_eq!((record.open_turn(), record.turns()), (None, 2));
    }
}
