//! The streams of a session: updates for everybody who follows it, and the turn.

use super::Session;
use crate::model::Retry;
use crate::store::{Reply, RequestRow, StoreError};
use footlight_vocabulary::event::{Event, EventBody, Status, Usage};
use footlight_vocabulary::item::{Item, ItemId, RequestId};
use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// An update of a session.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// An event. One with a `seq` is stored in the log; others are transient.
    Event(Box<Event>),
    /// A request is pending: reply with [`Session::answer`] or [`Session::decide`].
    Pending(Box<RequestRow>),
    /// A pending request was settled.
    Settled(RequestId, Reply),
    /// The model has started to write a call of this tool. Transient.
    Calling(String),
    /// The text of this item so far is void, because the model is asked again. Transient.
    Retry(ItemId, Retry),
}

/// The followers of a session.
#[derive(Default)]
pub(super) struct Followers {
    pub(super) senders: Vec<mpsc::UnboundedSender<Result<Update, StoreError>>>,
    /// The pending requests, for followers that join late.
    pub(super) pending: Vec<RequestRow>,
}

impl Followers {
    pub(super) fn notify(&mut self, update: &Result<Update, StoreError>) {
        match update {
            Ok(Update::Pending(request)) => self.pending.push((**request).clone()),
            Ok(Update::Settled(id, _)) => self.pending.retain(|request| request.id != *id),
            _ => {}
        }
        self.senders
            .retain(|follower| follower.send(update.clone()).is_ok());
    }
}

/// The stream of a session's updates.
pub struct Updates(pub(super) mpsc::UnboundedReceiver<Result<Update, StoreError>>);

impl Updates {
    /// Returns the next update, `None` when the session was dropped, or an error when the store failed.
    pub async fn next(&mut self) -> Option<Result<Update, StoreError>> {
        self.0.recv().await
    }
}

impl Stream for Updates {
    type Item = Result<Update, StoreError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// A running turn: the stream of updates from a prompt to the last word. Dropping it does not end the
/// turn.
#[must_use = "a turn runs by itself, but nobody would see it"]
pub struct Turn {
    pub(super) session: Session,
    pub(super) updates: Updates,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TurnOutcome {
    /// The status of the turn.
    pub status: Status,
    /// The items of the turn, in the order of the record.
    pub items: Vec<Item>,
    /// The tokens that the model charged.
    pub usage: Usage,
}

impl Turn {
    /// Returns the next update. The last one is the event `turn_finished`.
    pub async fn next(&mut self) -> Option<Result<Update, StoreError>> {
        self.updates.next().await
    }

    /// Cancels the turn. The stream continues until the turn has ended.
    pub fn cancel(&self) {
        self.session.cancel();
    }

    /// Runs the turn to its end.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn finish(mut self) -> Result<TurnOutcome, StoreError> {
        while let Some(update) = self.next().await {
            if let Update::Event(event) = update?
                && let EventBody::TurnFinished { status, usage, .. } = event.what
            {
                let items = self.session.0.state().items_of(&event.turn);
                let usage = usage.unwrap_or_default();
                return Ok(TurnOutcome {
                    status,
                    items,
                    usage,
                });
            }
        }
        Err(StoreError::LeaseLost)
    }
}

impl Stream for Turn {
    type Item = Result<Update, StoreError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.updates).poll_next(context)
    }
}
