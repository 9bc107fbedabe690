//! Events of the live stream, one JSON object each.
//!
//! An [`Event`] has a session, a turn and a time, and a [`EventBody`] that depends on its `type`.
//! Events with a `seq` form the session's log: without gaps, stored before anyone sees them, and
//! sufficient to build the [record](crate::item::Record). Events without a `seq` are not stored; a
//! later `put` repeats what they say.
//!
//! Requests to clients and their responses are [frames](frame).
//!
//! To add an event: a case of [`EventBody`] and its word in [`EventBody::KNOWN`].

pub mod frame;

use crate::item::{CallId, Item, ItemId, SessionId, Timestamp, TurnId, read_by_type};
use crate::word::words;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// An event of a session.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// The part that depends on the type.
    #[serde(flatten)]
    pub what: EventBody,
    /// The position in the session's log; absent if the event is not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// The session.
    pub session: SessionId,
    /// The turn.
    pub turn: TurnId,
    /// The time.
    pub at: Timestamp,
}

/// The part of an event that depends on its `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventBody {
    /// A turn began.
    TurnStarted {
        /// The person's prompt; for an action the line that the model reads.
        prompt: String,
        /// What started the turn.
        origin: Origin,
        /// The widget of an action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        item: Option<ItemId>,
        /// The revision of that widget that the person saw.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rev: Option<u64>,
        /// The turn whose prompt is run again. It and all turns after it are retracted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retries: Option<TurnId>,
    },
    /// A turn ended, or waits for a person.
    TurnFinished {
        /// How the turn ended.
        status: Status,
        /// The items of the turn, sorted by position.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        output: Option<Vec<Item>>,
        /// The model's token usage.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
    /// An item is new, or has a new revision. See [`EventBody::put`].
    Put {
        /// The item.
        item: Box<Item>,
        /// The revision of the item, for readers that do not parse it.
        rev: u64,
    },
    /// An item was removed.
    Remove {
        /// The item.
        id: ItemId,
    },
    /// What is left of a put in the log, once a later event has replaced or removed the item and the
    /// turn has ended. It changes nothing.
    Tombstone {
        /// The item.
        item: ItemId,
        /// The revision that was put.
        rev: u64,
    },
    /// More text of a text item. Not stored.
    TextDelta {
        /// The text item.
        item: ItemId,
        /// The revision that the text is appended to.
        rev: u64,
        /// The text.
        delta: String,
    },
    /// More reasoning of a reasoning item. Not stored.
    ReasoningDelta {
        /// The reasoning item.
        item: ItemId,
        /// The revision that the text is appended to.
        rev: u64,
        /// The text.
        delta: String,
        /// When the model began to reason.
        start: Timestamp,
        /// When it stopped, in the last piece before it does something else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end: Option<Timestamp>,
    },
    /// The progress of a call. Not stored.
    Progress {
        /// The call.
        call: CallId,
        /// The progress as text.
        message: String,
        /// The amount done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        done: Option<u64>,
        /// The total amount.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<u64>,
    },
    /// An unknown type: all members except those of [`Event`] itself.
    #[serde(untagged, skip_deserializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other(Map<String, Value>),
}

impl EventBody {
    /// The known types.
    pub const KNOWN: &'static [&'static str] = &[
        "turn_started",
        "turn_finished",
        "put",
        "remove",
        "tombstone",
        "text_delta",
        "reasoning_delta",
        "progress",
    ];

    /// Makes the put of an item.
    #[must_use]
    pub fn put(item: Item) -> Self {
        Self::Put {
            rev: item.rev,
            item: Box::new(item),
        }
    }

    /// Returns what is left of a put once it has no effect any more; none for other events.
    #[must_use]
    pub fn tombstone(&self) -> Option<Self> {
        match self {
            Self::Put { item, rev } => Some(Self::Tombstone {
                item: item.id.clone(),
                rev: *rev,
            }),
            _ => None,
        }
    }

    /// Reports whether the event is never stored and has no `seq`.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::TextDelta { .. } | Self::ReasoningDelta { .. } | Self::Progress { .. }
        )
    }
}

words! {
    /// What started a turn.
    pub enum Origin {
        /// A person's prompt.
        Person = "person",
        /// A press in a widget.
        Action = "action",
        /// A call without a model.
        Call = "call",
    }
}

words! {
    /// How a turn ended.
    pub enum Status {
        /// The model finished.
        Done = "done",
        /// An error ended it.
        Error = "error",
        /// The person stopped it.
        Cancelled = "cancelled",
        /// It reached a limit.
        Limit = "limit",
        /// It waits for a person.
        Waiting = "waiting",
    }
}

/// The model's token usage in a turn.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens sent to the model.
    #[serde(default)]
    pub input_tokens: u64,
    /// Tokens received from the model.
    #[serde(default)]
    pub output_tokens: u64,
    /// Other counts of the provider.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Written by hand as for `Item`: a malformed `put` is an error, not an unknown type.
        use serde::de::Error;
        #[derive(Deserialize)]
        struct Head {
            seq: Option<u64>,
            session: SessionId,
            turn: TurnId,
            at: Timestamp,
            #[serde(flatten)]
            rest: Map<String, Value>,
        }
        let head = Head::deserialize(deserializer)?;
        let what = read_by_type(head.rest, EventBody::KNOWN, EventBody::Other)?;
        match &what {
            EventBody::Put { item, rev } if item.rev != *rev => Err(D::Error::custom(
                "the `rev` of a put differs from that of its item",
            )),
            what if what.is_transient() && head.seq.is_some() => {
                Err(D::Error::custom("an event that is not stored has no `seq`"))
            }
            _ => Ok(Self {
                what,
                seq: head.seq,
                session: head.session,
                turn: head.turn,
                at: head.at,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::Record;
    use crate::item::tests::arbitrary::{any_json, any_object};
    use proptest::prelude::*;
    use serde_json::json;

    fn read(value: Value) -> Result<Event, serde_json::Error> {
        serde_json::from_value(value)
    }

    fn written(event: &Event) -> Value {
        serde_json::to_value(event).expect("serialises")
    }

    fn with_head(mut what: Value) -> Value {
        what["session"] = "s".into();
        what["turn"] = "t".into();
        what["at"] = "2026-11-16T01:52:35.123Z".into();
        what
    }

    fn item() -> Value {
        json!({ "type": "text", "text": "Hi", "id": "i", "rev": 2,
                "position": { "turn": 1, "step": 1, "call": 0, "n": 0 },
                "start": "2026-11-16T01:52:35.000Z" })
    }

    #[test]
    fn every_event_survives_a_round_trip() {
        for what in [
            json!({ "type": "turn_started", "seq": 1, "prompt": "Hi", "origin": "person" }),
            json!({ "type": "turn_started", "seq": 1, "prompt": "", "origin": "action", "item": "i", "rev": 2 }),
            json!({ "type": "turn_finished", "seq": 9, "status": "done", "output": [item()],
                    "usage": { "inputTokens": 1, "outputTokens": 2, "cachedTokens": 3 } }),
            json!({ "type": "put", "seq": 2, "item": item(), "rev": 2 }),
            json!({ "type": "remove", "seq": 3, "id": "i" }),
            json!({ "type": "tombstone", "seq": 3, "item": "i", "rev": 2 }),
            json!({ "type": "text_delta", "item": "i", "rev": 2, "delta": "!" }),
            json!({ "type": "reasoning_delta", "item": "i", "rev": 0, "delta": "Hm",
                    "start": "2026-11-16T01:52:35.000Z", "end": "2026-11-16T01:52:36.000Z" }),
            json!({ "type": "progress", "call": "c", "message": "half", "done": 1, "total": 2 }),
            json!({ "type": "fireworks", "seq": 4, "colours": ["red"] }),
        ] {
            let sent = with_head(what);
            assert_eq!(written(&read(sent.clone()).expect("an event")), sent);
        }
    }

    #[test]
    fn last_line_of_a_run_has_type_session_status_and_items() {
        let sent = with_head(json!({ "type": "turn_finished", "status": "done", "output": [] }));
        let line = written(&read(sent).expect("an event"));
        assert_eq!(line["type"], "turn_finished");
        assert_eq!(line["session"], "s");
        assert_eq!(
            (&line["status"], &line["output"]),
            (&json!("done"), &json!([]))
        );
    }

    #[test]
    fn malformed_event_is_not_read_as_an_unknown_type() {
        for what in [
            json!({ "type": "put" }),
            json!({ "type": "put", "item": item(), "rev": 3 }),
            json!({ "type": "text_delta", "seq": 1, "item": "i", "rev": 2, "delta": "!" }),
            json!({ "type": 3 }),
            json!({}),
        ] {
            assert!(read(with_head(what.clone())).is_err(), "{what}");
        }
    }

    #[test]
    fn record_is_made_from_the_log() {
        let log = [
            json!({ "type": "turn_started", "seq": 1, "prompt": "Hi", "origin": "person" }),
            json!({ "type": "put", "seq": 2, "item": item(), "rev": 2 }),
            json!({ "type": "turn_finished", "seq": 3, "status": "done" }),
        ];
        let events = log.map(|what| read(with_head(what)).expect("an event"));
        let record = Record::from_iter(events.iter().map(|event| &event.what));
        assert_eq!(json!(record.items()), json!([item()]));
    }

    proptest! {
        #[test]
        fn reading_never_panics_and_what_is_read_survives(json in any_json(), object in any_object()) {
            let _ = read(json);
            if let Ok(event) = read(with_head(object)) {
                prop_assert_eq!(read(written(&event)).ok(), Some(event));
            }
        }
    }
}
