//! The record of a turn: texts, tool calls, and what the calls put in front of the person.
//!
//! An [`Item`] is a head that all share (which, where, since when, how often revised) and its
//! [`Content`], told apart by `type`. The set of types is closed: a reader of this version
//! knows six. One that a later version wrote is kept whole as [`Content::Other`], so that it can
//! be shown as text and written back unharmed. Members this version does not know survive
//! too, but a known type without what it needs is an error.
//!
//! [`Record`] keeps items in their order while changes arrive.
//!
//! Invariant: items hold plain JSON. What a result or a view means is for those who draw them.

#[cfg(test)]
pub(crate) mod arbitrary;

pub(crate) mod timestamp;

mod id;

mod record;

pub use id::{CallId, ItemId, RequestId, SessionId, TurnId, is_output_id, output_id};
pub use record::{Change, Record};
pub use timestamp::{InvalidTimestamp, Timestamp};

use crate::failure::FailureCode;
use crate::question::Field;
use crate::word::words;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// One entry of the record.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Item {
    /// What it is.
    #[serde(flatten)]
    pub content: Content,
    /// Its own id, minted by the host. A tool item's is also the id of its call.
    pub id: ItemId,
    /// Its place, fixed when it was created.
    pub position: Position,
    /// How often it was revised: a put with a greater number replaces it.
    #[serde(default)]
    pub rev: u64,
    /// When it began.
    pub start: Timestamp,
    /// When it was over, where it lasted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<Timestamp>,
}

/// Where an item stands: `(turn, step, call, n)`, compared in this order.
///
/// So a call's widgets, asks and outputs stand directly after its tool item, which has `n` 0, and
/// calls stand in the order the model made them, also when they ran side by side.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Position {
    /// Which turn of the session.
    pub turn: u32,
    /// Which answer of the model within the turn.
    pub step: u32,
    /// Which call within the answer; 0 is the answer's own text.
    pub call: u32,
    /// Which item of the call.
    pub n: u32,
}

/// What an item is, by its `type`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Content {
    /// Words of the model.
    Text(Text),
    /// A call of a tool and how it ended.
    Tool(Tool),
    /// Something a plugin shows.
    Widget(Widget),
    /// A question to the person.
    Ask(Ask),
    /// Content for the person that the model does not see.
    Output(Output),
    /// A word of the host to the person.
    Notice(Notice),
    /// A type this version does not know: every member but those of the head.
    // Not in the schema: it is what a newer version may write, not what anyone should.
    #[serde(untagged, skip_deserializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    Other(Map<String, Value>),
}

impl Content {
    /// The types this version knows.
    pub const KNOWN: &'static [&'static str] =
        &["text", "tool", "widget", "ask", "output", "notice"];

    /// The type as it is written.
    #[must_use]
    pub fn type_name(&self) -> &str {
        match self {
            Self::Text(_) => "text",
            Self::Tool(_) => "tool",
            Self::Widget(_) => "widget",
            Self::Ask(_) => "ask",
            Self::Output(_) => "output",
            Self::Notice(_) => "notice",
            Self::Other(members) => members.get("type").and_then(Value::as_str).unwrap_or(""),
        }
    }

    /// The call it belongs to, of those that belong to one. A tool item *is* its call.
    #[must_use]
    pub fn call(&self) -> Option<&CallId> {
        match self {
            Self::Widget(widget) => Some(&widget.call),
            Self::Ask(ask) => Some(&ask.call),
            Self::Output(output) => Some(&output.call),
            Self::Text(_) | Self::Tool(_) | Self::Notice(_) | Self::Other(_) => None,
        }
    }
}

/// Words of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Text {
    /// The words, in Markdown.
    pub text: String,
    /// Members this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    /// Plugin and tool, such as `weather.forecast`.
    pub function: String,
    /// What the tool is given.
    pub input: Value,
    /// How it stands with the call.
    pub result: CallResult,
    /// What a person decided about it: the receipt of an approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Receipt>,
    /// What a person decided about what it wanted leave for while it ran, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<Receipt>,
    /// What the model calls this call. Models repeat themselves; the item's id never does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// Members this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// How it stands with a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum CallResult {
    /// It returned.
    Success {
        /// What it returned.
        output: Value,
    },
    /// It came to nothing.
    Error {
        /// Why, said for the model.
        error: String,
        /// The failure's code, such as `denied`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        code: Option<FailureCode>,
        /// More, for the model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        details: Option<Value>,
    },
    /// It is not over.
    Pending {
        /// What it waits for.
        reason: PendingReason,
    },
}

words! {
    /// What an unfinished call waits for.
    pub enum PendingReason {
        /// Its turn.
        Queued = "queued",
        /// A verdict.
        Approval = "approval",
        /// Nothing: it runs.
        Running = "running",
        /// An answer.
        Waiting = "waiting",
    }
}

/// What a person decided, kept with the call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Receipt {
    /// The verdict.
    pub decision: Verdict,
    /// The action that leave was wanted for, where it was not the call itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// What that action was to be done to, in the plugin's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// Who gave it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When.
    pub at: Timestamp,
    /// What they wrote beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A person's verdict on an approval.
///
/// Closed on purpose, unlike other words here: an unknown verdict must not pass for a yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No.
    Deny,
    /// Yes, this time.
    Once,
    /// Yes, and the same again in this session.
    Session,
    /// Yes, and the same again from now on.
    Always,
}

/// Something a plugin shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Widget {
    /// The call that shows it.
    pub call: CallId,
    /// What it is.
    pub widget: String,
    /// Any JSON value.
    pub data: Value,
    /// Plain text for surfaces that cannot draw it.
    pub fallback: String,
    /// A component tree, drawn where no renderer knows `widget`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
    /// Members this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A question to the person and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ask {
    /// The call that asks.
    pub call: CallId,
    /// What is asked, in Markdown.
    pub prompt: String,
    /// The question's fields.
    pub widgets: Vec<Field>,
    /// How it stands with the question.
    pub state: AskState,
    /// The answer as text, without secrets: `Answer::text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// The answer by field, without secrets: `Answer::recordable`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Map<String, Value>>,
    /// Members this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

words! {
    /// How it stands with a question.
    pub enum AskState {
        /// It can be answered.
        Open = "open",
        /// It was.
        Answered = "answered",
        /// The person chose not to.
        Skipped = "skipped",
        /// Nobody did in time.
        Expired = "expired",
        /// The call ended without it.
        Cancelled = "cancelled",
    }
}

/// Content for the person that the model does not see. The item's id is the content's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Output {
    /// The call that made it.
    pub call: CallId,
    /// What the person reads above it.
    pub title: String,
    /// What a surface draws it as.
    pub kind: OutputKind,
    /// Its media type.
    pub mime_type: String,
    /// How many bytes it has.
    pub size: u64,
    /// Until when it can be fetched.
    pub expires: Timestamp,
    /// Free members for the surface that draws it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    /// Members this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

words! {
    /// What an output is drawn as.
    pub enum OutputKind {
        /// Media of another site.
        Embed = "embed",
        /// A file.
        File = "file",
        /// What a program printed.
        Terminal = "terminal",
        /// A picture.
        Image = "image",
        /// Bytes to download.
        Raw = "raw",
    }
}

/// A word of the host to the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Notice {
    /// How much it matters.
    pub level: Level,
    /// The words.
    pub text: String,
    /// Members this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

words! {
    /// How much a notice matters.
    pub enum Level {
        /// Good to know.
        Info = "info",
        /// Something is not as wished.
        Warning = "warning",
        /// Something went wrong.
        Danger = "danger",
        /// Something went well.
        Success = "success",
    }
}

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // By hand, because serde would read a widget without its fallback as `Other`, and would
        // give the head's members to `extra` a second time.
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
        let rest = head.rest;
        let content = match rest.get("type") {
            Some(Value::String(word)) if Content::KNOWN.contains(&word.as_str()) => {
                Content::deserialize(Value::Object(rest)).map_err(D::Error::custom)?
            }
            Some(Value::String(_)) => Content::Other(rest),
            _ => return Err(D::Error::missing_field("type")),
        };
        if matches!(content, Content::Output(_)) && !is_output_id(head.id.as_str()) {
            // It will be part of an address.
            return Err(D::Error::custom(
                "the id of an output is not of the form `out_<millis>_<6 letters or digits>`",
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
mod tests;
