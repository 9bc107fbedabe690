//! The live stream of a session: the same frames over server-sent events and over a WebSocket.
//!
//! A stream continues after the `seq` that the client names, without a gap. If the client is too far
//! behind, or names none, the stream begins with a [`snapshot`](LiveFrame::Snapshot). A client that does
//! not read is sent [`resync`](LiveFrame::Resync), and the stream ends.

mod frame;
mod socket;
mod sse;
mod text;

pub(crate) use frame::{ItemView, LiveFrame, request_frame};
pub(crate) use socket::socket;
pub(crate) use sse::events;

use crate::App;
use crate::markup::Painter;
use crate::problem::{Problem, ProblemCode};
use footlight::session::{FollowError, SessionRecord, Updates};
use footlight::vocabulary::event::{Event, EventBody};
use footlight::{Session, Update};
use frame::DrawnEvent;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;
use text::{OpenText, Written};
use tokio::sync::watch;

/// The query of a live stream.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LiveQuery {
    /// The `seq` of the last event that the client has; the stream continues after it. Without it the
    /// stream begins with a snapshot.
    #[serde(default)]
    pub(crate) after: Option<u64>,
    /// Whether items, requests and text carry what a page draws of them.
    #[serde(default)]
    pub(crate) markup: bool,
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
    /// Draws for a client that asked for it.
    drawing: Option<Drawing>,
    _counted: crate::metrics::Counted,
}

/// What is drawn for one client.
#[derive(Default)]
struct Drawing {
    painter: Painter,
    /// The text that the model is writing, and the last event of it.
    open: Option<(OpenText, Event)>,
}

impl Frames {
    /// Follows a session as a query asks for.
    pub(crate) async fn follow(
        app: &Arc<App>,
        session: Session,
        query: &LiveQuery,
    ) -> Result<Self, Problem> {
        let mut drawing = query.markup.then(Drawing::default);
        let continued = match query.after {
            Some(seq) => session.follow_from(seq).await?,
            None => None,
        };
        let (before, updates) = match continued {
            Some((missed, updates)) => {
                if let Some(drawing) = &mut drawing {
                    drawing.painter = Painter::of(&session.items());
                }
                let event = |event: Event| LiveFrame::Event(Box::new(event));
                (missed.into_iter().map(event).collect(), updates)
            }
            None => {
                let (record, updates) = session.follow_with_record();
                let snapshot = match drawing.take() {
                    None => LiveFrame::snapshot(record, None),
                    Some(mut drawn) => {
                        let snapshot;
                        (snapshot, drawn.painter) = drawn_snapshot(record).await?;
                        drawing = Some(drawn);
                        snapshot
                    }
                };
                (VecDeque::from([snapshot]), updates)
            }
        };
        Ok(Self {
            before,
            updates,
            _session: session,
            closing: app.closing.clone(),
            is_over: false,
            drawing,
            _counted: app.metrics.count_stream(),
        })
    }

    /// Returns the next frame, and none at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<LiveFrame> {
        if let Some(frame) = self.before.pop_front() {
            return Some(match frame {
                LiveFrame::Event(event) => self.event(event),
                frame => frame,
            });
        }
        while !self.is_over {
            let drawing = self.drawing.as_ref();
            let due = drawing.and_then(|drawing| drawing.open.as_ref()?.0.due());
            let redraw = async {
                match due {
                    Some(due) => tokio::time::sleep_until(due.into()).await,
                    None => std::future::pending().await,
                }
            };
            let update = tokio::select! {
                update = self.updates.next() => update,
                _ = self.closing.wait_for(|is| *is) => None,
                () = redraw => match self.drawing.as_mut().and_then(Drawing::redraw) {
                    Some(frame) => return Some(frame),
                    None => continue,
                },
            };
            let frame = match update {
                None => {
                    self.is_over = true;
                    return None;
                }
                Some(Ok(Update::Event(event))) => Some(self.event(event)),
                Some(Ok(Update::Pending(request))) => {
                    request_frame(&request, self.drawing.is_some())
                }
                Some(Ok(Update::Settled(id, reply))) => Some(LiveFrame::settled(id, reply)),
                Some(Ok(Update::Calling(tool))) => Some(LiveFrame::Calling { tool }),
                Some(Ok(Update::Retry(item, retry))) => {
                    if let Some(drawing) = &mut self.drawing {
                        drawing.open = None;
                    }
                    Some(LiveFrame::retry(item, retry))
                }
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

    fn event(&mut self, event: Box<Event>) -> LiveFrame {
        match &mut self.drawing {
            Some(drawing) => drawing.event(*event),
            None => LiveFrame::Event(event),
        }
    }
}

impl Drawing {
    fn event(&mut self, event: Event) -> LiveFrame {
        let (item, delta, written) = match &event.what {
            EventBody::TextDelta { item, delta, .. } => (item, delta, Written::Text),
            EventBody::ReasoningDelta {
                item,
                delta,
                start,
                end,
                ..
            } => (item, delta, Written::reasoning(*start, *end)),
            EventBody::Put { item, .. } => {
                // It is complete.
                self.open.take_if(|(text, _)| text.item == item.id);
                return DrawnEvent::put(event, &mut self.painter);
            }
            EventBody::TurnFinished { .. } => {
                self.open = None;
                return LiveFrame::Event(Box::new(event));
            }
            _ => return LiveFrame::Event(Box::new(event)),
        };
        let is_open = self
            .open
            .as_ref()
            .is_some_and(|(open, _)| open.item == *item);
        let mut text = match self.open.take() {
            Some((text, _)) if is_open => text,
            _ => OpenText::new(item.clone()),
        };
        text.push(delta, written);
        let markup = text.draw(&self.painter, Instant::now());
        self.open = Some((text, event.clone()));
        match markup {
            Some(markup) => DrawnEvent::text(event, markup),
            None => LiveFrame::Event(Box::new(event)),
        }
    }

    /// Draws text that came too soon after the last drawing to be drawn at once.
    fn redraw(&mut self) -> Option<LiveFrame> {
        let (text, event) = self.open.as_mut()?;
        let markup = text.draw(&self.painter, Instant::now())?;
        let mut event = event.clone();
        if let EventBody::TextDelta { delta, .. } | EventBody::ReasoningDelta { delta, .. } =
            &mut event.what
        {
            delta.clear();
        }
        Some(DrawnEvent::text(event, markup))
    }
}

/// Draws a whole record, which can take a while, apart from what serves others.
async fn drawn_snapshot(record: SessionRecord) -> Result<(LiveFrame, Painter), Problem> {
    let draw = move || {
        let mut painter = Painter::of(&record.items);
        (LiveFrame::snapshot(record, Some(&mut painter)), painter)
    };
    let drawn = tokio::task::spawn_blocking(draw).await;
    drawn.map_err(|_| Problem::new(ProblemCode::Unavailable, "the record cannot be drawn"))
}

/// Makes a snapshot of a record, drawn if the client asked for that.
pub(crate) async fn snapshot(
    record: SessionRecord,
    with_markup: bool,
) -> Result<LiveFrame, Problem> {
    match with_markup {
        true => Ok(drawn_snapshot(record).await?.0),
        false => Ok(LiveFrame::snapshot(record, None)),
    }
}
