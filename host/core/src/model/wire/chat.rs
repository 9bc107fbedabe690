//! Chat Completions, and the many servers that speak like it.
//!
//! Invariants: all results of a step stand directly after it, and the pictures among them follow
//! in one message of the user, since a tool's message cannot carry any. Whether the model called
//! is told from its calls, not from `finish_reason`.

mod decode;
mod encode;

pub(super) use decode::ChatReader;
pub(super) use encode::encode;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Reasoning as a message carries it; at most one field is set.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Reasoning {
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_details: Option<Box<RawValue>>,
}
