//! A model behind a provider's HTTP API.
//!
//! [`HttpModel`] joins a wire format, a transport and a retry policy. Each step is one request;
//! where an attempt fails and a retry may help, the deltas so far are declared void and the request
//! is sent again.
//!
//! Invariant: no task is spawned. A step makes progress only while its stream is polled, and
//! dropping the stream closes the connection.

pub(super) mod retry;
pub(super) mod sse;
pub(super) mod transport;

#[cfg(test)]
mod tests;

use super::providers::spec::Spec;
use super::wire::{Decoder, HttpRequest, encode};
use super::{Delta, Model, ModelError, ModelErrorKind, Request, Retry, Step};
use futures_util::stream;
use reqwest::Response;
use retry::RetryPolicy;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use transport::{AttemptError, Transport};

/// A model behind a provider's HTTP API.
#[derive(Debug, Clone)]
pub struct HttpModel {
    name: String,
    model: String,
    transport: Arc<Transport>,
}

/// Options of an [`HttpModel`].
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct HttpOptions {
    /// Timeouts and retries; those of the provider's profile by default.
    pub retry: Option<RetryPolicy>,
    /// Certificates to trust instead of the system's, as PEM.
    pub roots: Option<Vec<u8>>,
}

impl HttpModel {
    /// Opens the model that a text such as `openai:gpt-5` or `chat:qwen3@http://127.0.0.1:8080/v1`
    /// names. `env` looks up the key by the name of an environment variable.
    ///
    /// # Errors
    /// When the text cannot be parsed, or the key is missing. Nothing is sent yet.
    pub fn open(
        spec: &str,
        env: impl Fn(&str) -> Option<String>,
        options: HttpOptions,
    ) -> Result<Self, ModelError> {
        let spec = Spec::parse(spec)?;
        let key = spec.key(env)?;
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
        let exchange = Exchange {
            body: encode(&request, &self.transport.profile, &self.model),
            transport: Arc::clone(&self.transport),
            request,
            response: None,
            attempts: 0,
            wait: None,
            failing_since: None,
            ready: VecDeque::new(),
            is_over: false,
        };
        Step::new(stream::unfold(Box::new(exchange), |mut exchange| async {
            loop {
                if let Some(delta) = exchange.ready.pop_front() {
                    return Some((delta, exchange));
                }
                if exchange.is_over {
                    return None;
                }
                exchange.advance().await;
            }
        }))
    }
}

/// One step: the request, its retries, and the answer so far.
struct Exchange {
    transport: Arc<Transport>,
    request: Request,
    body: HttpRequest,
    response: Option<(Response, Decoder)>,
    attempts: u32,
    /// The wait before the next attempt.
    wait: Option<Duration>,
    /// The time of the first failed attempt.
    failing_since: Option<Instant>,
    /// Deltas that were decoded and not yet returned.
    ready: VecDeque<Result<Delta, ModelError>>,
    is_over: bool,
}

impl Exchange {
    /// Sends the request, or reads the next piece of the answer.
    async fn advance(&mut self) {
        if let Some(wait) = self.wait.take() {
            tokio::time::sleep(wait).await;
        }
        let outcome = match self.response.take() {
            Some(response) => self.read(response).await,
            None => self.send().await,
        };
        if let Err(error) = outcome {
            self.fail(error);
        }
    }

    async fn send(&mut self) -> Result<(), AttemptError> {
        self.attempts += 1;
        let response = self.transport.send(&self.body).await?;
        let decoder = Decoder::new(&self.request, &self.transport.profile);
        self.response = Some((response, decoder));
        Ok(())
    }

    async fn read(
        &mut self,
        (mut response, mut decoder): (Response, Decoder),
    ) -> Result<(), AttemptError> {
        let deltas = match self.transport.read(&mut response).await {
            Ok(Some(piece)) => {
                let deltas = decoder.push(&piece);
                self.response = Some((response, decoder));
                deltas
            }
            Ok(None) => decoder.end(),
            // Some servers close the connection without its proper end. The answer may be complete.
            Err(error) => Ok(decoder.end().map_err(|_| error)?),
        };
        let deltas = deltas.map_err(|error| AttemptError {
            may_retry: matches!(
                error.kind,
                ModelErrorKind::Busy(_) | ModelErrorKind::Unreachable
            ),
            error,
            wait: None,
        })?;
        self.is_over = deltas
            .iter()
            .any(|delta| matches!(delta, Delta::Finished(_)));
        self.ready.extend(deltas.into_iter().map(Ok));
        Ok(())
    }

    /// Plans a retry, or ends the step with the error.
    fn fail(&mut self, failed: AttemptError) {
        self.response = None;
        let error = self.transport.scrub(failed.error);
        let since = self.failing_since.get_or_insert_with(Instant::now);
        let spent = since.elapsed();
        let policy = &self.transport.policy;
        let wait = policy.wait(self.attempts, failed.wait, spent, random());
        match wait.filter(|_| failed.may_retry) {
            Some(after) => {
                self.wait = Some(after);
                self.ready.push_back(Ok(Delta::Retry(Retry {
                    attempt: self.attempts + 1,
                    after,
                    why: error.full_message(),
                })));
            }
            None => {
                self.is_over = true;
                self.ready.push_back(Err(error));
            }
        }
    }
}

/// Returns a random number from 0 up to, but not including, 1; one half if there is no randomness.
fn random() -> f64 {
    getrandom::u32().map_or(0.5, |n| f64::from(n) / (f64::from(u32::MAX) + 1.0))
}
