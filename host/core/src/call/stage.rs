//! One call as the host sees it: what it may, what it has shown, and where it waits.
//!
//! Every import ends here, whatever thread it comes from. What the plugin shows becomes items, what
//! happens becomes events for whoever follows the call.
//!
//! Invariant: it knows no WebAssembly. A stage could serve a native tool as well.

use super::clock::Clock;
use crate::call::event::{Event, Progress};
use crate::call::outputs;
use crate::call::pending::Waiting;
use crate::sandbox::limits::Caps;
use crate::store::{OutputRow, Store};
use footlight_vocabulary::item::{
    Ask, AskState, CallId, CallResult, Change, Content, Item, ItemId, Level, Notice, Output,
    OutputKind, PendingReason, Position, Receipt, RequestId, SessionId, Timestamp, Widget,
    output_id,
};
use footlight_vocabulary::manifest::Manifest;
use footlight_vocabulary::question::Question;
use serde_json::{Map, Value};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::Notify;

/// How often progress is passed on at most.
const PROGRESS_PAUSE: Duration = Duration::from_millis(100);

/// Who a call is for, as one plugin may know it.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    pub(crate) session: String,
    pub(crate) person: String,
    pub(crate) locale: String,
    pub(crate) timezone: String,
}

/// What a running call is handed.
pub(crate) struct Stage {
    pub(crate) call: CallId,
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) identity: Arc<Identity>,
    pub(crate) store: Arc<dyn Store>,
    /// The session it belongs to, as the host knows it.
    pub(crate) session: SessionId,
    pub(crate) waiting: Waiting,
    /// Whether somebody can be asked.
    pub(crate) attended: bool,
    cancelled: AtomicBool,
    cancel: Notify,
    clock: Clock,
    scene: Mutex<Scene>,
}

/// What has been shown and said so far.
#[derive(Default)]
struct Scene {
    /// The tool's own item is the first.
    items: Vec<Item>,
    events: VecDeque<Event>,
    next: u32,
    widgets: usize,
    notices: usize,
    /// What each widget that is shown comes to: updates count as much as what was shown first.
    widget_bytes: HashMap<ItemId, usize>,
    asks: usize,
    outputs: usize,
    stored: usize,
    output_bytes: u64,
    told: Option<Instant>,
    untold: Option<Progress>,
}

impl Scene {
    /// Counts what a widget comes to from now on, unless all of them would be too much.
    fn weigh(&mut self, id: &ItemId, bytes: usize) -> Result<(), Refused> {
        let others = self.widget_bytes.iter().filter(|(other, _)| *other != id);
        let others: usize = others.map(|(_, bytes)| bytes).sum();
        if others.saturating_add(bytes) > Caps::WIDGET_BYTES {
            return Err(Refused::TooLarge(Caps::WIDGET_BYTES));
        }
        self.widget_bytes.insert(id.clone(), bytes);
        Ok(())
    }
}

impl Stage {
    /// The stage of the call that this tool item is of.
    #[expect(clippy::too_many_arguments, reason = "they are a stage's fields")]
    pub(crate) fn new(
        tool: Item,
        manifest: Arc<Manifest>,
        identity: Arc<Identity>,
        store: Arc<dyn Store>,
        session: SessionId,
        waiting: Waiting,
        attended: bool,
        first: u32,
    ) -> Self {
        Self {
            call: CallId::from(tool.id.as_str()),
            manifest,
            identity,
            store,
            session,
            waiting,
            attended,
            cancelled: AtomicBool::new(false),
            cancel: Notify::new(),
            clock: Clock::start(),
            scene: Mutex::new(Scene {
                events: VecDeque::from([Event::Changed(Change::Put(Box::new(tool.clone())))]),
                items: vec![tool],
                next: first,
                ..Scene::default()
            }),
        }
    }

    fn scene(&self) -> MutexGuard<'_, Scene> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn emit(&self, event: Event) {
        self.scene().events.push_back(event);
    }

    pub(crate) fn next_event(&self) -> Option<Event> {
        self.scene().events.pop_front()
    }

    /// Makes an item and tells of it.
    fn put(&self, scene: &mut Scene, id: ItemId, content: Content) -> ItemId {
        let position = Position {
            n: scene.next,
            ..Position::default()
        };
        scene.next += 1;
        let item = Item {
            content,
            id: id.clone(),
            position,
            rev: 0,
            start: now(),
            end: None,
        };
        scene
            .events
            .push_back(Event::Changed(Change::Put(Box::new(item.clone()))));
        scene.items.push(item);
        id
    }

    /// Changes an item and tells of it. Answers whether it was there.
    fn revise(&self, id: &str, change: impl FnOnce(&mut Item)) -> bool {
        let scene = &mut *self.scene();
        let Some(item) = scene.items.iter_mut().find(|item| item.id.as_str() == id) else {
            return false;
        };
        change(item);
        item.rev += 1;
        let change = Event::Changed(Change::Put(Box::new(item.clone())));
        // A state that nobody has seen yet is overtaken: updates in a loop do not fill the queue.
        match scene.events.back_mut() {
            Some(Event::Changed(Change::Put(last))) if last.id == item.id => {
                scene.events.pop_back();
            }
            _ => {}
        }
        scene.events.push_back(change);
        true
    }

    pub(crate) fn show(&self, widget: Widget, bytes: usize) -> Result<String, Refused> {
        let scene = &mut *self.scene();
        if scene.widgets >= Caps::WIDGETS {
            return Err(Refused::TooMany(Caps::WIDGETS));
        }
        let id = ItemId::from(format!("{}_w{}", self.call.as_str(), scene.next));
        scene.weigh(&id, bytes)?;
        scene.widgets += 1;
        Ok(self
            .put(scene, id, Content::Widget(widget))
            .as_str()
            .to_owned())
    }

    /// Tells the person of something that went wrong on the way.
    pub(crate) fn notice(&self, text: &str) {
        let scene = &mut *self.scene();
        // One line for each widget at most, whatever a plugin sends.
        if scene.notices >= Caps::WIDGETS {
            return;
        }
        scene.notices += 1;
        let id = ItemId::from(format!("{}_n{}", self.call.as_str(), scene.next));
        let notice = Notice {
            level: Level::Warning,
            text: text.to_owned(),
            extra: Map::new(),
        };
        self.put(scene, id, Content::Notice(notice));
    }

    /// Replaces a widget's content, which now has so many bytes; `false` if it is gone.
    pub(crate) fn update(&self, id: &str, widget: Widget, bytes: usize) -> Result<bool, Refused> {
        let known = ItemId::from(id.to_owned());
        {
            let scene = &mut *self.scene();
            if !scene.widget_bytes.contains_key(&known) {
                return Ok(false);
            }
            scene.weigh(&known, bytes)?;
        }
        Ok(self.revise(id, |item| item.content = Content::Widget(widget)))
    }

    /// A widget's content as it is, and how many bytes it came to.
    pub(crate) fn widget(&self, id: &str) -> Option<(Widget, usize)> {
        let scene = self.scene();
        let item = scene.items.iter().find(|item| item.id.as_str() == id)?;
        match &item.content {
            Content::Widget(widget) => {
                let bytes = scene.widget_bytes.get(&item.id).copied();
                Some((widget.clone(), bytes.unwrap_or_default()))
            }
            _ => None,
        }
    }

    pub(crate) fn remove(&self, id: &str) -> bool {
        let scene = &mut *self.scene();
        let Some(at) = scene.items.iter().position(|item| item.id.as_str() == id) else {
            return false;
        };
        let item = scene.items.remove(at);
        scene.widgets = scene.widgets.saturating_sub(1);
        scene.widget_bytes.remove(&item.id);
        scene
            .events
            .push_back(Event::Changed(Change::Remove(item.id)));
        true
    }

    /// Puts a question on the record; `None` if there were too many.
    pub(crate) fn asked(&self, question: &Question) -> Option<RequestId> {
        let scene = &mut *self.scene();
        if scene.asks >= Caps::ASKS {
            return None;
        }
        scene.asks += 1;
        let id = format!("{}_a{}", self.call.as_str(), scene.next);
        let ask = Ask {
            call: self.call.clone(),
            prompt: question.prompt.clone(),
            widgets: question.fields.clone(),
            state: AskState::Open,
            response: None,
            values: None,
            extra: Map::new(),
        };
        self.put(scene, ItemId::from(id.clone()), Content::Ask(ask));
        let id = RequestId::from(id);
        scene.events.push_back(Event::Asked {
            id: id.clone(),
            plugin: self.manifest.id.clone(),
            question: question.clone(),
        });
        Some(id)
    }

    /// Puts what a person decided about one operation on the call's record.
    pub(crate) fn decided(&self, receipt: Receipt) {
        self.revise(self.call.as_str(), |item| {
            if let Content::Tool(tool) = &mut item.content {
                tool.verdicts.push(receipt);
            }
        });
    }

    pub(crate) fn settle_ask(
        &self,
        id: &RequestId,
        state: AskState,
        answer: Option<(String, Map<String, Value>)>,
    ) {
        self.revise(id.as_str(), |item| {
            if let Content::Ask(ask) = &mut item.content {
                ask.state = state;
                (ask.response, ask.values) =
                    answer.map_or((None, None), |(text, values)| (Some(text), Some(values)));
            }
            item.end = Some(now());
        });
    }

    /// Counts an output; `false` when there were too many.
    pub(crate) fn begin_output(&self) -> bool {
        let scene = &mut *self.scene();
        scene.outputs += 1;
        scene.outputs <= Caps::OUTPUTS
    }

    /// Counts bytes of an output; `false` when the quota is used up.
    pub(crate) fn take_output(&self, bytes: usize) -> bool {
        let scene = &mut *self.scene();
        scene.output_bytes += bytes as u64;
        scene.output_bytes <= self.manifest.limits.output
    }

    /// An output that is about to be stored.
    pub(crate) fn output(
        &self,
        title: String,
        kind: String,
        mime_type: String,
        size: u64,
        meta: Option<Value>,
    ) -> OutputRow {
        let created = now();
        let life = i64::try_from(outputs::LIFE.as_millis()).unwrap_or(i64::MAX);
        OutputRow {
            id: output_id(created, outputs::random()),
            session: self.session.clone(),
            plugin: self.manifest.id.clone(),
            call: self.call.clone(),
            title,
            kind,
            mime_type,
            size,
            created,
            expires: Timestamp::from_millis(created.millis().saturating_add(life)),
            meta,
        }
    }

    /// Puts an output that was stored on the record.
    pub(crate) fn stored(&self, row: OutputRow) -> String {
        let output = Output {
            call: row.call,
            title: row.title,
            kind: OutputKind::from(row.kind.as_str()),
            mime_type: row.mime_type,
            size: row.size,
            expires: row.expires,
            meta: row.meta,
            extra: Map::new(),
        };
        let scene = &mut *self.scene();
        scene.stored += 1;
        self.put(scene, row.id, Content::Output(output))
            .as_str()
            .to_owned()
    }

    /// Whether anything was stored.
    pub(crate) fn has_stored(&self) -> bool {
        self.scene().stored > 0
    }

    pub(crate) fn progress(&self, progress: Progress) {
        let scene = &mut *self.scene();
        if scene
            .told
            .is_some_and(|told| told.elapsed() < PROGRESS_PAUSE)
        {
            scene.untold = Some(progress);
            return;
        }
        scene.told = Some(Instant::now());
        scene.untold = None;
        scene.events.push_back(Event::Progress(progress));
    }

    /// Takes out what was recorded, as a call that succeeded leaves it, or as one that failed does:
    /// without its widgets and outputs. A question that is still open is closed.
    pub(crate) fn close(&self, result: CallResult, receipt: Option<Receipt>) -> Vec<Item> {
        let succeeded = matches!(result, CallResult::Success { .. });
        let scene = &mut *self.scene();
        if let Some(progress) = scene.untold.take() {
            scene.events.push_back(Event::Progress(progress));
        }
        let mut items = std::mem::take(&mut scene.items);
        for item in &mut items {
            if let Content::Ask(ask) = &mut item.content
                && ask.state == AskState::Open
            {
                ask.state = AskState::Cancelled;
                item.rev += 1;
                item.end = Some(now());
                let change = Change::Put(Box::new(item.clone()));
                scene.events.push_back(Event::Changed(change));
            }
        }
        if !succeeded {
            items.retain(|item| {
                let stays = !matches!(item.content, Content::Widget(_) | Content::Output(_));
                if !stays {
                    scene
                        .events
                        .push_back(Event::Changed(Change::Remove(item.id.clone())));
                }
                stays
            });
        }
        if let Some(item) = items.first_mut()
            && let Content::Tool(tool) = &mut item.content
        {
            tool.result = result;
            tool.verdict = receipt;
            item.rev += 1;
            item.end = Some(now());
            let change = Change::Put(Box::new(item.clone()));
            scene.events.push_back(Event::Changed(change));
        }
        items
    }
}

/// # Time and cancelling
impl Stage {
    /// Cancels the call: it may tidy up, for a while.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.cancel.notify_waiters();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// Returns once the call is cancelled.
    pub(crate) async fn cancelled(&self) {
        loop {
            let notified = self.cancel.notified();
            if self.is_cancelled() {
                return;
            }
            notified.await;
        }
    }

    /// Waits for a person: time does not count, cancelling ends it, and the record says what the
    /// call waits for.
    pub(crate) async fn wait<T>(
        &self,
        reason: PendingReason,
        reply: impl Future<Output = T>,
    ) -> Option<T> {
        self.stands(reason);
        let reply = self.pause(reply).await;
        self.stands(PendingReason::Running);
        reply
    }

    /// Waits for something that is not the call's doing: time does not count, and cancelling ends it.
    pub(crate) async fn pause<T>(&self, reply: impl Future<Output = T>) -> Option<T> {
        self.clock.stop();
        let reply = tokio::select! {
            biased;
            () = self.cancelled() => None,
            reply = reply => Some(reply),
        };
        self.clock.go_on();
        reply
    }

    /// Says on the tool's item what the call waits for.
    fn stands(&self, reason: PendingReason) {
        self.revise(self.call.as_str(), |item| {
            if let Content::Tool(tool) = &mut item.content {
                tool.result = CallResult::Pending { reason };
            }
        });
    }

    /// How much of `limit` is left; `None` while it waits for a person.
    pub(crate) fn time_left(&self, limit: Duration) -> Option<Duration> {
        self.clock.left(limit)
    }
}

/// Why a widget was not shown.
pub(crate) enum Refused {
    TooMany(usize),
    TooLarge(usize),
}

/// The time now, for the record.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests;
