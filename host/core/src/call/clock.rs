//! How long a call has taken, the time in which it waited for a person not counted.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The clock of one call.
pub(super) struct Clock(Mutex<Spent>);

struct Spent {
    before: Duration,
    /// Since when it runs; nothing while it stands.
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
        let mut spent = self.lock();
        if let Some(since) = spent.since.take() {
            spent.before += since.elapsed();
        }
    }

    pub(super) fn resume(&self) {
        self.lock().since = Some(Instant::now());
    }

    /// How much of `limit` is left; `None` while it stands.
    pub(super) fn left(&self, limit: Duration) -> Option<Duration> {
        let spent = self.lock();
        let since = spent.since?;
        Some(limit.saturating_sub(spent.before + since.elapsed()))
    }

    fn lock(&self) -> MutexGuard<'_, Spent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
