//! A model that is listened to.
//!
//! [`Recorded`] hands each request with the step it led to, to a function: that is how a script is
//! written from a live run. A step that breaks off is not told.

use super::{Delta, Finished, Model, ModelError, Request, Step};
use futures_core::Stream;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

/// What is told of each step.
type Listener = Arc<Mutex<dyn FnMut(&Request, &Finished) + Send>>;

/// A model whose steps are told to a function.
#[derive(Clone)]
pub struct Recorded<M> {
    model: M,
    sink: Listener,
}

impl<M: Model> Recorded<M> {
    /// Listens to a model. The function is called just before a step ends, and should be quick.
    pub fn new(model: M, sink: impl FnMut(&Request, &Finished) + Send + 'static) -> Self {
        Self {
            model,
            sink: Arc::new(Mutex::new(sink)),
        }
    }
}

impl<M: fmt::Debug> fmt::Debug for Recorded<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Recorded").field(&self.model).finish()
    }
}

impl<M: Model> Model for Recorded<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn window(&self) -> Option<u64> {
        self.model.window()
    }

    fn step(&self, request: Request) -> Step {
        Box::pin(Heard {
            step: self.model.step(request.clone()),
            request,
            sink: Arc::clone(&self.sink),
        })
    }
}

struct Heard {
    step: Step,
    request: Request,
    sink: Listener,
}

impl Stream for Heard {
    type Item = Result<Delta, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.step.as_mut().poll_next(context);
        if let Poll::Ready(Some(Ok(Delta::Finished(finished)))) = &polled {
            // A listener that panicked before is still a listener.
            let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
            sink(&self.request, finished);
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelPart;
    use futures_util::{StreamExt as _, stream};

    struct Parrot;

    impl Model for Parrot {
        fn name(&self) -> &str {
            "parrot"
        }

        fn step(&self, request: Request) -> Step {
            let text = request.system;
            let said = ModelPart::Text { text: text.clone() };
            let finished = Finished {
                parts: vec![said],
                ..Finished::default()
            };
            let end = (!text.is_empty()).then_some(Ok(Delta::Finished(finished)));
            Box::pin(stream::iter([Ok(Delta::Text(text))].into_iter().chain(end)))
        }
    }

    #[tokio::test]
    async fn each_finished_step_is_told_with_its_request_and_passed_on() {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let model = Recorded::new(Parrot, move |request: &Request, finished: &Finished| {
            let pair = (request.system.clone(), finished.parts.len());
            heard.lock().expect("nobody panics").push(pair);
        });
        for (system, deltas) in [("hello", 2), ("", 1), ("bye", 2)] {
            let system = system.to_owned();
            let request = Request {
                system,
                ..Request::default()
            };
            assert_eq!(model.step(request).count().await, deltas);
        }
        let told = told.lock().expect("nobody panics");
        assert_eq!(*told, [("hello".to_owned(), 1), ("bye".to_owned(), 1)]);
        assert_eq!(model.name(), "parrot");
    }
}
