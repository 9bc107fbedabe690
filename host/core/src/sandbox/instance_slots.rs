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
const PATIENCE: Duration = Duration::from_secs(30);

/// How many calls may wait.
const QUEUE: usize = 1_000;

/// What one place has; see the pool's sizes in `engine.rs`.
const MEMORIES: u32 = 3;
const TABLES: u32 = 6;

/// The places of a host.
pub(crate) struct Places {
    free: Semaphore,
    all: u32,
    queue: AtomicUsize,
}

impl Places {
    pub(crate) fn new(calls: u32) -> Self {
        Self {
            free: Semaphore::new(calls as usize),
            all: calls,
            queue: AtomicUsize::new(0),
        }
    }

    /// Waits for so many places, or for all of them where there are not so many: the largest guest
    /// fits into any pool alone.
    pub(crate) async fn take(&self, places: u32) -> Result<SemaphorePermit<'_>, Fault> {
        let places = places.min(self.all);
        if let Ok(permit) = self.free.try_acquire_many(places) {
            return Ok(permit);
        }
        if self.queue.fetch_add(1, Ordering::Relaxed) >= QUEUE {
            self.queue.fetch_sub(1, Ordering::Relaxed);
            return Err(Fault::Busy);
        }
        let _queued = Queued(&self.queue);
        let permit = tokio::time::timeout(PATIENCE, self.free.acquire_many(places)).await;
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
pub(crate) fn needed(component: &Component) -> u32 {
    component.resources_required().map_or(u32::MAX, |needed| {
        let memories = needed.num_memories.div_ceil(MEMORIES);
        memories.max(needed.num_tables.div_ceil(TABLES)).max(1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    #[tokio::test(start_paused = true)]
    async fn places_are_given_in_the_order_of_the_queue() {
        let places = Places::new(2);
        let (first, second) = (places.take(1).await, places.take(1).await);
        let mut idle = Context::from_waker(Waker::noop());
        // The one that wants both is not overtaken by the one that would do with less.
        let mut large = pin!(places.take(9));
        assert!(large.as_mut().poll(&mut idle).is_pending());
        let mut small = pin!(places.take(1));
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
        let places = Places::new(1);
        let _taken = places.take(1).await.expect("free");
        assert_eq!(places.take(1).await.err(), Some(Fault::Busy));
        let mut idle = Context::from_waker(Waker::noop());
        let mut queue: Vec<_> = (0..QUEUE).map(|_| Box::pin(places.take(1))).collect();
        for waiting in &mut queue {
            assert!(waiting.as_mut().poll(&mut idle).is_pending());
        }
        let mut last = pin!(places.take(1));
        assert!(matches!(
            last.as_mut().poll(&mut idle),
            Poll::Ready(Err(Fault::Busy))
        ));
        drop(queue);
        let mut next = pin!(places.take(1));
        assert!(
            next.as_mut().poll(&mut idle).is_pending(),
            "there is room again"
        );
    }
}
