//! What somebody who operates the server asks: whether it runs, and what it has done.

use crate::App;
use crate::access::Permission;
use crate::guard::Client;
use crate::problem::{Problem, ProblemCode};
use crate::route::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// `GET /healthz`
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// `GET /readyz`
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    let unavailable = |detail: &str| Problem::new(ProblemCode::Unavailable, detail);
    if *app.closing.borrow() {
        return Err(unavailable("the server is shutting down"));
    }
    match app.host.store().sessions(1).await {
        Ok(_) => Ok("ready\n"),
        Err(_) => Err(unavailable("the store failed")),
    }
}

/// `GET /metrics`
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let pending = app.host.store().pending().await?.len();
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    Ok((kind, app.metrics.text(pending)).into_response())
}

/// `GET /api/openapi.json`
pub(crate) async fn openapi(State(app): State<Arc<App>>) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, app.document.clone()).into_response()
}

/// The server, as the client that asks sees it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ServerView {
    /// The person whose token this is.
    person: String,
    /// What the token permits.
    may: Permission,
    /// The version of the server.
    version: &'static str,
    /// The model that answers prompts.
    model: ModelView,
    /// Whether an approval can outlast its session.
    remembers: bool,
    /// Whether a link can open one request on another device.
    links: bool,
    /// Modules of the site's owner that draw widgets, by file name.
    renderers: Vec<String>,
}

/// The model of all sessions.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ModelView {
    name: String,
    /// Whether it is a language model; `offline` is none.
    is_language_model: bool,
}

/// `GET /api/server`
pub(crate) async fn server(
    State(app): State<Arc<App>>,
    Client(client): Client,
) -> Json<ServerView> {
    let name = app.model.name();
    Json(ServerView {
        remembers: app.keeps_rules_of.contains(&client.person),
        links: app.public_origin.is_some(),
        person: client.person,
        may: client.may,
        version: env!("CARGO_PKG_VERSION"),
        model: ModelView {
            name: name.to_owned(),
            is_language_model: name != footlight_offline::NAME,
        },
        renderers: crate::page::renderers(app.renderers.as_deref()),
    })
}
