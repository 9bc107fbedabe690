//! The rows of a [`Store`](super::Store), and the values that its methods take and return.
//!
//! Serializable rows are stored as JSON: a member that is added later needs a default.

mod constructors;

use crate::host::LOCAL_PERSON;
use crate::model::{Finished, ToolResult};
use footlight_vocabulary::event::{EventBody, Origin, Status};
use footlight_vocabulary::item::{
    CallId, Item, ItemId, RequestId, SessionId, Timestamp, TurnId, Verdict,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A session, without its contents.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SessionRow {
    /// The id.
    pub id: SessionId,
    /// The person whose session it is. It never changes.
    #[serde(default = "local_person")]
    pub person: String,
    /// The time of creation.
    pub created: Timestamp,
    /// The time of the last write. The store maintains it from the first commit on.
    pub updated: Timestamp,
    /// A title by which a person recognizes it: the start of the first prompt.
    pub title: String,
    /// The number of turns, with those that were retracted. The store maintains it from the first commit on.
    pub turns: u32,
    /// What the session needs to be opened again, such as plugins and model. Opaque to the store.
    pub meta: Map<String, Value>,
    /// Whether untrusted content has entered the model's context: something that a call with a folder
    /// or a host returned, or text that was piped in. Once true, it stays true.
    #[serde(default)]
    pub tainted: bool,
}

/// Sessions from before people were told apart are those of the one person there was.
fn local_person() -> String {
    LOCAL_PERSON.to_owned()
}

/// The right to write to a session, until another owner claims it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lease {
    /// The session.
    pub session: SessionId,
    /// The owner's name.
    pub owner: String,
    /// The number of claims so far. A lease with a smaller epoch is lost.
    pub epoch: u64,
}

/// The writes of one transaction. A row replaces the one with the same key.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Batch {
    /// Events for the log, in this order, all at the time `at`. Puts and removals are also applied to
    /// the record. [Transient](EventBody::is_transient) events are invalid here.
    pub events: Vec<EventBody>,
    /// The turn of the events. The default is the last row of `turns`, or else the session's last turn.
    pub turn: Option<TurnId>,
    /// The time of the events.
    pub at: Timestamp,
    /// Turns, with the key `n`.
    pub turns: Vec<TurnRow>,
    /// Steps, with the key `(turn, step)`.
    pub steps: Vec<StepRow>,
    /// Calls, with the key `id`.
    pub calls: Vec<CallRow>,
    /// Requests, with the key `id`. A settled request is not replaced, unless it was
    /// [withdrawn](Reply::Withdrawn).
    pub pending: Vec<RequestRow>,
    /// Calls whose outputs stay until they expire.
    pub keep_outputs: Vec<CallId>,
    /// Calls whose outputs are deleted, except kept ones, and whose open requests are
    /// [withdrawn](Reply::Withdrawn). Applied after everything else in the batch.
    pub drop_calls: Vec<CallId>,
    /// A summary that replaces everything before its `(turn, step)`.
    pub summary: Option<Summary>,
    /// The session's new title.
    pub title: Option<String>,
    /// The session's new meta.
    pub meta: Option<Map<String, Value>>,
    /// Whether untrusted content enters the model's context with this batch. The session is
    /// [tainted](SessionRow::tainted) from then on.
    pub tainted: bool,
}

/// A turn: from a prompt to the model's last answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TurnRow {
    /// The number within the session, from 1.
    pub n: u32,
    /// The id.
    pub id: TurnId,
    /// The person's prompt; for a press, a line that names its tool.
    pub prompt: String,
    /// What started it.
    pub origin: Origin,
    /// The widget that was pressed, if it was a press.
    pub item: Option<ItemId>,
    /// The revision of the widget that the person saw.
    pub rev: Option<u64>,
    /// The path of the pressed action within the widget's view.
    #[serde(default)]
    pub path: Option<String>,
    /// Whether the model answers after the call of the press.
    #[serde(default)]
    pub asks_model: bool,
    /// The turn whose prompt it runs again, if it is a retry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<TurnId>,
    /// Whether a retry has retracted it: its items are removed, and the model is no longer sent it.
    #[serde(default)]
    pub retracted: bool,
    /// The time of its start.
    pub start: Timestamp,
    /// How it ended; none while it runs.
    pub status: Option<Status>,
}

/// One complete answer of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StepRow {
    /// The turn's `n`.
    pub turn: u32,
    /// The number within the turn, from 1.
    pub step: u32,
    /// The model that answered.
    pub model: String,
    /// The answer: text and tool calls.
    pub finished: Finished,
}

/// One call of a step and its state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallRow {
    /// The id.
    pub id: CallId,
    /// The turn's `n`.
    pub turn: u32,
    /// The step within the turn.
    pub step: u32,
    /// The number within the step, from 1.
    pub n: u32,
    /// Plugin and tool, such as `weather.forecast`.
    pub function: String,
    /// The input, as checked, shown and approved.
    pub input: Value,
    /// The state.
    pub state: CallState,
    /// The result that the model reads, once the call is settled.
    pub reply: Option<ToolResult>,
    /// The whole text of the result, if it is too long and `reply` has only its head and tail. The
    /// model can read on in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_text: Option<String>,
    /// The plugin's digest, if a plugin runs the call.
    pub digest: Option<String>,
    /// Whether it may be run again after a crash: the tool says that it only reads, and the call has
    /// neither been approved nor written anything.
    pub read_only: bool,
}

/// The state of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CallState {
    /// The model requested it.
    Proposed,
    /// It waits for approval; nothing has run yet.
    Approval,
    /// It has started. After a crash its effects are unknown.
    Running,
    /// It has ended.
    Settled,
}

/// A summary that replaces older messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// The turn of the first step that is still sent in full.
    pub turn: u32,
    /// That step.
    pub step: u32,
    /// The text that replaces everything before.
    pub text: String,
}

impl Summary {
    /// Returns the summary of everything before this step.
    #[must_use]
    pub fn new(turn: u32, step: u32, text: impl Into<String>) -> Self {
        Self {
            turn,
            step,
            text: text.into(),
        }
    }

    /// Returns what replaces a summary that no longer holds: nothing is cut, and nothing is said instead.
    #[must_use]
    pub fn none() -> Self {
        Self {
            turn: 0,
            step: 0,
            text: String::new(),
        }
    }
}

/// All rows of a session.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Snapshot {
    /// The session itself.
    pub session: SessionRow,
    /// Turns, ordered by `n`.
    pub turns: Vec<TurnRow>,
    /// Steps, ordered by `(turn, step)`.
    pub steps: Vec<StepRow>,
    /// Calls, ordered by `(turn, step, n, id)`.
    pub calls: Vec<CallRow>,
    /// The items of the record, in its order.
    pub items: Vec<Item>,
    /// Open and settled requests, oldest first.
    pub pending: Vec<RequestRow>,
    /// The latest summary.
    pub summary: Option<Summary>,
    /// The last `seq` of the log; 0 if it is empty.
    pub seq: u64,
}

/// A request to a person, open or settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RequestRow {
    /// The id, unique in the store.
    pub id: RequestId,
    /// The session it belongs to.
    pub session: SessionId,
    /// The call that waits.
    pub call: CallId,
    /// The plugin of that call.
    pub plugin: String,
    /// Whether it is a question or an approval request.
    pub kind: RequestKind,
    /// What the person is shown, as JSON: a question, or an
    /// [`ApprovalRequest`](crate::policy::ApprovalRequest).
    pub body: Value,
    /// What a verdict is bound to: call, input hash, digest. A verdict does not apply to another binding.
    pub binding: Option<String>,
    /// Whether the answer may be stored, and so given from another process. A secret may not: the store
    /// drops its value. Once false, it stays false.
    pub recordable: bool,
    /// When it was opened.
    pub since: Timestamp,
    /// When it expires.
    pub expires: Option<Timestamp>,
    /// How it was settled; none while it is open.
    pub reply: Option<Reply>,
}

/// The kind of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RequestKind {
    /// A question.
    Ask,
    /// An approval request.
    Approval,
    /// A request for a folder of the machine: an approval request that needs one.
    Binding,
}

/// How a request was settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Reply {
    /// An answer.
    Answer {
        /// The value; none if it is a secret.
        value: Option<Value>,
        /// Who gave it, if known.
        by: Option<String>,
        /// The time of the reply.
        at: Timestamp,
    },
    /// The person chose not to answer.
    Skip {
        /// Who skipped it, if known.
        by: Option<String>,
        /// The time of the reply.
        at: Timestamp,
    },
    /// A verdict.
    Verdict {
        /// `deny`, `once`, `session` or `always`.
        verdict: Verdict,
        /// A comment for the model.
        words: Option<String>,
        /// The folder of the machine that was named, if the request is for one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        folder: Option<String>,
        /// Whether the plugin may only read in it, whatever it asked for.
        #[serde(default, skip_serializing_if = "is_false")]
        read_only: bool,
        /// Who gave it, if known.
        by: Option<String>,
        /// The time of the reply.
        at: Timestamp,
    },
    /// Nobody replied in time.
    Expired {
        /// The time of expiry.
        at: Timestamp,
    },
    /// Nobody could be asked.
    NoPerson {
        /// The time at which that was noticed.
        at: Timestamp,
    },
    /// The call ended before anybody replied.
    #[serde(rename = "gone")]
    Withdrawn {
        /// The time of the reply.
        at: Timestamp,
    },
}

impl Reply {
    /// Returns the time of the reply.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Answer { at, .. }
            | Self::Skip { at, .. }
            | Self::Verdict { at, .. }
            | Self::Expired { at }
            | Self::NoPerson { at }
            | Self::Withdrawn { at } => *at,
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_false(yes: &bool) -> bool {
    !yes
}

/// The outcome of settling a request.
#[derive(Debug, Clone, PartialEq)]
pub enum SettleOutcome {
    /// The reply counts.
    Accepted,
    /// Another reply came first, namely this one. Also returned for a request that has expired.
    AlreadySettled(Reply),
    /// There is no such request.
    Unknown,
}

/// Content for the person, kept outside the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OutputRow {
    /// The id, of the form that `vocabulary::item::is_output_id` accepts.
    pub id: ItemId,
    /// The session that may see it, and whose person may.
    pub session: SessionId,
    /// The plugin that made it, and may read it.
    pub plugin: String,
    /// The call that made it.
    pub call: CallId,
    /// The title that the person sees.
    pub title: String,
    /// The kind, which decides how a surface draws it.
    pub kind: String,
    /// The media type.
    pub mime_type: String,
    /// The size in bytes.
    pub size: u64,
    /// The time of storing.
    pub created: Timestamp,
    /// The time from which on it is expired.
    pub expires: Timestamp,
    /// Additional members for the surface that draws it.
    pub meta: Option<Value>,
}

/// Limits on the bytes of outputs, without expired ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Quota {
    /// Of one output.
    pub output: u64,
    /// Of one session.
    pub session: u64,
    /// Of all sessions together.
    pub total: u64,
}

impl Quota {
    /// Returns the limits on one output, on those of one session, and on all together.
    #[must_use]
    pub fn new(output: u64, session: u64, total: u64) -> Self {
        Self {
            output,
            session,
            total,
        }
    }
}

impl Default for Quota {
    fn default() -> Self {
        Self {
            output: 32 << 20,
            session: 64 << 20,
            total: 1 << 30,
        }
    }
}
