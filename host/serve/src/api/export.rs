//! `GET /api/sessions/{id}/export`: a session as one document, written turn by turn.

use crate::App;
use crate::access::now;
use crate::guard::Client;
use crate::problem::Problem;
use crate::route::{Ids, Query};
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use footlight::store::Snapshot;
use footlight_render::detail::ViewBuilder;
use footlight_render::transcript::{Document, DocumentFormat};
use footlight_vocabulary::item::{SessionId, Timestamp};
use futures_util::stream;
use schemars::JsonSchema;
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

/// How many documents are written at once.
pub(crate) const MAX_EXPORTS: usize = 4;

/// How long a client may take to read a turn.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// The query of a document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ExportQuery {
    /// The format: `html` by default.
    #[serde(default)]
    format: ExportFormat,
}

/// A format of a document.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum ExportFormat {
    /// A single page without scripts or external resources.
    #[default]
    Html,
    /// CommonMark with tables.
    Markdown,
    /// The items of each turn.
    Json,
}

/// `GET /api/sessions/{id}/export`
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, Problem> {
    let id = SessionId::from(id);
    app.host.person(&client.person).session_row(&id).await?;
    let slot = Arc::clone(&app.exports).try_acquire_owned();
    let slot = slot.map_err(|_| Problem::rate_limit(1))?;
    let store = app.host.store();
    let mut snapshot = store.open(&id).await?;
    let at = Timestamp::from_millis(now());
    crate::export::embed(&**store, &mut snapshot, at).await?;
    let (format, kind, name) = match query.format {
        ExportFormat::Html => (DocumentFormat::Html, "text/html; charset=utf-8", "html"),
        ExportFormat::Markdown => (
            DocumentFormat::Markdown,
            "text/markdown; charset=utf-8",
            "md",
        ),
        ExportFormat::Json => (DocumentFormat::Json, "application/json", "json"),
    };
    let (parts, written) = mpsc::channel::<String>(1);
    let (runtime, mut closing) = (Handle::current(), app.closing.clone());
    tokio::task::spawn_blocking(move || {
        let _held = slot;
        write(&snapshot, format, at, |part| {
            // Neither a client that does not read nor the end of the server waits for the rest.
            runtime.block_on(async {
                tokio::select! {
                    sent = tokio::time::timeout(WRITE_TIMEOUT, parts.send(part)) => matches!(sent, Ok(Ok(()))),
                    _ = closing.wait_for(|is| *is) => false,
                }
            })
        });
    });
    let body = stream::unfold(written, async |mut written| {
        let part = written.recv().await?;
        Some((Ok::<_, Infallible>(part), written))
    });
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(super::outputs::SANDBOX),
    );
    let disposition = format!("attachment; filename=\"session.{name}\"");
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

/// Writes a document part by part, until `send` returns false.
fn write(
    snapshot: &Snapshot,
    format: DocumentFormat,
    at: Timestamp,
    mut send: impl FnMut(String) -> bool,
) {
    let id = snapshot.session.id.as_str();
    let title = match snapshot.session.title.as_str() {
        "" => id,
        title => title,
    };
    let mut builder = ViewBuilder::default();
    let (mut document, start) = Document::begin(&mut builder, format, title, Some(id));
    if !send(start) {
        return;
    }
    for turn in crate::export::turns(snapshot, at) {
        if !send(document.turn(&turn)) {
            return;
        }
    }
    send(document.end());
}
