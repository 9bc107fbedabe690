//! The answer to a streaming request: what happens in a session from one update to the end of a turn.
//!
//! The stream is pulled by the client. What it has not read waits in the session's queue, which is
//! bounded; a client that falls too far behind is told to read the thread again.
//!
//! A client that closes the stream cancels the turn, but only while it was told that it may: not from
//! the time that a call waits for a person on, because turns outlive clients and an answer can come from
//! elsewhere. A server that shuts down cancels nothing.

mod shown;

use super::approval::Decision;
use super::items::{ThreadView, reasoned};
use super::press::Pressed;
use super::thread;
use super::wire::{ItemUpdate, NoticeLevel, OutputText, StreamEvent, StreamOptions, ThreadItem};
use crate::App;
use crate::access::Identity;
use crate::metrics::Counted;
use crate::problem::Problem;
use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use footlight::session::{FollowError, Updates};
use footlight::store::{Reply, RequestKind, RequestRow};
use footlight::{Session, Update};
use footlight_render::filter::{clean, line};
use footlight_vocabulary::event::{Event, EventBody, Origin, Status};
use footlight_vocabulary::item::{CallId, Content, Item, ItemId, Level, RequestId, Timestamp};
use futures_util::{FutureExt as _, stream};
use shown::{Shown, ShownItems};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use tokio::sync::watch;

/// The most characters of a line of progress.
const MAX_PROGRESS: usize = 300;

/// A stream of events about one turn.
pub(super) struct TurnStream {
    app: Arc<App>,
    client: Identity,
    thread: ThreadView,
    session: Session,
    updates: Updates,
    closing: watch::Receiver<bool>,
    /// The events that the client has not read.
    ready: VecDeque<StreamEvent>,
    shown: ShownItems,
    /// The reasoning of the step so far.
    thinking: Option<(ItemId, String)>,
    /// The result of a call that has just ended.
    result: Option<(CallId, ThreadItem)>,
    /// The requests that a person has not settled.
    waiting: BTreeMap<RequestId, RequestRow>,
    /// The request that this stream's client has settled.
    settled: Option<RequestId>,
    /// What the client was told last; none before the turn has started.
    allow_cancel: Option<bool>,
    title: String,
    /// What started the turn.
    origin: Origin,
    is_over: bool,
    _counted: Counted,
}

impl TurnStream {
    /// Follows a session from now on. The turn is started afterwards, so that nothing is missed.
    pub(super) async fn follow(
        app: &Arc<App>,
        client: &Identity,
        session: Session,
    ) -> Result<Self, Problem> {
        let (record, updates) = session.follow_with_record();
        let row = app.host.person(&client.person);
        let row = row.session_row(session.id()).await?;
        Ok(Self {
            thread: ThreadView::new(session.id(), client),
            app: Arc::clone(app),
            client: client.clone(),
            updates,
            closing: app.closing.clone(),
            ready: VecDeque::new(),
            shown: ShownItems::of(&record),
            thinking: None,
            result: None,
            waiting: BTreeMap::new(),
            settled: None,
            allow_cancel: None,
            title: row.title,
            origin: Origin::Person,
            is_over: false,
            session,
            _counted: app.metrics.count_stream(),
        })
    }

    /// Sends an event before what happens.
    pub(super) fn push(&mut self, event: StreamEvent) {
        self.ready.push_back(event);
    }

    /// Sends an event and ends the stream.
    pub(super) fn end_with(&mut self, event: StreamEvent) {
        self.ready.push_back(event);
        self.is_over = true;
    }

    /// Ends the stream after what was sent.
    pub(super) fn end(&mut self) {
        self.is_over = true;
    }

    /// Tells the client what it may do, before anything else happens.
    pub(super) fn begin(&mut self) {
        self.update_options();
    }

    /// Joins a turn that is running, in which the client has settled a request. These still wait.
    pub(super) fn join(&mut self, settled: &Pressed, pending: Vec<RequestRow>) {
        self.settled = Some(RequestId::from(settled.item()));
        for request in pending {
            self.shown.add_approval(&request.id, &request.call);
            self.waiting.insert(request.id.clone(), request);
        }
        self.update_options();
    }

    /// Returns the response.
    pub(super) fn respond(self) -> Response {
        let frames = stream::unfold(self, async |mut stream| {
            let event = stream.next().await?;
            Some((Ok::<_, Infallible>(event.frame()), stream))
        });
        let mut response = Response::new(Body::from_stream(frames));
        let kind = HeaderValue::from_static("text/event-stream");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }

    async fn next(&mut self) -> Option<StreamEvent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if self.is_over {
                return None;
            }
            // The result of a call follows what is stored with it.
            if self.result.is_some() {
                match self.updates.next().now_or_never() {
                    Some(Some(Ok(update))) if self.is_of_call(&update) => self.update(update).await,
                    other => {
                        let result = self.result.take();
                        result
                            .into_iter()
                            .for_each(|(_, item)| self.send_whole(item));
                        if let Some(update) = other {
                            self.take(update).await;
                        }
                    }
                }
                continue;
            }
            let update = tokio::select! {
                update = self.updates.next() => update,
                _ = self.closing.wait_for(|is| *is) => None,
            };
            self.take(update).await;
        }
    }

    /// Reports whether an update is about something that the call has shown whose result waits.
    fn is_of_call(&self, update: &Update) -> bool {
        let Update::Event(event) = update else {
            return false;
        };
        let EventBody::Put { item, .. } = &event.what else {
            return false;
        };
        let call = self.result.as_ref().map(|(call, _)| call);
        call.is_some() && item.content.call() == call
    }

    async fn take(&mut self, update: Option<Result<Update, FollowError>>) {
        match update {
            Some(Ok(update)) => self.update(update).await,
            Some(Err(FollowError::Lagged { .. })) => self.end_with(StreamEvent::error(
                "this stream fell behind; read the thread again",
                false,
            )),
            Some(Err(_)) => self.end_with(StreamEvent::failed()),
            None => self.end_with(StreamEvent::error("the server is shutting down", false)),
        }
    }

    async fn update(&mut self, update: Update) {
        match update {
            Update::Event(event) => self.event(*event).await,
            Update::Pending(request) => self.pending(*request),
            Update::Settled(id, reply) => self.settle(&id, reply),
            Update::Calling(tool) => {
                let tool = line(&tool.replacen("__", ".", 1), MAX_PROGRESS);
                self.push(StreamEvent::Progress {
                    text: format!("Calling {tool}"),
                });
            }
            // What was written so far is void.
            Update::Retry(item, _) => {
                if let Some((id, _)) = self.thinking.take() {
                    self.remove(&id);
                }
                if self.shown.is_writing(&item) {
                    self.push_update(&item, part_added(OutputText::new("")));
                }
            }
            _ => {}
        }
    }

    async fn event(&mut self, event: Event) {
        match event.what {
            EventBody::TurnStarted {
                prompt,
                origin,
                retries,
                ..
            } => {
                // A message that is answered again is there already.
                if origin == Origin::Person && retries.is_none() {
                    let item = self.thread.message(event.turn.as_str(), &prompt, event.at);
                    self.push(StreamEvent::ItemDone { item });
                }
                self.origin = origin;
                self.update_options();
                self.update_title().await;
            }
            EventBody::Put { item, .. } => self.put(&item),
            EventBody::Remove { id } => self.remove(&id),
            EventBody::TextDelta { item, delta, .. } => self.write(&item, &delta, event.at),
            EventBody::ReasoningDelta {
                item,
                delta,
                start,
                end,
                ..
            } => {
                self.reason(&item, &delta, start);
                if let Some(end) = end {
                    self.end_reasoning(&item, start, end);
                }
            }
            EventBody::Progress {
                message,
                done,
                total,
                ..
            } => {
                let amount = match (done, total) {
                    (Some(done), Some(total)) => format!(" ({done}/{total})"),
                    _ => String::new(),
                };
                let text = format!("{}{amount}", line(&message, MAX_PROGRESS));
                self.push(StreamEvent::Progress { text });
            }
            EventBody::TurnFinished { status, .. } => self.finish(&status).await,
            EventBody::Tombstone { .. } | EventBody::Other(_) => {}
        }
    }

    /// Sends a new item, or what has changed in one.
    fn put(&mut self, item: &Item) {
        if let Content::Notice(notice) = &item.content {
            let level = match notice.level {
                Level::Warning => NoticeLevel::Warning,
                Level::Danger => NoticeLevel::Danger,
                _ => NoticeLevel::Info,
            };
            let message = super::tree::safe_markdown(&notice.text);
            return self.push(StreamEvent::Notice { level, message });
        }
        let Some(drawn) = self.thread.item(item) else {
            return;
        };
        let events = self.shown.put(item, drawn);
        self.ready.extend(events);
        if let Content::Tool(_) = &item.content {
            let result = self.thread.result(item);
            self.result = result.map(|result| (CallId::from(item.id.as_str()), result));
        }
    }

    /// Sends an item that is complete.
    fn send_whole(&mut self, item: ThreadItem) {
        let id = ItemId::from(item.id.as_str());
        let event = match self.shown.insert(id, Shown::Done) {
            None => StreamEvent::ItemDone { item },
            Some(_) => StreamEvent::ItemReplaced { item },
        };
        self.push(event);
    }

    fn remove(&mut self, id: &ItemId) {
        for id in self.shown.remove(id) {
            let item_id = id.to_string();
            self.push(StreamEvent::ItemRemoved { item_id });
        }
    }

    /// Takes more reasoning. The client is told that there is some, and reads it when it has ended: the
    /// protocol has no pieces of a thought.
    fn reason(&mut self, id: &ItemId, delta: &str, start: Timestamp) {
        self.thinking.take_if(|(known, _)| known != id);
        if let Some((_, text)) = &mut self.thinking {
            return text.push_str(delta);
        }
        self.thinking = Some((id.clone(), delta.to_owned()));
        if !self.shown.contains(id) {
            let item = self.thread.thinking(id.as_str(), start);
            self.push(StreamEvent::ItemAdded { item });
            let writing = Shown::Writing {
                ends_with_mark: false,
            };
            self.shown.insert(id.clone(), writing);
        }
    }

    fn end_reasoning(&mut self, id: &ItemId, start: Timestamp, end: Timestamp) {
        let millis = u64::try_from(end.millis() - start.millis()).unwrap_or(0);
        if let Some((_, text)) = &self.thinking {
            let task = reasoned(text, millis);
            let update = ItemUpdate::TaskUpdated {
                task_index: 0,
                task,
            };
            self.push_update(id, update);
        }
    }

    /// Sends more text of a message.
    fn write(&mut self, id: &ItemId, delta: &str, at: Timestamp) {
        if !self.shown.contains(id) {
            let item = self.thread.answer(id.as_str(), None, at);
            self.push(StreamEvent::ItemAdded { item });
            self.push_update(id, part_added(OutputText::new("")));
        }
        let delta = self.shown.defuse(id, &clean(delta));
        if !delta.is_empty() {
            let content_index = 0;
            self.push_update(
                id,
                ItemUpdate::PartDelta {
                    content_index,
                    delta,
                },
            );
        }
    }

    fn push_update(&mut self, id: &ItemId, update: ItemUpdate) {
        let item_id = id.to_string();
        self.push(StreamEvent::ItemUpdated { item_id, update });
    }

    /// A call waits for a person. A question is an item as well; an approval request is not.
    fn pending(&mut self, request: RequestRow) {
        if self.settled.as_ref() == Some(&request.id) {
            return;
        }
        if request.kind != RequestKind::Ask {
            let at = thread::call_start(&self.session, &request);
            let known = self.shown.contains(&request.id.as_str().into());
            let item = self.thread.pending(&request, at).filter(|_| !known);
            item.into_iter().for_each(|item| self.send_whole(item));
            self.shown.add_approval(&request.id, &request.call);
        }
        self.waiting.insert(request.id.clone(), request);
        self.update_options();
    }

    fn settle(&mut self, id: &RequestId, reply: Reply) {
        let Some(request) = self.waiting.remove(id) else {
            return;
        };
        if request.kind != RequestKind::Ask {
            let item = match reply {
                Reply::Verdict { verdict, by, .. } => decided(self, &request, verdict, by),
                _ => None,
            };
            match item {
                Some(item) => self.send_whole(item),
                // Nobody has decided; the call says so.
                None => self.remove(&id.as_str().into()),
            }
        }
        self.update_options();
    }

    /// Tells the client whether it may cancel, if that has changed.
    fn update_options(&mut self) {
        let allow_cancel = self.waiting.is_empty();
        if self.allow_cancel.replace(allow_cancel) != Some(allow_cancel) {
            let stream_options = StreamOptions { allow_cancel };
            self.push(StreamEvent::StreamOptions { stream_options });
        }
    }

    /// Tells the client the title, if it has changed.
    async fn update_title(&mut self) {
        let person = self.app.host.person(&self.client.person);
        let Ok(row) = person.session_row(&self.thread.id).await else {
            return;
        };
        if row.title != self.title {
            self.title.clone_from(&row.title);
            let thread = thread::without_items(row);
            self.push(StreamEvent::ThreadUpdated { thread });
        }
    }

    async fn finish(&mut self, status: &Status) {
        let events = self.shown.finish();
        self.ready.extend(events);
        match (status, &self.origin) {
            (Status::Error, Origin::Action) => {
                self.push(StreamEvent::error("that did not work", false));
            }
            (Status::Error, _) => self.push(StreamEvent::failed()),
            _ => {}
        }
        self.update_title().await;
        self.is_over = true;
    }
}

impl Drop for TurnStream {
    fn drop(&mut self) {
        let is_closed = !self.is_over && !*self.closing.borrow();
        if is_closed && self.allow_cancel == Some(true) {
            self.session.cancel();
        }
    }
}

fn part_added(content: OutputText) -> ItemUpdate {
    ItemUpdate::PartAdded {
        content_index: 0,
        content,
    }
}

/// Returns the card of a request that was decided.
fn decided(
    stream: &TurnStream,
    request: &RequestRow,
    verdict: footlight_vocabulary::item::Verdict,
    by: Option<String>,
) -> Option<ThreadItem> {
    let decision = Decision::on(request, verdict, by)?;
    let at = thread::call_start(&stream.session, request);
    Some(stream.thread.decided(request.id.as_str(), &decision, at))
}

/// Returns the item that was pressed, as it is now.
pub(super) fn pressed_item(session: &Session, pressed: &Pressed) -> Option<Item> {
    session.item(&ItemId::from(pressed.item()))
}
