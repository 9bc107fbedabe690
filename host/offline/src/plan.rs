//! The calls that the router is about to make, and the input they still lack.
//!
//! A plan that waits for an answer is stored in the conversation as an opaque part, so a restarted
//! process continues with it.

use super::slot::Slot;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::mem;

/// The wire name of the opaque part.
pub(super) const WIRE: &str = "offline";

/// Calls to make once their input is complete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) how: How,
    pub(super) calls: Vec<Planned>,
    /// The slots that the person was asked for, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) asked: Vec<String>,
}

impl Plan {
    /// Creates a plan without a question.
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
    /// The tool's name on the wire.
    pub(super) tool: String,
    pub(super) input: Map<String, Value>,
    /// Slots for which the prompt has a value that does not fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) misfits: Vec<String>,
}

impl Planned {
    /// Puts the members of the input into the order of the slots; others follow.
    pub(super) fn arrange(&mut self, slots: &[Slot]) {
        let mut rest = mem::take(&mut self.input);
        for slot in slots {
            if let Some((name, value)) = rest.shift_remove_entry(&slot.name) {
                self.input.insert(name, value);
            }
        }
        self.input.append(&mut rest);
    }
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
    /// Returns the slots that the person has to fill first.
    pub(super) fn wanted(&self, slots: Vec<Slot>) -> Vec<Slot> {
        let is_wanted =
            |slot: &Slot| slot.is_missing(&self.input) || self.misfits.contains(&slot.name);
        slots.into_iter().filter(is_wanted).collect()
    }
}
