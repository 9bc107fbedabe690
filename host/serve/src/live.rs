//! The live stream of a session: the same frames over server-sent events and over a WebSocket.
//!
//! A stream continues after the `seq` that the client names, without a gap. If the client is too far
//! behind, or names none, the stream begins with a [`snapshot`](LiveFrame::Snapshot). A client that does
//! not read is sent [`resync`](LiveFrame::Resync), and the stream ends.

mod frame;
mod socket;
mod sse;
mod tail;
mod text;

pub(crate) use frame::{ItemView, LiveFrame, request_frame};
pub(crate) use socket::socket;
pub(crate) use sse::events;
pub(crate) use tail::LogTails;

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
use tail::TailUpdates;
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
    /// How many turns a snapshot has at most, the last ones: 1 to 200; all by default.
    #[serde(default)]
    #[schemars(range(min = 1, max = 200))]
    pub(crate) turns: Option<usize>,
    /// Whether the stream has the last lines that running calls log.
    #[serde(default)]
    pub(crate) log: bool,
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
    /// What running calls log, for a client that asked for that.
    log: Option<TailUpdates>,
    _counted: crate::metrics::Counted,
}

/// What is drawn for one client.
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
        let turns = turn_limit(query.turns)?;
        let mut painter = query.markup.then(|| painter(&session));
        let log = query.log.then(|| app.logs.follow(session.id()));
        let continued = match query.after {
            Some(seq) => session.follow_from(seq).await?,
            None => None,
        };
        let (before, updates) = match continued {
            Some((missed, updates)) => {
                let event = |event: Event| LiveFrame::Event(Box::new(event));
                (missed.into_iter().map(event).collect(), updates)
            }
            None => {
                let (record, updates) = session.follow_with_last(turns);
                let snapshot;
                (snapshot, painter) = self::snapshot(record, painter).await?;
                (VecDeque::from([snapshot]), updates)
            }
        };
        Ok(Self {
            before,
            updates,
            _session: session,
            closing: app.closing.clone(),
            is_over: false,
            drawing: painter.map(|painter| Drawing {
                painter,
                open: None,
            }),
            log,
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
            let logged = async {
                match &mut self.log {
                    Some(log) => log.next().await,
                    None => std::future::pending().await,
                }
            };
            let update = tokio::select! {
                update = self.updates.next() => update,
                frame = logged => return Some(frame),
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

/// Returns what draws the items of a session: it knows the calls and outputs of all of them.
pub(crate) fn painter(session: &Session) -> Painter {
    session.with_items(|items| Painter::of(items))
}

/// Makes a snapshot of a record, drawn if there is a painter. That can take a while, so it happens apart from
/// what serves others.
pub(crate) async fn snapshot(
    record: SessionRecord,
    painter: Option<Painter>,
) -> Result<(LiveFrame, Option<Painter>), Problem> {
    let Some(mut painter) = painter else {
        return Ok((LiveFrame::snapshot(record, None), None));
    };
    let draw = move || {
        let snapshot = LiveFrame::snapshot(record, Some(&mut painter));
        (snapshot, Some(painter))
    };
    let drawn = tokio::task::spawn_blocking(draw).await;
    drawn.map_err(|_| Problem::new(ProblemCode::Unavailable, "the record cannot be drawn"))
}

/// Checks how many turns of a record a client asks for.
pub(crate) fn turn_limit(turns: Option<usize>) -> Result<usize, Problem> {
    /// The most turns that a client can ask for, unless it wants all.
    const MAX_TURNS: usize = 200;
    match turns {
        None => Ok(usize::MAX),
        Some(turns @ 1..=MAX_TURNS) => Ok(turns),
        Some(_) => Err(Problem::invalid("`turns` is a number from 1 to 200")),
    }
}
