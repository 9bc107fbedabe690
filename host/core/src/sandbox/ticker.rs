//! The ticker: interrupts guests from a thread of its own, because guests can block every thread of a
//! runtime.
//!
//! It ticks only while a guest computes. The thread is parked otherwise, so that an idle host does not
//! wake the processor.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;
use wasmtime::{Engine, EngineWeak};

/// How often guests are interrupted, to yield and to be metered.
pub(crate) const SLICE: Duration = Duration::from_millis(10);

/// How many slices the ticker stays awake after the last guest. Waking it costs a call microseconds,
/// so calls that follow each other closely should not do it.
const LINGER: u32 = 10;

/// A running ticker. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Ticker {
    shared: Arc<Shared>,
    thread: Thread,
}

#[derive(Debug, Default)]
struct Shared {
    /// How many guests compute.
    guests: AtomicUsize,
    is_parked: AtomicBool,
    is_stopped: AtomicBool,
    ticks: AtomicU64,
}

/// Keeps the ticker ticking while a guest computes.
#[derive(Debug)]
pub(crate) struct Ticking(Arc<Shared>);

impl Ticker {
    /// Starts the thread. Without it no guest could be stopped, so a failure is an error.
    pub(crate) fn start(engine: &Engine) -> std::io::Result<Self> {
        let shared = Arc::<Shared>::default();
        // A weak reference, so that the thread does not keep the engine alive.
        let (weak, of_thread) = (engine.weak(), Arc::clone(&shared));
        let thread = thread::Builder::new()
            .name("footlight-ticker".to_owned())
            .spawn(move || of_thread.run(&weak))?;
        let thread = thread.thread().clone();
        Ok(Self { shared, thread })
    }

    /// Ticks until the returned guard is dropped.
    pub(crate) fn tick(&self) -> Ticking {
        self.shared.guests.fetch_add(1, Ordering::SeqCst);
        // The ticker parks only after it has set this and then seen no guest.
        if self.shared.is_parked.load(Ordering::SeqCst) {
            self.thread.unpark();
        }
        Ticking(Arc::clone(&self.shared))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.is_stopped.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.guests.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    fn run(&self, engine: &EngineWeak) {
        let mut idle = LINGER;
        while !self.is_stopped.load(Ordering::SeqCst) {
            idle = if self.is_idle() { idle + 1 } else { 0 };
            if idle > LINGER {
                self.park();
                idle = 0;
            }
            thread::sleep(SLICE);
            let Some(engine) = engine.upgrade() else {
                return;
            };
            engine.increment_epoch();
            self.ticks.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn is_idle(&self) -> bool {
        self.guests.load(Ordering::SeqCst) == 0
    }

    /// Parks until a guest computes or the ticker is stopped.
    fn park(&self) {
        self.is_parked.store(true, Ordering::SeqCst);
        while self.is_idle() && !self.is_stopped.load(Ordering::SeqCst) {
            thread::park();
        }
        self.is_parked.store(false, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits until a condition holds. A test that never ends is stopped by the runner.
    fn until(condition: impl Fn() -> bool) {
        while !condition() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    impl Ticker {
        fn ticks(&self) -> u64 {
            self.shared.ticks.load(Ordering::Relaxed)
        }

        fn is_parked(&self) -> bool {
            self.shared.is_parked.load(Ordering::SeqCst)
        }
    }

    #[test]
    fn the_ticker_ticks_while_a_guest_computes_and_only_then() {
        let engine = Engine::default();
        let ticker = Ticker::start(&engine).expect("a thread");
        until(|| ticker.is_parked());
        assert_eq!(ticker.ticks(), 0, "nothing has run yet");
        for _ in 0..3 {
            let before = ticker.ticks();
            let (one, other) = (ticker.tick(), ticker.tick());
            until(|| ticker.ticks() > before + 2);
            drop(one);
            // One guest is enough.
            let before = ticker.ticks();
            until(|| ticker.ticks() > before + u64::from(LINGER) * 2);
            drop(other);
            until(|| ticker.is_parked());
            let ended = ticker.ticks();
            thread::sleep(SLICE * 5);
            assert_eq!(ticker.ticks(), ended, "it is parked");
        }
    }

    #[test]
    fn no_wake_up_is_missed_however_short_the_pauses_are() {
        let engine = Engine::default();
        let ticker = Ticker::start(&engine).expect("a thread");
        for _ in 0..20 {
            until(|| ticker.is_parked());
            let before = ticker.ticks();
            let _ticking = ticker.tick();
            until(|| ticker.ticks() > before);
        }
    }

    #[test]
    fn a_parked_ticker_ends_when_it_is_dropped() {
        let ticker = Ticker::start(&Engine::default()).expect("a thread");
        until(|| ticker.is_parked());
        let shared = Arc::downgrade(&ticker.shared);
        drop(ticker);
        until(|| shared.strong_count() == 0);
    }
}
