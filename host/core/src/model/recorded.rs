//! A wrapper that reports each step of a model.

use super::{Delta, Finished, Model, Request, Step};
use futures_util::StreamExt as _;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

type Listener = Arc<Mutex<dyn FnMut(&Request, &Finished) + Send>>;

/// A model that passes each request and its answer to a function, for example to write a
/// [`Script`](super::Script) from a live run. Steps that fail are not reported.
#[derive(Clone)]
pub struct Recorded<M> {
    model: M,
    listener: Listener,
}

impl<M: Model> Recorded<M> {
    /// Wraps a model. The function is called just before a step ends and should return quickly.
    pub fn new(model: M, listener: impl FnMut(&Request, &Finished) + Send + 'static) -> Self {
        Self {
            model,
            listener: Arc::new(Mutex::new(listener)),
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
        let step = self.model.step(request.clone());
        let listener = Arc::clone(&self.listener);
        Step::new(step.inspect(move |delta| {
            if let Ok(Delta::Finished(finished)) = delta {
                // A listener that panicked once is still called.
                let mut listener = listener.lock().unwrap_or_else(PoisonError::into_inner);
                listener(&request, finished);
            }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    struct Parrot;

    impl Model for Parrot {
        fn name(&self) -> &str {
            "parrot"
        }

        fn step(&self, request: Request) -> Step {
            let text = request.system;
            let finished = Finished::text(text.clone());
            let end = (!text.is_empty()).then_some(Ok(Delta::Finished(finished)));
            Step::new(stream::iter([Ok(Delta::Text(text))].into_iter().chain(end)))
        }
    }

    #[tokio::test]
    async fn each_finished_step_is_reported_with_its_request_and_passed_on() {
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
