//! A language model: what it is sent, and what it streams back.
//!
//! A [`Model`] knows nothing of sessions, plugins or policy. It is sent a whole [`Request`] each
//! time and streams [`Delta`]s; only [`Delta::Finished`] counts, and it holds everything that was
//! said. So a stream that breaks off leaves nothing behind, and a retry is safe.
//!
//! Invariant: no type of an HTTP client stands here; a wire is a file of its own that turns a
//! request into bytes and bytes into deltas, without doing I/O.

#[cfg(feature = "models")]
pub mod http;
pub mod log;
mod providers;
mod ready;
pub mod recorded;
pub mod script;
#[cfg(feature = "models")]
pub mod wire;

#[cfg(feature = "models")]
pub use http::{retry, sse};
pub use providers::choice;
#[cfg(feature = "models")]
pub use providers::{discovery, key, profile, spec};

use futures_core::Stream;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// A language model.
pub trait Model: Send + Sync + 'static {
    /// What it is called, as a person would type it: `offline`, `openai:gpt-5`.
    fn name(&self) -> &str;

    /// How many tokens it reads at most, where that is known.
    fn window(&self) -> Option<u64> {
        None
    }

    /// Asks for its next step. Dropping the stream gives up on it.
    fn step(&self, request: Request) -> Step;
}

/// One answer of a model, as it comes.
pub type Step = Pin<Box<dyn Stream<Item = Result<Delta, ModelError>> + Send>>;

/// Everything a model is sent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// How it should go about things.
    pub system: String,
    /// What was said so far, oldest first. Shared with the session, which goes on with it.
    #[serde(with = "shared")]
    pub messages: Arc<Vec<Message>>,
    /// What it may call, sorted by name so that a provider's cache holds.
    pub tools: Vec<ToolSpec>,
    /// Whether it may call anything now. If not, the tools are still named, since what was said
    /// mentions them.
    pub may_call: bool,
    /// The same for every request of a session: providers keep their caches by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_key: Option<String>,
}

/// Messages as they were before they were shared: a list.
mod shared {
    use super::{Arc, Message};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(
        messages: &Arc<Vec<Message>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        messages.as_slice().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<Vec<Message>>, D::Error> {
        Vec::deserialize(deserializer).map(Arc::new)
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "camelCase")]
pub enum Message {
    /// What the person said.
    Person {
        /// The words, and pictures.
        content: Vec<Part>,
    },
    /// What the model said and asked for, in its order.
    Model {
        /// The parts.
        parts: Vec<ModelPart>,
    },
    /// What its calls came to: one for each call of the message before, in their order.
    Results {
        /// The results.
        results: Vec<ToolResult>,
    },
}

/// A part of what a model reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Part {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture.
    #[serde(rename_all = "camelCase")]
    Image {
        /// Its media type.
        mime_type: String,
        /// Its bytes, as base64.
        data: String,
    },
}

/// A part of what a model said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum ModelPart {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A call of a tool.
    Call(ToolCall),
    /// Something only its own wire understands (reasoning, a signature), kept byte for byte and
    /// sent back to that wire alone.
    Opaque {
        /// The wire that said it.
        wire: String,
        /// The part, as JSON text.
        part: String,
    },
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// What the model calls this call. It may repeat, or be empty: a wire mints one then.
    pub id: String,
    /// The tool, as on the wire: `weather__forecast`.
    pub name: String,
    /// The arguments, as the model wrote them: perhaps no JSON at all.
    pub arguments: String,
    /// What the wire wants back with this call, kept byte for byte, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<String>,
}

/// What a call came to, for the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResult {
    /// The model's own id of the call.
    pub call: String,
    /// The tool, as on the wire.
    pub name: String,
    /// What it came to. Never empty.
    pub content: Vec<Part>,
    /// Whether it is a failure.
    #[serde(default)]
    pub is_error: bool,
}

/// A tool, as a model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolSpec {
    /// Its name on the wire: `weather__forecast`.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its input.
    pub input_schema: Value,
    /// Things people say that should lead to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
}

/// What a model streams.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Delta {
    /// More words.
    Text(String),
    /// More of what it thinks, where it shows that. Never kept.
    Reasoning(String),
    /// It has begun to write a call of this tool.
    Calling(String),
    /// What came of this step so far is void: it is tried again.
    Retry(Retry),
    /// The step is over. Nothing follows.
    Finished(Finished),
}

/// Why and when a step is tried again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retry {
    /// Which try comes next; the second is 2.
    pub attempt: u32,
    /// How long it waits first.
    pub after: Duration,
    /// What went wrong.
    pub why: String,
}

/// A whole step.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finished {
    /// Everything it said, in order.
    pub parts: Vec<ModelPart>,
    /// Why it stopped.
    pub reason: Reason,
    /// What it cost.
    pub usage: Tokens,
}

/// Why a model stopped. Whether it called is seen from its calls, not from this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Reason {
    /// It had no more to say, or called tools.
    #[default]
    Stop,
    /// It was cut off: its calls must not run.
    Length,
    /// A filter cut it off: its calls must not run.
    Filtered,
}

/// What a step cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tokens {
    /// Read, cached ones included.
    pub input: u64,
    /// Of those, read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Written to the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
    /// Written, reasoning included.
    pub output: u64,
    /// Of those, reasoning.
    #[serde(default)]
    pub reasoning: u64,
}

/// Why a model did not answer. It never holds a key, nor what the person said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelError {
    /// What kind of kind it is.
    pub kind: ModelErrorKind,
    /// One sentence with the remedy, for the person.
    pub message: String,
}

/// Kinds of kind with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// No key, or one that is not taken.
    Key,
    /// Too many requests; perhaps worth trying again after this time.
    Busy(Option<Duration>),
    /// More was sent than it reads: what was said has to be made shorter.
    TooLong,
    /// The request was refused.
    Refused,
    /// It cannot be reached, or broke off.
    Unreachable,
    /// What it sent cannot be understood.
    Garbled,
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModelError {}
