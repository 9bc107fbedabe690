//! Time and cancelling: a call's clock stops while the call waits for a person or for instance slots.

use crate::call::stage::Stage;
use crate::sandbox::waiting_guests::{Admission, Waiting};
use crate::sync::lock;
use footlight_vocabulary::item::{CallResult, Content, PendingReason};
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// The clock of one call.
pub(super) struct Clock {
    spent: Mutex<Spent>,
    resumed: Notify,
}

struct Spent {
    before: Duration,
    /// When the clock was last resumed; `None` while it is paused.
    since: Option<Instant>,
}

impl Clock {
    pub(super) fn start() -> Self {
        let spent = Spent {
            before: Duration::ZERO,
            since: Some(Instant::now()),
        };
        Self {
            spent: Mutex::new(spent),
            resumed: Notify::new(),
        }
    }

    pub(super) fn pause(&self) {
        let mut spent = lock(&self.spent);
        if let Some(since) = spent.since.take() {
            spent.before += since.elapsed();
        }
    }

    pub(super) fn resume(&self) {
        lock(&self.spent).since = Some(Instant::now());
        self.resumed.notify_waiters();
    }

    fn is_running(&self) -> bool {
        lock(&self.spent).since.is_some()
    }

    /// Returns how much of `limit` is left, or `None` while the clock is paused.
    pub(super) fn left(&self, limit: Duration) -> Option<Duration> {
        let spent = lock(&self.spent);
        let since = spent.since?;
        Some(limit.saturating_sub(spent.before + since.elapsed()))
    }
}

impl Stage {
    /// Cancels the call. The guest gets some time to clean up.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.cancel.notify_waiters();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Notes that nobody could be asked.
    pub(crate) fn set_no_person(&self) {
        self.no_person.store(true, Ordering::Relaxed);
    }

    /// Reports whether the call needed a person and nobody could be asked.
    pub(crate) fn has_no_person(&self) -> bool {
        self.no_person.load(Ordering::Relaxed)
    }

    /// Notes that the person or the policy refused the call something, or the person an answer.
    pub(crate) fn set_denied(&self) {
        self.was_denied.store(true, Ordering::Relaxed);
    }

    /// Reports whether the call was refused anything.
    pub(crate) fn was_denied(&self) -> bool {
        self.was_denied.load(Ordering::Relaxed)
    }

    /// Returns once the call is cancelled.
    pub(crate) async fn cancelled(&self) {
        loop {
            let notified = self.cancel.notified();
            if self.is_cancelled() {
                return;
            }
            notified.await;
        }
    }

    /// Waits for a person with the clock paused, and notes the reason in the record. A guest gives its
    /// computing slots to others meanwhile. Returns `None` when the call is cancelled.
    pub(crate) async fn wait<T>(
        &self,
        reason: PendingReason,
        guest: Option<Waiting<'_>>,
        reply: impl Future<Output = T>,
    ) -> Option<T> {
        self.set_pending_reason(reason);
        self.clock.pause();
        let reply = match guest {
            Some(guest) => {
                guest.begin();
                let reply = self.unless_cancelled(reply).await;
                guest.end().await;
                reply
            }
            None => self.unless_cancelled(reply).await,
        };
        self.clock.resume();
        self.set_pending_reason(PendingReason::Running);
        reply
    }

    /// Waits for a timer or the like, with the clock running. A guest that has to wait gives its computing
    /// slots to others meanwhile, if there is room among the waiting guests. Returns `None` when the call is
    /// cancelled.
    pub(crate) async fn sleep<T>(
        &self,
        guest: Option<&Admission>,
        ready: impl Future<Output = T>,
    ) -> Option<T> {
        let mut ready = pin!(ready);
        // What is ready already costs no place in a queue.
        if let Poll::Ready(done) =
            poll_fn(|context| Poll::Ready(ready.as_mut().poll(context))).await
        {
            return Some(done);
        }
        let guest = guest.and_then(|guest| guest.reserve_to_sleep(self));
        if let Some(guest) = &guest {
            guest.begin();
        }
        let done = self.unless_cancelled(ready).await;
        if let Some(guest) = guest {
            self.clock.pause();
            guest.end().await;
            self.clock.resume();
        }
        done
    }

    /// Waits with the clock paused. Returns `None` when the call is cancelled.
    pub(crate) async fn pause<T>(&self, reply: impl Future<Output = T>) -> Option<T> {
        self.clock.pause();
        let reply = self.unless_cancelled(reply).await;
        self.clock.resume();
        reply
    }

    async fn unless_cancelled<T>(&self, reply: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            () = self.cancelled() => None,
            reply = reply => Some(reply),
        }
    }

    /// Notes in the tool item what the call waits for.
    fn set_pending_reason(&self, reason: PendingReason) {
        self.revise(self.call.as_str(), |item| {
            if let Content::Tool(tool) = &mut item.content {
                tool.result = CallResult::Pending { reason };
            }
        });
    }

    /// Returns once the clock runs.
    pub(crate) async fn resumed(&self) {
        loop {
            let resumed = self.clock.resumed.notified();
            if self.clock.is_running() {
                return;
            }
            resumed.await;
        }
    }

    /// Returns how much of `limit` is left, or `None` while the clock is paused.
    pub(crate) fn time_left(&self, limit: Duration) -> Option<Duration> {
        self.clock.left(limit)
    }
}
