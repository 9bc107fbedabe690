//! Replies to the pending requests of sessions, by id.
//!
//! A [`Session`](super::Session) settles its own requests only, a [`Person`](super::Person) those of
//! their sessions. The functions of this module settle those of every session: they are for whoever
//! administers the host.
//!
//! A reply is checked against the stored request before it is stored, because the process that waits
//! for it may be another one, or may not run yet. A reply that a resumed session would not use, because
//! its call was interrupted, is refused.

use super::Session;
use crate::call::stage::now;
use crate::host::HOST_ID;
use crate::policy::{ApprovalRequest, FolderBinding, FolderRequest};
use crate::power::folder::FolderError;
use crate::store::{
    CallRow, CallState, Reply, RequestKind, RequestRow, SettleOutcome, Store, StoreError,
};
use footlight_vocabulary::answer::{Answer, AnswerError};
use footlight_vocabulary::item::{RequestId, SessionId, Verdict};
use footlight_vocabulary::manifest::Mode;
use footlight_vocabulary::question::Question;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The owner that a session without a process is claimed for, while a reply is checked.
const OWNER: &str = "reply";

/// How long such a claim lasts at most, should this process die meanwhile.
const CLAIM: Duration = Duration::from_secs(5);

/// Why a reply was not accepted. The request is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettleError {
    /// No request has this id, or it belongs to another session or another person.
    #[error("no request is pending under this id")]
    Unknown,
    /// The request is settled already, with this reply.
    #[error("this request is settled already")]
    Settled(Reply),
    /// The answer does not fit the question. Another answer can be given.
    #[error(transparent)]
    InvalidAnswer(AnswerError),
    /// The request is of this other kind.
    #[error("this request is {}", match .0 {
        RequestKind::Ask => "a question: give an answer",
        RequestKind::Approval => "for an approval: give a verdict",
        RequestKind::Binding => "for a folder: give a verdict, and name the folder",
    })]
    WrongKind(RequestKind),
    /// The request does not offer this verdict.
    #[error("the verdict `{}` is not offered", .0.as_str())]
    NotOffered(Verdict),
    /// The request is for a folder, and no folder was named or offered. Only whoever runs the session
    /// can name one.
    #[error("this request needs a folder: name one where it was asked, or deny it")]
    NeedsFolder,
    /// The folder cannot be granted. Another one can be named.
    #[error(transparent)]
    Folder(FolderError),
    /// The question asks for a secret, which only the process that asks can accept.
    #[error("this asks for a secret, which is never stored: answer it where it was asked")]
    Secret,
    /// The call that asked ended with its process, and a resumed session would not use the reply.
    #[error("the call that asked was interrupted, and nothing waits for this reply")]
    Interrupted(SessionId),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for SettleError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Answers a question of any session: with a value for its only field, or with an object of values.
///
/// # Errors
/// When no question is pending under this id, or the answer does not fit it.
pub async fn answer(
    store: &dyn Store,
    id: &RequestId,
    value: Value,
    by: Option<String>,
) -> Result<(), SettleError> {
    Replier::administrator(store, by).answer(id, value).await
}

/// Skips a question of any session.
///
/// # Errors
/// When no question is pending under this id.
pub async fn skip(
    store: &dyn Store,
    id: &RequestId,
    by: Option<String>,
) -> Result<(), SettleError> {
    Replier::administrator(store, by).skip(id).await
}

/// Decides an approval request of any session, with words for the model.
///
/// # Errors
/// When no approval request is pending under this id, or it does not offer this verdict.
pub async fn decide(
    store: &dyn Store,
    id: &RequestId,
    verdict: Verdict,
    words: Option<String>,
    by: Option<String>,
) -> Result<(), SettleError> {
    let replier = Replier::administrator(store, by);
    replier.decide(id, verdict, words, None).await
}

impl Session {
    /// Answers a pending question of this session. One for a secret can be answered where the turn runs.
    ///
    /// # Errors
    /// When no question of this session is pending under this id, the answer does not fit it, or it is a
    /// secret that another process waits for.
    pub async fn answer(&self, id: &RequestId, value: Value) -> Result<(), SettleError> {
        self.inner.answer(&self.replier(), id, value).await
    }

    /// Skips a pending question of this session.
    ///
    /// # Errors
    /// When no question of this session is pending under this id.
    pub async fn skip(&self, id: &RequestId) -> Result<(), SettleError> {
        self.replier().skip(id).await
    }

    /// Settles a pending question or approval request of this session because nobody can be asked.
    ///
    /// # Errors
    /// When no request of this session is pending under this id.
    pub async fn no_person(&self, id: &RequestId) -> Result<(), SettleError> {
        self.replier().no_person(id).await
    }

    /// Decides a pending approval request of this session, with words for the model.
    ///
    /// # Errors
    /// When no approval request of this session is pending under this id, or it does not offer this
    /// verdict.
    pub async fn decide(
        &self,
        id: &RequestId,
        verdict: Verdict,
        words: Option<String>,
    ) -> Result<(), SettleError> {
        self.replier().decide(id, verdict, words, None).await
    }

    /// Decides a pending request of this session for a folder, and names the folder of the machine and
    /// what the plugin may do in it at most, as [`Host::bind`](crate::Host::bind) does.
    ///
    /// # Errors
    /// When no request of this session for a folder is pending under this id, it does not offer this
    /// verdict, or the folder cannot be granted. Then another one can be named.
    pub async fn bind(
        &self,
        id: &RequestId,
        verdict: Verdict,
        folder: &Path,
        mode: Mode,
    ) -> Result<(), SettleError> {
        let path = self.inner.host.check_folder(folder);
        let folder = FolderBinding {
            path: path.map_err(SettleError::Folder)?,
            writable: mode == Mode::ReadWrite,
        };
        let replier = self.replier();
        replier.decide(id, verdict, None, Some(folder)).await
    }

    fn replier(&self) -> Replier<'_> {
        Replier {
            store: &*self.inner.store,
            may_settle: MaySettle::Session(&self.inner.id),
            by: self.settings.replies_by(),
        }
    }
}

/// Somebody who replies to requests.
pub(super) struct Replier<'a> {
    pub(super) store: &'a dyn Store,
    /// The requests that can be settled. Any other one is answered like one that does not exist.
    pub(super) may_settle: MaySettle<'a>,
    /// The name on receipts.
    pub(super) by: Option<String>,
}

/// Which requests somebody can settle.
pub(super) enum MaySettle<'a> {
    /// Those of this session.
    Session(&'a SessionId),
    /// Those of all sessions of this person.
    Person(&'a str),
    /// All.
    All,
}

impl<'a> Replier<'a> {
    fn administrator(store: &'a dyn Store, by: Option<String>) -> Self {
        let may_settle = MaySettle::All;
        Self {
            store,
            may_settle,
            by,
        }
    }

    /// Answers a question that asks for no secret.
    pub(super) async fn answer(&self, id: &RequestId, value: Value) -> Result<(), SettleError> {
        let (request, _) = self.check(id, &value).await?;
        if !request.recordable {
            return Err(SettleError::Secret);
        }
        self.settle_answer(id, Some(value)).await
    }

    /// Checks a value against a pending question.
    pub(super) async fn check(
        &self,
        id: &RequestId,
        value: &Value,
    ) -> Result<(RequestRow, Answer), SettleError> {
        let request = self.open(id, &[RequestKind::Ask]).await?;
        let answer = question(&request)?.check(value.clone());
        Ok((request, answer.map_err(SettleError::InvalidAnswer)?))
    }

    /// Stores an answer that was checked, or without a value that the question was answered with a
    /// secret.
    pub(super) async fn settle_answer(
        &self,
        id: &RequestId,
        value: Option<Value>,
    ) -> Result<(), SettleError> {
        let (by, at) = (self.by.clone(), now());
        self.settle(id, Reply::Answer { value, by, at }).await
    }

    pub(super) async fn skip(&self, id: &RequestId) -> Result<(), SettleError> {
        self.open(id, &[RequestKind::Ask]).await?;
        let (by, at) = (self.by.clone(), now());
        self.settle(id, Reply::Skip { by, at }).await
    }

    /// Settles a request because nobody can be asked.
    pub(super) async fn no_person(&self, id: &RequestId) -> Result<(), SettleError> {
        self.request(id).await?;
        self.settle(id, Reply::NoPerson { at: now() }).await
    }

    pub(super) async fn decide(
        &self,
        id: &RequestId,
        verdict: Verdict,
        words: Option<String>,
        folder: Option<FolderBinding>,
    ) -> Result<(), SettleError> {
        let kinds: &[_] = match folder {
            None => &[RequestKind::Approval, RequestKind::Binding],
            Some(_) => &[RequestKind::Binding],
        };
        let request = self.open(id, kinds).await?;
        // Denying is always possible.
        if verdict != Verdict::Deny {
            let ask = approval_request(&request);
            let ask = ask.ok_or(SettleError::NotOffered(verdict))?;
            if !ask.options.iter().any(|option| option.verdict == verdict) {
                return Err(SettleError::NotOffered(verdict));
            }
            let is_offered = |asked: &FolderRequest| asked.offered.is_some();
            if folder.is_none() && !ask.folder.as_ref().is_none_or(is_offered) {
                return Err(SettleError::NeedsFolder);
            }
        }
        let reply = Reply::Verdict {
            verdict,
            words,
            read_only: folder.as_ref().is_some_and(|folder| !folder.writable),
            folder: folder.map(|folder| folder.path),
            by: self.by.clone(),
            at: now(),
        };
        self.settle(id, reply).await
    }

    async fn open(&self, id: &RequestId, kinds: &[RequestKind]) -> Result<RequestRow, SettleError> {
        let request = self.request(id).await?;
        if let Some(reply) = request.reply {
            return Err(SettleError::Settled(reply));
        }
        if !kinds.contains(&request.kind) {
            return Err(SettleError::WrongKind(request.kind));
        }
        if !is_waited_for(self.store, &request).await? {
            return Err(SettleError::Interrupted(request.session));
        }
        Ok(request)
    }

    /// Returns a request that can be settled, or was.
    async fn request(&self, id: &RequestId) -> Result<RequestRow, SettleError> {
        let request = self.store.request(id).await?;
        let request = request.ok_or(SettleError::Unknown)?;
        let is_own = match self.may_settle {
            MaySettle::Session(own) => request.session == *own,
            MaySettle::Person(person) => {
                let session = self.store.session(&request.session).await;
                match session {
                    Err(StoreError::NoSession(_)) => false,
                    session => session?.person == person,
                }
            }
            MaySettle::All => true,
        };
        is_own.then_some(request).ok_or(SettleError::Unknown)
    }

    async fn settle(&self, id: &RequestId, reply: Reply) -> Result<(), SettleError> {
        match self.store.settle(id, reply).await? {
            SettleOutcome::Accepted => Ok(()),
            SettleOutcome::AlreadySettled(reply) => Err(SettleError::Settled(reply)),
            SettleOutcome::Unknown => Err(SettleError::Unknown),
        }
    }
}

/// Parses the approval request in a stored row.
pub(super) fn approval_request(request: &RequestRow) -> Option<ApprovalRequest> {
    serde_json::from_value(request.body.clone()).ok()
}

pub(super) fn question(request: &RequestRow) -> Result<Question, SettleError> {
    let damaged =
        |_| StoreError::Damaged(format!("the question `{}` cannot be read", request.id).into());
    Ok(serde_json::from_value(request.body.clone()).map_err(damaged)?)
}

/// Reports whether a reply to a pending request would be accepted: not if the call that asked was interrupted.
///
/// # Errors
/// When the store fails.
pub async fn is_waited_for(store: &dyn Store, request: &RequestRow) -> Result<bool, StoreError> {
    let session = &request.session;
    let calls = store.open(session).await?.calls;
    let call = calls.iter().find(|row| row.id == request.call);
    if call.is_some_and(|call| is_used_after_restart(request, call)) {
        return Ok(true);
    }
    // Only a live process can use it, and then the session cannot be claimed.
    match store.claim(session, OWNER, CLAIM).await {
        Err(StoreError::Owned { .. }) => Ok(true),
        claimed => store.release(&claimed?).await.map(|()| false),
    }
}

/// Reports whether a resumed session uses a reply that was given while no process ran it.
fn is_used_after_restart(request: &RequestRow, call: &CallRow) -> bool {
    match request.kind {
        // A question of the model is asked by the host. A plugin's question ends with its guest: a call
        // that runs again asks again, under another id.
        RequestKind::Ask => request.plugin == HOST_ID,
        // An approval is requested again under the same id, if the call runs at all.
        RequestKind::Approval | RequestKind::Binding => match call.state {
            CallState::Proposed | CallState::Approval => true,
            CallState::Running => call.read_only,
            CallState::Settled => false,
        },
    }
}
