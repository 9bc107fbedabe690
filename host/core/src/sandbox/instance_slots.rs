//! Room for calls: as many places as the pool of instances has, taken in the order in which they were
//! asked for.
//!
//! A guest of many memories takes several places, so that whoever has one finds room in the pool. A guest
//! that waits for a person keeps its place: it may hold it for days. So nobody waits for a place for
//! ever, and not everybody may wait.

use crate::call::fault::Fault;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};
use wasmtime::component::Component;

/// How long a call waits for its place.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(30);

/// How many calls may wait.
const MAX_QUEUED: usize = 1_000;

/// What one place has; see the pool's sizes in `engine.rs`.
const MEMORIES_PER_SLOT: u32 = 3;
const TABLES_PER_SLOT: u32 = 6;

/// The places of a host.
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

    /// Waits for so many places, or for all of them where there are not so many: the largest guest
    /// fits into any pool alone.
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
        // It is never closed.
        permit.ok().and_then(Result::ok).ok_or(Fault::Busy)
    }
}

/// Somebody who waits, until they have a place or give up.
struct Queued<'a>(&'a AtomicUsize);

impl Drop for Queued<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How many places a guest takes.
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
        // The one that wants both is not overtaken by the one that would do with less.
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
