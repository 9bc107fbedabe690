//! Admission control for the instance pool.
//!
//! Each computing guest holds one or more slots, in proportion to the memories and tables it declares,
//! so that an admitted call never fails for lack of pool space. Calls queue in FIFO order. Queueing is
//! bounded, both in time (`QUEUE_TIMEOUT`) and in length (`MAX_QUEUED`), and a call that cannot be
//! admitted fails with [`Fault::Busy`].
//!
//! A guest that waits for a person or sleeps has given its slots to others; see
//! [`waiting_guests`](super::waiting_guests). The pool has space for the guests that compute and for those that wait.

use crate::call::fault::Fault;
use crate::sandbox::ticker::{Ticker, Ticking};
use crate::sandbox::waiting_guests::{WaitingGuests, WaitingLimits};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wasmtime::component::Component;

/// How long a call can queue for its slots.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(30);

/// How many calls can queue at once.
const MAX_QUEUED: usize = 1_000;

/// The pool space of one slot. Most guests have one memory; those that wait are many, and memories
/// take much address space.
const MEMORIES_PER_COMPUTING_SLOT: u32 = 3;
const MEMORIES_PER_WAITING_SLOT: u32 = 1;
const TABLES_PER_SLOT: u32 = 6;

/// What the largest component that is allowed has. It must fit into the smallest pool, or its calls
/// would be refused for ever.
pub(crate) const MAX_MEMORIES: u32 = 8;
pub(crate) const MAX_TABLES: u32 = 32;

/// The size of an instance pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PoolSize {
    pub(crate) guests: u32,
    pub(crate) memories: u32,
    pub(crate) tables: u32,
}

impl PoolSize {
    /// Returns the size for this many computing and waiting slots.
    pub(crate) fn new(computing: u32, waiting: u32) -> Self {
        let memories = |slots: u32, each: u32| slots.saturating_mul(each).max(MAX_MEMORIES);
        let tables = |slots: u32| slots.saturating_mul(TABLES_PER_SLOT).max(MAX_TABLES);
        Self {
            guests: computing.saturating_add(waiting),
            memories: memories(computing, MEMORIES_PER_COMPUTING_SLOT)
                .saturating_add(memories(waiting, MEMORIES_PER_WAITING_SLOT)),
            tables: tables(computing).saturating_add(tables(waiting)),
        }
    }
}

/// The slots of a host's instance pool.
pub(crate) struct InstanceSlots {
    computing: Arc<Semaphore>,
    total: u32,
    queued: AtomicUsize,
    pub(super) waiting: WaitingGuests,
    ticker: Arc<Ticker>,
}

/// The slots of a computing guest. The ticker ticks meanwhile.
#[derive(Debug)]
pub(crate) struct ComputingPermit {
    _slots: OwnedSemaphorePermit,
    _ticking: Ticking,
}

impl InstanceSlots {
    pub(crate) fn new(calls: u32, waiting: WaitingLimits, ticker: Arc<Ticker>) -> Self {
        Self {
            computing: Arc::new(Semaphore::new(calls as usize)),
            total: calls,
            queued: AtomicUsize::new(0),
            waiting: WaitingGuests::new(waiting),
            ticker,
        }
    }

    /// Acquires `count` slots, or all of them if the pool has fewer: the largest guest always fits
    /// alone.
    pub(crate) async fn acquire(&self, count: u32) -> Result<ComputingPermit, Fault> {
        let slots = Arc::clone(&self.computing);
        if let Ok(slots) = slots.try_acquire_many_owned(count.min(self.total)) {
            return Ok(self.permit(slots));
        }
        if self.queued.fetch_add(1, Ordering::Relaxed) >= MAX_QUEUED {
            self.queued.fetch_sub(1, Ordering::Relaxed);
            return Err(Fault::Busy);
        }
        let _queued = Queued(&self.queued);
        let permit = tokio::time::timeout(QUEUE_TIMEOUT, self.reacquire(count)).await;
        permit.ok().flatten().ok_or(Fault::Busy)
    }

    /// Acquires slots without a bound on the time, in the same order. Returns `None` never: the
    /// semaphore is not closed.
    pub(super) async fn reacquire(&self, count: u32) -> Option<ComputingPermit> {
        let slots = Arc::clone(&self.computing).acquire_many_owned(count.min(self.total));
        slots.await.ok().map(|slots| self.permit(slots))
    }

    fn permit(&self, slots: OwnedSemaphorePermit) -> ComputingPermit {
        ComputingPermit {
            _slots: slots,
            _ticking: self.ticker.tick(),
        }
    }
}

/// A queued call; leaves the queue when dropped.
struct Queued<'a>(&'a AtomicUsize);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How many slots a guest needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SlotsNeeded {
    /// While it computes.
    pub(crate) computing: u32,
    /// While it waits.
    pub(crate) waiting: u32,
}

impl SlotsNeeded {
    pub(crate) fn of(component: &Component) -> Self {
        let needed = component.resources_required();
        let slots = |memories_each: u32| {
            needed.as_ref().map_or(u32::MAX, |needed| {
                let memories = needed.num_memories.div_ceil(memories_each);
                let tables = needed.num_tables.div_ceil(TABLES_PER_SLOT);
                memories.max(tables).max(1)
            })
        };
        Self {
            computing: slots(MEMORIES_PER_COMPUTING_SLOT),
            waiting: slots(MEMORIES_PER_WAITING_SLOT),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    fn slots(calls: u32) -> InstanceSlots {
        let ticker = Ticker::start(&wasmtime::Engine::default()).expect("a thread");
        InstanceSlots::new(calls, WaitingLimits::default(), Arc::new(ticker))
    }

    #[tokio::test(start_paused = true)]
    async fn places_are_given_in_the_order_of_the_queue() {
        let slots = slots(2);
        let (first, second) = (slots.acquire(1).await, slots.acquire(1).await);
        let mut idle = Context::from_waker(Waker::noop());
        // A call that needs both slots is not overtaken by one that needs less.
        let mut large = pin!(slots.acquire(9));
        assert!(large.as_mut().poll(&mut idle).is_pending());
        let mut small = pin!(slots.acquire(1));
        assert!(small.as_mut().poll(&mut idle).is_pending());
        drop(first);
        assert!(large.as_mut().poll(&mut idle).is_pending());
        assert!(small.as_mut().poll(&mut idle).is_pending());
        drop(second);
        let Poll::Ready(Ok(both)) = large.as_mut().poll(&mut idle) else {
            panic!("both are free");
        };
        assert!(small.as_mut().poll(&mut idle).is_pending());
        drop(both);
        assert!(small.await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_for_ever_and_not_everybody_may_wait() {
        let slots = slots(1);
        let _taken = slots.acquire(1).await.expect("free");
        assert_eq!(slots.acquire(1).await.err(), Some(Fault::Busy));
        let mut idle = Context::from_waker(Waker::noop());
        let mut queued: Vec<_> = (0..MAX_QUEUED)
            .map(|_| Box::pin(slots.acquire(1)))
            .collect();
        for waiting in &mut queued {
            assert!(waiting.as_mut().poll(&mut idle).is_pending());
        }
        let mut last = pin!(slots.acquire(1));
        assert!(matches!(
            last.as_mut().poll(&mut idle),
            Poll::Ready(Err(Fault::Busy))
        ));
        drop(queued);
        let mut next = pin!(slots.acquire(1));
        assert!(
            next.as_mut().poll(&mut idle).is_pending(),
            "there is room again"
        );
    }

    #[test]
    fn the_pool_has_space_for_every_mix_of_guests() {
        // The memories and tables of each guest, in any numbers that a component can have.
        let needed = |memories: u32, tables: u32, each: u32| {
            memories
                .div_ceil(each)
                .max(tables.div_ceil(TABLES_PER_SLOT))
                .max(1)
        };
        for (calls, waiting) in [(1, 1), (2, 1), (1, 9), (8, 8), (16, 256)] {
            let size = PoolSize::new(calls, waiting);
            for memories in 0..=MAX_MEMORIES {
                for tables in 0..=MAX_TABLES {
                    let fit = |slots: u32, each| {
                        (slots / needed(memories, tables, each).min(slots)).max(1)
                    };
                    let guests = fit(calls, MEMORIES_PER_COMPUTING_SLOT)
                        + fit(waiting, MEMORIES_PER_WAITING_SLOT);
                    assert!(guests <= size.guests);
                    assert!(guests * memories <= size.memories, "{memories} of {size:?}");
                    assert!(guests * tables <= size.tables, "{tables} of {size:?}");
                }
            }
        }
    }
}
