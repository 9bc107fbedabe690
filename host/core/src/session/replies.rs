//! Replies to the pending requests of sessions, by id.
//!
//! A reply is checked against the stored request before it is stored, because the process that waits
//! for it may be another one, or may not run yet.

use crate::call::stage::now;
use crate::policy::ApprovalRequest;
use crate::store::{Reply, RequestKind, RequestRow, SettleOutcome, Store, StoreError};
use footlight_vocabulary::answer::{Answer, AnswerError};
use footlight_vocabulary::item::{RequestId, Verdict};
use footlight_vocabulary::question::Question;
use serde_json::Value;

/// Why a reply was not accepted. The request is unchanged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettleError {
    /// No request has this id.
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
    })]
    WrongKind(RequestKind),
    /// The request does not offer this verdict.
    #[error("the verdict `{0:?}` is not offered")]
    NotOffered(Verdict),
    /// The question asks for a secret, which only the process that asks can accept.
    #[error("this asks for a secret, which is never stored: answer it where it was asked")]
    Secret,
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for SettleError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Answers a question: with a value for its only field, or with an object of values.
///
/// # Errors
/// When no question is pending under this id, or the answer does not fit it.
pub async fn answer(
    store: &dyn Store,
    id: &RequestId,
    value: Value,
    by: Option<String>,
) -> Result<(), SettleError> {
    let (request, _) = check(store, id, &value).await?;
    if !request.recordable {
        return Err(SettleError::Secret);
    }
    settle_answer(store, id, Some(value), by).await
}

/// Checks a value against a pending question.
pub(super) async fn check(
    store: &dyn Store,
    id: &RequestId,
    value: &Value,
) -> Result<(RequestRow, Answer), SettleError> {
    let request = open(store, id, RequestKind::Ask).await?;
    let answer = question(&request)?.check(value.clone());
    Ok((request, answer.map_err(SettleError::InvalidAnswer)?))
}

/// Stores an answer, or without a value that the question was answered with a secret.
pub(super) async fn settle_answer(
    store: &dyn Store,
    id: &RequestId,
    value: Option<Value>,
    by: Option<String>,
) -> Result<(), SettleError> {
    let at = now();
    settle(store, id, Reply::Answer { value, by, at }).await
}

/// Skips a question.
///
/// # Errors
/// When no question is pending under this id.
pub async fn skip(
    store: &dyn Store,
    id: &RequestId,
    by: Option<String>,
) -> Result<(), SettleError> {
    open(store, id, RequestKind::Ask).await?;
    settle(store, id, Reply::Skip { by, at: now() }).await
}

/// Decides an approval request, with words for the model.
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
    let request = open(store, id, RequestKind::Approval).await?;
    let offered =
        |ask: &ApprovalRequest| ask.options.iter().any(|option| option.verdict == verdict);
    // Denying is always possible.
    if verdict != Verdict::Deny && !approval_request(&request).as_ref().is_some_and(offered) {
        return Err(SettleError::NotOffered(verdict));
    }
    let reply = Reply::Verdict {
        verdict,
        words,
        by,
        at: now(),
    };
    settle(store, id, reply).await
}

/// Parses the approval request in a stored row.
fn approval_request(request: &RequestRow) -> Option<ApprovalRequest> {
    serde_json::from_value(request.body.clone()).ok()
}

fn question(request: &RequestRow) -> Result<Question, SettleError> {
    let damaged =
        |_| StoreError::Damaged(format!("the question `{}` cannot be read", request.id).into());
    Ok(serde_json::from_value(request.body.clone()).map_err(damaged)?)
}

async fn open(
    store: &dyn Store,
    id: &RequestId,
    kind: RequestKind,
) -> Result<RequestRow, SettleError> {
    let request = store.request(id).await?.ok_or(SettleError::Unknown)?;
    if let Some(reply) = request.reply {
        return Err(SettleError::Settled(reply));
    }
    if request.kind != kind {
        return Err(SettleError::WrongKind(request.kind));
    }
    Ok(request)
}

async fn settle(store: &dyn Store, id: &RequestId, reply: Reply) -> Result<(), SettleError> {
    match store.settle(id, reply).await? {
        SettleOutcome::Accepted => Ok(()),
        SettleOutcome::AlreadySettled(reply) => Err(SettleError::Settled(reply)),
        SettleOutcome::Unknown => Err(SettleError::Unknown),
    }
}
