//! One call as the host sees it: what it may, what it has shown, and where it waits.
//!
//! Every import ends here, whatever thread it comes from. What the plugin shows becomes items, what
//! happens becomes events for whoever follows the call.
//!
//! Invariant: it knows no WebAssembly. A stage could serve a native tool as well.

use super::clock::Clock;
use crate::call::event::CallEvent;
use crate::call::outputs;
use crate::call::pending::PendingRequests;
use crate::sandbox::limits::Caps;
use crate::store::{OutputRow, Store};
use crate::sync::lock;
use footlight_vocabulary::event::Happening;
use footlight_vocabulary::item::{
    Ask, AskState, CallId, CallResult, Content, Item, ItemId, Level, Notice, Output, OutputKind,
    PendingReason, Position, Receipt, RequestId, SessionId, Timestamp, Widget, output_id,
};
use footlight_vocabulary::manifest::Manifest;
use footlight_vocabulary::question::Question;
use serde_json::{Map, Value};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
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
    pub(crate) pending: PendingRequests,
    /// Whether somebody can be asked.
    pub(crate) attended: bool,
    no_person: AtomicBool,
    cancelled: AtomicBool,
    cancel: Notify,
    clock: Clock,
    record: Mutex<CallRecord>,
}

/// What has been shown and said so far.
#[derive(Default)]
struct CallRecord {
    /// The tool's own item is the first.
    items: Vec<Item>,
    events: VecDeque<CallEvent>,
    next: u32,
    widgets: usize,
    notices: usize,
    /// What each widget that is shown comes to: updates count as much as what was shown first.
    widget_bytes: HashMap<ItemId, usize>,
    asks: usize,
    outputs: usize,
    stored: usize,
    output_bytes: u64,
    last_progress: Option<Instant>,
    held_progress: Option<Happening>,
}

impl CallRecord {
    /// Counts what a widget comes to from now on, unless all of them would be too much.
    fn charge_widget(&mut self, id: &ItemId, bytes: usize) -> Result<(), WidgetLimitError> {
        let others = self.widget_bytes.iter().filter(|(other, _)| *other != id);
        let others: usize = others.map(|(_, bytes)| bytes).sum();
        if others.saturating_add(bytes) > Caps::WIDGET_BYTES {
            return Err(WidgetLimitError::TooLarge(Caps::WIDGET_BYTES));
        }
        self.widget_bytes.insert(id.clone(), bytes);
        Ok(())
    }
}

/// What a stage is made of.
pub(crate) struct StageParts {
    pub(crate) tool_item: Item,
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) identity: Arc<Identity>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) session: SessionId,
    pub(crate) pending: PendingRequests,
    pub(crate) attended: bool,
    pub(crate) first_number: u32,
}

impl Stage {
    pub(crate) fn new(parts: StageParts) -> Self {
        let tool_item = parts.tool_item;
        Self {
            call: CallId::from(tool_item.id.as_str()),
            manifest: parts.manifest,
            identity: parts.identity,
            store: parts.store,
            session: parts.session,
            pending: parts.pending,
            attended: parts.attended,
            no_person: AtomicBool::new(false),
            cancelled: AtomicBool::new(false),
            cancel: Notify::new(),
            clock: Clock::start(),
            record: Mutex::new(CallRecord {
                events: VecDeque::from([CallEvent::Event(Happening::put(tool_item.clone()))]),
                items: vec![tool_item],
                next: parts.first_number,
                ..CallRecord::default()
            }),
        }
    }

    fn record(&self) -> MutexGuard<'_, CallRecord> {
        lock(&self.record)
    }

    pub(crate) fn emit(&self, event: CallEvent) {
        self.record().events.push_back(event);
    }

    pub(crate) fn next_event(&self) -> Option<CallEvent> {
        self.record().events.pop_front()
    }

    /// Makes an item and tells of it.
    fn put(&self, record: &mut CallRecord, id: ItemId, content: Content) -> ItemId {
        let position = Position {
            n: record.next,
            ..Position::default()
        };
        record.next += 1;
        let item = Item {
            content,
            id: id.clone(),
            position,
            rev: 0,
            start: now(),
            end: None,
        };
        record
            .events
            .push_back(CallEvent::Event(Happening::put(item.clone())));
        record.items.push(item);
        id
    }

    /// Changes an item and tells of it. Answers whether it was there.
    fn revise(&self, id: &str, change: impl FnOnce(&mut Item)) -> bool {
        let record = &mut *self.record();
        let Some(item) = record.items.iter_mut().find(|item| item.id.as_str() == id) else {
            return false;
        };
        change(item);
        item.rev += 1;
        let change = CallEvent::Event(Happening::put(item.clone()));
        // A state that nobody has seen yet is overtaken: updates in a loop do not fill the queue.
        match record.events.back_mut() {
            Some(CallEvent::Event(Happening::Put { item: last, .. })) if last.id == item.id => {
                record.events.pop_back();
            }
            _ => {}
        }
        record.events.push_back(change);
        true
    }

    pub(crate) fn show(&self, widget: Widget, bytes: usize) -> Result<String, WidgetLimitError> {
        let record = &mut *self.record();
        if record.widgets >= Caps::WIDGETS {
            return Err(WidgetLimitError::TooMany(Caps::WIDGETS));
        }
        let id = ItemId::from(format!("{}_w{}", self.call.as_str(), record.next));
        record.charge_widget(&id, bytes)?;
        record.widgets += 1;
        Ok(self
            .put(record, id, Content::Widget(widget))
            .as_str()
            .to_owned())
    }

    /// Tells the person of something that went wrong on the way.
    pub(crate) fn notice(&self, text: &str) {
        let record = &mut *self.record();
        // One line for each widget at most, whatever a plugin sends.
        if record.notices >= Caps::WIDGETS {
            return;
        }
        record.notices += 1;
        let id = ItemId::from(format!("{}_n{}", self.call.as_str(), record.next));
        let notice = Notice {
            level: Level::Warning,
            text: text.to_owned(),
            extra: Map::new(),
        };
        self.put(record, id, Content::Notice(notice));
    }

    /// Replaces a widget's content, which now has so many bytes; `false` if it is gone.
    pub(crate) fn update(
        &self,
        id: &str,
        widget: Widget,
        bytes: usize,
    ) -> Result<bool, WidgetLimitError> {
        let known = ItemId::from(id.to_owned());
        {
            let record = &mut *self.record();
            if !record.widget_bytes.contains_key(&known) {
                return Ok(false);
            }
            record.charge_widget(&known, bytes)?;
        }
        Ok(self.revise(id, |item| item.content = Content::Widget(widget)))
    }

    /// A widget's content as it is, and how many bytes it came to.
    pub(crate) fn widget(&self, id: &str) -> Option<(Widget, usize)> {
        let record = self.record();
        let item = record.items.iter().find(|item| item.id.as_str() == id)?;
        match &item.content {
            Content::Widget(widget) => {
                let bytes = record.widget_bytes.get(&item.id).copied();
                Some((widget.clone(), bytes.unwrap_or_default()))
            }
            _ => None,
        }
    }

    pub(crate) fn remove(&self, id: &str) -> bool {
        let record = &mut *self.record();
        let Some(at) = record.items.iter().position(|item| item.id.as_str() == id) else {
            return false;
        };
        let item = record.items.remove(at);
        record.widgets = record.widgets.saturating_sub(1);
        record.widget_bytes.remove(&item.id);
        record
            .events
            .push_back(CallEvent::Event(Happening::Remove { id: item.id }));
        true
    }

    /// Puts a question on the record; `None` if there were too many.
    pub(crate) fn open_question(&self, question: &Question) -> Option<RequestId> {
        let record = &mut *self.record();
        if record.asks >= Caps::ASKS {
            return None;
        }
        record.asks += 1;
        let id = format!("{}_a{}", self.call.as_str(), record.next);
        let ask = Ask {
            call: self.call.clone(),
            prompt: question.prompt.clone(),
            widgets: question.fields.clone(),
            state: AskState::Open,
            response: None,
            values: None,
            extra: Map::new(),
        };
        self.put(record, ItemId::from(id.clone()), Content::Ask(ask));
        let id = RequestId::from(id);
        record.events.push_back(CallEvent::Asked {
            id: id.clone(),
            plugin: self.manifest.id.clone(),
            question: question.clone(),
        });
        Some(id)
    }

    /// Puts what a person decided about one operation on the call's record.
    pub(crate) fn add_receipt(&self, receipt: Receipt) {
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
    pub(crate) fn count_output(&self) -> bool {
        let record = &mut *self.record();
        record.outputs += 1;
        record.outputs <= Caps::OUTPUTS
    }

    /// Counts bytes of an output; `false` when the quota is used up.
    pub(crate) fn charge_output(&self, bytes: usize) -> bool {
        let record = &mut *self.record();
        record.output_bytes += bytes as u64;
        record.output_bytes <= self.manifest.limits.output
    }

    /// An output that is about to be stored.
    pub(crate) fn output_row(
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
    pub(crate) fn add_output(&self, row: OutputRow) -> String {
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
        let record = &mut *self.record();
        record.stored += 1;
        self.put(record, row.id, Content::Output(output))
            .as_str()
            .to_owned()
    }

    /// Whether anything was stored.
    pub(crate) fn has_stored(&self) -> bool {
        self.record().stored > 0
    }

    pub(crate) fn progress(&self, progress: Happening) {
        let record = &mut *self.record();
        if record
            .last_progress
            .is_some_and(|last_progress| last_progress.elapsed() < PROGRESS_PAUSE)
        {
            record.held_progress = Some(progress);
            return;
        }
        record.last_progress = Some(Instant::now());
        record.held_progress = None;
        record.events.push_back(CallEvent::Event(progress));
    }

    /// Takes out what was recorded, as a call that succeeded leaves it, or as one that failed does:
    /// without its widgets and outputs. A question that is still open is closed.
    pub(crate) fn close(&self, result: CallResult, receipt: Option<Receipt>) -> Vec<Item> {
        let succeeded = matches!(result, CallResult::Success { .. });
        let record = &mut *self.record();
        if let Some(progress) = record.held_progress.take() {
            record.events.push_back(CallEvent::Event(progress));
        }
        let mut items = std::mem::take(&mut record.items);
        for item in &mut items {
            if let Content::Ask(ask) = &mut item.content
                && ask.state == AskState::Open
            {
                ask.state = AskState::Cancelled;
                item.rev += 1;
                item.end = Some(now());
                let put = Happening::put(item.clone());
                record.events.push_back(CallEvent::Event(put));
            }
        }
        if !succeeded {
            items.retain(|item| {
                let stays = !matches!(item.content, Content::Widget(_) | Content::Output(_));
                if !stays {
                    record.events.push_back(CallEvent::Event(Happening::Remove {
                        id: item.id.clone(),
                    }));
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
            let put = Happening::put(item.clone());
            record.events.push_back(CallEvent::Event(put));
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

    /// Notes that nobody could be asked.
    pub(crate) fn set_no_person(&self) {
        self.no_person.store(true, Ordering::Relaxed);
    }

    /// Reports whether the call needed a person and nobody could be asked.
    pub(crate) fn has_no_person(&self) -> bool {
        self.no_person.load(Ordering::Relaxed)
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
        self.set_pending_reason(reason);
        let reply = self.pause(reply).await;
        self.set_pending_reason(PendingReason::Running);
        reply
    }

    /// Waits for something that is not the call's doing: time does not count, and cancelling ends it.
    pub(crate) async fn pause<T>(&self, reply: impl Future<Output = T>) -> Option<T> {
        self.clock.pause();
        let reply = tokio::select! {
            biased;
            () = self.cancelled() => None,
            reply = reply => Some(reply),
        };
        self.clock.resume();
        reply
    }

    /// Says on the tool's item what the call waits for.
    fn set_pending_reason(&self, reason: PendingReason) {
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
pub(crate) enum WidgetLimitError {
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
