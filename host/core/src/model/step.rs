//! One answer of a model, as a stream.

use super::{Finished, ModelError, ModelPart};
use futures_core::Stream;
use futures_util::{StreamExt as _, stream};
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::mpsc;

/// A piece of a model's answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Delta {
    /// More text.
    Text(String),
    /// More reasoning, from providers that show it. It is for the person, and no part of the answer.
    Reasoning(String),
    /// The model began to write a call of this tool.
    Calling(String),
    /// Everything streamed so far is void: the request is sent again.
    Retry(Retry),
    /// The whole answer. Nothing follows.
    Finished(Finished),
}

/// Why and when a request is sent again.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retry {
    /// The number of the next attempt; the first retry is 2.
    pub attempt: u32,
    /// The wait before the next attempt.
    pub after: Duration,
    /// The message of the error.
    pub why: String,
}

/// One answer of a model: a stream of [`Delta`]s that ends with [`Delta::Finished`] or an error.
///
/// Dropping it cancels the request.
///
/// ```
/// use footlight::model::{Finished, Step};
///
/// // The whole answer is known at once.
/// let step = Step::finished(Finished::text("Hello."));
///
/// // The answer arrives piece by piece.
/// let step = Step::from_fn(|deltas| async move {
///     deltas.text("Hel");
///     deltas.text("lo.");
///     Ok(Finished::text("Hello."))
/// });
/// ```
pub struct Step(Pin<Box<dyn Stream<Item = Result<Delta, ModelError>> + Send>>);

impl Step {
    /// Wraps a stream of deltas.
    pub fn new(deltas: impl Stream<Item = Result<Delta, ModelError>> + Send + 'static) -> Self {
        Self(Box::pin(deltas.fuse()))
    }

    /// Streams an answer that is known as a whole.
    #[must_use]
    pub fn finished(finished: Finished) -> Self {
        let parts = finished.parts.iter().filter_map(|part| match part {
            ModelPart::Text { text } => Some(Delta::Text(text.clone())),
            ModelPart::Call(call) => Some(Delta::Calling(call.name.clone())),
            ModelPart::Opaque { .. } => None,
        });
        let mut deltas: Vec<_> = parts.map(Ok).collect();
        deltas.push(Ok(Delta::Finished(finished)));
        Self::new(stream::iter(deltas))
    }

    /// Fails at once.
    #[must_use]
    pub fn failed(error: ModelError) -> Self {
        Self::new(stream::iter([Err(error)]))
    }

    /// Runs a future that sends deltas while it works and returns the whole answer.
    ///
    /// The future runs only while the step is polled, and is dropped with it.
    pub fn from_fn<F>(answer: impl FnOnce(DeltaSender) -> F) -> Self
    where
        F: Future<Output = Result<Finished, ModelError>> + Send + 'static,
    {
        let (sender, receiver) = mpsc::unbounded_channel();
        let answer = Box::pin(answer(DeltaSender(sender)));
        let state = (receiver, Some(answer), None);
        let deltas = stream::unfold(state, |(mut receiver, mut answer, mut end)| async move {
            while let Some(running) = &mut answer {
                tokio::select! {
                    biased;
                    Some(delta) = receiver.recv() => {
                        return Some((Ok(delta), (receiver, answer, end)));
                    }
                    result = running => {
                        end = Some(result.map(Delta::Finished));
                        answer = None;
                        // The deltas that were sent come before the end.
                        receiver.close();
                    }
                }
            }
            let next = match receiver.recv().await {
                Some(delta) => Ok(delta),
                None => end.take()?,
            };
            Some((next, (receiver, answer, end)))
        });
        Self::new(deltas)
    }

    /// Returns the next delta, or `None` after the last one.
    pub async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        self.0.next().await
    }
}

impl Stream for Step {
    type Item = Result<Delta, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Step")
    }
}

/// Sends the pieces of an answer from [`Step::from_fn`].
#[derive(Debug, Clone)]
pub struct DeltaSender(mpsc::UnboundedSender<Delta>);

impl DeltaSender {
    /// Sends one delta. A step that was dropped ignores it.
    pub fn send(&self, delta: Delta) {
        let _ = self.0.send(delta);
    }

    /// Sends a piece of reasoning.
    pub fn reasoning(&self, text: impl Into<String>) {
        self.send(Delta::Reasoning(text.into()));
    }

    /// Sends a piece of text.
    pub fn text(&self, text: impl Into<String>) {
        self.send(Delta::Text(text.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelErrorKind;

    #[tokio::test]
    async fn a_step_from_a_future_streams_its_deltas_before_its_end() {
        let mut step = Step::from_fn(|deltas| async move {
            deltas.text("one");
            tokio::task::yield_now().await;
            deltas.text("two");
            Ok(Finished::text("onetwo"))
        });
        for text in ["one", "two"] {
            assert_eq!(step.next().await, Some(Ok(Delta::Text(text.to_owned()))));
        }
        let end = Delta::Finished(Finished::text("onetwo"));
        assert_eq!(step.next().await, Some(Ok(end)));
        assert_eq!(step.next().await, None);
    }

    #[tokio::test]
    async fn a_step_from_a_future_that_fails_ends_with_its_error() {
        let error = ModelError::new(ModelErrorKind::Refused, "no");
        let mut step = Step::from_fn({
            let error = error.clone();
            |deltas| async move {
                deltas.text("one");
                Err(error)
            }
        });
        assert_eq!(step.next().await, Some(Ok(Delta::Text("one".to_owned()))));
        assert_eq!(step.next().await, Some(Err(error)));
        assert_eq!(step.next().await, None);
    }
}
