//! The in-memory state of a session: its rows, and what follows from them.

use super::SessionRecord;
use super::projection::{self, Transcript};
use crate::model::{ModelPart, ToolCall};
use crate::store::{Batch, CallRow, CallState, Snapshot, StepRow, Summary, TurnRow};
use footlight_vocabulary::event::{Event, EventBody, Origin, Usage};
use footlight_vocabulary::item::{CallId, Content, Item, ItemId, Position, Record, TurnId};

/// The rows of a session. They change only by what the store has acknowledged.
#[derive(Debug, Clone, Default)]
pub(super) struct SessionState {
    pub(super) turns: Vec<TurnRow>,
    pub(super) steps: Vec<StepRow>,
    pub(super) calls: Vec<CallRow>,
    pub(super) summary: Option<Summary>,
    pub(super) seq: u64,
    /// The name of the fence around text of plugins in messages.
    pub(super) fence: String,
    record: Record,
    /// Whether an item is an output. Each step wants to know, and looking at all items takes longer the
    /// longer the session is.
    has_outputs: bool,
    /// The messages for the model so far.
    transcript: Transcript,
}

/// The next thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Ask the model for this step.
    Step(u32),
    /// Run the calls of this step.
    Calls(u32),
    /// End the turn.
    Finish,
    /// Nothing, because no turn is open.
    Idle,
}

impl SessionState {
    pub(super) fn new(snapshot: Snapshot) -> Self {
        let mut record = Record::default();
        for item in snapshot.items {
            record.put(item);
        }
        Self {
            has_outputs: record.items().iter().any(is_output),
            turns: snapshot.turns,
            steps: snapshot.steps,
            calls: snapshot.calls,
            summary: snapshot.summary,
            seq: snapshot.seq,
            fence: projection::fence(&snapshot.session.id),
            record,
            transcript: Transcript::default(),
        }
    }

    /// Applies a batch that the store has acknowledged.
    pub(super) fn apply(&mut self, batch: Batch, events: &[Event]) {
        if batch.turns.iter().any(|turn| turn.retracted) {
            self.transcript = Transcript::default();
        }
        merge(&mut self.turns, batch.turns, |row| row.n);
        merge(&mut self.steps, batch.steps, |row| (row.turn, row.step));
        merge(&mut self.calls, batch.calls, |row| {
            (row.turn, row.step, row.n)
        });
        if batch.summary.is_some() {
            self.summary = batch.summary;
            self.transcript = Transcript::default();
        }
        let mut may_change_outputs = false;
        for event in events {
            self.seq = event.seq.unwrap_or(self.seq);
            self.record.apply(&event.what);
            may_change_outputs |= match &event.what {
                EventBody::Put { item, .. } => is_output(item),
                EventBody::Remove { .. } => self.has_outputs,
                _ => false,
            };
        }
        if may_change_outputs {
            self.has_outputs = self.items().iter().any(is_output);
        }
    }

    /// Returns the messages so far. All calls must be settled.
    pub(super) fn transcript(&mut self) -> &Transcript {
        let mut transcript = std::mem::take(&mut self.transcript);
        transcript.extend(self);
        self.transcript = transcript;
        &self.transcript
    }

    pub(super) fn items(&self) -> &[Item] {
        self.record.items()
    }

    pub(super) fn item(&self, id: &ItemId) -> Option<&Item> {
        self.record.item(id)
    }

    pub(super) fn has_outputs(&self) -> bool {
        self.has_outputs
    }

    pub(super) fn items_of(&self, turn: &TurnId) -> Vec<Item> {
        // The last turn is wanted more often than any other.
        let n = self.turns.iter().rfind(|row| row.id == *turn);
        let n = n.map_or(0, |row| row.n);
        self.items_between(n, n + 1).to_vec()
    }

    /// Returns the items of the turns from the number `start` on, up to the one before `end`.
    fn items_between(&self, start: u32, end: u32) -> &[Item] {
        let items = self.items();
        let from = items.partition_point(|item| item.position.turn < start);
        let upto = items.partition_point(|item| item.position.turn < end);
        &items[from..upto]
    }

    /// Returns the last `limit` turns, of all or of those before the number `before`, with their items.
    pub(super) fn record(&self, before: Option<u32>, limit: usize) -> SessionRecord {
        let end = before.unwrap_or(u32::MAX);
        let kept: Vec<&TurnRow> = self.kept_turns().take_while(|turn| turn.n < end).collect();
        let earlier = kept.len().saturating_sub(limit);
        let turns = &kept[earlier..];
        let start = match (earlier, turns.first()) {
            (0, _) => 0,
            (_, first) => first.map_or(end, |turn| turn.n),
        };
        SessionRecord {
            seq: self.seq,
            earlier,
            turns: turns.iter().map(|turn| (*turn).clone()).collect(),
            items: self.items_between(start, end).to_vec(),
        }
    }

    /// Returns the items of a call, except its tool item.
    pub(super) fn items_of_call(&self, call: &CallId) -> impl Iterator<Item = &Item> {
        let own = move |item: &&Item| item.content.call() == Some(call);
        self.items().iter().filter(own)
    }

    /// Returns the unfinished turn.
    pub(super) fn open_turn(&self) -> Option<&TurnRow> {
        self.turns.last().filter(|turn| turn.status.is_none())
    }

    /// Returns the turns that were not retracted.
    pub(super) fn kept_turns(&self) -> impl Iterator<Item = &TurnRow> {
        self.turns.iter().filter(|turn| !turn.retracted)
    }

    /// Returns the steps of the turns that were not retracted, in order.
    pub(super) fn kept_steps(&self) -> impl Iterator<Item = &StepRow> {
        self.kept_turns().flat_map(|turn| self.steps_of(turn.n))
    }

    /// Returns the number of the next turn.
    pub(super) fn next_turn(&self) -> u32 {
        self.turns.last().map_or(1, |turn| turn.n + 1)
    }

    /// Returns the last step of a turn.
    pub(super) fn last_step(&self, turn: u32) -> Option<&StepRow> {
        self.steps.last().filter(|step| step.turn == turn)
    }

    /// Returns the calls of a step, in the model's order.
    pub(super) fn calls_of(&self, turn: u32, step: u32) -> impl Iterator<Item = &CallRow> {
        let from = self
            .calls
            .partition_point(|row| (row.turn, row.step) < (turn, step));
        let of = move |row: &&CallRow| (row.turn, row.step) == (turn, step);
        self.calls[from..].iter().take_while(of)
    }

    /// Returns the calls of a turn, the last one first.
    pub(super) fn last_calls(&self, turn: u32) -> impl Iterator<Item = &CallRow> {
        let upto = self.calls.partition_point(|row| row.turn <= turn);
        let calls = self.calls[..upto].iter().rev();
        calls.take_while(move |row| row.turn == turn)
    }

    /// Returns the steps of a turn, in order.
    pub(super) fn steps_of(&self, turn: u32) -> impl Iterator<Item = &StepRow> {
        let from = self.steps.partition_point(|row| row.turn < turn);
        self.steps[from..]
            .iter()
            .take_while(move |row| row.turn == turn)
    }

    pub(super) fn next(&self) -> Next {
        let Some(turn) = self.open_turn() else {
            return Next::Idle;
        };
        let Some(last) = self.last_step(turn.n) else {
            // A press that was refused has no step, and no model is asked about it.
            return match turn.origin {
                Origin::Action => Next::Finish,
                _ => Next::Step(1),
            };
        };
        let mut calls = self.calls_of(turn.n, last.step).peekable();
        if calls.peek().is_none() {
            Next::Finish
        } else if !calls.all(|call| call.state == CallState::Settled) {
            Next::Calls(last.step)
        } else if turn.is_press_step(last.step) && !turn.asks_model {
            Next::Finish
        } else {
            Next::Step(last.step + 1)
        }
    }

    /// Returns the tokens that the model charged for a turn.
    pub(super) fn usage(&self, turn: u32) -> Usage {
        let mut usage = Usage::default();
        for step in self.steps_of(turn) {
            usage.input_tokens += step.finished.usage.input;
            usage.output_tokens += step.finished.usage.output;
        }
        usage
    }

    /// Returns the position of an item.
    pub(super) fn position(turn: u32, step: u32, call: u32, n: u32) -> Position {
        Position {
            turn,
            step,
            call,
            n,
        }
    }
}

/// Returns the calls in a model's answer.
pub(super) fn calls(parts: &[ModelPart]) -> impl Iterator<Item = &ToolCall> {
    parts.iter().filter_map(|part| match part {
        ModelPart::Call(call) => Some(call),
        _ => None,
    })
}

fn is_output(item: &Item) -> bool {
    matches!(item.content, Content::Output(_))
}

/// Inserts rows sorted by key; rows with the same key are replaced.
fn merge<T, K: Ord>(rows: &mut Vec<T>, new: Vec<T>, key: impl Fn(&T) -> K) {
    for row in new {
        match rows.binary_search_by(|known| key(known).cmp(&key(&row))) {
            Ok(at) => rows[at] = row,
            Err(at) => rows.insert(at, row),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_vocabulary::item::{Output, OutputKind, SessionId, Text, Timestamp};
    use proptest::prelude::*;
    use serde_json::Map;

    fn item(n: u8, rev: u64, is_output: bool) -> Item {
        let content = match is_output {
            true => Content::Output(Output {
                call: CallId::from("call_1"),
                title: "an output".to_owned(),
                kind: OutputKind::File,
                mime_type: "text/plain".to_owned(),
                size: 1,
                expires: Timestamp::default(),
                meta: None,
                extra: Map::new(),
            }),
            false => Content::Text(Text {
                text: "text".to_owned(),
                extra: Map::new(),
            }),
        };
        Item {
            content,
            id: n.to_string().into(),
            position: Position {
                n: n.into(),
                ..Position::default()
            },
            rev,
            start: Timestamp::default(),
            end: None,
        }
    }

    proptest! {
        /// Each change is an item and its revision, which is none if the item is removed.
        #[test]
        fn outputs_are_noticed_in_any_order_of_changes(
            changes in prop::collection::vec((0..6u8, prop::option::of(0..4u64)), 0..20)
        ) {
            let mut state = SessionState::default();
            for (seq, (n, rev)) in changes.into_iter().enumerate() {
                let what = match rev {
                    // Odd items are outputs.
                    Some(rev) => EventBody::put(item(n, rev, n % 2 == 1)),
                    None => EventBody::Remove { id: n.to_string().into() },
                };
                let event = Event {
                    what,
                    seq: Some(seq as u64 + 1),
                    session: SessionId::from("s"),
                    turn: TurnId::from("t"),
                    at: Timestamp::default(),
                };
                state.apply(Batch::default(), &[event]);
                prop_assert_eq!(state.has_outputs(), state.items().iter().any(is_output));
            }
        }
    }
}
