//! One `http.fetch`: from the guest's request to its answer, with the decision and the record.

use super::Egress;
use super::destination::Destination;
use super::exchange::{ExchangeError, Received, Traffic, exchange};
use super::exchanges::{self, HttpFailure, HttpRequest, HttpResponse};
use super::headers;
use super::redact::Redactor;
use crate::call::approval::{ApprovalGate, Authorized, PowerDenied};
use crate::call::fault::Fault;
use crate::call::stage::Stage;
use crate::policy::NetRequest;
use crate::power::secret::{SecretId, SecretValue};
use crate::sandbox::bindings::footlight::plugin::http::{HttpError, Request, Response};
use crate::sandbox::limits::Caps;
use crate::sandbox::waiting_guests::Admission;
use crate::sync::lock;
use bytes::Bytes;
use footlight_vocabulary::escape::escape_short;
use footlight_vocabulary::item::{Denial, Power, PowerUse};
use footlight_vocabulary::manifest::{Method, Scheme, Secret};
use http::header::{HeaderMap, HeaderName, HeaderValue};
use http_body_util::Full;
use std::sync::{Arc, Mutex};
use tokio::time::timeout;

/// The most characters of a path, or of a malformed URL, in the record.
const MAX_RECORDED: usize = 256;

/// The network of one call.
pub(crate) struct CallNetwork {
    egress: Arc<Egress>,
    spent: Mutex<Spent>,
}

/// What a call has used, and what its responses must not contain.
#[derive(Default)]
struct Spent {
    requests: u32,
    bytes: u64,
    redactor: Redactor,
}

/// A request that may be sent.
pub(super) struct Outgoing {
    pub(super) destination: Destination,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) literal: bool,
    pub(super) secrets: Vec<(Secret, SecretValue)>,
}

impl CallNetwork {
    pub(crate) fn new(egress: Arc<Egress>) -> Self {
        Self {
            egress,
            spent: Mutex::default(),
        }
    }

    /// Decides about a request, sends it and records the use. Fails if the guest must be stopped.
    pub(crate) async fn fetch(
        &self,
        stage: &Stage,
        approval: &ApprovalGate,
        admission: &Admission,
        request: &Request,
    ) -> Result<Result<Response, HttpError>, Fault> {
        let deny = |used: PowerUse, why: Denial, error: HttpError| {
            stage.record_use(used.denied(why));
            Ok(Err(error))
        };
        let destination = match Destination::parse(&request.method, &request.url) {
            Ok(destination) => destination,
            Err(error) => {
                let url = request.url.split(['?', '#']).next().unwrap_or_default();
                let used = PowerUse::new(Power::Network, escape_short(url, MAX_RECORDED));
                return deny(used, Denial::Malformed, HttpError::Other(error.to_string()));
            }
        };
        let path = escape_short(destination.path_without_query(), MAX_RECORDED);
        let used = PowerUse::new(Power::Network, destination.origin())
            .access(destination.method.as_str())
            .path(path);
        let headers = match headers::checked(&request.headers) {
            Ok(headers) => headers,
            Err(error) => {
                return deny(used, Denial::Malformed, HttpError::Other(error.to_string()));
            }
        };
        if request.body.len() > Caps::REQUEST_BODY {
            let error = HttpError::TooLarge(Caps::REQUEST_BODY as u64);
            return deny(used, Denial::Limit, error);
        }
        if let Err(why) = self.count(request.body.len() as u64) {
            return deny(used, Denial::Limit, HttpError::Other(why));
        }
        let net = NetRequest {
            method: destination.method,
            scheme: destination.scheme,
            host: &destination.host,
            port: destination.port,
            path: &destination.path,
            bytes: request.body.len(),
            secrets: &[],
            read_only: false,
            action: None,
        };
        let authorized = approval.authorize_request(stage, admission, net).await?;
        let Authorized { secrets, literal } = match authorized {
            Ok(authorized) => authorized,
            Err(_) if stage.is_cancelled() => return Ok(Err(HttpError::Cancelled)),
            Err(PowerDenied { why, message }) => {
                if why == Denial::NoPerson {
                    stage.set_no_person();
                }
                return deny(used, why, HttpError::Denied(message));
            }
        };
        let traffic = Arc::new(Traffic::default());
        let sending = async {
            let _place = self.egress.admit(&stage.manifest.id).await;
            let secrets = self.egress.values(stage, secrets).await?;
            if !net.reads() {
                stage.announce_effect().await;
            }
            let outgoing = Outgoing {
                destination: destination.clone(),
                headers,
                body: Bytes::copy_from_slice(&request.body),
                literal,
                secrets,
            };
            for (secret, value) in &outgoing.secrets {
                lock(&self.spent).redactor.add(secret, value);
            }
            let received = match self.egress.simulated_answer(request) {
                Some((request, answer)) => check_secrets(&outgoing)
                    .and_then(|()| exchanges::received(&request, answer, &traffic)),
                None => self.egress.send(outgoing, &traffic).await,
            };
            received.map_err(FetchError::Exchange)
        };
        let unsettled = Unsettled {
            stage,
            used: Some(used),
            traffic: Arc::clone(&traffic),
        };
        let received = tokio::select! {
            biased;
            () = stage.cancelled() => Err(FetchError::Cancelled),
            received = sending => received,
        };
        let used = unsettled.settled();
        let failure = match &received {
            Err(FetchError::Exchange(error)) => Some(HttpFailure::of(error, &traffic)),
            Ok(_) | Err(_) => None,
        };
        let answer = self.settle(stage, &destination, used, &traffic, received);
        if let Some(simulated) = &self.egress.simulated {
            // What is recorded has been through the removal of secrets.
            let recorded = match (&answer, failure) {
                (Ok(response), _) => Some(Ok(HttpResponse::of(response))),
                (Err(_), failure) => failure.map(Err),
            };
            if let Some(recorded) = recorded {
                simulated.answered(HttpRequest::of(request), recorded);
            }
        }
        Ok(answer)
    }

    /// Counts a request, unless the call has used up its share.
    fn count(&self, bytes: u64) -> Result<(), String> {
        let spent = &mut *lock(&self.spent);
        if spent.requests >= Caps::REQUESTS {
            let most = Caps::REQUESTS;
            return Err(format!(
                "this call has made {most} requests, and can make no more"
            ));
        }
        if spent.bytes.saturating_add(bytes) > Caps::TRANSFER {
            let most = Caps::TRANSFER;
            return Err(format!(
                "this call has used up the {most} bytes it can send and receive"
            ));
        }
        spent.requests += 1;
        Ok(())
    }

    /// Records a use and returns the answer for the guest.
    fn settle(
        &self,
        stage: &Stage,
        destination: &Destination,
        mut used: PowerUse,
        traffic: &Traffic,
        received: Result<Received, FetchError>,
    ) -> Result<Response, HttpError> {
        let spent = &mut *lock(&self.spent);
        let transferred = traffic.sent().saturating_add(traffic.received());
        spent.bytes = spent.bytes.saturating_add(transferred);
        (used.sent, used.received) = (traffic.sent(), traffic.received());
        let mut secrets: Vec<String> = Vec::new();
        for secret in
            stage
                .manifest
                .secrets_for(destination.scheme, &destination.host, destination.port)
        {
            secrets.push(secret.name.clone());
        }
        used.secrets = secrets;
        let mut received = match received {
            Ok(received) => received,
            Err(error) => {
                match error.denial() {
                    Some(why) => used = used.denied(why),
                    None if traffic.sent() == 0 => used.secrets.clear(),
                    None => {}
                }
                stage.record_use(used);
                return Err(error.answer(destination, traffic));
            }
        };
        // A decoded body can be larger than what has arrived.
        spent.bytes = spent.bytes.saturating_add(received.body.len() as u64);
        used.statuses.insert(received.status.to_string(), 1);
        stage.record_use(used);
        let redactor = &spent.redactor;
        let mut is_redacted = redactor.redact(&mut received.body);
        if is_redacted {
            received
                .headers
                .retain(|(name, _)| name != "content-length");
        }
        for (name, value) in &mut received.headers {
            is_redacted |= redactor.redact_text(name) | redactor.redact_text(value);
        }
        if is_redacted {
            let host = destination.authority();
            tracing::warn!(%host, "a response contained a secret, which was removed");
            stage.notice(&format!(
                "the answer of `{host}` contained a secret, which was removed before `{}` could read it",
                stage.manifest.id
            ));
        }
        Ok(Response {
            status: received.status,
            headers: received.headers,
            body: received.body,
        })
    }
}

/// A request on its way. If the call is stopped meanwhile, at its deadline for example, what was sent is
/// still recorded.
struct Unsettled<'a> {
    stage: &'a Stage,
    used: Option<PowerUse>,
    traffic: Arc<Traffic>,
}

impl Unsettled<'_> {
    fn settled(mut self) -> PowerUse {
        self.used.take().expect("it is taken here alone")
    }
}

impl Drop for Unsettled<'_> {
    fn drop(&mut self) {
        let sent = self.traffic.sent();
        if let Some(mut used) = self.used.take().filter(|_| sent > 0) {
            (used.sent, used.received) = (sent, self.traffic.received());
            self.stage.record_use(used);
        }
    }
}

impl Egress {
    /// Reads the values of secrets, each in a limited time.
    async fn values(
        &self,
        stage: &Stage,
        secrets: Vec<Secret>,
    ) -> Result<Vec<(Secret, SecretValue)>, FetchError> {
        let mut values = Vec::with_capacity(secrets.len());
        for secret in secrets {
            let read = self.value(stage, &secret.name);
            let value = match timeout(Caps::SECRET_TIME, read).await {
                Ok(Some(value)) => value,
                Ok(None) | Err(_) => return Err(FetchError::NoValue(secret.name)),
            };
            values.push((secret, value));
        }
        Ok(values)
    }

    async fn value(&self, stage: &Stage, name: &str) -> Option<SecretValue> {
        let place = Arc::clone(&self.reads).acquire_owned().await;
        let source = Arc::clone(&self.secrets);
        let (person, plugin) = (stage.person.clone(), stage.manifest.id.clone());
        let name = name.to_owned();
        let span = tracing::Span::current();
        let read = tokio::task::spawn_blocking(move || {
            let _span = span.entered();
            // A source that hangs keeps its place until it has answered.
            let _place = place;
            source.get(&SecretId {
                person: &person,
                plugin: &plugin,
                name: &name,
            })
        });
        match read.await {
            Ok(Ok(value)) => value,
            Ok(Err(error)) => {
                tracing::warn!(%error, "a secret cannot be read");
                None
            }
            Err(_) => None,
        }
    }

    /// Returns what answers a request in place of the network, if anything does.
    fn simulated_answer(
        &self,
        request: &Request,
    ) -> Option<(HttpRequest, Result<HttpResponse, HttpFailure>)> {
        let simulated = self.simulated.as_ref()?;
        let request = HttpRequest::of(request);
        let answer = simulated.answer(&request)?;
        Some((request, answer))
    }

    /// Sends a request that may be sent.
    pub(super) async fn send(
        &self,
        outgoing: Outgoing,
        traffic: &Arc<Traffic>,
    ) -> Result<Received, ExchangeError> {
        check_secrets(&outgoing)?;
        let Outgoing {
            destination,
            mut headers,
            body,
            literal,
            secrets,
        } = outgoing;
        let connection = self.dialer.connect(&destination, literal).await?;
        let unusable = || ExchangeError::Setup("the request cannot be written".to_owned());
        headers::add_own(&mut headers, &destination.authority()).map_err(|_| unusable())?;
        for (secret, value) in &secrets {
            let name = HeaderName::try_from(&secret.header).map_err(|_| unusable())?;
            let text = format!("{}{}", secret.prefix, value.expose());
            let mut text = HeaderValue::try_from(text).map_err(|_| unusable())?;
            text.set_sensitive(true);
            headers.insert(name, text);
        }
        let mut request = http::Request::new(Full::new(body));
        *request.method_mut() = method(destination.method);
        *request.uri_mut() = destination.path.parse().map_err(|_| unusable())?;
        *request.headers_mut() = headers;
        let network = &self.dialer.network;
        let exchanged = exchange(connection, request, traffic, network.idle_timeout);
        let exchanged = timeout(network.exchange_timeout, exchanged).await;
        exchanged.unwrap_or(Err(ExchangeError::TimedOut))
    }
}

/// Checks that secrets are sent only where nobody on the way can read them.
fn check_secrets(outgoing: &Outgoing) -> Result<(), ExchangeError> {
    if outgoing.secrets.is_empty() || is_confidential(&outgoing.destination) {
        return Ok(());
    }
    let why = "a secret is sent over TLS only".to_owned();
    Err(ExchangeError::Setup(why))
}

/// Reports whether nobody on the way can read a request: it is encrypted, or does not leave this
/// machine.
fn is_confidential(destination: &Destination) -> bool {
    destination.scheme == Scheme::Https
        || destination.host == "localhost"
        || destination
            .address
            .is_some_and(|address| address.is_loopback())
}

fn method(method: Method) -> http::Method {
    match method {
        Method::Get => http::Method::GET,
        Method::Head => http::Method::HEAD,
        Method::Post => http::Method::POST,
        Method::Put => http::Method::PUT,
        Method::Patch => http::Method::PATCH,
        Method::Delete => http::Method::DELETE,
        Method::Options => http::Method::OPTIONS,
    }
}

/// Why a request that may be sent has no response.
enum FetchError {
    /// The secret with this name has no value.
    NoValue(String),
    Cancelled,
    Exchange(ExchangeError),
}

impl FetchError {
    /// Returns why the use was denied, if it was.
    fn denial(&self) -> Option<Denial> {
        match self {
            Self::NoValue(_) => Some(Denial::NoValue),
            Self::Exchange(ExchangeError::Address(_)) => Some(Denial::Address),
            Self::Cancelled | Self::Exchange(_) => None,
        }
    }

    /// Returns the answer for the guest. Once a request that must not be repeated was sent, an error
    /// of the connection says nothing about its effect.
    fn answer(self, destination: &Destination, traffic: &Traffic) -> HttpError {
        let is_sent = traffic.sent() > 0;
        let is_open = is_sent && matches!(destination.method, Method::Post | Method::Patch);
        let host = destination.authority();
        let error = match self {
            Self::NoValue(name) => {
                return HttpError::Denied(format!(
                    "the secret `{name}` for `{host}` has no value; the person can set one"
                ));
            }
            Self::Cancelled if is_open => return HttpError::UnknownOutcome,
            Self::Cancelled => return HttpError::Cancelled,
            Self::Exchange(error) => error,
        };
        let sentence = format!("`{host}`: {error}");
        match error {
            ExchangeError::Address(_) => HttpError::Denied(sentence),
            ExchangeError::TooLarge(limit) => HttpError::TooLarge(limit),
            ExchangeError::Setup(_) | ExchangeError::Encoding => HttpError::Other(sentence),
            ExchangeError::TimedOut | ExchangeError::Closed | ExchangeError::Malformed
                if is_open =>
            {
                HttpError::UnknownOutcome
            }
            ExchangeError::TimedOut if !is_sent => HttpError::TimedOut,
            ExchangeError::TimedOut | ExchangeError::Closed | ExchangeError::Malformed => {
                HttpError::Other(sentence)
            }
            ExchangeError::NoAddress
            | ExchangeError::Unreachable
            | ExchangeError::Certificate(_)
            | ExchangeError::Tls => HttpError::Unreachable(sentence),
        }
    }
}
