//! The followers of a session: everybody who receives its updates.
//!
//! Each follower has a queue of its own. A follower that does not read does not block the turn and
//! does not grow the queue for ever: text and progress that wait to be read are joined, and a follower
//! that is [`MAX_BEHIND`] updates behind is disconnected with [`FollowError::Lagged`]. Nothing that
//! matters is lost by that, because the log has every stored event.

use crate::model::Retry;
use crate::store::{Reply, RequestRow, StoreError};
use crate::sync::lock;
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{ItemId, RequestId};
use futures_core::Stream;
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

/// How many updates a follower can be behind before it is disconnected.
pub(super) const MAX_BEHIND: usize = 1_024;

/// The most bytes of text that are joined in one update.
const MAX_JOINED: usize = 64 << 10;

/// What somebody who follows a session is told: an entry of the record, a piece of text that the model
/// writes, or a request that waits for the person.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// An event. One with a `seq` is stored in the log; others are transient.
    Event(Box<Event>),
    /// A request is pending: reply with [`Session::answer`](super::Session::answer) or
    /// [`Session::decide`](super::Session::decide).
    Pending(Box<RequestRow>),
    /// A pending request was settled.
    Settled(RequestId, Reply),
    /// The model has started to write a call of this tool. Transient.
    Calling(String),
    /// The text of this item so far is void, because the model is asked again. Transient.
    Retry(ItemId, Retry),
}

impl Update {
    fn seq(&self) -> Option<u64> {
        match self {
            Self::Event(event) => event.seq,
            _ => None,
        }
    }
}

/// Why a follower receives no more updates.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FollowError {
    /// The follower did not read for too long and was disconnected. The session is not affected, and
    /// its log has every stored event after `seq`.
    #[error(
        "this follower is more than {MAX_BEHIND} updates behind; follow again and read the log after `{seq}`"
    )]
    Lagged {
        /// The `seq` of the last stored event that the follower received.
        seq: u64,
    },
    /// The running turn was [suspended](super::Session::suspend), which ends the streams of all
    /// followers. What waits for a person stays pending in the store.
    #[error("the turn was suspended; resume the session to continue it")]
    Suspended,
    /// The store failed, which ended the turn.
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for FollowError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The followers of one session.
pub(super) struct Followers {
    queues: Vec<Arc<Mutex<Queue>>>,
    /// The `seq` of the last stored event that was sent.
    seq: u64,
    /// The pending requests, for followers that join late.
    pub(super) pending: Vec<RequestRow>,
}

impl Followers {
    /// Returns the followers of a session whose last stored event is `seq`.
    pub(super) fn new(seq: u64) -> Self {
        Self {
            queues: Vec::new(),
            seq,
            pending: Vec::new(),
        }
    }

    /// Adds a follower, which receives the pending requests first.
    pub(super) fn add(&mut self) -> Updates {
        let seq = self.seq;
        let queue = Arc::new(Mutex::new(Queue {
            seq,
            ..Queue::default()
        }));
        for request in &self.pending {
            lock(&queue).push(&Ok(Update::Pending(Box::new(request.clone()))));
        }
        self.queues.push(Arc::clone(&queue));
        Updates { queue, seq }
    }

    pub(super) fn notify(&mut self, update: &Result<Update, FollowError>) {
        match update {
            Ok(Update::Pending(request)) => self.pending.push((**request).clone()),
            Ok(Update::Settled(id, _)) => self.pending.retain(|request| request.id != *id),
            Ok(update) => self.seq = update.seq().unwrap_or(self.seq),
            Err(_) => {}
        }
        self.queues.retain(|queue| lock(queue).push(update));
    }
}

impl Drop for Followers {
    fn drop(&mut self) {
        for queue in &self.queues {
            lock(queue).close();
        }
    }
}

/// The updates that a follower has not read yet.
#[derive(Default)]
struct Queue {
    updates: VecDeque<Result<Update, FollowError>>,
    /// The `seq` of the last stored event in the queue or before it.
    seq: u64,
    /// Whether nothing is added any more.
    is_closed: bool,
    waker: Option<Waker>,
}

impl Queue {
    /// Adds an update. Returns whether the queue accepts more.
    fn push(&mut self, update: &Result<Update, FollowError>) -> bool {
        if self.is_closed {
            return false;
        }
        let is_joined = match (self.updates.back_mut(), update) {
            (Some(Ok(Update::Event(last))), Ok(Update::Event(event))) => join(last, event),
            _ => false,
        };
        if is_joined {
            self.wake();
        } else if self.updates.len() < MAX_BEHIND {
            if let Ok(update) = update {
                self.seq = update.seq().unwrap_or(self.seq);
            }
            self.updates.push_back(update.clone());
            match update {
                Err(FollowError::Suspended) => self.close(),
                _ => self.wake(),
            }
        } else {
            let lagged = FollowError::Lagged { seq: self.seq };
            self.updates.push_back(Err(lagged));
            self.close();
        }
        !self.is_closed
    }

    fn close(&mut self) {
        self.is_closed = true;
        self.wake();
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// Adds a transient event to the one before it, if the two say the same as one would.
fn join(last: &mut Event, event: &Event) -> bool {
    if last.turn != event.turn {
        return false;
    }
    match (&mut last.what, &event.what) {
        (
            EventBody::TextDelta { item, rev, delta },
            EventBody::TextDelta {
                item: same,
                rev: same_rev,
                delta: more,
            },
        ) if item == same && rev == same_rev && delta.len() + more.len() <= MAX_JOINED => {
            delta.push_str(more);
            true
        }
        (
            EventBody::ReasoningDelta {
                item, delta, end, ..
            },
            EventBody::ReasoningDelta {
                item: same,
                delta: more,
                end: new_end,
                ..
            },
        ) if item == same && delta.len() + more.len() <= MAX_JOINED => {
            delta.push_str(more);
            *end = *new_end;
            true
        }
        (EventBody::Progress { call, .. }, EventBody::Progress { call: same, .. })
            if call == same =>
        {
            *last = event.clone();
            true
        }
        _ => false,
    }
}

/// The stream of a session's updates.
///
/// Read it steadily: a follower that is 1,024 updates behind is disconnected with
/// [`FollowError::Lagged`].
pub struct Updates {
    queue: Arc<Mutex<Queue>>,
    /// The `seq` of the last stored event that was read.
    seq: u64,
}

impl Updates {
    /// Returns the next update, `None` when the session was dropped, or an error when the store failed,
    /// the turn was suspended or this follower was disconnected.
    pub async fn next(&mut self) -> Option<Result<Update, FollowError>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// Returns the `seq` of the last stored event that was read, or of the last before this follower.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Skips stored events up to this `seq`.
    pub(super) fn skip_to(&mut self, seq: u64) {
        self.seq = self.seq.max(seq);
    }

    /// Receives no more updates.
    pub(super) fn disconnect(&mut self) {
        let mut queue = lock(&self.queue);
        queue.updates = VecDeque::new();
        queue.is_closed = true;
    }
}

impl Drop for Updates {
    fn drop(&mut self) {
        self.disconnect();
    }
}

impl Stream for Updates {
    type Item = Result<Update, FollowError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let mut queue = lock(&this.queue);
        while let Some(update) = queue.updates.pop_front() {
            if let Ok(update) = &update
                && let Some(seq) = update.seq()
            {
                if seq <= this.seq {
                    continue;
                }
                this.seq = seq;
            }
            return Poll::Ready(Some(update));
        }
        if queue.is_closed {
            return Poll::Ready(None);
        }
        queue.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_vocabulary::item::{SessionId, Timestamp, TurnId};

    fn event(seq: Option<u64>, what: EventBody) -> Result<Update, FollowError> {
        Ok(Update::Event(Box::new(Event {
            what,
            seq,
            session: SessionId::from("ses_1"),
            turn: TurnId::from("turn_1"),
            at: Timestamp::default(),
        })))
    }

    fn stored(seq: u64) -> Result<Update, FollowError> {
        let id = ItemId::from("itm_1");
        event(Some(seq), EventBody::Remove { id })
    }

    fn delta(item: &str, text: &str) -> Result<Update, FollowError> {
        let what = EventBody::TextDelta {
            item: ItemId::from(item),
            rev: 0,
            delta: text.to_owned(),
        };
        event(None, what)
    }

    /// Reads what is there.
    async fn read(updates: &mut Updates) -> Vec<Result<Update, FollowError>> {
        let mut read = Vec::new();
        while let Poll::Ready(Some(update)) =
            std::future::poll_fn(|context| Poll::Ready(Pin::new(&mut *updates).poll_next(context)))
                .await
        {
            read.push(update);
        }
        read
    }

    #[tokio::test]
    async fn a_follower_that_does_not_read_is_disconnected_and_others_lose_nothing() {
        let mut followers = Followers::new(0);
        let (mut idle, mut reader) = (followers.add(), followers.add());
        let mut seen = Vec::new();
        for seq in 1..=3 * MAX_BEHIND as u64 {
            followers.notify(&stored(seq));
            seen.extend(read(&mut reader).await);
        }
        assert_eq!(seen.len(), 3 * MAX_BEHIND);
        assert_eq!(followers.queues.len(), 1, "the idle one is gone");
        assert_eq!(lock(&idle.queue).updates.len(), MAX_BEHIND + 1);
        let late = read(&mut idle).await;
        let seq = MAX_BEHIND as u64;
        assert_eq!(late.last(), Some(&Err(FollowError::Lagged { seq })));
        assert_eq!(
            late.iter().filter(|update| update.is_ok()).count(),
            MAX_BEHIND
        );
        assert_eq!((idle.seq(), idle.next().await), (seq, None));
    }

    #[tokio::test]
    async fn text_and_progress_that_wait_are_joined_and_no_text_is_lost() {
        let mut followers = Followers::new(0);
        let mut updates = followers.add();
        let word = "0123456789";
        let count = 100 * MAX_BEHIND;
        for _ in 0..count {
            followers.notify(&delta("itm_1", word));
        }
        followers.notify(&delta("itm_2", word));
        for done in 0..count as u64 {
            let what = EventBody::Progress {
                call: "call_1".into(),
                message: "reading".to_owned(),
                done: Some(done),
                total: None,
            };
            followers.notify(&event(None, what));
        }
        let (mut text, mut progress) = (String::new(), Vec::new());
        let read = read(&mut updates).await;
        assert!(read.len() < 100, "{}", read.len());
        for update in read {
            let Ok(Update::Event(event)) = update else {
                panic!("{update:?}");
            };
            match event.what {
                EventBody::TextDelta { delta, .. } => {
                    assert!(delta.len() <= MAX_JOINED);
                    text.push_str(&delta);
                }
                EventBody::Progress { done, .. } => progress.push(done),
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(text, word.repeat(count + 1));
        assert_eq!(progress, [Some(count as u64 - 1)], "the last one counts");
    }

    #[tokio::test]
    async fn dropping_one_end_ends_the_other() {
        let mut followers = Followers::new(0);
        drop(followers.add());
        let mut updates = followers.add();
        followers.notify(&stored(1));
        assert_eq!(followers.queues.len(), 1);
        drop(followers);
        assert!(matches!(updates.next().await, Some(Ok(_))));
        assert_eq!(updates.next().await, None);
    }
}
