//! Simulated time, randomness and network, so that a call can be recorded and repeated.
//!
//! A [`Simulation`] is given to a host once. Each of its calls starts at the same time and with
//! randomness that follows from the seed, so that the same guest does the same again, as long as it is
//! answered the same.
//!
//! Invariant: what decides and what limits is not simulated. Policy, budgets and deadlines are those of
//! every call.

use crate::plugin::digest::Digest;
#[cfg(feature = "http")]
use crate::power::net::Exchanges;
use crate::sync::lock;
use footlight_vocabulary::item::Timestamp;
use std::collections::BTreeMap;
#[cfg(feature = "http")]
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How far the clock advances each time it is read.
const STEP: Duration = Duration::from_millis(1);

/// What a host gives its plugins in place of the time, the randomness and the network of this machine,
/// see [`HostBuilder::simulate`](crate::HostBuilder::simulate).
///
/// The clocks of a call start at a given time and advance by a millisecond each time they are read, and
/// by as much as the guest sleeps. Ids of calls and of the session without a name follow from the seed.
#[derive(Clone)]
#[must_use]
pub struct Simulation {
    start: Timestamp,
    seed: u64,
    skips_sleep: bool,
    #[cfg(feature = "http")]
    pub(crate) exchanges: Option<Arc<dyn Exchanges>>,
}

impl Simulation {
    /// Starts every call at a time, with randomness from a seed. A guest that sleeps does sleep, and
    /// requests go to the network.
    pub fn new(start: Timestamp, seed: u64) -> Self {
        Self {
            start,
            seed,
            skips_sleep: false,
            #[cfg(feature = "http")]
            exchanges: None,
        }
    }

    /// Sets whether a guest that sleeps goes on at once, at the time at which it would have woken.
    pub fn skip_sleep(mut self, skips: bool) -> Self {
        self.skips_sleep = skips;
        self
    }

    /// Sets who answers requests in place of the network, or records the answers of the network.
    #[cfg(feature = "http")]
    pub fn exchanges(mut self, exchanges: Arc<dyn Exchanges>) -> Self {
        self.exchanges = Some(exchanges);
        self
    }

    fn derive(&self, what: &str, number: u64) -> [u8; 32] {
        let text = format!("footlight {what} {} {number}", self.seed);
        *Digest::of(text.as_bytes()).as_bytes()
    }

    /// Returns the bytes of the id of the session without a name.
    pub(crate) fn session(&self) -> [u8; 16] {
        first(self.derive("session", 0))
    }
}

fn first<const N: usize>(bytes: [u8; 32]) -> [u8; N] {
    std::array::from_fn(|n| bytes[n])
}

/// The simulation of a host.
pub(crate) struct Simulated {
    simulation: Simulation,
    calls: AtomicU64,
}

impl Simulated {
    pub(crate) fn new(simulation: Simulation) -> Self {
        let calls = AtomicU64::new(0);
        Self { simulation, calls }
    }

    /// Returns the id and the seed of the next call.
    pub(crate) fn next_call(&self) -> ([u8; 12], [u8; 32]) {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let id = self.simulation.derive("call", number);
        (first(id), self.simulation.derive("randomness", number))
    }

    /// Returns the clock of a call.
    pub(crate) fn clock(&self) -> SimulatedClock {
        let start = u64::try_from(self.simulation.start.millis()).unwrap_or_default();
        SimulatedClock {
            start: Duration::from_millis(start),
            skips_sleep: self.simulation.skips_sleep,
            state: Mutex::default(),
        }
    }
}

/// The clock of one call.
#[derive(Debug)]
pub(crate) struct SimulatedClock {
    /// The time since 1970 at which the call starts.
    start: Duration,
    skips_sleep: bool,
    state: Mutex<ClockState>,
}

#[derive(Debug, Default)]
struct ClockState {
    elapsed: Duration,
    /// When the timers end that are waited for.
    timers: BTreeMap<u64, Duration>,
    next: u64,
}

impl SimulatedClock {
    /// Reads the clock of the day, since 1970.
    pub(crate) fn wall(&self) -> Duration {
        self.start.saturating_add(self.monotonic())
    }

    /// Reads the time since the start of the call.
    pub(crate) fn monotonic(&self) -> Duration {
        let state = &mut *lock(&self.state);
        state.elapsed = state.elapsed.saturating_add(STEP);
        state.elapsed
    }

    /// Returns when a timer of this length ends. Does not count as reading the clock.
    pub(crate) fn end_of(&self, timer: Duration) -> Duration {
        lock(&self.state).elapsed.saturating_add(timer)
    }

    fn advance_to(&self, time: Duration) {
        let state = &mut *lock(&self.state);
        state.elapsed = state.elapsed.max(time);
    }

    /// Waits until a time since the start of the call.
    pub(crate) async fn wait_until(&self, end: Duration) {
        let left = end.saturating_sub(lock(&self.state).elapsed);
        if left.is_zero() {
            return tokio::task::yield_now().await;
        }
        if !self.skips_sleep {
            tokio::time::sleep(left).await;
            return self.advance_to(end);
        }
        let _registered = self.register(end);
        loop {
            // Every timer that is waited for is registered before the first of them ends.
            tokio::task::yield_now().await;
            let state = &mut *lock(&self.state);
            let first = state.timers.values().min().copied().unwrap_or(end);
            state.elapsed = state.elapsed.max(first);
            if state.elapsed >= end {
                return;
            }
        }
    }

    fn register(&self, end: Duration) -> Registered<'_> {
        let state = &mut *lock(&self.state);
        let id = state.next;
        state.next += 1;
        state.timers.insert(id, end);
        Registered { clock: self, id }
    }
}

/// A timer that is waited for.
struct Registered<'a> {
    clock: &'a SimulatedClock,
    id: u64,
}

impl Drop for Registered<'_> {
    fn drop(&mut self) {
        lock(&self.clock.state).timers.remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulated(skips: bool) -> Simulated {
        let start = Timestamp::from_millis(1_000_000);
        Simulated::new(Simulation::new(start, 7).skip_sleep(skips))
    }

    #[tokio::test]
    async fn of_several_timers_the_first_ends_first_and_the_clock_stands_at_its_end() {
        let clock = simulated(true).clock();
        let [long, short] = [3600, 60].map(|seconds| clock.end_of(Duration::from_secs(seconds)));
        tokio::select! {
            biased;
            () = clock.wait_until(long) => panic!("the longer timer ended first"),
            () = clock.wait_until(short) => {}
        }
        assert_eq!(clock.monotonic(), short + STEP);
        // The timer that nobody waits for any more does not hold up another one.
        clock.wait_until(long).await;
        assert_eq!(clock.wall(), Duration::from_secs(1_000) + long + STEP);
    }

    #[tokio::test(start_paused = true)]
    async fn a_sleep_that_is_not_skipped_takes_its_time_and_leaves_the_clock_where_a_skipped_one_does()
     {
        let clock = simulated(false).clock();
        let began = tokio::time::Instant::now();
        let end = clock.end_of(Duration::from_secs(60));
        clock.wait_until(end).await;
        assert_eq!(clock.monotonic(), end + STEP);
        assert!(began.elapsed() >= Duration::from_secs(60));
    }

    #[test]
    fn calls_differ_and_repeat() {
        let (one, same) = (simulated(true), simulated(true));
        let calls = [one.next_call(), one.next_call()];
        assert_ne!(calls[0], calls[1]);
        assert_eq!(calls, [same.next_call(), same.next_call()]);
    }
}
