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
pub(crate) enum Reply {
    /// An answer that fits the question.
    Answer(Answer),
    /// They chose not to.
    Skip,
    /// Nobody did, and why.
    Unheard(Unheard),
}

/// Why nobody settled something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unheard {
    /// There was nobody after all.
    Nobody,
    /// Its time was over.
    Expired,
}

/// What a person decided, and what they wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    pub(crate) verdict: Verdict,
    pub(crate) words: Option<String>,
    /// Who decided, where that is known.
    pub(crate) by: Option<String>,
    /// It is no verdict of a person's, and why.
    pub(crate) unheard: Option<Unheard>,
}

/// Why a reply was not taken. Nothing changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum NotTaken {
    /// Nothing waits under this id: it is unknown, settled already, or its call is gone.
    NotWaiting,
    /// The answer does not fit the question, and how. It can be given again.
    Unfit(AnswerError),
    /// This verdict cannot be given here.
    NotPossible(Verdict),
}

impl fmt::Display for NotTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotWaiting => {
                f.write_str("nothing waits under this id; it may have been settled already")
            }
            Self::Unfit(error) => error.fmt(f),
            Self::NotPossible(verdict) => write!(f, "`{verdict:?}` cannot be given here"),
        }
    }
}

impl std::error::Error for NotTaken {}

enum Waiter {
    Question(Question, oneshot::Sender<Reply>),
    Leave(Vec<Verdict>, oneshot::Sender<Decided>),
}

/// Everything that waits.
#[derive(Clone, Default)]
pub(crate) struct Waiting(Arc<Mutex<HashMap<RequestId, Waiter>>>);

/// Takes its entry away when the call stops waiting, for whatever reason.
pub(crate) struct Place {
    waiting: Waiting,
    id: RequestId,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.waiting.lock().remove(&self.id);
    }
}

impl Waiting {
    pub(crate) fn question(
        &self,
        id: RequestId,
        question: Question,
    ) -> (Place, oneshot::Receiver<Reply>) {
        let (send, receive) = oneshot::channel();
        (self.enter(id, Waiter::Question(question, send)), receive)
    }

    pub(crate) fn leave(
        &self,
        id: RequestId,
        verdicts: Vec<Verdict>,
    ) -> (Place, oneshot::Receiver<Decided>) {
        let (send, receive) = oneshot::channel();
        (self.enter(id, Waiter::Leave(verdicts, send)), receive)
    }

    fn enter(&self, id: RequestId, waiter: Waiter) -> Place {
        self.lock().insert(id.clone(), waiter);
        Place {
            waiting: self.clone(),
            id,
        }
    }

    pub(crate) fn answer(&self, id: &RequestId, given: Value) -> Result<(), NotTaken> {
        let mut waiting = self.lock();
        let Some(Waiter::Question(question, _)) = waiting.get(id) else {
            return Err(NotTaken::NotWaiting);
        };
        let answer = question.check(given).map_err(NotTaken::Unfit)?;
        reply(&mut waiting, id, Reply::Answer(answer))
    }

    pub(crate) fn skip(&self, id: &RequestId) -> Result<(), NotTaken> {
        reply(&mut self.lock(), id, Reply::Skip)
    }

    pub(crate) fn nobody(&self, id: &RequestId) -> Result<(), NotTaken> {
        self.unheard(id, Unheard::Nobody)
    }

    pub(crate) fn expire(&self, id: &RequestId) -> Result<(), NotTaken> {
        self.unheard(id, Unheard::Expired)
    }

    fn unheard(&self, id: &RequestId, why: Unheard) -> Result<(), NotTaken> {
        match self.lock().remove(id) {
            Some(Waiter::Question(_, send)) => send
                .send(Reply::Unheard(why))
                .map_err(|_| NotTaken::NotWaiting),
            Some(Waiter::Leave(_, send)) => {
                let decided = Decided {
                    verdict: Verdict::Deny,
                    words: None,
                    by: None,
                    unheard: Some(why),
                };
                send.send(decided).map_err(|_| NotTaken::NotWaiting)
            }
            None => Err(NotTaken::NotWaiting),
        }
    }

    pub(crate) fn decide(&self, id: &RequestId, decided: Decided) -> Result<(), NotTaken> {
        let mut waiting = self.lock();
        let Some(Waiter::Leave(verdicts, _)) = waiting.get(id) else {
            return Err(NotTaken::NotWaiting);
        };
        if decided.verdict != Verdict::Deny && !verdicts.contains(&decided.verdict) {
            return Err(NotTaken::NotPossible(decided.verdict));
        }
        match waiting.remove(id) {
            Some(Waiter::Leave(_, send)) => send.send(decided).map_err(|_| NotTaken::NotWaiting),
            _ => Err(NotTaken::NotWaiting),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<RequestId, Waiter>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn reply(
    waiting: &mut HashMap<RequestId, Waiter>,
    id: &RequestId,
    reply: Reply,
) -> Result<(), NotTaken> {
    match waiting.remove(id) {
        Some(Waiter::Question(_, send)) => send.send(reply).map_err(|_| NotTaken::NotWaiting),
        Some(other) => {
            // A question's reply to a request for leave: it keeps waiting.
            waiting.insert(id.clone(), other);
            Err(NotTaken::NotWaiting)
        }
        None => Err(NotTaken::NotWaiting),
    }
}
