//! Language models: the [`Model`] trait, and the models this crate brings.
//!
//! A [`Model`] knows nothing of sessions, plugins or policy. Each time it is sent the whole
//! conversation as a [`Request`] and returns a [`Step`], a stream of [`Delta`]s. Only
//! [`Delta::Finished`] counts, and it repeats everything that was streamed: a stream that breaks
//! off leaves nothing behind, and a retry is safe.
//!
//! [`HttpModel`] is a model behind a provider's API, [`Script`] plays a file, [`Recorded`] and
//! [`LogRequests`] wrap another model.
//!
//! Invariant: no type of an HTTP client is public. A wire format is a module of its own that turns
//! a request into bytes and bytes into deltas, without I/O.

mod error;
#[cfg(all(feature = "models", any(test, feature = "fuzzing")))]
pub(crate) mod fuzzing;
#[cfg(feature = "models")]
mod http;
mod log;
#[cfg(feature = "models")]
mod providers;
mod recorded;
mod script;
mod step;
#[cfg(feature = "models")]
mod wire;

pub use error::{ModelError, ModelErrorKind};
#[cfg(feature = "models")]
pub use http::retry::RetryPolicy;
#[cfg(feature = "models")]
pub use http::{HttpModel, HttpOptions};
pub use log::LogRequests;
#[cfg(feature = "models")]
pub use providers::discovery::{LocalServer, discover};
#[cfg(feature = "models")]
pub use providers::profile::{KeyedModel, Profile, keyed_models, profiles};
pub use recorded::Recorded;
pub use script::{Script, ScriptError};
pub use step::{Delta, DeltaSender, Retry, Step};
#[cfg(feature = "models")]
pub use wire::{HttpRequest, Wire, encode};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// A language model, or anything that answers like one.
///
/// A model is asked for one *step* at a time: it reads the whole conversation and either answers with text
/// or calls tools, whose results are in the next request. Implement it to bring a model of your own;
/// [`HttpModel`] is the one for providers and local servers, [`Script`] plays prepared answers in tests.
pub trait Model: Send + Sync + 'static {
    /// Returns its name, as a person would type it: `openai:gpt-5`.
    fn name(&self) -> &str;

    /// Returns how many tokens it reads at most, if that is known.
    fn window(&self) -> Option<u64> {
        None
    }

    /// Asks for the next step of a conversation. Dropping the step cancels it.
    fn step(&self, request: Request) -> Step;
}

/// Everything that a model is sent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Request {
    /// The system prompt.
    pub system: String,
    /// The conversation, oldest message first. Shared with the session to avoid a copy.
    #[serde(with = "shared")]
    pub messages: Arc<Vec<Message>>,
    /// The tools it may call, sorted by name to keep a provider's cache valid.
    pub tools: Vec<ToolSpec>,
    /// Whether it may call tools now. If not, the tools are still listed, because the conversation
    /// mentions them.
    pub may_call: bool,
    /// The same for every request of a session. Providers find their cache by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_key: Option<String>,
}

impl Request {
    /// Creates a request with this conversation, without a system prompt and without tools.
    #[must_use]
    pub fn new(messages: impl Into<Arc<Vec<Message>>>) -> Self {
        Self {
            messages: messages.into(),
            ..Self::default()
        }
    }
}

/// Serialises shared messages as a plain list.
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

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "camelCase")]
#[non_exhaustive]
pub enum Message {
    /// A prompt of the person.
    Person {
        /// Text and images.
        content: Vec<Part>,
    },
    /// An answer of the model.
    Model {
        /// Its parts, in the model's order.
        parts: Vec<ModelPart>,
    },
    /// The results of the calls in the message before.
    Results {
        /// One result for each call, in the order of the calls.
        results: Vec<ToolResult>,
    },
}

/// A part of what a model reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[non_exhaustive]
pub enum Part {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    #[serde(rename_all = "camelCase")]
    Image {
        /// Its media type.
        mime_type: String,
        /// Its bytes, as base64.
        data: String,
    },
}

/// A part of a model's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[non_exhaustive]
pub enum ModelPart {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// A call of a tool.
    Call(ToolCall),
    /// Data that only its own wire format understands (reasoning, a signature). It is kept byte for
    /// byte and sent back on that wire only.
    Opaque {
        /// The name of the wire format.
        wire: String,
        /// The data, as JSON text.
        part: String,
    },
}

/// A call that a model asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolCall {
    /// The model's id of the call. It may repeat or be empty; a wire then makes a unique one.
    pub id: String,
    /// The tool's name on the wire: `weather__forecast`. The model may name a tool that is not
    /// there.
    pub name: String,
    /// The arguments as the model wrote them, which may not be JSON.
    pub arguments: String,
    /// Data that the provider wants back with this call, kept byte for byte, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<String>,
    /// Whether a person made the call by pressing a control of a widget. Such a call stands in the
    /// place of an answer, but the model did not write it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pressed: bool,
}

impl ToolCall {
    /// Creates a call without opaque data.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
            opaque: None,
            pressed: false,
        }
    }
}

/// The result of a call, as the model reads it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolResult {
    /// The model's id of the call.
    pub call: String,
    /// The tool's name on the wire.
    pub name: String,
    /// Text and images. Never empty.
    pub content: Vec<Part>,
    /// Whether the call failed.
    #[serde(default)]
    pub is_error: bool,
}

impl ToolResult {
    /// Creates the result of a call that succeeded.
    pub fn new(call: impl Into<String>, name: impl Into<String>, content: Vec<Part>) -> Self {
        Self {
            call: call.into(),
            name: name.into(),
            content,
            is_error: false,
        }
    }
}

/// A tool, as described to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name on the wire: `weather__forecast`.
    pub name: String,
    /// What the tool does.
    pub description: String,
    /// The JSON Schema of its input.
    pub input_schema: Value,
    /// Example prompts that should lead to a call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
}

impl ToolSpec {
    /// Creates a description without examples.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            input_schema,
            examples: Vec::new(),
        }
    }
}

/// A whole answer of a model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Finished {
    /// Its parts, in order.
    pub parts: Vec<ModelPart>,
    /// Why the model stopped.
    pub reason: Reason,
    /// The tokens used.
    pub usage: Tokens,
}

impl Finished {
    /// Creates an answer of these parts, for which no tokens are counted.
    #[must_use]
    pub fn new(parts: Vec<ModelPart>) -> Self {
        Self {
            parts,
            ..Self::default()
        }
    }

    /// Creates an answer of text alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(vec![ModelPart::Text { text: text.into() }])
    }
}

/// Why a model stopped. Whether it called tools follows from its calls, not from this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Reason {
    /// The answer is complete.
    #[default]
    Stop,
    /// The answer was cut off at a token limit: its calls must not run.
    Length,
    /// A content filter cut the answer off: its calls must not run.
    Filtered,
}

/// The tokens used by one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Tokens {
    /// Tokens read, including cached ones.
    pub input: u64,
    /// The part of `input` read from the provider's cache.
    #[serde(default)]
    pub cache_read: u64,
    /// Tokens written to the provider's cache.
    #[serde(default)]
    pub cache_write: u64,
    /// Tokens written, including reasoning.
    pub output: u64,
    /// The part of `output` that is reasoning.
    #[serde(default)]
    pub reasoning: u64,
}
