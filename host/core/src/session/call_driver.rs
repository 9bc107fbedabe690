//! Drives one call of a plugin's tool: stores its events as they come, passes replies to it, and
//! settles it in one transaction.
//!
//! Calls of one plugin run one at a time, but a call that waits for a person lets others run.

use super::driver::Driver;
use super::press::PressedWidget;
use super::recovery::{first_free_number, take_reply_to};
use super::revisions::{self, Revisions};
use super::scheduler::plugin_of;
use super::state::SessionState;
use super::{step, tool_result};
use crate::call::event::{CallEvent, CallOutcome};
use crate::call::pending::{NoReply, QuestionReply, ReplyError};
use crate::call::stage::now;
use crate::call::{Call, run};
use crate::host::CallRequest;
use crate::policy::{Caller, FolderBinding};
use crate::store::{
    Batch, CallRow, CallState, Reply, RequestKind, RequestRow, StoreError, TurnRow,
};
use footlight_vocabulary::answer::Answer;
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::item::{Content, Item, ItemId, Receipt, RequestId, Verdict};
use footlight_vocabulary::question::{Control, Question};
use futures_util::StreamExt;
use std::future::poll_fn;
use std::sync::atomic::Ordering;
use std::task::Poll;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep_until};

/// The driver of one call.
pub(super) struct CallDriver<'a> {
    driver: &'a Driver,
    turn: &'a TurnRow,
    row: CallRow,
    call: Call,
    /// The rows and events of the next commit.
    batch: Batch,
    /// What may be logged before the call ends.
    revisions: Revisions,
    /// The requests that the call waits for.
    open: Vec<RequestRow>,
    /// Replies to questions of earlier runs, which were interrupted.
    earlier: Vec<RequestRow>,
    /// The revision of the stored tool item, which the call's revisions continue.
    rev: u64,
    gate: Option<OwnedSemaphorePermit>,
    /// The widget whose action started the call.
    pressed: Option<PressedWidget>,
}

/// How a wait ended.
enum WaitOutcome {
    /// The call emitted an event.
    Event(Option<CallEvent>),
    /// A reply may have arrived, or the turn was cancelled.
    CheckAgain,
}

impl<'a> CallDriver<'a> {
    pub(super) async fn new(
        driver: &'a Driver,
        turn: &'a TurnRow,
        row: CallRow,
    ) -> Result<Self, StoreError> {
        let session = &driver.session;
        let (rev, is_first, first_number, pressed) = {
            let state = session.state();
            let item = state.item(&ItemId::from(row.id.as_str()));
            let is_first = item.is_none_or(|item| item.rev == 0);
            (
                item.map_or(0, |item| item.rev + 1),
                is_first,
                // The items of an interrupted run were removed: their ids are not used again.
                if is_first {
                    1
                } else {
                    first_free_number(&state)
                },
                PressedWidget::of(&state, turn).filter(|_| turn.is_press_step(row.step)),
            )
        };
        let earlier = match is_first {
            true => Vec::new(),
            false => driver.earlier_replies(&row).await?,
        };
        let call = run::start(
            &session.host,
            CallRequest {
                caller: match turn.is_press_step(row.step) {
                    true => Caller::Person,
                    false => step::caller(&session.host, &driver.settings, &row.function)
                        .unwrap_or(Caller::Model),
                },
                function: &row.function,
                input: row.input.clone(),
                session: Some(driver.scope()),
                person: None,
                call: Some(row.id.clone()),
                attended: driver.settings.attended,
                first_number,
            },
        );
        Ok(Self {
            gate: acquire_gate(driver, &row).await,
            driver,
            turn,
            row,
            call,
            batch: Batch::default(),
            revisions: Revisions::default(),
            open: Vec::new(),
            earlier,
            rev,
            pressed,
        })
    }

    pub(super) async fn run(mut self) -> Result<(), StoreError> {
        loop {
            // Checked before every event: a call that always has another one never waits.
            let cancelled = self.driver.is_cancelled();
            if cancelled {
                self.call.cancel();
            }
            let event = match self.try_next().await {
                Poll::Ready(event) => event,
                Poll::Pending => {
                    if self.due().is_some_and(|due| due <= Instant::now()) {
                        self.flush().await?;
                    }
                    match self.wait(cancelled).await? {
                        WaitOutcome::Event(event) => event,
                        WaitOutcome::CheckAgain => continue,
                    }
                }
            };
            match event {
                Some(CallEvent::Finished(outcome)) => return self.settle(*outcome).await,
                Some(event) => self.handle(event).await?,
                None => return Err(StoreError::LeaseLost),
            }
        }
    }

    /// Returns the next event if it is there already: events that come together are committed together.
    async fn try_next(&mut self) -> Poll<Option<CallEvent>> {
        poll_fn(|context| Poll::Ready(self.call.poll_next_unpin(context))).await
    }

    /// Waits for an event of the call, a reply of a person, or the end of the turn.
    async fn wait(&mut self, cancelled: bool) -> Result<WaitOutcome, StoreError> {
        // Subscribe first, then look: no change is missed in between.
        let changed = self.driver.session.store.changed();
        for request in std::mem::take(&mut self.open) {
            match self.driver.take_reply(&request).await? {
                Some((seen, reply)) => {
                    // The call continues, one at a time per plugin again.
                    if self.gate.is_none() {
                        self.gate = acquire_gate(self.driver, &self.row).await;
                    }
                    let secret = self.driver.session.secrets.lock().await.remove(&request.id);
                    self.deliver(&request, &seen, reply, secret);
                }
                None => self.open.push(request),
            }
        }
        if !self.open.is_empty() {
            self.gate = None;
        }
        let due = self.due();
        tokio::select! {
            event = self.call.next() => Ok(WaitOutcome::Event(event)),
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                Ok(WaitOutcome::CheckAgain)
            }
            settled = self.driver.settled_or_expired(changed, &self.open), if !self.open.is_empty() => {
                settled.map(|()| WaitOutcome::CheckAgain)
            }
            () = self.driver.cancelled(), if !cancelled => Ok(WaitOutcome::CheckAgain),
        }
    }

    async fn handle(&mut self, event: CallEvent) -> Result<(), StoreError> {
        match event {
            CallEvent::Event(EventBody::Put { item, .. }) => self.put(item),
            CallEvent::Event(EventBody::Remove { id }) => self.remove(id),
            CallEvent::Event(transient) => {
                self.driver.session.send_transient(&self.turn.id, transient);
            }
            CallEvent::Started => {
                // A verdict admits one run: an approved call does not run again after a crash.
                self.row.read_only &= self.row.state == CallState::Proposed;
                if !self.row.read_only {
                    self.store_start().await?;
                }
            }
            CallEvent::TakesEffect => {
                // Whatever the tool says of itself, from here on the call has effects.
                if std::mem::take(&mut self.row.read_only) {
                    self.store_start().await?;
                }
            }
            CallEvent::Asked {
                id,
                plugin,
                question,
            } => {
                // Running the call again would ask again.
                self.row.state = CallState::Running;
                self.batch.calls.push(self.row.clone());
                let mut request = question_request(self.driver, &self.row, id, plugin, &question);
                // Whoever has answered it before is not asked again.
                request.reply = take_reply_to(&request.body, &mut self.earlier);
                self.request(request);
            }
            CallEvent::Approval { id, plugin, ask } => {
                // A request to a host is one of a call that runs.
                if ask.binding.action.is_none() && ask.network.is_none() {
                    self.row.state = CallState::Approval;
                    self.batch.calls.push(self.row.clone());
                }
                let binding = serde_json::to_string(&ask.binding).ok();
                let request = RequestRow {
                    id,
                    session: self.driver.session.id.clone(),
                    call: self.row.id.clone(),
                    plugin,
                    kind: match ask.folder {
                        Some(_) => RequestKind::Binding,
                        None => RequestKind::Approval,
                    },
                    body: serde_json::to_value(&*ask).unwrap_or_default(),
                    binding,
                    recordable: true,
                    since: now(),
                    expires: self.driver.request_expiry(),
                    reply: None,
                };
                self.request(request);
            }
            CallEvent::Finished(_) => {}
        }
        Ok(())
    }

    /// Stores that the call may have effects, before it has any.
    async fn store_start(&mut self) -> Result<(), StoreError> {
        self.row.state = CallState::Running;
        self.batch.calls.push(self.row.clone());
        self.flush().await
    }

    fn request(&mut self, request: RequestRow) {
        self.batch.pending.push(request.clone());
        self.open.push(request);
    }

    fn remove(&mut self, id: ItemId) {
        let pressed = self.pressed.as_ref();
        let replaced = pressed.and_then(|pressed| pressed.stands_for(&id));
        let id = replaced.cloned().unwrap_or(id);
        revisions::forget(&mut self.batch.events, &id);
        // Nobody knows an item of which no revision was logged.
        if self.driver.session.state().item(&id).is_some() {
            self.batch.events.push(EventBody::Remove { id });
        }
    }

    /// Gives an item of the call its place in the session's record.
    fn put(&mut self, mut item: Box<Item>) {
        let pressed = self.pressed.as_mut();
        if !pressed.is_some_and(|pressed| pressed.replaced_by(&mut item)) {
            let n = item.position.n;
            item.position = SessionState::position(self.row.turn, self.row.step, self.row.n, n);
        }
        if let Content::Tool(tool) = &mut item.content {
            item.rev += self.rev;
            let known = self.driver.session.state();
            if let Some(Content::Tool(before)) = known.item(&item.id).map(|item| &item.content) {
                tool.model_id.clone_from(&before.model_id);
                let earlier = |receipt: &&Receipt| !tool.verdicts.contains(receipt);
                let earlier: Vec<_> = before.verdicts.iter().filter(earlier).cloned().collect();
                tool.verdicts.splice(0..0, earlier);
            }
        }
        // An earlier revision that was not committed yet is replaced.
        let same = |event: &&mut EventBody| matches!(event, EventBody::Put { item: before, .. } if before.id == item.id);
        let before = self.batch.events.iter_mut().find(same);
        let put = EventBody::Put {
            rev: item.rev,
            item,
        };
        match before {
            Some(before) => *before = put,
            None => self.batch.events.push(put),
        }
    }

    /// Returns when something is to be committed: rows and requests at once, widgets after a pause.
    fn due(&self) -> Option<Instant> {
        if self.batch.calls.is_empty() && self.batch.pending.is_empty() {
            return self.revisions.due(&self.batch.events);
        }
        Some(Instant::now())
    }

    /// Commits the events so far, except those over the budget.
    async fn flush(&mut self) -> Result<(), StoreError> {
        let turn = &self.driver.logged_revisions;
        let events = self.revisions.take(&mut self.batch.events, turn);
        let held = std::mem::replace(&mut self.batch.events, events);
        let done = self.flush_all().await;
        self.batch.events = held;
        done
    }

    /// Commits the whole batch, then announces new requests.
    async fn flush_all(&mut self) -> Result<(), StoreError> {
        if self.batch == Batch::default() {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.batch);
        let requests = batch.pending.clone();
        let mut waits = Vec::new();
        for request in requests {
            waits.push((self.driver.is_new(&request).await?, request));
        }
        self.driver.commit(batch).await?;
        for (is_new, request) in waits {
            // A request may have been settled before a restart; then nobody is asked again.
            let stored = self.driver.session.store.request(&request.id).await?;
            if stored.is_none_or(|stored| stored.reply.is_none()) {
                self.driver.announce_request(request, is_new);
            }
        }
        Ok(())
    }

    /// Passes a reply to the waiting call. The person may have replied to an earlier run of this call,
    /// which asked for something else: a yes counts only if `seen` is what is asked for now.
    fn deliver(
        &self,
        request: &RequestRow,
        seen: &RequestRow,
        reply: Reply,
        secret: Option<Answer>,
    ) {
        let pending = &self.driver.session.host.0.pending;
        let id = &request.id;
        let delivered = match reply {
            Reply::Answer {
                value: Some(value),
                by,
                ..
            } => match pending.answer(id, value, by) {
                // Nobody would be asked again.
                Err(ReplyError::InvalidAnswer(_)) => pending.end(id, NoReply::Expired),
                answered => answered,
            },
            Reply::Answer {
                value: None, by, ..
            } => match secret {
                Some(secret) if seen.body == request.body => {
                    pending.reply(id, QuestionReply::Answer(secret, by))
                }
                // A secret that another process was given, or for another question.
                _ => pending.end(id, NoReply::Expired),
            },
            Reply::Skip { by, .. } => pending.reply(id, QuestionReply::Skip(by)),
            Reply::Verdict {
                verdict,
                words,
                by,
                folder,
                read_only,
                ..
            } => {
                let folder = folder.map(|path| FolderBinding {
                    path,
                    writable: !read_only,
                });
                let is_same = seen.binding.is_some() && seen.binding == request.binding;
                let decided = is_same.then(|| pending.decide(id, verdict, words, by, folder));
                match decided {
                    Some(Ok(())) => Ok(()),
                    // Also for a verdict that is no longer offered: nobody would be asked again.
                    _ => {
                        let words = "what was asked for has changed since".to_owned();
                        pending.decide(id, Verdict::Deny, Some(words), None, None)
                    }
                }
            }
            Reply::NoPerson { .. } => pending.end(id, NoReply::NoPerson),
            Reply::Expired { .. } | Reply::Withdrawn { .. } => pending.end(id, NoReply::Expired),
        };
        if let Err(error) = delivered {
            tracing::debug!(%error, "a reply came too late");
        }
    }

    /// Commits the outcome in one transaction: the result, the last revisions, removals, and the end
    /// of all requests of the call.
    async fn settle(mut self, outcome: CallOutcome) -> Result<(), StoreError> {
        self.row.state = CallState::Settled;
        if let Err(failure) = &outcome.result
            && self.turn.is_press_step(self.row.step)
        {
            tracing::warn!(
                session = %self.driver.session.id,
                turn = %self.turn.id,
                call = %self.row.id,
                item = ?self.turn.item,
                code = %failure.code,
                "the call of a press failed"
            );
        }
        tool_result::set_outcome(&self.driver.session.state(), &mut self.row, &outcome);
        self.batch.calls.push(self.row.clone());
        if let Some(pressed) = self.pressed.take() {
            let seen = self.turn.item.as_ref();
            let state = self.driver.session.state();
            let seen = seen.and_then(|id| state.item(id));
            pressed.settle(&mut self.batch, &self.row, seen, outcome.result.is_ok());
        }
        if outcome.result.is_ok() {
            self.batch.keep_outputs.push(self.row.id.clone());
        }
        self.batch.drop_calls.push(self.row.id.clone());
        // What the call returned may be what a stranger wrote.
        self.batch.tainted |= self.call.stage.has_held_power();
        let recorded = self.batch.events.iter().map(revisions::json_size).sum();
        self.driver.recorded.fetch_add(recorded, Ordering::Relaxed);
        self.flush_all().await
    }
}

/// Waits until no other call of this plugin runs.
async fn acquire_gate(driver: &Driver, row: &CallRow) -> Option<OwnedSemaphorePermit> {
    let gate = driver.session.gate(plugin_of(row));
    // The semaphore is never closed.
    gate.acquire_owned().await.ok()
}

/// Returns the request row of a question.
pub(super) fn question_request(
    driver: &Driver,
    row: &CallRow,
    id: RequestId,
    plugin: String,
    question: &Question,
) -> RequestRow {
    let is_secret = |control: &Control| *control == Control::Secret;
    RequestRow {
        id,
        session: driver.session.id.clone(),
        call: row.id.clone(),
        plugin,
        kind: RequestKind::Ask,
        body: serde_json::to_value(question).unwrap_or_default(),
        binding: None,
        recordable: !question
            .fields
            .iter()
            .any(|field| is_secret(&field.control)),
        since: now(),
        expires: driver.request_expiry(),
        reply: None,
    }
}
