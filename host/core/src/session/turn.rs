//! A turn: the task that runs it, and the stream of updates from a prompt to its end.

use super::driver::{Driver, Signal, TurnStart};
use super::{FollowError, Session, SessionInner, Update, Updates};
use crate::observer::Observed;
use crate::store::StoreError;
use crate::sync::lock;
use footlight_vocabulary::event::{Event, EventBody, Status, Usage};
use footlight_vocabulary::item::{Item, TurnId};
use futures_core::Stream;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::watch;

/// How a turn ended: the update `turn_finished`, or why it stopped before. `None` while it runs.
pub(super) type TurnEnd = Option<Result<Update, FollowError>>;

/// A running turn: the stream of updates from a prompt to the last word. Dropping it does not end the
/// turn.
#[must_use = "a turn runs by itself, but nobody would see it"]
pub struct Turn {
    pub(super) session: Session,
    pub(super) id: TurnId,
    pub(super) updates: Updates,
    pub(super) end: watch::Receiver<TurnEnd>,
    /// Whether the stream has returned the end of the turn.
    pub(super) has_ended: bool,
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
    /// Returns the id of the turn.
    #[must_use]
    pub fn id(&self) -> &TurnId {
        &self.id
    }

    /// Returns the next update, and `None` after the last one. That is the event `turn_finished`, or an
    /// error.
    ///
    /// A turn that is not read for long is disconnected with [`FollowError::Lagged`] and runs on;
    /// [`catch_up`](Self::catch_up) follows it again.
    pub async fn next(&mut self) -> Option<Result<Update, FollowError>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// Follows the turn again after [`FollowError::Lagged`]. Returns the stored events that were
    /// missed, in order; [`next`](Self::next) continues after them. Transient updates that were missed
    /// are lost.
    ///
    /// # Errors
    /// When the store fails, or the turn has stopped in the meantime without an end.
    pub async fn catch_up(&mut self) -> Result<Vec<Event>, FollowError> {
        let (seq, inner) = (self.updates.seq(), &self.session.inner);
        // Subscribe first, then look: no event is missed in between.
        let mut updates = self.session.follow();
        let mut missed = inner.store.log(&inner.id, seq, usize::MAX).await?;
        let is_end = |event: &Event| {
            event.turn == self.id && matches!(event.what, EventBody::TurnFinished { .. })
        };
        if let Some(end) = missed.iter().position(is_end) {
            missed.truncate(end + 1);
            self.end_stream();
            return Ok(missed);
        }
        if let Some(Err(error)) = &*self.end.borrow() {
            return Err(error.clone());
        }
        updates.skip_to(missed.last().and_then(|event| event.seq).unwrap_or(seq));
        self.updates = updates;
        Ok(missed)
    }

    /// Cancels the turn. The stream continues until the turn has ended.
    pub fn cancel(&self) {
        self.session.cancel();
    }

    /// Runs the turn to its end, whether its updates were read or not.
    ///
    /// # Errors
    /// When the store fails, or the turn is [suspended](Session::suspend).
    pub async fn finish(mut self) -> Result<TurnOutcome, FollowError> {
        self.updates.disconnect();
        let end = self.end.wait_for(Option::is_some).await;
        let end = end.ok().and_then(|end| end.clone());
        // Without an end, the runtime has dropped the turn.
        if let Update::Event(event) = end.ok_or(StoreError::LeaseLost)??
            && let EventBody::TurnFinished { status, usage, .. } = event.what
        {
            let items = self.session.inner.state().items_of(&event.turn);
            let usage = usage.unwrap_or_default();
            return Ok(TurnOutcome {
                status,
                items,
                usage,
            });
        }
        Err(StoreError::LeaseLost.into())
    }

    /// Ends the stream, so that updates of later turns do not pile up.
    fn end_stream(&mut self) {
        self.has_ended = true;
        self.updates.disconnect();
    }
}

impl Stream for Turn {
    type Item = Result<Update, FollowError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.has_ended {
            return Poll::Ready(None);
        }
        let update = std::task::ready!(Pin::new(&mut self.updates).poll_next(context));
        // No other turn runs between the start of this one and its end.
        let is_last = match &update {
            Some(Ok(Update::Event(event))) => matches!(event.what, EventBody::TurnFinished { .. }),
            Some(Err(FollowError::Store(_) | FollowError::Suspended)) => true,
            _ => false,
        };
        if is_last {
            self.end_stream();
        }
        Poll::Ready(update)
    }
}

/// Runs a turn to its end and sends the last update.
pub(super) async fn run(
    session: Session,
    turn: TurnId,
    start: Option<TurnStart>,
    signal: watch::Receiver<Signal>,
    end: watch::Sender<TurnEnd>,
) {
    let inner = Arc::clone(&session.inner);
    let resumed = start.is_none();
    let mut finish = FinishTurn {
        session: Arc::clone(&inner),
        observed: None,
        end,
        ended: Err(FollowError::Store(StoreError::failed(
            "the turn panicked, or its runtime has ended",
        ))),
    };
    finish.ended = match Driver::claim(&session, turn.clone(), signal).await {
        Ok(driver) => {
            let person = session.settings.person.clone();
            inner.host.0.observers.observe(&Observed::TurnStarted {
                session: &inner.id,
                turn: &turn,
                person: &person,
                resumed,
            });
            finish.observed = Some((turn, person));
            Arc::new(driver).run(start).await
        }
        Err(error) => Err(error.into()),
    };
    if let Err(FollowError::Store(StoreError::NoSession(id))) = &finish.ended {
        inner.host.forget_grants(id);
    }
    match &finish.ended {
        Ok(_) => tracing::debug!("the turn has ended"),
        Err(error) => tracing::info!(%error, "the turn has stopped"),
    }
    // Those that no call waits for any more.
    inner.secrets.lock().await.clear();
}

/// Ends the turn of a session when it is dropped, so that a turn that panics ends as well.
struct FinishTurn {
    session: Arc<SessionInner>,
    /// The turn and its person, once observers know that it runs.
    observed: Option<(TurnId, String)>,
    end: watch::Sender<TurnEnd>,
    ended: Result<Update, FollowError>,
}

impl Drop for FinishTurn {
    fn drop(&mut self) {
        if let Some((turn, person)) = &self.observed {
            let status = match &self.ended {
                Ok(Update::Event(event)) => match &event.what {
                    EventBody::TurnFinished { status, .. } => Some(status),
                    _ => None,
                },
                _ => None,
            };
            self.session.host.0.observers.observe(&Observed::TurnEnded {
                session: &self.session.id,
                turn,
                person,
                status,
            });
        }
        // Locked, so that no other turn starts before the followers know that this one is over.
        let mut running = lock(&self.session.running);
        let mut followers = lock(&self.session.followers);
        followers.pending.clear();
        followers.notify(&self.ended);
        self.end.send_replace(Some(self.ended.clone()));
        *running = None;
    }
}
