//! A step whose deltas are all there already.

use super::{Delta, ModelError, Step};
use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec::IntoIter;

/// Streams these deltas without waiting.
pub(super) fn ready(deltas: Vec<Result<Delta, ModelError>>) -> Step {
    Box::pin(Ready(deltas.into_iter()))
}

struct Ready(IntoIter<Result<Delta, ModelError>>);

impl Stream for Ready {
    type Item = Result<Delta, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.next())
    }
}
