//! The rows of a [`Store`](super::Store), and what goes in and out with them.
//!
//! Those that are serialised are stored as JSON, so a member that is added later needs a default.

use crate::model::{Finished, Returned};
use footlight_vocabulary::event::{Happening, Origin, Status};
use footlight_vocabulary::item::{
    CallId, Item, ItemId, RequestId, SessionId, Timestamp, TurnId, Verdict,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A session, without what was said in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    /// Which.
    pub id: SessionId,
    /// When it was made.
    pub created: Timestamp,
    /// When it was last written to. From the first commit on the store sees to it.
    pub updated: Timestamp,
    /// The first prompt, cut: what a person knows it by.
    pub title: String,
    /// How many turns it has. From the first commit on the store sees to it.
    pub turns: u32,
    /// What is needed to open it again: plugins, model. The session's own business.
    pub meta: Map<String, Value>,
}

/// The right to write to a session, until it is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// The session.
    pub session: SessionId,
    /// Who has it, as they call themselves.
    pub owner: String,
    /// How often the session has been taken: who has a smaller number has lost it.
    pub epoch: u64,
}

/// What one transaction writes. Rows replace those with the same key.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Batch {
    /// For the log, in this order, all at the time `at`. Puts and removals are also applied to the
    /// record. What is [transient](Happening::is_transient) has no place here.
    pub events: Vec<Happening>,
    /// The turn of the events. Without it that of the last row of `turns`, and without those the
    /// session's last one.
    pub turn: Option<TurnId>,
    /// When it happened.
    pub at: Timestamp,
    /// By `n`.
    pub turns: Vec<TurnRow>,
    /// By `(turn, step)`.
    pub steps: Vec<StepRow>,
    /// By `id`.
    pub calls: Vec<CallRow>,
    /// By `id`; one that is settled in the store already stays as it is, unless it is
    /// [`Reply::Withdrawn`].
    pub pending: Vec<RequestRow>,
    /// Calls whose outputs are kept from now on, until they expire.
    pub keep_outputs: Vec<CallId>,
    /// Calls whose outputs go, save kept ones, and whose open requests are settled as
    /// [`Reply::Withdrawn`]. After everything else in the batch.
    pub drop_calls: Vec<CallId>,
    /// A summary that stands for everything before `(turn, step)`.
    pub summary: Option<Summary>,
    /// The session's new title.
    pub title: Option<String>,
    /// The session's new meta.
    pub meta: Option<Map<String, Value>>,
}

/// From a prompt to the last word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnRow {
    /// Which turn of the session, from 1.
    pub n: u32,
    /// Its id.
    pub id: TurnId,
    /// What the person said; of an action the line that the model sees.
    pub prompt: String,
    /// What began it.
    pub origin: Origin,
    /// The widget whose action it is.
    pub item: Option<ItemId>,
    /// The revision of that widget which the person saw.
    pub rev: Option<u64>,
    /// The place of that action in the widget's view.
    #[serde(default)]
    pub path: Option<String>,
    /// When it began.
    pub start: Timestamp,
    /// How it ended; nothing while it goes on.
    pub status: Option<Status>,
}

/// One answer of the model, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepRow {
    /// The turn's `n`.
    pub turn: u32,
    /// Which answer within the turn, from 1.
    pub step: u32,
    /// The model that gave it.
    pub model: String,
    /// What it said and asked for.
    pub finished: Finished,
}

/// One call of a step and how it stands with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallRow {
    /// Which call.
    pub id: CallId,
    /// The turn's `n`.
    pub turn: u32,
    /// The step within the turn.
    pub step: u32,
    /// Which call of the step, from 1.
    pub n: u32,
    /// Plugin and tool, such as `weather.forecast`.
    pub function: String,
    /// The input that was checked, shown and approved.
    pub input: Value,
    /// How it stands.
    pub state: CallState,
    /// What the model reads of it, once it is settled.
    pub reply: Option<Returned>,
    /// The plugin's digest, where there is a plugin.
    pub digest: Option<String>,
    /// Whether it may be run again when a crash interrupted it.
    pub read_only: bool,
}

/// How it stands with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CallState {
    /// The model asked for it.
    Proposed,
    /// It waits for a verdict; nothing of it has run.
    Approval,
    /// It has begun. After a crash nobody knows what it did.
    Running,
    /// It is over.
    Settled,
}

/// A summary that stands for older messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The turn of the first step that is still sent whole.
    pub turn: u32,
    /// That step.
    pub step: u32,
    /// What stands for everything before.
    pub text: String,
}

/// Everything of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// The session itself.
    pub session: SessionRow,
    /// By `n`.
    pub turns: Vec<TurnRow>,
    /// By `(turn, step)`.
    pub steps: Vec<StepRow>,
    /// By `(turn, step, n, id)`.
    pub calls: Vec<CallRow>,
    /// The record, in its order.
    pub items: Vec<Item>,
    /// What waits for a person and what did, oldest first.
    pub pending: Vec<RequestRow>,
    /// The last summary.
    pub summary: Option<Summary>,
    /// The last `seq` of the log; 0 if it is empty.
    pub seq: u64,
}

/// Something that waits for a person, or did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestRow {
    /// Which request: the only one of this id in the store.
    pub id: RequestId,
    /// The session it belongs to.
    pub session: SessionId,
    /// The call that waits.
    pub call: CallId,
    /// The plugin of that call.
    pub plugin: String,
    /// An ask or an approval.
    pub kind: RequestKind,
    /// What the person is shown: a question, or an ask of policy, as JSON.
    pub body: Value,
    /// What a verdict is bound to: call, input hash, digest. A row whose binding differs is void.
    pub binding: Option<String>,
    /// Whether an answer may be recorded, and so given from another process: not a secret. Of one
    /// that may not, the store drops the value; and once it may not, it never may.
    pub recordable: bool,
    /// When it began to wait.
    pub since: Timestamp,
    /// When it is too late.
    pub expires: Option<Timestamp>,
    /// How it was settled; nothing while it waits.
    pub reply: Option<Reply>,
}

/// What waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RequestKind {
    /// A question of a plugin's.
    Ask,
    /// A call that needs a verdict.
    Approval,
}

/// How a request was settled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Reply {
    /// An answer.
    Answer {
        /// Its value; nothing where that is a secret.
        value: Option<Value>,
        /// Who gave it, where that is known.
        by: Option<String>,
        /// When.
        at: Timestamp,
    },
    /// The person chose not to.
    Skip {
        /// Who, where that is known.
        by: Option<String>,
        /// When.
        at: Timestamp,
    },
    /// A verdict.
    Verdict {
        /// `deny`, `once`, `session` or `always`.
        verdict: Verdict,
        /// Words for the model.
        words: Option<String>,
        /// Who gave it, where that is known.
        by: Option<String>,
        /// When.
        at: Timestamp,
    },
    /// Nobody did in time.
    Expired {
        /// When the time was over.
        at: Timestamp,
    },
    /// Its call ended without it.
    #[serde(rename = "gone")]
    Withdrawn {
        /// When.
        at: Timestamp,
    },
}

impl Reply {
    /// When it was given.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        match self {
            Self::Answer { at, .. }
            | Self::Skip { at, .. }
            | Self::Verdict { at, .. }
            | Self::Expired { at }
            | Self::Withdrawn { at } => *at,
        }
    }
}

/// What became of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum SettleOutcome {
    /// It counts.
    Accepted,
    /// Another one came first, and this is it. So it is also when the time was over.
    AlreadySettled(Reply),
    /// There is no such request.
    Unknown,
}

/// Content for the person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutputRow {
    /// Its id, of the form that `vocabulary::item::is_output_id` knows.
    pub id: ItemId,
    /// The session that may see it.
    pub session: SessionId,
    /// The plugin that made it, and may read it.
    pub plugin: String,
    /// The call that made it.
    pub call: CallId,
    /// What the person reads above it.
    pub title: String,
    /// What a surface draws it as.
    pub kind: String,
    /// Its media type.
    pub mime_type: String,
    /// How many bytes it has.
    pub size: u64,
    /// When it was stored.
    pub created: Timestamp,
    /// From when on it is gone.
    pub expires: Timestamp,
    /// Free members for the surface that draws it.
    pub meta: Option<Value>,
}

/// How many bytes of outputs a store takes, expired ones not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Of one session.
    pub session: u64,
    /// Of all sessions together.
    pub total: u64,
}

impl Default for Quota {
    fn default() -> Self {
        Self {
            session: 64 << 20,
            total: 1 << 30,
        }
    }
}

/// Whose state it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bucket {
    /// The plugin.
    pub plugin: String,
    /// The session or the person, as that plugin knows them.
    pub owner: String,
}

/// What a value must be for it to be replaced.
#[derive(Debug, Clone, PartialEq)]
pub enum Expected {
    /// Whatever it is.
    Anything,
    /// Absent.
    Absent,
    /// This JSON value, however it is written.
    Value(String),
}

/// How much a bucket holds at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketLimits {
    /// Of all keys and values together.
    pub bytes: usize,
    /// How many values.
    pub values: usize,
}

/// A bucket is full. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the bucket is full: it holds at most {} values and {} bytes", .0.values, .0.bytes)]
pub struct BucketFullError(pub BucketLimits);
