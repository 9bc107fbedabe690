//! The events of a call's stream, and how a call ends.

use crate::call::fault::Fault;
use crate::policy::ApprovalRequest;
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{CallId, Item, RequestId};
use footlight_vocabulary::question::Question;
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;

/// An event of a [`Call`](crate::Call), in the order in which things happen.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CallEvent {
    /// A `put` or `remove` of the call's record, or its `progress`, which is not recorded.
    Event(EventBody),
    /// The tool is approved and about to run. The guest starts only after this event was taken from
    /// the stream, so that a caller can first store that the call may have effects.
    Started,
    /// An operation of the running call was approved, or the call is about to write state. The guest
    /// continues only after this event was taken from the stream, so that a caller can first store
    /// that the call must not run again. Emitted once.
    TakesEffect,
    /// The plugin asks the person: reply with [`Host::answer`](crate::Host::answer).
    Asked {
        /// The id to reply to.
        id: RequestId,
        /// The plugin that asks.
        plugin: String,
        /// The question.
        question: Question,
    },
    /// An approval is requested: reply with [`Host::decide`](crate::Host::decide).
    Approval {
        /// The id to reply to.
        id: RequestId,
        /// The plugin that needs the approval.
        plugin: String,
        /// What the person is shown: the host's facts, then the plugin's words.
        ask: Box<ApprovalRequest>,
    },
    /// The end of the call and of the stream.
    Finished(Box<CallOutcome>),
}

/// How a call ended: the result or why there is none, what the model reads of it, and what the call leaves
/// in the record.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CallOutcome {
    /// The call's id.
    pub call: CallId,
    /// The tool's result.
    pub result: Result<SemanticResult, Failure>,
    /// What the model reads instead of the result.
    pub model: Value,
    /// The record of the call: its tool item, then its widgets, questions and outputs.
    pub items: Vec<Item>,
    /// The plugin's log.
    pub log: Vec<String>,
}

/// Why a call failed. A failure is an answer that the model reads, not an error of the host.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// The reason, for programs.
    pub code: FailureCode,
    /// One sentence for the model.
    pub message: String,
    /// Details for the model.
    pub details: Option<Value>,
    /// The fault, if the host stopped the call.
    pub fault: Option<Fault>,
    /// One sentence with a remedy for the person, if the host stopped the call.
    pub advice: Option<String>,
}

impl Failure {
    /// Makes a failure with a code and a sentence for the model.
    pub fn new(code: FailureCode, message: impl Into<String>) -> Self {
        Self {
            code,
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
