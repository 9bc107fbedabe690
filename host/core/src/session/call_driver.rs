//! One call of a plugin's tool: followed, put down as it goes, and settled in one transaction.
//!
//! Whoever waits for a person lets other calls of its plugin go on.

use super::driver::Driver;
use super::press::PressedWidget;
use super::scheduler::plugin_of;
use super::state::SessionState;
use super::{Update, lock, tool_result};
use crate::call::Call;
use crate::call::event::{Ended, Event};
use crate::call::stage::now;
use crate::host::CallRequest;
use crate::policy::Caller;
use crate::store::{
    Batch, CallRow, CallState, Reply, RequestKind, RequestRow, StoreError, TurnRow,
};
use footlight_vocabulary::event::{Happening, Origin};
use footlight_vocabulary::item::{Change, Content, ItemId, Receipt, RequestId, Verdict};
use footlight_vocabulary::question::{Control, Question};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use tokio::sync::OwnedSemaphorePermit;

/// One call, followed to its end.
pub(super) struct CallDriver<'a> {
    driver: &'a Driver,
    turn: &'a TurnRow,
    row: CallRow,
    call: Call,
    /// What is to be put down with the next commit.
    batch: Batch,
    /// What it waits for.
    open: Vec<RequestRow>,
    /// What its tool item's revisions are counted from.
    rev: u64,
    gate: Option<OwnedSemaphorePermit>,
    /// The widget whose action it is.
    pressed: Option<PressedWidget>,
}

/// Why a wait is over.
enum WaitOutcome {
    /// The call goes on.
    Event(Option<Event>),
    /// It is worth looking again.
    CheckAgain,
}

impl<'a> CallDriver<'a> {
    pub(super) async fn new(
        driver: &'a Driver,
        turn: &'a TurnRow,
        row: CallRow,
    ) -> Result<Self, StoreError> {
        let session = &driver.session;
        let (rev, first, pressed) = {
            let state = session.state();
            let item = state.item(&ItemId::from(row.id.as_str()));
            // What an earlier run of it has shown was withdrawn: no id of that comes back.
            let is_first = item.is_none_or(|item| item.rev == 0);
            let used = if is_first { 0 } else { state.seq };
            (
                item.map_or(0, |item| item.rev + 1),
                u32::try_from(used).unwrap_or(u32::MAX / 2) + 1,
                PressedWidget::of(&state, turn),
            )
        };
        let call = session.host.call_for(CallRequest {
            caller: match turn.origin {
                Origin::Action => Caller::Person,
                _ => Caller::Model,
            },
            function: &row.function,
            input: row.input.clone(),
            session: Some(session.id.clone()),
            call: Some(row.id.clone()),
            attended: session.settings.attended,
            first,
        });
        Ok(Self {
            gate: acquire_gate(driver, &row).await,
            driver,
            turn,
            row,
            call,
            batch: Batch::default(),
            open: Vec::new(),
            rev,
            pressed,
        })
    }

    pub(super) async fn run(mut self) -> Result<(), StoreError> {
        let mut cancelled = false;
        loop {
            let event = match self.try_next().await {
                Poll::Ready(event) => event,
                Poll::Pending => {
                    self.flush().await?;
                    match self.wait(&mut cancelled).await? {
                        WaitOutcome::Event(event) => event,
                        WaitOutcome::CheckAgain => continue,
                    }
                }
            };
            match event {
                Some(Event::Finished(ended)) => return self.settle(*ended).await,
                Some(event) => self.handle(event).await?,
                None => return Err(StoreError::LeaseLost),
            }
        }
    }

    /// The next event if there is one already: what comes together is put down together.
    async fn try_next(&mut self) -> Poll<Option<Event>> {
        use futures_core::Stream;
        poll_fn(|context| Poll::Ready(Pin::new(&mut self.call).poll_next(context))).await
    }

    /// Waits until the call goes on, a person has spoken, or the turn is cancelled.
    async fn wait(&mut self, cancelled: &mut bool) -> Result<WaitOutcome, StoreError> {
        // It listens before it looks, so nothing is missed in between.
        let changed = self.driver.session.store.changed();
        for request in std::mem::take(&mut self.open) {
            match self.driver.take_reply(&request.id).await? {
                Some((seen, reply)) => {
                    // One at a time again, from here on.
                    if self.gate.is_none() {
                        self.gate = acquire_gate(self.driver, &self.row).await;
                    }
                    self.deliver(&request, &seen, reply);
                }
                None => self.open.push(request),
            }
        }
        if !self.open.is_empty() {
            self.gate = None;
        }
        tokio::select! {
            event = self.call.next() => Ok(WaitOutcome::Event(event)),
            settled = self.driver.settled_or_expired(changed, &self.open), if !self.open.is_empty() => {
                settled.map(|()| WaitOutcome::CheckAgain)
            }
            () = self.driver.cancelled(), if !*cancelled => {
                *cancelled = true;
                self.call.cancel();
                Ok(WaitOutcome::CheckAgain)
            }
        }
    }

    async fn handle(&mut self, event: Event) -> Result<(), StoreError> {
        match event {
            Event::Changed(change) => self.change(change),
            Event::Progress(progress) => self.driver.session.send_transient(
                &self.turn.id,
                Happening::Progress {
                    call: progress.call,
                    message: progress.message,
                    done: progress.done,
                    total: progress.total,
                },
            ),
            Event::Started => {
                if !self.row.read_only || self.row.state != CallState::Proposed {
                    self.row.state = CallState::Running;
                    self.batch.calls.push(self.row.clone());
                    self.flush().await?;
                }
            }
            Event::Asked {
                id,
                plugin,
                question,
            } => {
                // From here on it cannot begin again without asking twice.
                self.row.state = CallState::Running;
                self.batch.calls.push(self.row.clone());
                let request = question_request(self.driver, &self.row, id, plugin, &question);
                self.request(request);
            }
            Event::Approval { id, plugin, ask } => {
                if ask.binding.action.is_none() {
                    self.row.state = CallState::Approval;
                    self.batch.calls.push(self.row.clone());
                }
                let binding = serde_json::to_string(&ask.binding).ok();
                let request = RequestRow {
                    id,
                    session: self.driver.session.id.clone(),
                    call: self.row.id.clone(),
                    plugin,
                    kind: RequestKind::Approval,
                    body: serde_json::to_value(&*ask).unwrap_or_default(),
                    binding,
                    recordable: true,
                    since: now(),
                    expires: self.driver.request_expiry(),
                    reply: None,
                };
                self.request(request);
            }
            Event::Finished(_) => {}
        }
        Ok(())
    }

    fn request(&mut self, request: RequestRow) {
        self.batch.pending.push(request.clone());
        self.open.push(request);
    }

    /// Puts a change where it belongs in the session's record.
    fn change(&mut self, change: Change) {
        match change {
            Change::Remove(id) => {
                let pressed = self
                    .pressed
                    .as_ref()
                    .and_then(|pressed| pressed.stands_for(&id));
                let id = pressed.cloned().unwrap_or(id);
                self.batch.events.push(Happening::Remove { id });
            }
            Change::Put(mut item) => {
                let pressed = self.pressed.as_mut();
                if !pressed.is_some_and(|pressed| pressed.replaced_by(&mut item)) {
                    let n = item.position.n;
                    item.position =
                        SessionState::position(self.row.turn, self.row.step, self.row.n, n);
                }
                if let Content::Tool(tool) = &mut item.content {
                    item.rev += self.rev;
                    let known = self.driver.session.state();
                    if let Some(Content::Tool(before)) =
                        known.item(&item.id).map(|item| &item.content)
                    {
                        tool.model_id.clone_from(&before.model_id);
                        let earlier = |receipt: &&Receipt| !tool.verdicts.contains(receipt);
                        let earlier: Vec<_> =
                            before.verdicts.iter().filter(earlier).cloned().collect();
                        tool.verdicts.splice(0..0, earlier);
                    }
                }
                // A state that nobody has seen is overtaken.
                let put = Happening::put(*item.clone());
                let before = self.batch.events.iter_mut().find(|event| {
                    matches!(event, Happening::Put { item: before, .. } if before.id == item.id)
                });
                match before {
                    Some(before) => *before = put,
                    None => self.batch.events.push(put),
                }
            }
        }
    }

    /// Puts down what has come so far, then tells what waits.
    async fn flush(&mut self) -> Result<(), StoreError> {
        if self.batch == Batch::default() {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.batch);
        let waits = batch.pending.clone();
        self.driver.commit(batch).await?;
        for request in waits {
            // It may have been settled before a restart: then nobody is asked again.
            let stored = self.driver.session.store.request(&request.id).await?;
            if stored.is_none_or(|stored| stored.reply.is_none()) {
                self.driver
                    .session
                    .notify(Update::Pending(Box::new(request)));
            }
        }
        Ok(())
    }

    /// Hands a reply to the call that waits for it. What the person saw may have been asked by a run
    /// of this call that is gone, about something else: a yes to that is no yes to this.
    fn deliver(&self, request: &RequestRow, seen: &RequestRow, reply: Reply) {
        let host = &self.driver.session.host;
        let id = &request.id;
        let taken = match reply {
            Reply::Answer { value, .. } => {
                let secret = lock(&self.driver.session.secrets).remove(id);
                match value.or(secret) {
                    Some(value) => host.answer(id, value),
                    // A secret that was given to a process which is gone.
                    None => host.expire(id),
                }
            }
            Reply::Skip { .. } => host.skip(id),
            Reply::Verdict {
                verdict, words, by, ..
            } => {
                let is_same = seen.binding.is_some() && seen.binding == request.binding;
                let decided = is_same.then(|| host.decide_by(id, verdict, words, by));
                match decided {
                    Some(Ok(())) => Ok(()),
                    // Also a verdict that is not on offer any more: nobody would be asked again.
                    _ => {
                        let words = "what was asked for has changed since".to_owned();
                        host.decide(id, Verdict::Deny, Some(words))
                    }
                }
            }
            Reply::Expired { .. } | Reply::Withdrawn { .. } => host.expire(id),
        };
        if let Err(error) = taken {
            tracing::debug!(%error, "a reply came too late");
        }
    }

    /// Puts down how it ended: its result, its last revisions, what it withdrew, and that nothing of it
    /// waits any more, all at once.
    async fn settle(mut self, ended: Ended) -> Result<(), StoreError> {
        self.row.state = CallState::Settled;
        self.row.reply = Some(tool_result::of_ended(
            &self.driver.session.state(),
            &self.row,
            &ended,
        ));
        self.batch.calls.push(self.row.clone());
        if let Some(pressed) = self.pressed.take() {
            let seen = self.turn.item.as_ref();
            let state = self.driver.session.state();
            let seen = seen.and_then(|id| state.item(id));
            pressed.settle(&mut self.batch, &self.row, seen, ended.result.is_ok());
        }
        if ended.result.is_ok() {
            self.batch.keep_outputs.push(self.row.id.clone());
        }
        self.batch.drop_calls.push(self.row.id.clone());
        let call = self.row.id.clone();
        lock(&self.driver.session.followers)
            .pending
            .retain(|request| request.call != call);
        self.flush().await
    }
}

/// Waits for this plugin's turn.
async fn acquire_gate(driver: &Driver, row: &CallRow) -> Option<OwnedSemaphorePermit> {
    let gate = driver.session.gate(plugin_of(row));
    // The gate is never closed; without it there would only be less order.
    gate.acquire_owned().await.ok()
}

/// A question as it waits.
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
