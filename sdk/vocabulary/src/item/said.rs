//! What the model says: to the person, and to itself.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Text of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Text {
    /// The text, in Markdown.
    pub text: String,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The reasoning of a step, as far as the provider shows it. It is for the person: the projection never
/// sends it to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Reasoning {
    /// The reasoning, in Markdown.
    pub text: String,
    /// How many bytes of it were not kept.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub omitted_bytes: u64,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}
