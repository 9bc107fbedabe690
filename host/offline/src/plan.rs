//! What the router is about to call, and what it still has to ask for.
//!
//! A plan that waits for an answer travels in the conversation, as the part that only this model
//! understands: nothing is kept in memory, so a restarted process goes on where it was.

use super::slot::{self, Slot};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What such a part says it is from.
pub(super) const WIRE: &str = "offline";

/// Calls to make, once everything is known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) how: How,
    pub(super) calls: Vec<Planned>,
    /// The slots that were asked for, in order; empty where nothing was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) asked: Vec<String>,
}

impl Plan {
    /// A plan of which nothing was asked yet.
    pub(super) fn new(how: How, calls: Vec<Planned>) -> Self {
        Self {
            how,
            calls,
            asked: Vec::new(),
        }
    }
}

/// One call to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Planned {
    /// The tool, as on the wire.
    pub(super) tool: String,
    pub(super) input: Map<String, Value>,
    /// Slots for which something was said that does not fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) misfits: Vec<String>,
}

/// How a call was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum How {
    Typed,
    Matched,
}

impl How {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Typed => "as typed",
            Self::Matched => "matched by words",
        }
    }
}

impl Planned {
    /// What a person has to say before it can be made.
    pub(super) fn wanted<'s>(&self, slots: &'s [Slot]) -> Vec<&'s Slot> {
        let missing = slot::missing(slots, &self.input);
        let is_missing = |slot: &Slot| missing.iter().any(|other| other.name == slot.name);
        slots
            .iter()
            .filter(|slot| is_missing(slot) || self.misfits.contains(&slot.name))
            .collect()
    }
}
