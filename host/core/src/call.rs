//! One tool call: a stream of events that ends with the call's outcome.
//!
//! Polling the stream runs the guest. Dropping the stream ends the call at once;
//! [`cancel`](Call::cancel) gives the guest time to return.

pub(crate) mod approval;
mod clock;
pub(crate) mod event;
mod event_queue;
mod execute;
pub(crate) mod fault;
pub(crate) mod file_access;
pub(crate) mod guest_log;
pub(crate) mod hydration;
pub(crate) mod identity;
mod outcome;
pub(crate) mod outputs;
pub(crate) mod pending;
pub(crate) mod question;
pub(crate) mod run;
pub(crate) mod stage;

use crate::call::event::{CallEvent, CallOutcome};
use crate::call::stage::Stage;
use footlight_vocabulary::item::CallId;
use futures_core::Stream;
use futures_util::StreamExt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A running call of one tool: a stream of what happens, which also drives it.
///
/// The call runs only while somebody polls this. [`finish`](Self::finish) does so to the end and returns
/// the outcome; [`next`](Self::next) returns one event after the other, such as a question that waits
/// for an answer. Dropping the call ends the guest.
///
/// ```no_run
/// use footlight::vocabulary::item::Verdict;
/// use footlight::{CallEvent, Host};
/// use serde_json::json;
///
/// # async fn example(host: Host) -> Result<(), Box<dyn std::error::Error>> {
/// let mut call = host.call("mail.send", json!({ "to": "ada@example.com" }));
/// while let Some(event) = call.next().await {
///     match event {
///         CallEvent::Asked { id, question, .. } => {
///             println!("{}", question.prompt);
///             host.answer(&id, json!("Yes"))?;
///         }
///         CallEvent::Approval { id, .. } => host.decide(&id, Verdict::Once, None)?,
///         CallEvent::Finished(outcome) => println!("{:?}", outcome.result),
///         _ => {} // widgets, progress and other entries of the record
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "a call only runs while it is polled: await `finish`, or `next` until it returns `None`"]
pub struct Call {
    pub(crate) stage: Arc<Stage>,
    pub(crate) running: Option<Pin<Box<dyn Future<Output = CallOutcome> + Send>>>,
}

impl Call {
    /// Returns the call's id.
    #[must_use]
    pub fn id(&self) -> &CallId {
        &self.stage.call
    }

    /// Returns the next event, or `None` after [`CallEvent::Finished`].
    pub async fn next(&mut self) -> Option<CallEvent> {
        StreamExt::next(self).await
    }

    /// Runs the call to its end.
    ///
    /// # Panics
    /// If [`next`](Self::next) has already returned [`CallEvent::Finished`].
    pub async fn finish(mut self) -> CallOutcome {
        if let Some(running) = self.running.take() {
            self.stage.discard_events();
            return running.await;
        }
        loop {
            match self.stage.next_event() {
                Some(CallEvent::Finished(ended)) => return *ended,
                Some(_) => {}
                None => panic!("`next` has already returned the outcome of this call"),
            }
        }
    }

    /// Returns a handle that can cancel the call from another task.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        Canceller(Arc::clone(&self.stage))
    }

    /// Cancels the call. The guest has two seconds to return, in which nothing that it does takes
    /// effect; the stream continues until it ends.
    pub fn cancel(&self) {
        self.stage.cancel();
    }
}

/// Cancels a call from another task, such as one that listens for Ctrl-C. Made by [`Call::canceller`].
#[derive(Clone)]
pub struct Canceller(Arc<Stage>);

impl Canceller {
    /// Cancels the call.
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

impl Stream for Call {
    type Item = CallEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<CallEvent>> {
        if let Some(event) = self.stage.next_event() {
            return Poll::Ready(Some(event));
        }
        let Some(running) = &mut self.running else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(ended) = running.as_mut().poll(context) {
            self.running = None;
            self.stage.emit(CallEvent::Finished(Box::new(ended)));
        }
        match self.stage.next_event() {
            Some(event) => Poll::Ready(Some(event)),
            None => Poll::Pending,
        }
    }
}
