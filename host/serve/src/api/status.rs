//! What somebody who operates the server asks: whether it runs, and what it has done.

use crate::App;
use crate::problem::{Problem, ProblemCode};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
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
