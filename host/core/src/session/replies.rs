//! Settling what waits for a person, by its id, from anywhere.
//!
//! A reply is checked against what was asked before it counts, here and not by whoever waits: it may
//! be another process that does, or nobody yet.

use crate::call::stage::now;
use crate::policy::ApprovalRequest;
use crate::store::{Reply, RequestKind, RequestRow, SettleOutcome, Store, StoreError};
use footlight_vocabulary::answer::AnswerError;
use footlight_vocabulary::item::{RequestId, Verdict};
use footlight_vocabulary::question::Question;
use serde_json::Value;
use std::fmt;

/// Why a reply was not taken. Nothing changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum SettleError {
    /// Nothing has this id.
    Unknown,
    /// It is settled already, and how.
    Settled(Reply),
    /// The answer does not fit the question, and how. It can be given again.
    InvalidAnswer(AnswerError),
    /// It is not a question, or not a request for leave.
    WrongKind(RequestKind),
    /// This verdict is not on offer.
    NotOffered(Verdict),
    /// The answer is a secret: only the process that asks may take it.
    Secret,
    /// The store failed.
    Store(StoreError),
}

impl fmt::Display for SettleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => {
                f.write_str("nothing waits under this id; `footlight pending list` shows what does")
            }
            Self::Settled(_) => f.write_str("this is settled already"),
            Self::InvalidAnswer(error) => error.fmt(f),
            Self::WrongKind(RequestKind::Ask) => f.write_str("this is a question: give an answer"),
            Self::WrongKind(RequestKind::Approval) => {
                f.write_str("this wants leave: give a verdict")
            }
            Self::NotOffered(verdict) => write!(f, "`{verdict:?}` is not on offer here"),
            Self::Secret => f.write_str(
                "this asks for a secret, which is never stored: answer it where it was asked",
            ),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SettleError {}

impl From<StoreError> for SettleError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Answers a question: a value for its only field, or an object of values.
///
/// # Errors
/// When it does not wait, is no question, or the answer does not fit.
pub async fn answer(
    store: &dyn Store,
    id: &RequestId,
    value: Value,
    by: Option<String>,
) -> Result<(), SettleError> {
    answer_with(store, id, value, by, None).await
}

/// The same where a secret can be handed on without storing it.
pub(super) async fn answer_with(
    store: &dyn Store,
    id: &RequestId,
    value: Value,
    by: Option<String>,
    keep_secret: Option<&(dyn Fn(&Value) + Sync)>,
) -> Result<(), SettleError> {
    let request = open(store, id, RequestKind::Ask).await?;
    question(&request)?
        .check(value.clone())
        .map_err(SettleError::InvalidAnswer)?;
    let stored = if request.recordable {
        Some(value)
    } else {
        keep_secret.ok_or(SettleError::Secret)?(&value);
        None
    };
    let reply = Reply::Answer {
        value: stored,
        by,
        at: now(),
    };
    settle(store, id, reply).await
}

/// Skips a question.
///
/// # Errors
/// When it does not wait, or is no question.
pub async fn skip(
    store: &dyn Store,
    id: &RequestId,
    by: Option<String>,
) -> Result<(), SettleError> {
    open(store, id, RequestKind::Ask).await?;
    settle(store, id, Reply::Skip { by, at: now() }).await
}

/// Decides on leave, with words for the model.
///
/// # Errors
/// When it does not wait, is a question, or this verdict is not on offer.
pub async fn decide(
    store: &dyn Store,
    id: &RequestId,
    verdict: Verdict,
    words: Option<String>,
    by: Option<String>,
) -> Result<(), SettleError> {
    let request = open(store, id, RequestKind::Approval).await?;
    let offered = |ask: &ApprovalRequest| ask.options.iter().any(|offer| offer.verdict == verdict);
    // A no can always be said; a yes only as far as it was shown.
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

/// The leave that a request is for; nothing if it is a question.
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
