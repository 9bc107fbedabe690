//! Plugins that are not called any more because they failed too often.
//!
//! A model calls a tool that was stopped again and again; each time costs seconds and a person's
//! patience. So a plugin that the host had to stop three times within ten minutes is suspended until
//! a person says otherwise. Its own failures do not count: they are answers.

use crate::call::fault::Fault;
use crate::plugin::digest::Digest;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many faults ...
const MAX_FAULTS: usize = 3;

/// ... within this time suspend a plugin.
const WINDOW: Duration = Duration::from_secs(10 * 60);

/// What each plugin was stopped for lately, by its digest: at most [`MAX_FAULTS`] times are kept.
#[derive(Debug, Default)]
pub(crate) struct CircuitBreaker(Mutex<HashMap<Digest, Vec<Instant>>>);

impl CircuitBreaker {
    /// Notes why a plugin was stopped.
    pub(crate) fn record_fault(&self, plugin: Digest, fault: &Fault) {
        // These are not the plugin's.
        if !matches!(fault, Fault::Cancelled | Fault::Busy | Fault::Internal(_)) {
            self.record_fault_at(plugin, Instant::now());
        }
    }

    fn record_fault_at(&self, plugin: Digest, now: Instant) {
        let mut all = self.lock();
        let faults = all.entry(plugin).or_default();
        // Once it is suspended it stays so, however long ago that was.
        if faults.len() < MAX_FAULTS {
            faults.retain(|fault| now.duration_since(*fault) < WINDOW);
            faults.push(now);
        }
    }

    /// Whether it is suspended.
    pub(crate) fn is_open(&self, plugin: &Digest) -> bool {
        self.lock()
            .get(plugin)
            .is_some_and(|faults| faults.len() >= MAX_FAULTS)
    }

    /// Lets it be called again, and forgets its faults. Answers whether it was suspended.
    pub(crate) fn reset(&self, plugin: &Digest) -> bool {
        self.lock()
            .remove(plugin)
            .is_some_and(|faults| faults.len() >= MAX_FAULTS)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, Vec<Instant>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_faults_within_ten_minutes_suspend_until_somebody_resumes() {
        let (breaker, plugin, start) =
            (CircuitBreaker::default(), Digest::of(b"a"), Instant::now());
        let fault = |minutes: u64| {
            breaker.record_fault_at(plugin, start + Duration::from_secs(60 * minutes))
        };
        [0, 5, 11, 16].into_iter().for_each(fault);
        assert!(!breaker.is_open(&plugin), "never three at a time");
        fault(18);
        assert!(breaker.is_open(&plugin));
        fault(600);
        assert!(breaker.is_open(&plugin), "time alone does not resume it");
        assert!(!breaker.is_open(&Digest::of(b"b")), "nor is another one");
        assert!(breaker.reset(&plugin) && !breaker.is_open(&plugin));
        assert!(!breaker.reset(&plugin));
    }

    #[test]
    fn what_is_not_the_plugins_fault_does_not_count() {
        let (breaker, plugin) = (CircuitBreaker::default(), Digest::of(b"a"));
        for fault in [
            Fault::Cancelled,
            Fault::Busy,
            Fault::Internal(String::new()),
        ] {
            (0..9).for_each(|_| breaker.record_fault(plugin, &fault));
        }
        assert!(!breaker.is_open(&plugin));
        (0..3).for_each(|_| breaker.record_fault(plugin, &Fault::Panic));
        assert!(breaker.is_open(&plugin));
    }
}
