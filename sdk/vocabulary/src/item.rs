//! Items: the entries of a session's record.
//!
//! An [`Item`] has an id, a position, a revision, times, and a [`Content`] that depends on its
//! `type`. This version knows seven types. An item of a later version is kept as
//! [`Content::Other`], so that it can be shown as text and written back unchanged. Unknown members
//! survive too, but an item of a known type that lacks a required member is an error.
//!
//! [`Record`] keeps items sorted while changes arrive.
//!
//! Invariant: items hold plain JSON. Renderers interpret results and views.

mod id;
mod power;
mod record;
mod said;
pub(crate) mod timestamp;

pub use id::{CallId, ItemId, RequestId, SessionId, TurnId, is_output_id, output_id};
pub use power::{Denial, Power, PowerUse};
pub use record::Record;
pub use said::{Reasoning, Text};
pub use timestamp::{Timestamp, TimestampError};

use crate::failure::FailureCode;
use crate::question::Field;
use crate::word::words;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// An entry of the record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Item {
    /// The content.
    #[serde(flatten)]
    pub content: Content,
    /// The id, minted by the host. A tool item has the id of its call.
    pub id: ItemId,
    /// The position, fixed at creation.
    pub position: Position,
    /// The revision. A put with a greater number replaces the item.
    #[serde(default)]
    pub rev: u64,
    /// The start.
    pub start: Timestamp,
    /// The end, for content that takes time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Timestamp>,
}

/// The position of an item: `(turn, step, call, n)`, compared in this order.
///
/// The widgets, asks and outputs of a call follow its tool item, which has `n` 0, and calls are in
/// the order in which the model made them, even if they ran concurrently.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// The turn of the session.
    pub turn: u32,
    /// The step of the turn: one answer of the model.
    pub step: u32,
    /// The call of the step; 0 is the answer itself: its reasoning, and its text.
    pub call: u32,
    /// The item of the call.
    pub n: u32,
}

/// The content of an item, by its `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(
    clippy::large_enum_variant,
    reason = "most items are calls, and an item is rarely moved"
)]
pub enum Content {
    /// Text of the model.
    Text(Text),
    /// What the model said to itself before it answered.
    Reasoning(Reasoning),
    /// A call of a tool and its result.
    Tool(Tool),
    /// A widget of a plugin.
    Widget(Widget),
    /// A question to the person.
    Ask(Ask),
    /// Content for the person that the model does not see.
    Output(Output),
    /// A message of the host to the person.
    Notice(Notice),
    /// An unknown type: all members except those of [`Item`] itself.
    // Not in the schema, which describes what this version writes.
    #[serde(untagged, skip_deserializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other(Map<String, Value>),
}

impl Content {
    /// The known types.
    pub const KNOWN: &'static [&'static str] = &[
        "text",
        "reasoning",
        "tool",
        "widget",
        "ask",
        "output",
        "notice",
    ];

    /// Returns the type as it is written in JSON.
    #[must_use]
    pub fn type_name(&self) -> &str {
        match self {
            Self::Text(_) => "text",
            Self::Reasoning(_) => "reasoning",
            Self::Tool(_) => "tool",
            Self::Widget(_) => "widget",
            Self::Ask(_) => "ask",
            Self::Output(_) => "output",
            Self::Notice(_) => "notice",
            Self::Other(members) => members.get("type").and_then(Value::as_str).unwrap_or(""),
        }
    }

    /// Returns the call that a widget, ask or output belongs to. A tool item *is* its call.
    #[must_use]
    pub fn call(&self) -> Option<&CallId> {
        match self {
            Self::Widget(widget) => Some(&widget.call),
            Self::Ask(ask) => Some(&ask.call),
            Self::Output(output) => Some(&output.call),
            Self::Text(_)
            | Self::Reasoning(_)
            | Self::Tool(_)
            | Self::Notice(_)
            | Self::Other(_) => None,
        }
    }
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// The plugin and the tool, such as `weather.forecast`. A string, because a model can name
    /// tools that do not exist.
    pub function: String,
    /// The input.
    pub input: Value,
    /// The state of the call.
    pub result: CallResult,
    /// The verdict of a person on the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Receipt>,
    /// The verdicts of a person on approvals that the running call requested, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Receipt>,
    /// What the call did with folders, hosts and secrets, and what it was denied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub powers: Vec<PowerUse>,
    /// The model's id of the call. Models repeat ids; the item's id is unique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// The state of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CallResult {
    /// The call returned.
    Success {
        /// The result.
        output: Value,
    },
    /// The call failed.
    Error {
        /// The reason, as a sentence for the model.
        error: String,
        /// The code, for programs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<FailureCode>,
        /// Details for the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        details: Option<Value>,
    },
    /// The call has not ended.
    Pending {
        /// The reason.
        reason: PendingReason,
    },
}

words! {
    /// Why a call has not ended.
    pub enum PendingReason {
        /// Other calls run first.
        Queued = "queued",
        /// A person has not decided on it.
        Approval = "approval",
        /// It runs.
        Running = "running",
        /// A person has not answered its question.
        Waiting = "waiting",
    }
}

/// The verdict of a person, as it is recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Receipt {
    /// The verdict.
    pub decision: Verdict,
    /// The request that was decided. Older records do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestId>,
    /// The action that was approved or denied, if not the call itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The object of the action, in the plugin's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The power that was granted or denied, if it was one. Then `subject` is the guest's path of the
    /// folder, or the host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<Power>,
    /// Further information that the plugin gave for the decision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// The person, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The time of the decision.
    pub at: Timestamp,
    /// The person's comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A person's verdict on an approval request.
///
/// A closed set, unlike other words here: an unknown verdict must not pass for an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Denied.
    Deny,
    /// Approved, this time only.
    Once,
    /// Approved for the rest of the session.
    Session,
    /// Approved until revoked.
    Always,
}

impl Verdict {
    /// Returns the verdict as it is written in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Once => "once",
            Self::Session => "session",
            Self::Always => "always",
        }
    }
}

/// A widget of a plugin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Widget {
    /// The call that shows it.
    pub call: CallId,
    /// The type of the widget.
    pub widget: String,
    /// The data: any JSON value.
    pub data: Value,
    /// Whether the data does not fit the schema that the plugin declares for the type. Then the
    /// fallback is drawn, also where the plugin is not loaded any more.
    #[serde(
        default,
        rename = "invalidData",
        skip_serializing_if = "std::ops::Not::not"
    )]
    pub invalid_data: bool,
    /// Plain text for surfaces that cannot draw it.
    pub fallback: String,
    /// A component tree for renderers that do not know the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
    /// What is copied in place of it.
    #[serde(default, rename = "copyText", skip_serializing_if = "Option::is_none")]
    pub copy_text: Option<String>,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A question to the person and its state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ask {
    /// The call that asks.
    pub call: CallId,
    /// The question, in Markdown.
    pub prompt: String,
    /// The question's fields.
    pub widgets: Vec<Field>,
    /// The state of the question.
    pub state: AskState,
    /// The answer as text, without secrets: `Answer::text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// The answer by field, without secrets: `Answer::recordable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Map<String, Value>>,
    /// Who answered or skipped it, and on which surface, if known.
    #[serde(
        default,
        rename = "answeredBy",
        skip_serializing_if = "Option::is_none"
    )]
    pub answered_by: Option<String>,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

words! {
    /// The state of a question.
    pub enum AskState {
        /// The question can be answered.
        Open = "open",
        /// The person answered it.
        Answered = "answered",
        /// The person chose not to answer.
        Skipped = "skipped",
        /// Nobody answered in time.
        Expired = "expired",
        /// The call ended before the answer.
        Cancelled = "cancelled",
    }
}

/// Content for the person that the model does not see. The item's id identifies the content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The call that made it.
    pub call: CallId,
    /// The title.
    pub title: String,
    /// What a surface draws the content as.
    pub kind: OutputKind,
    /// Its media type.
    pub mime_type: String,
    /// The number of bytes.
    pub size: u64,
    /// The time after which the content cannot be fetched.
    pub expires: Timestamp,
    /// Additional data for surfaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

words! {
    /// What a surface draws an output as.
    pub enum OutputKind {
        /// Media of another site.
        Embed = "embed",
        /// A file.
        File = "file",
        /// The output of a program.
        Terminal = "terminal",
        /// A picture.
        Image = "image",
        /// Bytes to download.
        Raw = "raw",
    }
}

/// A message of the host to the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Notice {
    /// The level.
    pub level: Level,
    /// The message.
    pub text: String,
    /// Unknown members.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

words! {
    /// The level of a notice.
    pub enum Level {
        /// Information.
        Info = "info",
        /// A possible problem.
        Warning = "warning",
        /// A failure.
        Danger = "danger",
        /// A success.
        Success = "success",
    }
}

/// Reads an object whose `type` is one of `known`, and keeps any other object as `unknown`.
pub(crate) fn read_by_type<T: DeserializeOwned, E: serde::de::Error>(
    object: Map<String, Value>,
    known: &[&str],
    unknown: fn(Map<String, Value>) -> T,
) -> Result<T, E> {
    match object.get("type") {
        Some(Value::String(word)) if known.contains(&word.as_str()) => {
            serde_json::from_value(Value::Object(object)).map_err(E::custom)
        }
        Some(Value::String(_)) => Ok(unknown(object)),
        _ => Err(E::missing_field("type")),
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Written by hand, because derived code would read a widget without a fallback as `Other`
        // and would repeat the item's own members in `extra`.
        use serde::de::Error;
        #[derive(Deserialize)]
        struct Head {
            id: ItemId,
            position: Position,
            #[serde(default)]
            rev: u64,
            start: Timestamp,
            end: Option<Timestamp>,
            #[serde(flatten)]
            rest: Map<String, Value>,
        }
        let head = Head::deserialize(deserializer)?;
        let content = read_by_type(head.rest, Content::KNOWN, Content::Other)?;
        if matches!(content, Content::Output(_)) && !is_output_id(head.id.as_str()) {
            // The id becomes part of a URL.
            return Err(D::Error::custom(
                "the id of an output does not have the form `out_<millis>_<6 letters or digits>`",
            ));
        }
        Ok(Self {
            content,
            id: head.id,
            position: head.position,
            rev: head.rev,
            start: head.start,
            end: head.end,
        })
    }
}

#[cfg(test)]
pub(crate) mod tests;
