//! The table of routes. Each row is a route of the router, an operation of the OpenAPI document, and a
//! case of the tests that try every route without the right to.

use crate::App;
use crate::access::Permission;
use crate::guard;
use crate::problem::{Problem, ProblemCode};
use axum::Router;
use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::handler::Handler;
use axum::http::Method;
use axum::http::request::Parts;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use footlight_vocabulary::json::{self, Limits};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;

/// The most bytes of a request's body.
pub(crate) const MAX_BODY: usize = 1 << 20;

/// How long a client may take to send a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The longest id in a path.
const MAX_ID: usize = 128;

/// Makes the schema of a type.
pub(crate) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// The body of a successful answer.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    /// None.
    Empty,
    /// JSON of this schema.
    Json(SchemaOf),
    /// JSON of this schema, or server-sent events.
    JsonOrEvents(SchemaOf),
    /// Something else, of this media type.
    Other(&'static str),
}

/// One route.
pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    /// What a client must be permitted; none if the route is for everybody.
    pub(crate) needs: Option<Permission>,
    pub(crate) summary: &'static str,
    pub(crate) query: Option<SchemaOf>,
    /// A header with an id, which a client may send.
    pub(crate) header: Option<&'static str>,
    pub(crate) body: Option<SchemaOf>,
    pub(crate) answers: Vec<(u16, Answer)>,
    pub(crate) problems: Vec<ProblemCode>,
    /// Whether the link of the request that the path names is enough, in place of a token.
    pub(crate) is_for_links: bool,
    /// Whether it opens a stream of frames.
    pub(crate) is_live: bool,
    handler: MethodRouter<Arc<App>>,
}

impl Route {
    fn new<H, T>(method: Method, path: &'static str, handler: H) -> Self
    where
        H: Handler<T, Arc<App>>,
        T: 'static,
    {
        let filter = MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET);
        Self {
            method,
            path,
            needs: None,
            is_for_links: false,
            summary: "",
            query: None,
            header: None,
            body: None,
            answers: Vec::new(),
            problems: Vec::new(),
            is_live: false,
            handler: on(filter, handler),
        }
    }

    pub(crate) fn get<H: Handler<T, Arc<App>>, T: 'static>(path: &'static str, handler: H) -> Self {
        Self::new(Method::GET, path, handler)
    }

    pub(crate) fn post<H: Handler<T, Arc<App>>, T: 'static>(
        path: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::POST, path, handler)
    }

    pub(crate) fn patch<H: Handler<T, Arc<App>>, T: 'static>(
        path: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::PATCH, path, handler)
    }

    pub(crate) fn delete<H: Handler<T, Arc<App>>, T: 'static>(
        path: &'static str,
        handler: H,
    ) -> Self {
        Self::new(Method::DELETE, path, handler)
    }

    pub(crate) fn summary(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    pub(crate) fn needs(mut self, permission: Permission) -> Self {
        self.needs = Some(permission);
        self
    }

    pub(crate) fn for_links(mut self) -> Self {
        self.is_for_links = true;
        self
    }

    pub(crate) fn query<T: JsonSchema>(mut self) -> Self {
        self.query = Some(|schemas| schemas.subschema_for::<T>());
        self
    }

    pub(crate) fn header(mut self, name: &'static str) -> Self {
        self.header = Some(name);
        self
    }

    pub(crate) fn body<T: JsonSchema>(mut self) -> Self {
        self.body = Some(|schemas| schemas.subschema_for::<T>());
        self
    }

    pub(crate) fn answers<T: JsonSchema>(mut self, status: u16) -> Self {
        let schema = Answer::Json(|schemas| schemas.subschema_for::<T>());
        self.answers.push((status, schema));
        self
    }

    pub(crate) fn answers_other(mut self, status: u16, answer: Answer) -> Self {
        self.answers.push((status, answer));
        self
    }

    pub(crate) fn live(mut self) -> Self {
        self.is_live = true;
        self
    }

    pub(crate) fn problems(mut self, problems: impl IntoIterator<Item = ProblemCode>) -> Self {
        self.problems.extend(problems);
        self
    }
}

/// Makes the router of a table.
pub(crate) fn router(routes: Vec<Route>, app: &Arc<App>) -> Router {
    let mut router = Router::new();
    for route in routes {
        let mut handler = route.handler;
        if let Some(needs) = route.needs {
            let access = guard::Access {
                needs,
                is_for_links: route.is_for_links,
            };
            let authorize = move |State(app): State<Arc<App>>, request: Request, next: Next| async move {
                guard::authorize(&app, access, request, next).await
            };
            handler = handler.layer(middleware::from_fn_with_state(Arc::clone(app), authorize));
        }
        router = router.route(route.path, handler);
    }
    if app.dev.is_some() {
        router = crate::dev::files::add(router);
    }
    crate::page::add(router)
        .method_not_allowed_fallback(guard::unknown_method)
        .fallback(guard::unknown_path)
        .layer(middleware::from_fn_with_state(
            Arc::clone(app),
            guard::check,
        ))
        .layer(middleware::from_fn_with_state(
            Arc::clone(app),
            guard::finish,
        ))
        .with_state(Arc::clone(app))
}

/// A JSON body, in and out. Duplicate keys are refused: they have no one reading.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request<Body>, _: &Arc<App>) -> Result<Self, Self::Rejection> {
        let too_large = || Problem::new(ProblemCode::TooLarge, "the body is larger than 1 MiB");
        let body = axum::body::to_bytes(request.into_body(), MAX_BODY);
        let body = tokio::time::timeout(BODY_TIMEOUT, body).await;
        let slow = |_| Problem::invalid("the body did not arrive in 30 seconds");
        let body = body.map_err(slow)?.map_err(|_| too_large())?;
        let text = std::str::from_utf8(&body);
        let text = text.map_err(|_| Problem::invalid("the body is not UTF-8"))?;
        let value = json::parse(text, Limits::default())
            .map_err(|_| Problem::invalid("the body is not JSON"))?;
        // serde would read an array as the members of a type, in order.
        if !value.is_object() {
            return Err(Problem::invalid("the body is not a JSON object"));
        }
        let parsed = serde_json::from_value(value);
        let shape = |_| Problem::invalid("the body does not fit the schema of this route");
        Ok(Self(parsed.map_err(shape)?))
    }
}

impl<T: serde::Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        axum::Json(self.0).into_response()
    }
}

/// The parameters of a query.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let query = axum::extract::Query::try_from_uri(&parts.uri);
        let invalid = |_| Problem::invalid("the query does not fit the schema of this route");
        query.map(|query| Self(query.0)).map_err(invalid)
    }
}

/// The ids in a path. Anything that is not spelled like an id is answered like an unknown one.
pub(crate) struct Ids<T>(pub(crate) T);

impl<T: DeserializeOwned + Send + IdTexts, S: Send + Sync> FromRequestParts<S> for Ids<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let ids = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        let ids = ids.map_err(|_| Problem::not_found())?.0;
        match ids.texts().into_iter().all(is_id) {
            true => Ok(Self(ids)),
            false => Err(Problem::not_found()),
        }
    }
}

/// The ids in a path, as text.
pub(crate) trait IdTexts {
    fn texts(&self) -> Vec<&str>;
}

impl IdTexts for String {
    fn texts(&self) -> Vec<&str> {
        vec![self]
    }
}

impl IdTexts for (String, String) {
    fn texts(&self) -> Vec<&str> {
        vec![&self.0, &self.1]
    }
}

pub(crate) fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    (1..=MAX_ID).contains(&text.len()) && text.bytes().all(is_plain)
}
