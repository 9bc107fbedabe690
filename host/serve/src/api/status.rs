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

/// The server, as the client that asks sees it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ServerView {
    /// The version of the server.
    version: &'static str,
    /// The name of the model that answers prompts.
    model: String,
    /// The person whose token the client has shown.
    person: String,
    /// What the token permits.
    may: Permission,
}

/// `GET /api/server`
pub(crate) async fn server(
    State(app): State<Arc<App>>,
    Client(client): Client,
) -> Json<ServerView> {
    Json(ServerView {
        version: env!("CARGO_PKG_VERSION"),
        model: app.model.name().to_owned(),
        person: client.person,
        may: client.may,
    })
}

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
