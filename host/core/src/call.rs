//! One call, followed: a stream of events that ends with how it ended.
//!
//! The stream drives the call: as long as it is polled, the guest runs. Dropping it ends the call
//! and everything in it; [`cancel`](Call::cancel) lets the guest tidy up first.

pub(crate) mod approval;
mod clock;
pub(crate) mod event;
pub(crate) mod fault;
pub(crate) mod guest_log;
mod outcome;
pub(crate) mod outputs;
pub(crate) mod pending;
pub(crate) mod run;
pub(crate) mod stage;

use crate::call::event::{Ended, Event};
use crate::call::stage::Stage;
use footlight_vocabulary::item::CallId;
use futures_core::Stream;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A call on its way.
#[must_use = "a call only runs while it is followed: await `finish`, or `next` until it is over"]
pub struct Call {
    pub(crate) stage: Arc<Stage>,
    pub(crate) running: Option<Pin<Box<dyn Future<Output = Ended> + Send>>>,
}

impl Call {
    /// Its id, minted by the host.
    #[must_use]
    pub fn id(&self) -> &CallId {
        &self.stage.call
    }

    /// The next event; nothing once it is over.
    pub async fn next(&mut self) -> Option<Event> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }

    /// Follows it to its end.
    ///
    /// # Panics
    /// When [`next`](Self::next) has given [`Event::Finished`] already: how it ended is in there.
    pub async fn finish(mut self) -> Ended {
        loop {
            match self.next().await {
                Some(Event::Finished(ended)) => return *ended,
                Some(_) => {}
                None => panic!("`next` has already given how this call ended"),
            }
        }
    }

    /// A handle that cancels the call, for another task.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.stage))
    }

    /// Cancels the call. The guest has two seconds to tidy up; the stream goes on until it ended.
    pub fn cancel(&self) {
        self.stage.cancel();
    }
}

/// Cancels a call from elsewhere.
#[derive(Clone)]
pub struct Canceller(Arc<Stage>);

impl Canceller {
    /// Cancels the call.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

impl Stream for Call {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Event>> {
        if let Some(event) = self.stage.next_event() {
            return Poll::Ready(Some(event));
        }
        let Some(running) = &mut self.running else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(ended) = running.as_mut().poll(context) {
            self.running = None;
            self.stage.emit(Event::Finished(Box::new(ended)));
        }
        match self.stage.next_event() {
            Some(event) => Poll::Ready(Some(event)),
            None => Poll::Pending,
        }
    }
}
