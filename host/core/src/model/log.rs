//! A wrapper that logs the requests to a model.

use super::{Model, ModelError, ModelErrorKind, Request, Step};
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

/// A model that writes each request as one line of JSON before it passes it on.
///
/// A request that cannot be logged is not sent, so that the log is complete.
#[derive(Debug)]
pub struct LogRequests<M, W> {
    model: M,
    sink: Mutex<W>,
}

impl<M: Model, W: Write + Send + 'static> LogRequests<M, W> {
    /// Logs what `model` is sent to `sink`, which is flushed after each line.
    pub fn new(model: M, sink: W) -> Self {
        Self {
            model,
            sink: Mutex::new(sink),
        }
    }

    fn log(&self, request: &Request) -> io::Result<()> {
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        // Lines are written whole, so a sink that another thread poisoned is still usable.
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        sink.write_all(&line)?;
        sink.flush()
    }
}

impl<M: Model, W: Write + Send + 'static> Model for LogRequests<M, W> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn window(&self) -> Option<u64> {
        self.model.window()
    }

    fn step(&self, request: Request) -> Step {
        match self.log(&request) {
            Ok(()) => self.model.step(request),
            Err(error) => {
                let message = "the request was not sent, because it cannot be logged";
                let refused = ModelError::new(ModelErrorKind::Refused, message);
                Step::failed(refused.with_source(error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Message, Part, Script};
    use futures_util::FutureExt as _;
    use std::sync::{Arc, Mutex};

    /// A sink that can be looked into, and be full.
    #[derive(Clone, Default)]
    struct Sink {
        bytes: Arc<Mutex<Vec<u8>>>,
        is_full: bool,
    }

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.is_full {
                return Err(io::Error::from(io::ErrorKind::StorageFull));
            }
            self.bytes.lock().expect("not poisoned").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn request(said: &str) -> Request {
        let text = said.to_owned();
        Request {
            messages: vec![Message::Person {
                content: vec![Part::Text { text }],
            }]
            .into(),
            may_call: true,
            ..Request::default()
        }
    }

    fn script() -> Script {
        Script::parse("x.yaml", "steps: [{ text: hi }]").expect("a script")
    }

    #[test]
    fn each_request_is_one_line_that_reads_back() {
        let sink = Sink::default();
        let model = LogRequests::new(script(), sink.clone());
        assert_eq!((model.name(), model.window()), ("script:x.yaml", None));
        let sent = [request("one\ntwo"), request("three")];
        for request in sent.clone() {
            drop(model.step(request));
        }
        let bytes = sink.bytes.lock().expect("not poisoned").clone();
        let text = String::from_utf8(bytes).expect("text");
        let read = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a request"));
        assert_eq!(read.collect::<Vec<Request>>(), sent);
    }

    #[test]
    fn a_request_that_cannot_be_logged_is_not_sent() {
        let is_full = true;
        let model = LogRequests::new(
            script(),
            Sink {
                is_full,
                ..Sink::default()
            },
        );
        let mut step = model.step(request("one"));
        let Some(Some(Err(error))) = step.next().now_or_never() else {
            panic!("an error was expected");
        };
        assert!(error.message.contains("cannot be logged"));
    }
}
