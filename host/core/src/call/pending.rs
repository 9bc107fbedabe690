//! What waits for a person: questions and requests for leave, each by its id.
//!
//! Whoever has the id may settle it, from any thread; the first one counts. When the call that
//! waits is gone, so is the entry.

use footlight_vocabulary::answer::{Answer, AnswerError};
use footlight_vocabulary::item::{RequestId, Verdict};
use footlight_vocabulary::question::Question;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// What a person said to a question.
#[derive(Debug)]
pub(crate) enum QuestionReply {
    /// An answer that fits the question.
    Answer(Answer),
    /// They chose not to.
    Skip,
    /// Nobody did, and why.
    NoReply(NoReply),
}

/// Why nobody settled something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoReply {
    /// There was nobody after all.
    Nobody,
    /// Its time was over.
    Expired,
}

/// What a person decided, and what they wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ApprovalReply {
    pub(crate) verdict: Verdict,
    pub(crate) words: Option<String>,
    /// Who decided, where that is known.
    pub(crate) by: Option<String>,
    /// It is no verdict of a person's, and why.
    pub(crate) no_reply: Option<NoReply>,
}

/// Why a reply was not taken. Nothing changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReplyError {
    /// Nothing waits under this id: it is unknown, settled already, or its call is gone.
    NotPending,
    /// The answer does not fit the question, and how. It can be given again.
    InvalidAnswer(AnswerError),
    /// This verdict cannot be given here.
    NotOffered(Verdict),
}

impl fmt::Display for ReplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPending => {
                f.write_str("nothing waits under this id; it may have been settled already")
            }
            Self::InvalidAnswer(error) => error.fmt(f),
            Self::NotOffered(verdict) => write!(f, "`{verdict:?}` cannot be given here"),
        }
    }
}

impl std::error::Error for ReplyError {}

enum PendingRequest {
    Question(Question, oneshot::Sender<QuestionReply>),
    Approval(Vec<Verdict>, oneshot::Sender<ApprovalReply>),
}

/// Everything that waits.
#[derive(Clone, Default)]
pub(crate) struct PendingRequests(Arc<Mutex<HashMap<RequestId, PendingRequest>>>);

/// Takes its entry away when the call stops waiting, for whatever reason.
pub(crate) struct PendingGuard {
    pending: PendingRequests,
    id: RequestId,
}

impl Drop for PendingGuard {
    fn drop(&mut self) {
        self.pending.lock().remove(&self.id);
    }
}

impl PendingRequests {
    pub(crate) fn insert_question(
        &self,
        id: RequestId,
        question: Question,
    ) -> (PendingGuard, oneshot::Receiver<QuestionReply>) {
        let (send, receive) = oneshot::channel();
        (
            self.insert(id, PendingRequest::Question(question, send)),
            receive,
        )
    }

    pub(crate) fn insert_approval(
        &self,
        id: RequestId,
        verdicts: Vec<Verdict>,
    ) -> (PendingGuard, oneshot::Receiver<ApprovalReply>) {
        let (send, receive) = oneshot::channel();
        (
            self.insert(id, PendingRequest::Approval(verdicts, send)),
            receive,
        )
    }

    fn insert(&self, id: RequestId, waiter: PendingRequest) -> PendingGuard {
        self.lock().insert(id.clone(), waiter);
        PendingGuard {
            pending: self.clone(),
            id,
        }
    }

    pub(crate) fn answer(&self, id: &RequestId, given: Value) -> Result<(), ReplyError> {
        let mut pending = self.lock();
        let Some(PendingRequest::Question(question, _)) = pending.get(id) else {
            return Err(ReplyError::NotPending);
        };
        let answer = question.check(given).map_err(ReplyError::InvalidAnswer)?;
        reply(&mut pending, id, QuestionReply::Answer(answer))
    }

    pub(crate) fn skip(&self, id: &RequestId) -> Result<(), ReplyError> {
        reply(&mut self.lock(), id, QuestionReply::Skip)
    }

    pub(crate) fn nobody(&self, id: &RequestId) -> Result<(), ReplyError> {
        self.no_reply(id, NoReply::Nobody)
    }

    pub(crate) fn expire(&self, id: &RequestId) -> Result<(), ReplyError> {
        self.no_reply(id, NoReply::Expired)
    }

    fn no_reply(&self, id: &RequestId, why: NoReply) -> Result<(), ReplyError> {
        match self.lock().remove(id) {
            Some(PendingRequest::Question(_, send)) => send
                .send(QuestionReply::NoReply(why))
                .map_err(|_| ReplyError::NotPending),
            Some(PendingRequest::Approval(_, send)) => {
                let decided = ApprovalReply {
                    verdict: Verdict::Deny,
                    words: None,
                    by: None,
                    no_reply: Some(why),
                };
                send.send(decided).map_err(|_| ReplyError::NotPending)
            }
            None => Err(ReplyError::NotPending),
        }
    }

    pub(crate) fn decide(&self, id: &RequestId, decided: ApprovalReply) -> Result<(), ReplyError> {
        let mut pending = self.lock();
        let Some(PendingRequest::Approval(verdicts, _)) = pending.get(id) else {
            return Err(ReplyError::NotPending);
        };
        if decided.verdict != Verdict::Deny && !verdicts.contains(&decided.verdict) {
            return Err(ReplyError::NotOffered(decided.verdict));
        }
        match pending.remove(id) {
            Some(PendingRequest::Approval(_, send)) => {
                send.send(decided).map_err(|_| ReplyError::NotPending)
            }
            _ => Err(ReplyError::NotPending),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, PendingRequest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn reply(
    pending: &mut HashMap<RequestId, PendingRequest>,
    id: &RequestId,
    reply: QuestionReply,
) -> Result<(), ReplyError> {
    match pending.remove(id) {
        Some(PendingRequest::Question(_, send)) => {
            send.send(reply).map_err(|_| ReplyError::NotPending)
        }
        Some(other) => {
            // A question's reply to a request for leave: it keeps waiting.
            pending.insert(id.clone(), other);
            Err(ReplyError::NotPending)
        }
        None => Err(ReplyError::NotPending),
    }
}
