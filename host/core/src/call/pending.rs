//! Questions and approvals of running calls that wait for a person, by id.
//!
//! Anybody who knows the id can reply, from any thread; the first reply counts. A request is
//! removed when its call stops waiting.

use crate::policy::FolderBinding;
use crate::sync::lock;
use footlight_vocabulary::answer::{Answer, AnswerError};
use footlight_vocabulary::item::{RequestId, Verdict};
use footlight_vocabulary::question::Question;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// The reply to a question.
#[derive(Debug)]
pub(crate) enum QuestionReply {
    /// An answer that fits the question, and who gave it, if known.
    Answer(Answer, Option<String>),
    /// The person skipped the question. Who did, if known.
    Skip(Option<String>),
    /// No person replied.
    NoReply(NoReply),
}

/// The reply to an approval request.
#[derive(Debug)]
pub(crate) enum ApprovalReply {
    /// A person's verdict.
    Verdict {
        verdict: Verdict,
        /// The person's words for the model.
        words: Option<String>,
        /// Who decided, if known.
        by: Option<String>,
        /// The folder of the machine that was named.
        folder: Option<FolderBinding>,
    },
    /// No person replied.
    NoReply(NoReply),
}

/// Why nobody can be asked.
pub(crate) const NO_PERSON: &str = "no terminal or page is connected";

/// What the model reads when nobody can be asked.
pub(crate) const NOBODY: &str = "nobody can be asked: no terminal or page is connected";

/// Why no person replied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoReply {
    /// Nobody can be reached.
    NoPerson,
    /// The request expired.
    Expired,
}

/// Why a reply was not accepted. The request is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplyError {
    /// No request is pending under this id: it is unknown, already settled, or its call ended.
    #[error("no request is pending under this id; it may be settled already")]
    NotPending,
    /// The answer does not fit the question. Another answer can be given.
    #[error(transparent)]
    InvalidAnswer(AnswerError),
    /// This verdict is not offered.
    #[error("the verdict `{}` is not offered", .0.as_str())]
    NotOffered(Verdict),
    /// The request is for a folder, and none was named or offered.
    #[error("the request needs a folder of the machine; name one, or deny it")]
    NeedsFolder,
    /// The request is not for a folder, and one was named.
    #[error("the request is not for a folder; decide it without one")]
    TakesNoFolder,
    /// The folder cannot be granted. Another one can be named.
    #[error(transparent)]
    Folder(crate::power::folder::FolderError),
}

enum PendingRequest {
    Question(Question, oneshot::Sender<QuestionReply>),
    Approval {
        verdicts: Vec<Verdict>,
        /// Whether a yes needs a folder that somebody names; none if the request is not for a folder.
        needs_folder: Option<bool>,
        send: oneshot::Sender<ApprovalReply>,
    },
}

/// The pending requests of a host.
#[derive(Clone, Default)]
pub(crate) struct PendingRequests(Arc<Mutex<HashMap<RequestId, PendingRequest>>>);

/// Removes a request when its call stops waiting for a reply.
pub(crate) struct PendingGuard {
    pending: PendingRequests,
    id: RequestId,
}

impl Drop for PendingGuard {
    fn drop(&mut self) {
        lock(&self.pending.0).remove(&self.id);
    }
}

impl PendingRequests {
    pub(crate) fn insert_question(
        &self,
        id: RequestId,
        question: Question,
    ) -> (PendingGuard, oneshot::Receiver<QuestionReply>) {
        let (send, receive) = oneshot::channel();
        let request = PendingRequest::Question(question, send);
        (self.insert(id, request), receive)
    }

    pub(crate) fn insert_approval(
        &self,
        id: RequestId,
        verdicts: Vec<Verdict>,
        needs_folder: Option<bool>,
    ) -> (PendingGuard, oneshot::Receiver<ApprovalReply>) {
        let (send, receive) = oneshot::channel();
        let request = PendingRequest::Approval {
            verdicts,
            needs_folder,
            send,
        };
        (self.insert(id, request), receive)
    }

    fn insert(&self, id: RequestId, request: PendingRequest) -> PendingGuard {
        lock(&self.0).insert(id.clone(), request);
        let pending = self.clone();
        PendingGuard { pending, id }
    }

    /// Checks an answer against its question and replies with it.
    pub(crate) fn answer(
        &self,
        id: &RequestId,
        given: Value,
        by: Option<String>,
    ) -> Result<(), ReplyError> {
        let answer = match lock(&self.0).get(id) {
            Some(PendingRequest::Question(question, _)) => question.check(given),
            _ => return Err(ReplyError::NotPending),
        };
        let answer = answer.map_err(ReplyError::InvalidAnswer)?;
        self.reply(id, QuestionReply::Answer(answer, by))
    }

    /// Replies to a question. An [`Answer`] must have been checked against this very question.
    pub(crate) fn reply(&self, id: &RequestId, reply: QuestionReply) -> Result<(), ReplyError> {
        let mut pending = lock(&self.0);
        match pending.remove(id) {
            Some(PendingRequest::Question(_, send)) => {
                send.send(reply).map_err(|_| ReplyError::NotPending)
            }
            Some(approval) => {
                pending.insert(id.clone(), approval);
                Err(ReplyError::NotPending)
            }
            None => Err(ReplyError::NotPending),
        }
    }

    /// Replies to an approval request with a verdict that it offers, and for a folder perhaps with the
    /// folder of the machine.
    pub(crate) fn decide(
        &self,
        id: &RequestId,
        verdict: Verdict,
        words: Option<String>,
        by: Option<String>,
        folder: Option<FolderBinding>,
    ) -> Result<(), ReplyError> {
        let mut pending = lock(&self.0);
        let Some(PendingRequest::Approval {
            verdicts,
            needs_folder,
            ..
        }) = pending.get(id)
        else {
            return Err(ReplyError::NotPending);
        };
        // Denying is always possible.
        if verdict != Verdict::Deny {
            if !verdicts.contains(&verdict) {
                return Err(ReplyError::NotOffered(verdict));
            }
            match (needs_folder, &folder) {
                (Some(true), None) => return Err(ReplyError::NeedsFolder),
                (None, Some(_)) => return Err(ReplyError::TakesNoFolder),
                _ => {}
            }
        }
        match pending.remove(id) {
            Some(PendingRequest::Approval { send, .. }) => {
                let reply = ApprovalReply::Verdict {
                    verdict,
                    words,
                    by,
                    folder,
                };
                send.send(reply).map_err(|_| ReplyError::NotPending)
            }
            _ => Err(ReplyError::NotPending),
        }
    }

    /// Ends a question or an approval request without a reply.
    pub(crate) fn end(&self, id: &RequestId, why: NoReply) -> Result<(), ReplyError> {
        let ended = match lock(&self.0).remove(id).ok_or(ReplyError::NotPending)? {
            PendingRequest::Question(_, send) => send.send(QuestionReply::NoReply(why)).is_ok(),
            PendingRequest::Approval { send, .. } => send.send(ApprovalReply::NoReply(why)).is_ok(),
        };
        ended.then_some(()).ok_or(ReplyError::NotPending)
    }
}
