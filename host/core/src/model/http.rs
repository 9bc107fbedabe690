//! A model behind an HTTP API.
//!
//! A [`HttpModel`] is a wire, a transport and policy. Each step is one request; when it comes to
//! nothing and another try may help, what came of it is declared void and it is asked again.
//!
//! Invariant: nothing runs on its own. A step moves only while its stream is polled, and dropping
//! the stream closes the connection.

pub mod retry;
pub mod sse;
pub(super) mod transport;

use super::providers::spec::Spec;
use super::wire::{Decoder, HttpRequest, encode};
use super::{Delta, Model, ModelError, ModelErrorKind, Request, Retry, Step};
use futures_core::Stream;
use reqwest::Response;
use retry::RetryPolicy;
use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use transport::{AttemptError, Transport};

#[cfg(test)]
mod tests;

/// A model behind an HTTP API.
#[derive(Debug, Clone)]
pub struct HttpModel {
    name: String,
    model: String,
    transport: Arc<Transport>,
}

/// What can be set apart from the model itself.
#[derive(Debug, Clone, Default)]
pub struct HttpOptions {
    /// How long things may take. By default what the provider's profile says.
    pub retry: Option<RetryPolicy>,
    /// Certificates to trust instead of the system's, as PEM.
    pub roots: Option<Vec<u8>>,
}

impl HttpModel {
    /// The model a [`Spec`] names, with the key that `key_of` finds: it is asked with names of
    /// environment variables.
    ///
    /// # Errors
    /// When the spec is none, or the key is missing. Nothing is sent yet.
    pub fn open(
        spec: &str,
        key_of: impl Fn(&str) -> Option<String>,
        options: HttpOptions,
    ) -> Result<Self, ModelError> {
        let spec = Spec::parse(spec)?;
        let key = spec.key(key_of)?;
        let policy = options.retry.unwrap_or_else(|| {
            let mut policy = RetryPolicy::default();
            if let Some(seconds) = spec.profile.first_byte {
                policy.first_byte = Duration::from_secs(seconds);
            }
            policy
        });
        Ok(Self {
            name: spec.text,
            model: spec.model,
            transport: Arc::new(Transport {
                profile: spec.profile,
                base: spec.base,
                key,
                policy,
                roots: options.roots,
                client: OnceLock::new(),
            }),
        })
    }
}

impl Model for HttpModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn window(&self) -> Option<u64> {
        self.transport.profile.window
    }

    fn step(&self, request: Request) -> Step {
        Box::pin(Steps::Still(Box::new(Asking {
            sent: encode(&request, &self.transport.profile, &self.model),
            transport: Arc::clone(&self.transport),
            request,
            flow: None,
            tries: 0,
            wait: None,
            troubled: None,
            ready: VecDeque::new(),
            over: false,
        })))
    }
}

/// One step that is being asked for.
struct Asking {
    transport: Arc<Transport>,
    request: Request,
    sent: HttpRequest,
    flow: Option<(Response, Decoder)>,
    tries: u32,
    wait: Option<Duration>,
    /// When things first went wrong.
    troubled: Option<Instant>,
    ready: VecDeque<Result<Delta, ModelError>>,
    over: bool,
}

impl Asking {
    /// Goes on until there is something to tell, or a bit further.
    async fn advance(mut self: Box<Self>) -> Box<Self> {
        if let Some(wait) = self.wait.take() {
            tokio::time::sleep(wait).await;
        }
        let outcome = match self.flow.take() {
            Some(flow) => self.read(flow).await,
            None => self.send().await,
        };
        if let Err(failed) = outcome {
            self.failed(failed);
        }
        self
    }

    async fn send(&mut self) -> Result<(), AttemptError> {
        self.tries += 1;
        let response = self.transport.send(&self.sent).await?;
        let decoder = Decoder::new(&self.request, &self.transport.profile);
        self.flow = Some((response, decoder));
        Ok(())
    }

    async fn read(
        &mut self,
        (mut response, mut decoder): (Response, Decoder),
    ) -> Result<(), AttemptError> {
        let deltas = match self.transport.read(&mut response).await {
            Ok(Some(piece)) => {
                let deltas = decoder.push(&piece);
                self.flow = Some((response, decoder));
                deltas
            }
            Ok(None) => decoder.end(),
            // A server that hangs up rudely after the last word has still said it.
            Err(failed) => Ok(decoder.end().map_err(|_| failed)?),
        };
        let deltas = deltas.map_err(|error| AttemptError {
            again: matches!(
                error.kind,
                ModelErrorKind::Busy(_) | ModelErrorKind::Unreachable
            ),
            error,
            wait: None,
        })?;
        self.over = deltas
            .iter()
            .any(|delta| matches!(delta, Delta::Finished(_)));
        self.ready.extend(deltas.into_iter().map(Ok));
        Ok(())
    }

    fn failed(&mut self, failed: AttemptError) {
        self.flow = None;
        let error = self.transport.cleaned(failed.error);
        let spent = self.troubled.get_or_insert_with(Instant::now).elapsed();
        let policy = &self.transport.policy;
        let wait = policy.wait(self.tries, failed.wait, spent, chance());
        match wait.filter(|_| failed.again) {
            Some(after) => {
                self.wait = Some(after);
                self.ready.push_back(Ok(Delta::Retry(Retry {
                    attempt: self.tries + 1,
                    after,
                    why: error.message,
                })));
            }
            None => {
                self.over = true;
                self.ready.push_back(Err(error));
            }
        }
    }
}

/// At least 0 and below 1. Without a source of chance the wait is half as long as it may be.
fn chance() -> f64 {
    getrandom::u32().map_or(0.5, |n| f64::from(n) / (f64::from(u32::MAX) + 1.0))
}

/// The stream of one step.
enum Steps {
    Still(Box<Asking>),
    Moving(Pin<Box<dyn Future<Output = Box<Asking>> + Send>>),
    Over,
}

impl fmt::Debug for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Steps")
    }
}

impl Stream for Steps {
    type Item = Result<Delta, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            *self = match std::mem::replace(&mut *self, Self::Over) {
                Self::Over => return Poll::Ready(None),
                Self::Still(mut asking) => match asking.ready.pop_front() {
                    Some(delta) => {
                        *self = Self::Still(asking);
                        return Poll::Ready(Some(delta));
                    }
                    None if asking.over => return Poll::Ready(None),
                    None => Self::Moving(Box::pin(asking.advance())),
                },
                Self::Moving(mut moving) => match moving.as_mut().poll(context) {
                    Poll::Ready(asking) => Self::Still(asking),
                    Poll::Pending => {
                        *self = Self::Moving(moving);
                        return Poll::Pending;
                    }
                },
            };
        }
    }
}
