//! The live stream as server-sent events.
//!
//! Only what is stored has an `id:`, so that a browser that reconnects names the last stored event.

use super::{Frames, LiveQuery};
use crate::App;
use crate::guard::Client;
use crate::problem::Problem;
use crate::route::{Ids, Query};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// How often a comment keeps an idle stream open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// `GET /api/sessions/{id}/events`
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Client(client): Client,
    Ids(id): Ids<String>,
    Query(mut query): Query<LiveQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let last = headers.get("last-event-id");
    let last = last.and_then(|id| id.to_str().ok()?.parse().ok());
    let session = app.sessions.open(&app, &client, &id.into()).await?;
    query.after = last.or(query.after);
    let frames = Frames::follow(&app, session, &query).await?;
    let frames = stream::unfold(frames, async |mut frames| {
        let frame = frames.next().await?;
        let event = match frame.seq() {
            Some(seq) => Event::default().id(seq.to_string()),
            None => Event::default(),
        };
        Some((Ok::<_, Infallible>(event.data(frame.to_json())), frames))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE);
    Ok(Sse::new(frames).keep_alive(keep_alive).into_response())
}
