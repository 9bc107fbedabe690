//! Time and cancelling: a call's clock stops while the call waits for a person or for instance slots.

use crate::call::stage::Stage;
use crate::sync::lock;
use footlight_vocabulary::item::{CallResult, Content, PendingReason};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The clock of one call.
pub(super) struct Clock(Mutex<Spent>);

struct Spent {
    before: Duration,
    /// When the clock was last resumed; `None` while it is paused.
    since: Option<Instant>,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self(Mutex::new(Spent {
            before: Duration::ZERO,
            since: Some(Instant::now()),
        }))
    }

    pub(super) fn pause(&self) {
        let mut spent = lock(&self.0);
        if let Some(since) = spent.since.take() {
            spent.before += since.elapsed();
        }
    }

    pub(super) fn resume(&self) {
        lock(&self.0).since = Some(Instant::now());
    }

    /// Returns how much of `limit` is left, or `None` while the clock is paused.
    pub(super) fn left(&self, limit: Duration) -> Option<Duration> {
        let spent = lock(&self.0);
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

    /// Waits for a person with the clock paused, and notes the reason in the record. Returns `None`
    /// when the call is cancelled.
    pub(crate) async fn wait<T>(
        &self,
        reason: PendingReason,
        reply: impl Future<Output = T>,
    ) -> Option<T> {
        self.set_pending_reason(reason);
        let reply = self.pause(reply).await;
        self.set_pending_reason(PendingReason::Running);
        reply
    }

    /// Waits with the clock paused. Returns `None` when the call is cancelled.
    pub(crate) async fn pause<T>(&self, reply: impl Future<Output = T>) -> Option<T> {
        self.clock.pause();
        let reply = tokio::select! {
            biased;
            () = self.cancelled() => None,
            reply = reply => Some(reply),
        };
        self.clock.resume();
        reply
    }

    /// Notes in the tool item what the call waits for.
    fn set_pending_reason(&self, reason: PendingReason) {
        self.revise(self.call.as_str(), |item| {
            if let Content::Tool(tool) = &mut item.content {
                tool.result = CallResult::Pending { reason };
            }
        });
    }

    /// Returns how much of `limit` is left, or `None` while the clock is paused.
    pub(crate) fn time_left(&self, limit: Duration) -> Option<Duration> {
        self.clock.left(limit)
    }
}
