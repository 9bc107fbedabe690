//! The live stream of a session: the same frames over server-sent events and over a WebSocket.
//!
//! A stream continues after the `seq` that the client names, without a gap. If the client is too far
//! behind, or names none, the stream begins with a [`snapshot`](LiveFrame::Snapshot). A client that does
//! not read is sent [`resync`](LiveFrame::Resync), and the stream ends.

mod frame;
mod socket;
mod sse;

pub(crate) use frame::{LiveFrame, request_frame};
pub(crate) use socket::socket;
pub(crate) use sse::events;

use crate::App;
use crate::problem::Problem;
use footlight::session::{FollowError, Updates};
use footlight::vocabulary::event::Event;
use footlight::{Session, Update};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::sync::watch;

/// The query of a live stream.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LiveQuery {
    /// The `seq` of the last event that the client has; the stream continues after it. Without it the
    /// stream begins with a snapshot.
    #[serde(default)]
    pub(crate) after: Option<u64>,
}

/// The frames for one client.
pub(crate) struct Frames {
    /// Frames from before the client joined.
    before: VecDeque<LiveFrame>,
    updates: Updates,
    /// The session stays open for as long as somebody follows it.
    _session: Session,
    /// Turns true when the server shuts down.
    closing: watch::Receiver<bool>,
    is_over: bool,
    _counted: crate::metrics::Counted,
}

impl Frames {
    /// Follows a session after the event `after`.
    pub(crate) async fn follow(
        app: &Arc<App>,
        session: Session,
        after: Option<u64>,
    ) -> Result<Self, Problem> {
        let continued = match after {
            Some(seq) => session.follow_from(seq).await?,
            None => None,
        };
        let (before, updates) = match continued {
            Some((missed, updates)) => {
                let event = |event: Event| LiveFrame::Event(Box::new(event));
                (missed.into_iter().map(event).collect(), updates)
            }
            None => {
                let (record, updates) = session.follow_with_record();
                (VecDeque::from([LiveFrame::snapshot(record)]), updates)
            }
        };
        Ok(Self {
            before,
            updates,
            _session: session,
            closing: app.closing.clone(),
            is_over: false,
            _counted: app.metrics.count_stream(),
        })
    }

    /// Returns the next frame, and none at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<LiveFrame> {
        if let Some(frame) = self.before.pop_front() {
            return Some(frame);
        }
        while !self.is_over {
            let update = tokio::select! {
                update = self.updates.next() => update,
                _ = self.closing.wait_for(|is| *is) => None,
            };
            let frame = match update {
                None => {
                    self.is_over = true;
                    return None;
                }
                Some(Ok(Update::Event(event))) => Some(LiveFrame::Event(event)),
                Some(Ok(Update::Pending(request))) => request_frame(&request),
                Some(Ok(Update::Settled(id, reply))) => Some(LiveFrame::settled(id, reply)),
                Some(Ok(Update::Calling(tool))) => Some(LiveFrame::Calling { tool }),
                Some(Ok(Update::Retry(item, retry))) => Some(LiveFrame::retry(item, retry)),
                Some(Ok(_)) => None,
                Some(Err(error)) => {
                    self.is_over = true;
                    let seq = match error {
                        FollowError::Lagged { seq } => seq,
                        _ => self.updates.seq(),
                    };
                    Some(LiveFrame::Resync { seq })
                }
            };
            if frame.is_some() {
                return frame;
            }
        }
        None
    }
}
