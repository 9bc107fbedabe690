//! The Chat Completions API, as OpenAI and many other servers speak it.
//!
//! Invariants: all results of a step follow it directly, and their images follow in one user
//! message, because a tool message cannot carry images. Whether the model called tools follows from
//! its calls, not from `finish_reason`.

mod decode;
mod encode;

pub(super) use decode::ChatReader;
pub(super) use encode::encode;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The reasoning in a message; at most one field is set.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Reasoning {
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_content: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_details: Option<Box<RawValue>>,
}
