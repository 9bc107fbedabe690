//! A call's clock, which stops while the call waits for a person or for instance slots.

use crate::sync::lock;
use std::sync::Mutex;
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
