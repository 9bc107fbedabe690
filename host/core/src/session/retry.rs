//! Retries: the prompt of an earlier turn runs again, and that turn and all after it are retracted.
//!
//! Nothing is deleted from the log: removals are appended for the items of the retracted turns, and their
//! rows are marked. Neither the model nor a surface sees them from then on. What their tools did stays
//! done, also a change of a widget that an earlier turn has shown; the person is told which tools did
//! more than read.

use super::driver::{Driver, TurnStart, new_item};
use super::state::SessionState;
use super::{Session, Turn, TurnError, mint};
use crate::call::stage::now;
use crate::store::{Batch, CallRow, StoreError, Summary, TurnRow};
use footlight_vocabulary::event::{EventBody, Origin};
use footlight_vocabulary::item::{Content, Item, Level, Notice, TurnId};
use serde_json::Map;
use std::collections::BTreeSet;

/// How many tools a notice names; the others are counted.
const MAX_NAMED: usize = 5;

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
    /// any more. The tools that ran in them have run, and nothing undoes what they did: a notice names
    /// those that did more than read.
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

/// Returns the turn with this id, if it is before the turn `n`.
fn earlier<'a>(state: &'a SessionState, id: &TurnId, n: u32) -> Option<&'a TurnRow> {
    let mut turns = state.turns.iter().filter(|turn| turn.n < n);
    turns.find(|turn| turn.id == *id)
}

/// Returns a notice for the turn `turn` about what stays done of a turn that it runs again and of all
/// turns since.
fn effects_notice(state: &SessionState, retried: &TurnRow, turn: u32) -> Option<Item> {
    // Also of those that the turn has run again itself: their notice is removed with it.
    let mut first = retried;
    while let Some(before) = &first.retries
        && let Some(before) = earlier(state, before, first.n)
    {
        first = before;
    }
    let has_acted = |row: &&CallRow| {
        let reply = row.reply.as_ref();
        row.turn >= first.n && !row.read_only && reply.is_some_and(|reply| !reply.is_error)
    };
    let acted = state.calls.iter().filter(has_acted);
    let names: BTreeSet<&str> = acted.map(|row| &*row.function).collect();
    if names.is_empty() {
        return None;
    }
    let more = names.len().saturating_sub(MAX_NAMED);
    let named = names.iter().take(MAX_NAMED).map(|name| format!("`{name}`"));
    let mut named = named.collect::<Vec<_>>().join(", ");
    if more > 0 {
        named.push_str(&format!(" and {more} more"));
    }
    let notice = Notice {
        level: Level::Info,
        text: format!("what {named} did before this retry stays done"),
        extra: Map::new(),
    };
    let position = SessionState::position(turn, 0, 0, 0);
    Some(new_item(mint("itm"), Content::Notice(notice), position))
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
            let notice = effects_notice(&state, retried, next);
            batch.events.extend(notice.map(EventBody::put));
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
