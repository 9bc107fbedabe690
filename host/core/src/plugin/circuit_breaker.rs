//! Suspends plugins that fault repeatedly.
//!
//! Models repeat calls that the host had to stop, and each one costs seconds. A plugin that the host
//! stopped three times within ten minutes is therefore suspended until a person readmits it. Failures
//! that the plugin returns itself do not count: they are answers.

use crate::call::fault::Fault;
use crate::plugin::digest::Digest;
use crate::sync::lock;
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How many faults suspend a plugin ...
const MAX_FAULTS: usize = 3;

/// ... within this time.
const WINDOW: Duration = Duration::from_secs(10 * 60);

/// The times of recent faults by plugin, at most [`MAX_FAULTS`] each.
#[derive(Debug, Default)]
pub(crate) struct CircuitBreaker(Mutex<HashMap<Digest, Vec<Instant>>>);

impl CircuitBreaker {
    /// Records that the host stopped a plugin.
    pub(crate) fn record_fault(&self, plugin: Digest, fault: &Fault) {
        // These are not the plugin's doing.
        let is_hosts = matches!(
            fault,
            Fault::Cancelled | Fault::Busy | Fault::TooManyWaiting { .. } | Fault::Internal(_)
        );
        if !is_hosts {
            self.record_fault_at(plugin, Instant::now());
        }
    }

    fn record_fault_at(&self, plugin: Digest, now: Instant) {
        let mut all = lock(&self.0);
        let faults = all.entry(plugin).or_default();
        // A suspended plugin stays suspended, however long ago its faults were.
        if faults.len() < MAX_FAULTS {
            faults.retain(|fault| now.duration_since(*fault) < WINDOW);
            faults.push(now);
        }
    }

    /// Reports whether a plugin is suspended.
    pub(crate) fn is_open(&self, plugin: &Digest) -> bool {
        lock(&self.0)
            .get(plugin)
            .is_some_and(|faults| faults.len() >= MAX_FAULTS)
    }

    /// Forgets the faults of a plugin and reports whether it was suspended.
    pub(crate) fn reset(&self, plugin: &Digest) -> bool {
        lock(&self.0)
            .remove(plugin)
            .is_some_and(|faults| faults.len() >= MAX_FAULTS)
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
            Fault::TooManyWaiting {
                scope: crate::sandbox::waiting_guests::WaitingScope::Session,
                limit: 1,
            },
            Fault::Internal(String::new()),
        ] {
            (0..9).for_each(|_| breaker.record_fault(plugin, &fault));
        }
        assert!(!breaker.is_open(&plugin));
        (0..3).for_each(|_| breaker.record_fault(plugin, &Fault::Panic));
        assert!(breaker.is_open(&plugin));
    }
}
