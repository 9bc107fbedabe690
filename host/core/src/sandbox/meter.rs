//! Meters the computing time of a guest.
//!
//! The engine's ticker samples the meter every ten milliseconds; waits for a person or a timer are
//! not counted. A sample counts for ten milliseconds at most, so that a guest does not pay for a
//! busy machine.

use crate::sandbox::ticker::SLICE;
use std::future::poll_fn;
use std::time::{Duration, Instant};

/// The meter of one instance.
#[derive(Debug)]
pub(crate) struct Meter {
    spent: Duration,
    since: Instant,
}

impl Meter {
    pub(crate) fn start() -> Self {
        Self {
            spent: Duration::ZERO,
            since: Instant::now(),
        }
    }

    /// Counts the time since the last sample and returns the total.
    pub(crate) fn sample(&mut self) -> Duration {
        let now = Instant::now();
        self.spent += now.duration_since(self.since).min(SLICE);
        self.since = now;
        self.spent
    }

    /// Awaits a future and does not count the time that it waits. One that is ready at once has
    /// computed.
    pub(crate) async fn wait<T>(&mut self, wait: impl Future<Output = T>) -> T {
        self.sample();
        let (mut wait, mut has_waited) = (std::pin::pin!(wait), false);
        let done = poll_fn(|context| {
            let poll = wait.as_mut().poll(context);
            has_waited |= poll.is_pending();
            poll
        });
        let done = done.await;
        if has_waited {
            self.resume();
        }
        done
    }

    /// Resumes counting after a wait. Every wait must begin with a [`sample`](Self::sample):
    /// otherwise the time since the last sample would be lost, and a guest that waits every few
    /// milliseconds would compute for free.
    pub(crate) fn resume(&mut self) {
        self.since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_is_not_counted_and_no_look_counts_for_more_than_a_slice() {
        let mut meter = Meter::start();
        meter.since -= Duration::from_secs(60);
        assert_eq!(meter.sample(), SLICE);
        meter.since -= Duration::from_secs(60);
        meter.resume();
        assert!(meter.sample() < SLICE * 2);
    }
}
