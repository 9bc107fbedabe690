//! What moves on the stream of a call, and how a call ends.

use crate::call::fault::Fault;
use crate::policy::ApprovalRequest;
use footlight_vocabulary::item::{CallId, Change, Item, RequestId};
use footlight_vocabulary::question::Question;
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;

/// Something that happened in a call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// An item of the record is new, changed, or gone.
    Changed(Change),
    /// How far the call has come. Transient.
    Progress(Progress),
    /// The tool may run and begins to: from here on, nobody knows what a call that breaks off has
    /// done. It has not begun before this event was taken.
    Started,
    /// The plugin asks the person: settle it with [`Host::answer`](crate::Host::answer).
    Asked {
        /// What to answer to.
        id: RequestId,
        /// The plugin that asks.
        plugin: String,
        /// What it asks.
        question: Question,
    },
    /// Somebody's leave is wanted: settle it with [`Host::decide`](crate::Host::decide).
    Approval {
        /// What to decide on.
        id: RequestId,
        /// The plugin that wants it.
        plugin: String,
        /// What the person is to be shown: what the host knows, then the plugin's words.
        ask: Box<ApprovalRequest>,
    },
    /// The call has ended; nothing follows.
    Finished(Box<Ended>),
}

/// How far a call has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// Which call.
    pub call: CallId,
    /// What is being done.
    pub message: String,
    /// How much of it is done.
    pub done: Option<u64>,
    /// How much there is.
    pub total: Option<u64>,
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ended {
    /// The call's id.
    pub call: CallId,
    /// What it came to.
    pub result: Result<SemanticResult, Failure>,
    /// What the model reads of it.
    pub model: Value,
    /// The record of the call: its tool item, then what it showed, asked and stored.
    pub items: Vec<Item>,
    /// What the plugin wrote to its log.
    pub log: Vec<String>,
}

/// Why a call came to nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// A word of the contract: `invalid-input`, `denied`, `unavailable`, `cancelled`, `other` ...
    pub code: String,
    /// One sentence for the model.
    pub message: String,
    /// More, for the model.
    pub details: Option<Value>,
    /// What the host ended it for, where it was the host.
    pub fault: Option<Fault>,
    /// One sentence for the person, with the remedy, where the host ended it.
    pub advice: Option<String>,
}

impl Failure {
    pub(crate) fn new(code: &str, message: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
            details: None,
            fault: None,
            advice: None,
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Failure {}
