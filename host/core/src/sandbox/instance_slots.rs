//! Admission control for the instance pool.
//!
//! Each running guest holds one or more slots, in proportion to the memories and tables it
//! declares, so that an admitted call never fails for lack of pool space. Calls queue in FIFO
//! order.
//!
//! A guest that waits for a person keeps its slots, possibly for days. Queueing is therefore
//! bounded, both in time (`QUEUE_TIMEOUT`) and in length (`MAX_QUEUED`), and a call that cannot be
//! admitted fails with [`Fault::Busy`].

use crate::call::fault::Fault;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};
use wasmtime::component::Component;

/// How long a call can queue for its slots.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(30);

/// How many calls can queue at once.
const MAX_QUEUED: usize = 1_000;

/// The pool space of one slot; see the sizes of the pool in `engine.rs`.
const MEMORIES_PER_SLOT: u32 = 3;
const TABLES_PER_SLOT: u32 = 6;

/// The slots of a host's instance pool.
pub(crate) struct InstanceSlots {
    available: Semaphore,
    total: u32,
    queued: AtomicUsize,
}

impl InstanceSlots {
    pub(crate) fn new(calls: u32) -> Self {
        Self {
            available: Semaphore::new(calls as usize),
            total: calls,
            queued: AtomicUsize::new(0),
        }
    }

    /// Acquires `count` slots, or all of them if the pool has fewer: the largest guest always fits
    /// alone.
    pub(crate) async fn acquire(&self, slots: u32) -> Result<SemaphorePermit<'_>, Fault> {
        let slots = slots.min(self.total);
        if let Ok(permit) = self.available.try_acquire_many(slots) {
            return Ok(permit);
        }
        if self.queued.fetch_add(1, Ordering::Relaxed) >= MAX_QUEUED {
            self.queued.fetch_sub(1, Ordering::Relaxed);
            return Err(Fault::Busy);
        }
        let _queued = Queued(&self.queued);
        let permit = tokio::time::timeout(QUEUE_TIMEOUT, self.available.acquire_many(slots)).await;
        // The semaphore is never closed.
        permit.ok().and_then(Result::ok).ok_or(Fault::Busy)
    }
}

/// A queued call; leaves the queue when dropped.
struct Queued<'a>(&'a AtomicUsize);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Returns how many slots a guest needs.
pub(crate) fn slots_needed(component: &Component) -> u32 {
    component
        .resources_required()
        .map_or(u32::MAX, |slots_needed| {
            let memories = slots_needed.num_memories.div_ceil(MEMORIES_PER_SLOT);
            memories
                .max(slots_needed.num_tables.div_ceil(TABLES_PER_SLOT))
                .max(1)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    #[tokio::test(start_paused = true)]
    async fn places_are_given_in_the_order_of_the_queue() {
        let slots = InstanceSlots::new(2);
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
        let slots = InstanceSlots::new(1);
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
}
