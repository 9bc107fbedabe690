//! Retries: the prompt of an earlier turn runs again, and that turn and all after it are retracted.
//!
//! Nothing is deleted from the log: removals are appended for the items of the retracted turns, and their
//! rows are marked. Neither the model nor a surface sees them from then on. What their tools did stays
//! done, also a change of a widget that an earlier turn has shown.

use super::driver::{Driver, TurnStart};
use super::state::SessionState;
use super::{Session, Turn, TurnError};
use crate::call::stage::now;
use crate::store::{Batch, StoreError, Summary, TurnRow};
use footlight_vocabulary::event::{EventBody, Origin};
use footlight_vocabulary::item::TurnId;

/// Why a turn is not retried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RetryError {
    /// A turn cannot start now.
    #[error(transparent)]
    Turn(TurnError),
    /// The session has no such turn.
    #[error("this session has no turn `{}`", .0.as_str().escape_debug())]
    NoTurn(TurnId),
    /// The turn was retracted by an earlier retry.
    #[error("the turn `{0}` was retracted by an earlier retry")]
    Retracted(TurnId),
    /// The turn was not started by a prompt.
    #[error("the turn `{0}` has no prompt that could run again")]
    NoPrompt(TurnId),
}

impl From<TurnError> for RetryError {
    fn from(error: TurnError) -> Self {
        Self::Turn(error)
    }
}

impl Session {
    /// Runs the prompt of a turn again, as a new turn, and returns the stream of its updates.
    ///
    /// That turn and all after it are retracted: their items are removed, and the model is not sent them
    /// any more. The tools that ran in them have run, and nothing undoes what they did.
    ///
    /// # Errors
    /// When there is no such turn, it was retracted before or was not started by a prompt, or another turn
    /// is running or unfinished.
    ///
    /// # Panics
    /// Outside a tokio runtime, as [`turn`](Self::turn) does.
    pub fn retry(&self, turn: &TurnId) -> Result<Turn, RetryError> {
        find(&self.inner.state(), turn)?;
        Ok(self.begin(Some(TurnStart::Retry(turn.clone())))?)
    }
}

/// Returns the turn that is to run again.
fn find<'a>(state: &'a SessionState, id: &TurnId) -> Result<&'a TurnRow, RetryError> {
    let turn = state.turns.iter().find(|turn| turn.id == *id);
    let turn = turn.ok_or_else(|| RetryError::NoTurn(id.clone()))?;
    if turn.retracted {
        return Err(RetryError::Retracted(id.clone()));
    }
    if turn.origin != Origin::Person {
        return Err(RetryError::NoPrompt(id.clone()));
    }
    Ok(turn)
}

impl Driver {
    /// Retracts a turn and all after it, and starts the turn that runs its prompt again.
    pub(super) async fn open_retry(&self, id: &TurnId) -> Result<(), StoreError> {
        let batch = {
            let state = self.session.state();
            // Another process may have retracted it meanwhile.
            let retried =
                find(&state, id).map_err(|error| StoreError::failed(error.to_string()))?;
            let (n, prompt) = (retried.n, retried.prompt.clone());
            let mut batch = Batch::default();
            batch.events.push(EventBody::TurnStarted {
                prompt: prompt.clone(),
                origin: Origin::Person,
                item: None,
                rev: None,
                retries: Some(id.clone()),
            });
            let gone = state.items().iter().filter(|item| item.position.turn >= n);
            let gone = gone.map(|item| EventBody::Remove {
                id: item.id.clone(),
            });
            batch.events.extend(gone);
            let retracted = state.turns.iter().filter(|turn| turn.n >= n);
            batch.turns.extend(retracted.map(|turn| TurnRow {
                retracted: true,
                ..turn.clone()
            }));
            let next = state.next_turn();
            batch.turns.push(TurnRow {
                retries: Some(id.clone()),
                ..TurnRow::new(next, self.turn.clone(), prompt, Origin::Person, now())
            });
            // A summary that tells of a retracted turn is dropped; what is kept is sent in full, or is
            // summarized anew.
            let summary = state.summary.as_ref();
            if summary.is_some_and(|summary| (summary.turn, summary.step) > (n, 1)) {
                batch.summary = Some(Summary::none());
            }
            batch
        };
        self.commit(batch).await
    }
}
