//! What every request passes before a route sees it, and every response on its way out.
//!
//! In this order: the Host header is the server's own, an Origin is the server's own (or one that the
//! server allows, on the paths of ChatKit), the browser says that no other site made the request, the body is JSON, and the token is valid. Each check fails
//! closed. None of them repeats what the client sent.

use crate::App;
use crate::access::{Credential, Identity, Permission, SecretHash};
use crate::links::PREFIX;
use crate::problem::{Problem, ProblemCode};
use axum::RequestExt as _;
use axum::body::{Body, HttpBody as _};
use axum::extract::{RawPathParams, Request, State};
use axum::http::uri::Scheme;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tracing::Instrument as _;

/// The subprotocol of a WebSocket of this server.
pub(crate) const SUBPROTOCOL: &str = "footlight.v1";

/// What stands before the token in the subprotocol that carries it.
const TOKEN_SUBPROTOCOL: &str = "auth.";

/// The longest token that is looked at.
const MAX_TOKEN: usize = 256;

/// The headers of every response. An output adds its own policy.
const HEADERS: [(HeaderName, &str); 8] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), microphone=(), geolocation=(), clipboard-read=(), payment=(), usb=()",
    ),
    (header::CACHE_CONTROL, "no-store"),
];

/// How many characters of a path are logged.
const MAX_LOGGED_PATH: usize = 200;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Adds the headers that every response carries, and a request id that the log repeats.
pub(crate) async fn finish(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let id = format!("{}-{}", app.instance, COUNT.fetch_add(1, Ordering::Relaxed));
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    // A path may hold the id of a session; it is the client's own.
    let path: String = path.escape_debug().take(MAX_LOGGED_PATH).collect();
    let span = tracing::info_span!("request", id, %method, path);
    let mut response = next.run(request).instrument(span.clone()).await;
    app.metrics.count_response(response.status());
    span.in_scope(|| tracing::info!(status = response.status().as_u16(), "answered"));
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert(REQUEST_ID, id);
    }
    response
}

/// The paths that pages of other sites may use, if the server allows their origin.
const CROSS_ORIGIN_PATHS: [&str; 2] = ["/chatkit", "/api/chatkit"];

/// How long a browser remembers what another site may do, in seconds.
const PREFLIGHT_LIFETIME: &str = "600";

/// Checks where a request comes from and what its body says it is.
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if let Err(problem) = check_source(&app, &request) {
        return problem.into_response();
    }
    let other = other_origin(&app, &request).cloned();
    let asks = HeaderName::from_static("access-control-request-method");
    let is_preflight = *request.method() == Method::OPTIONS && request.headers().contains_key(asks);
    let mut response = match check_body(&request) {
        _ if is_preflight && other.is_some() => preflight(),
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    if let Some(origin) = other {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
    }
    response
}

/// Returns the origin of a page of another site that may make this request. Everything else that is
/// not of this server is refused.
fn other_origin<'a>(app: &App, request: &'a Request) -> Option<&'a HeaderValue> {
    if !CROSS_ORIGIN_PATHS.contains(&request.uri().path()) {
        return None;
    }
    let origin = request.headers().get(header::ORIGIN)?;
    let is_allowed = |allowed: &String| allowed.as_bytes() == origin.as_bytes();
    app.origins.iter().any(is_allowed).then_some(origin)
}

/// Tells a browser what a page of another site may send.
fn preflight() -> Response {
    let mut response = no_content();
    let headers = response.headers_mut();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, "POST"),
        (
            header::ACCESS_CONTROL_ALLOW_HEADERS,
            "authorization, content-type, x-chatkit-domain-key",
        ),
        (header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_LIFETIME),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn check_source(app: &App, request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    // A request in absolute form names its host twice; one name is enough.
    let uri = request.uri();
    let is_absolute = uri.authority().is_some() || uri.scheme() == Some(&Scheme::HTTP);
    let host = single(headers, header::HOST)?;
    let is_own = |host: &str| app.hosts.iter().any(|own| own == host);
    if is_absolute || !host.is_some_and(is_own) {
        return Err(Problem::forbidden("this is not a name of this server"));
    }
    let origin = single(headers, header::ORIGIN)?;
    if other_origin(app, request).is_some() {
        return Ok(());
    }
    let is_own_origin = |origin: &str| {
        let (scheme, name) = origin.split_once("://").unwrap_or_default();
        is_own(name) && Some(name) == host && scheme == app.scheme_of(name)
    };
    let is_foreign = origin.is_some_and(|origin| !is_own_origin(origin));
    let site = single(headers, HeaderName::from_static("sec-fetch-site"))?;
    let is_cross_site = match site {
        None | Some("same-origin") => false,
        // Typed into the address bar: a page may be opened like that, nothing be changed.
        Some("none") => has_effect(request.method()),
        Some(_) => true,
    };
    if is_foreign || is_cross_site {
        return Err(Problem::forbidden(
            "another site may not make requests here",
        ));
    }
    Ok(())
}

/// Reports whether a request changes something: `HEAD` is `GET` without the body of its response.
fn has_effect(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD)
}

fn check_body(request: &Request) -> Result<(), Problem> {
    if !has_effect(request.method()) || *request.method() == Method::DELETE {
        return Ok(());
    }
    let kind = single(request.headers(), header::CONTENT_TYPE)?;
    let kind = kind.map(|kind| kind.split(';').next().unwrap_or_default().trim());
    match kind {
        Some(kind) if kind.eq_ignore_ascii_case("application/json") => Ok(()),
        _ => Err(Problem::new(
            ProblemCode::MediaType,
            "the body must be `application/json`",
        )),
    }
}

/// Returns the only value of a header. Two values have no one reading.
fn single(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, Problem> {
    let mut values = headers.get_all(name).iter();
    let (value, more) = (values.next(), values.next());
    let invalid = || Problem::invalid("a header is not what it must be");
    if more.is_some() {
        return Err(invalid());
    }
    let value = value.map(|value| value.to_str().map_err(|_| invalid()));
    value.transpose()
}

/// What a route asks of a client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    /// What a token must permit.
    pub(crate) needs: Permission,
    /// Whether the link of the request that the path names is enough.
    pub(crate) is_for_links: bool,
}

/// The name of this surface on receipts: of what a token does, and of what a link does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Via(pub(crate) &'static str);

pub(crate) const VIA_HTTP: Via = Via("http");
pub(crate) const VIA_LINK: Via = Via("link");

/// Identifies the client, and lets a request pass that the client may make.
pub(crate) async fn authorize(
    app: &Arc<App>,
    access: Access,
    mut request: Request,
    next: Next,
) -> Response {
    let token = token(request.headers());
    if let Some(secret) = token.as_deref().filter(|token| token.starts_with(PREFIX)) {
        return follow_link(app, access, secret, request, next).await;
    }
    let known = token
        .as_deref()
        .and_then(|token| Credential::of(app, token));
    let Some((credential, identity)) = known else {
        return Problem::new(ProblemCode::Unauthorized, "a valid token is needed").into_response();
    };
    if let Err(refused) = identity.require(access.needs) {
        return refused.into_response();
    }
    if let Err(seconds) = app.rates.take(&identity.person) {
        return Problem::rate_limit(seconds).into_response();
    }
    request.extensions_mut().insert(identity);
    request.extensions_mut().insert(VIA_HTTP);
    request.extensions_mut().insert(credential.clone());
    end_with(credential, next.run(request).await)
}

/// Ends a stream when the token ends with which it was opened, whatever route it is of.
fn end_with(credential: Credential, response: Response) -> Response {
    let is_stream = response.body().size_hint().exact().is_none();
    match is_stream {
        true => response.map(|body| {
            let body = body.into_data_stream();
            Body::from_stream(body.take_until(Box::pin(credential.ended())))
        }),
        false => response,
    }
}

/// Lets a request pass that the secret of a link permits: one about the link's own request, on the routes
/// for links. The link ends with the reply, and when its request is not pending any more.
async fn follow_link(
    app: &App,
    access: Access,
    secret: &str,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(target) = app.links.identify(secret) else {
        // Everybody shares one limit: a secret is not guessed, but trying should not be free either.
        return match app.link_rates.take("") {
            Ok(()) => Problem::new(
                ProblemCode::Unauthorized,
                "this link does not work any more",
            ),
            Err(seconds) => Problem::rate_limit(seconds),
        }
        .into_response();
    };
    if let Err(seconds) = app.link_rates.take(&String::from(SecretHash::of(secret))) {
        return Problem::rate_limit(seconds).into_response();
    }
    let ids = request.extract_parts::<RawPathParams>().await;
    let is_own = ids.is_ok_and(|ids| ids.iter().eq([("id", target.request.as_str())]));
    let may = target.identity.require(access.needs);
    if !access.is_for_links || !is_own || may.is_err() {
        return Problem::forbidden("a link is for one request alone").into_response();
    }
    request.extensions_mut().insert(target.identity);
    request.extensions_mut().insert(VIA_LINK);
    let is_reply = has_effect(request.method());
    let response = next.run(request).await;
    let is_over = match response.status() {
        StatusCode::NOT_FOUND | StatusCode::CONFLICT => true,
        status => is_reply && status.is_success(),
    };
    if is_over {
        app.links.end(&target.request);
    }
    response
}

/// Returns the token of a request: from `Authorization`, or for a WebSocket, which cannot have that
/// header in a browser, from a subprotocol. A token in the URL is not looked at.
pub(crate) fn token(headers: &HeaderMap) -> Option<String> {
    let authorization = single(headers, header::AUTHORIZATION).ok()?;
    let token = match authorization {
        Some(value) => {
            let (scheme, token) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(token)?
        }
        None => {
            let offered = single(headers, header::SEC_WEBSOCKET_PROTOCOL).ok()??;
            let mut offered = offered.split(',').map(str::trim);
            offered.find_map(|protocol| protocol.strip_prefix(TOKEN_SUBPROTOCOL))?
        }
    };
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    (token.len() <= MAX_TOKEN && token.bytes().all(is_token)).then(|| token.to_owned())
}

/// Answers a path that no route has, and a method that a route does not have.
pub(crate) async fn unknown_path() -> Problem {
    Problem::not_found()
}

pub(crate) async fn unknown_method() -> Problem {
    Problem::new(ProblemCode::Method, "the route does not have this method")
}

/// The client of a request that was authorized.
pub(crate) struct Client(pub(crate) Identity);

impl<S: Sync> axum::extract::FromRequestParts<S> for Client {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        _: &S,
    ) -> Result<Self, Self::Rejection> {
        let identity = parts.extensions.get::<Identity>().cloned();
        let missing = || Problem::new(ProblemCode::Unauthorized, "a valid token is needed");
        identity.map(Self).ok_or_else(missing)
    }
}

impl<S: Sync> axum::extract::FromRequestParts<S> for Via {
    type Rejection = Problem;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        _: &S,
    ) -> Result<Self, Self::Rejection> {
        let via = parts.extensions.get::<Self>().copied();
        via.ok_or_else(|| Problem::new(ProblemCode::Unauthorized, "a valid token is needed"))
    }
}

/// Returns an empty response.
pub(crate) fn no_content() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}
