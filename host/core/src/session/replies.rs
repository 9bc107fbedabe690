//! Settling what waits for a person, by its id, from anywhere.
//!
//! A reply is checked against what was asked before it counts, here and not by whoever waits: it may
//! be another process that does, or nobody yet.

use crate::call::stage::now;
use crate::policy::Ask;
use crate::store::{Pending, PendingKind, Reply, Settled, Store, StoreError};
use footlight_vocabulary::answer::AnswerError;
use footlight_vocabulary::item::{RequestId, Verdict};
use footlight_vocabulary::question::Question;
use serde_json::Value;
use std::fmt;

/// Why a reply was not taken. Nothing changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refused {
    /// Nothing has this id.
    Unknown,
    /// It is settled already, and how.
    Settled(Reply),
    /// The answer does not fit the question, and how. It can be given again.
    Unfit(AnswerError),
    /// It is not a question, or not a request for leave.
    OtherKind(PendingKind),
    /// This verdict is not on offer.
    NotOffered(Verdict),
    /// The answer is a secret: only the process that asks may take it.
    Secret,
    /// The store failed.
    Store(StoreError),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => {
                f.write_str("nothing waits under this id; `footlight pending list` shows what does")
            }
            Self::Settled(_) => f.write_str("this is settled already"),
            Self::Unfit(error) => error.fmt(f),
            Self::OtherKind(PendingKind::Ask) => f.write_str("this is a question: give an answer"),
            Self::OtherKind(PendingKind::Approval) => {
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

impl std::error::Error for Refused {}

impl From<StoreError> for Refused {
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
) -> Result<(), Refused> {
    answer_with(store, id, value, by, None).await
}

/// The same where a secret can be handed on without storing it.
pub(super) async fn answer_with(
    store: &dyn Store,
    id: &RequestId,
    value: Value,
    by: Option<String>,
    hand_on: Option<&(dyn Fn(&Value) + Sync)>,
) -> Result<(), Refused> {
    let request = open(store, id, PendingKind::Ask).await?;
    question(&request)?
        .check(value.clone())
        .map_err(Refused::Unfit)?;
    let stored = if request.recordable {
        Some(value)
    } else {
        hand_on.ok_or(Refused::Secret)?(&value);
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
pub async fn skip(store: &dyn Store, id: &RequestId, by: Option<String>) -> Result<(), Refused> {
    open(store, id, PendingKind::Ask).await?;
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
) -> Result<(), Refused> {
    let request = open(store, id, PendingKind::Approval).await?;
    let offered = |ask: &Ask| ask.offers.iter().any(|offer| offer.verdict == verdict);
    // A no can always be said; a yes only as far as it was shown.
    if verdict != Verdict::Deny && !wanted(&request).as_ref().is_some_and(offered) {
        return Err(Refused::NotOffered(verdict));
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
fn wanted(request: &Pending) -> Option<Ask> {
    serde_json::from_value(request.body.clone()).ok()
}

fn question(request: &Pending) -> Result<Question, Refused> {
    let damaged = |_| StoreError::Damaged(format!("the question `{}` cannot be read", request.id));
    Ok(serde_json::from_value(request.body.clone()).map_err(damaged)?)
}

async fn open(store: &dyn Store, id: &RequestId, kind: PendingKind) -> Result<Pending, Refused> {
    let request = store.request(id).await?.ok_or(Refused::Unknown)?;
    if let Some(reply) = request.reply {
        return Err(Refused::Settled(reply));
    }
    if request.kind != kind {
        return Err(Refused::OtherKind(request.kind));
    }
    Ok(request)
}

async fn settle(store: &dyn Store, id: &RequestId, reply: Reply) -> Result<(), Refused> {
    match store.settle(id, reply).await? {
        Settled::Now => Ok(()),
        Settled::Before(reply) => Err(Refused::Settled(reply)),
        Settled::Unknown => Err(Refused::Unknown),
    }
}
