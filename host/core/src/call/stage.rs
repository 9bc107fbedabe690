//! The stage of a call: its rights, its record and its pending requests.
//!
//! Every import ends here, from any thread. What the plugin shows becomes items of the record, and
//! each change an event of the call's stream.
//!
//! Invariant: a stage knows no WebAssembly. It could serve a native tool as well.

mod record;

use self::record::CallRecord;
use super::clock::Clock;
use crate::call::event::CallEvent;
use crate::call::identity::Identity;
use crate::call::pending::PendingRequests;
use crate::sandbox::limits::Caps;
use crate::store::Store;
use crate::sync::lock;
use footlight_vocabulary::answer::Answer;
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::item::{
    Ask, AskState, CallId, CallResult, Content, Item, ItemId, Level, Notice, Position, PowerUse,
    Receipt, RequestId, SessionId, Timestamp, Widget,
};
use footlight_vocabulary::manifest::Manifest;
use footlight_vocabulary::question::Question;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::Poll;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::Notify;

/// The shortest time between two progress events.
const PROGRESS_PAUSE: Duration = Duration::from_millis(100);

/// The stage of one call.
pub(crate) struct Stage {
    pub(crate) call: CallId,
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) identity: Arc<Identity>,
    pub(crate) store: Arc<dyn Store>,
    /// Where the state of the session is kept.
    pub(crate) session_state: Arc<dyn Store>,
    pub(super) output_lifetime: Duration,
    /// The session of the call, as the host knows it.
    pub(crate) session: SessionId,
    /// The person of the call, as the host knows them.
    pub(crate) person: Cow<'static, str>,
    pub(crate) pending: PendingRequests,
    /// Whether a person can be asked.
    pub(crate) attended: bool,
    pub(super) no_person: AtomicBool,
    pub(super) was_denied: AtomicBool,
    /// Whether an effect was announced.
    has_effect: AtomicBool,
    /// Whether the call had a folder, or used a host or a secret.
    has_held_power: AtomicBool,
    pub(super) cancelled: AtomicBool,
    pub(super) cancel: Notify,
    pub(super) clock: Clock,
    record: Mutex<CallRecord>,
}

/// The parts of a stage.
pub(crate) struct StageParts {
    pub(crate) tool_item: Item,
    pub(crate) manifest: Arc<Manifest>,
    pub(crate) identity: Arc<Identity>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) session_state: Arc<dyn Store>,
    pub(crate) output_lifetime: Duration,
    pub(crate) session: SessionId,
    pub(crate) person: Cow<'static, str>,
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
            session_state: parts.session_state,
            output_lifetime: parts.output_lifetime,
            session: parts.session,
            person: parts.person,
            pending: parts.pending,
            attended: parts.attended,
            no_person: AtomicBool::new(false),
            was_denied: AtomicBool::new(false),
            has_effect: AtomicBool::new(false),
            has_held_power: AtomicBool::new(false),
            cancelled: AtomicBool::new(false),
            cancel: Notify::new(),
            clock: Clock::start(),
            record: Mutex::new(CallRecord {
                items: vec![tool_item],
                next: parts.first_number,
                ..CallRecord::default()
            }),
        }
    }

    pub(super) fn record(&self) -> MutexGuard<'_, CallRecord> {
        lock(&self.record)
    }

    pub(crate) fn emit(&self, event: CallEvent) {
        self.record().events.push(event);
    }

    /// Emits an event and returns after the caller took it from the stream and polled again, so that
    /// the caller can store something first.
    pub(crate) async fn announce(&self, event: CallEvent) {
        self.emit(event);
        // Returning `Pending` hands the event to the caller: the stream returns queued events
        // before it polls the call again.
        let mut polled = false;
        poll_fn(|context| match std::mem::replace(&mut polled, true) {
            false => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            true => Poll::Ready(()),
        })
        .await;
    }

    /// Announces, the first time, that the call is about to have an effect that outlasts it.
    pub(crate) async fn announce_effect(&self) {
        if !self.has_effect.swap(true, Ordering::Relaxed) {
            self.announce(CallEvent::TakesEffect).await;
        }
    }

    /// Takes the oldest event of the call.
    pub(crate) fn next_event(&self) -> Option<CallEvent> {
        self.record().next_event()
    }

    /// Discards the events that nobody has taken, and all that follow.
    pub(crate) fn discard_events(&self) {
        self.record().discard_events();
    }

    /// Reads the input of the call, which the tool item has.
    pub(crate) fn with_input<T>(&self, read: impl FnOnce(&Value) -> T) -> T {
        let record = self.record();
        match record.items.first().map(|item| &item.content) {
            Some(Content::Tool(tool)) => read(&tool.input),
            _ => read(&Value::Null),
        }
    }

    /// Adds an item to the record and emits its event.
    pub(super) fn put(&self, record: &mut CallRecord, id: ItemId, content: Content) -> ItemId {
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
        record.events.put(&item);
        record.items.push(item);
        id
    }

    /// Changes an item and emits its event. Returns whether the item exists.
    pub(super) fn revise(&self, id: &str, change: impl FnOnce(&mut Item)) -> bool {
        let record = &mut *self.record();
        let Some(item) = record.items.iter_mut().find(|item| item.id.as_str() == id) else {
            return false;
        };
        change(item);
        item.rev += 1;
        record.events.revise(item);
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
        record.first_widget.get_or_insert_with(|| id.clone());
        Ok(self
            .put(record, id, Content::Widget(widget))
            .as_str()
            .to_owned())
    }

    /// Adds a notice for the person, once.
    pub(crate) fn notice(&self, text: &str) {
        {
            let record = &mut *self.record();
            let is_same =
                |item: &Item| matches!(&item.content, Content::Notice(known) if known.text == text);
            // At most one notice per widget, whatever a plugin sends.
            if record.notices >= Caps::WIDGETS || record.items.iter().any(is_same) {
                return;
            }
            record.notices += 1;
        }
        self.put_notice(Level::Warning, text);
    }

    /// Adds a notice before everything that the call has shown, once.
    pub(super) fn put_first_notice(&self, text: &str) {
        let record = &mut *self.record();
        let next = std::mem::take(&mut record.next);
        let id = ItemId::from(format!("{}_n0", self.call.as_str()));
        let notice = Notice {
            level: Level::Warning,
            text: text.to_owned(),
            extra: Map::new(),
        };
        self.put(record, id, Content::Notice(notice));
        record.next = next;
        if let Some(notice) = record.items.pop() {
            let after_tool = record.items.len().min(1);
            record.items.insert(after_tool, notice);
        }
    }

    /// Adds a notice without counting it.
    pub(super) fn put_notice(&self, level: Level, text: &str) {
        let record = &mut *self.record();
        let id = ItemId::from(format!("{}_n{}", self.call.as_str(), record.next));
        let (text, extra) = (text.to_owned(), Map::new());
        let notice = Notice { level, text, extra };
        self.put(record, id, Content::Notice(notice));
    }

    /// Replaces a widget of now `bytes` bytes. Returns `false` if it was removed.
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

    /// Returns a widget and its size.
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
        record.remove_event(item.id);
        true
    }

    /// Adds a question to the record. Returns `None` if there are too many.
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
            answered_by: None,
            extra: Map::new(),
        };
        self.put(record, ItemId::from(id.clone()), Content::Ask(ask));
        let id = RequestId::from(id);
        record.events.push(CallEvent::Asked {
            id: id.clone(),
            plugin: self.manifest.id.clone(),
            question: question.clone(),
        });
        Some(id)
    }

    /// Adds the receipt of a decision about one operation.
    pub(crate) fn add_receipt(&self, receipt: Receipt) {
        self.revise(self.call.as_str(), |item| {
            if let Content::Tool(tool) = &mut item.content {
                tool.verdicts.push(receipt);
            }
        });
    }

    /// Adds a use of a power to the record: a denial at once, anything else when the call ends.
    pub(crate) fn record_use(&self, used: PowerUse) {
        let is_denial = used.denied.is_some();
        match is_denial {
            true => self.set_denied(),
            false => self.note_power(),
        }
        let new_denial = {
            let uses = &mut self.record().power_uses;
            let known = uses.len();
            used.add_to(uses);
            // A denial that is like an earlier one is only counted, so that a guest cannot fill the
            // log.
            (is_denial && uses.len() > known).then(|| uses.clone())
        };
        if let Some(uses) = new_denial {
            self.revise(self.call.as_str(), |item| {
                if let Content::Tool(tool) = &mut item.content {
                    tool.powers = uses;
                }
            });
        }
    }

    /// Notes that the call holds a power, and so can return what strangers wrote.
    pub(crate) fn note_power(&self) {
        self.has_held_power.store(true, Ordering::Relaxed);
    }

    pub(crate) fn has_held_power(&self) -> bool {
        self.has_held_power.load(Ordering::Relaxed)
    }

    pub(crate) fn settle_ask(
        &self,
        id: &RequestId,
        state: AskState,
        answer: Option<&Answer>,
        by: Option<String>,
    ) {
        self.revise(id.as_str(), |item| {
            if let Content::Ask(ask) = &mut item.content {
                ask.state = state;
                ask.response = answer.map(Answer::text);
                ask.values = answer.map(Answer::recordable);
                ask.answered_by = by;
            }
            item.end = Some(now());
        });
    }

    pub(crate) fn progress(&self, progress: EventBody) {
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
        record.events.push(CallEvent::Event(progress));
    }

    /// Settles the record and takes its items. A failed call loses its widgets and outputs; open
    /// questions are cancelled.
    pub(crate) fn close(&self, result: CallResult, receipt: Option<Receipt>) -> Vec<Item> {
        let succeeded = matches!(result, CallResult::Success { .. });
        let record = &mut *self.record();
        if let Some(progress) = record.held_progress.take() {
            record.events.push(CallEvent::Event(progress));
        }
        let mut items = std::mem::take(&mut record.items);
        for item in &mut items {
            if let Content::Ask(ask) = &mut item.content
                && ask.state == AskState::Open
            {
                ask.state = AskState::Cancelled;
                item.rev += 1;
                item.end = Some(now());
                record.events.revise(item);
            }
        }
        if !succeeded {
            items.retain(|item| {
                let stays = !matches!(item.content, Content::Widget(_) | Content::Output(_));
                if !stays {
                    record.remove_event(item.id.clone());
                }
                stays
            });
        }
        if let Some(item) = items.first_mut()
            && let Content::Tool(tool) = &mut item.content
        {
            tool.result = result;
            tool.verdict = receipt;
            tool.powers = std::mem::take(&mut record.power_uses);
            item.rev += 1;
            item.end = Some(now());
            record.events.revise(item);
        }
        items
    }
}

/// Why a widget was not accepted.
pub(crate) enum WidgetLimitError {
    TooMany(usize),
    TooLarge(usize),
}

/// Returns the current time, for the record.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests;
