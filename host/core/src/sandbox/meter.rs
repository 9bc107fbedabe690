//! How long a guest has computed.
//!
//! The clock that interrupts guests looks at the meter every ten milliseconds; time in which the
//! guest waited, for a person or a timer, is not on it. One look counts for ten milliseconds at
//! most: a guest does not pay for a machine that was busy with others.

use crate::sandbox::engine::SLICE;
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

    /// Counts up to now, and answers what was spent so far.
    pub(crate) fn sample(&mut self) -> Duration {
        let now = Instant::now();
        self.spent += now.duration_since(self.since).min(SLICE);
        self.since = now;
        self.spent
    }

    /// Goes on from now, after a wait that does not count. Every wait begins with a [`look`](Self::look),
    /// or what was computed since the last one would be forgotten, and a guest that waits for nothing
    /// every few milliseconds would compute for free.
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
