//! The calls of a step: run, followed, and settled in one transaction each.
//!
//! Side by side only where all of them read and none asks, and even then one at a time for each
//! plugin; otherwise in the model's order. Whoever waits for a person lets others of its plugin go on.

use super::ask;
use super::book::Book;
use super::builtin::Builtin;
use super::driver::Driver;
use super::{Update, lock, reply, requests};
use crate::call::Call;
use crate::event::{Ended, Event};
use crate::host::Order;
use crate::policy::{Ask as Leave, Caller};
use crate::stage::now;
use crate::store::{Batch, CallRow, CallState, Pending, PendingKind, Reply, StoreError, TurnRow};
use footlight_vocabulary::event::Happening;
use footlight_vocabulary::item::{Change, Content, ItemId, RequestId, Timestamp, Verdict};
use footlight_vocabulary::question::{Control, Question};
use serde_json::Value;
use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinSet;

impl Driver {
    /// Runs what is still to be run of a step.
    pub(super) async fn run_calls(
        self: &Arc<Self>,
        turn: &TurnRow,
        step: u32,
    ) -> Result<(), StoreError> {
        let rows: Vec<CallRow> = {
            let book = self.session.book();
            let open = |row: &&CallRow| row.state != CallState::Settled;
            book.calls_of(turn.n, step).filter(open).cloned().collect()
        };
        if rows.len() > 1 && rows.iter().all(|row| self.is_harmless(row)) {
            return self.side_by_side(turn, rows).await;
        }
        for row in rows {
            if self.is_cancelled() {
                return Ok(());
            }
            self.run_call(turn, row).await?;
        }
        Ok(())
    }

    /// Whether it reads and does not ask.
    fn is_harmless(&self, row: &CallRow) -> bool {
        let Some((plugin, tool)) = row.function.split_once('.') else {
            return false;
        };
        let plugin = self.session.host.plugin(plugin);
        let tool = plugin.as_ref().and_then(|plugin| plugin.tool(tool));
        tool.is_some_and(|tool| tool.careful.read_only && !tool.careful.asks)
    }

    async fn side_by_side(
        self: &Arc<Self>,
        turn: &TurnRow,
        rows: Vec<CallRow>,
    ) -> Result<(), StoreError> {
        let mut by_plugin: BTreeMap<String, Vec<CallRow>> = BTreeMap::new();
        for row in rows {
            let plugin = plugin_of(&row).to_owned();
            by_plugin.entry(plugin).or_default().push(row);
        }
        let mut running = JoinSet::new();
        for (_, rows) in by_plugin {
            let (driver, turn) = (Arc::clone(self), turn.clone());
            running.spawn(async move {
                for row in rows {
                    if driver.is_cancelled() {
                        break;
                    }
                    driver.run_call(&turn, row).await?;
                }
                Ok(())
            });
        }
        while let Some(ended) = running.join_next().await {
            match ended {
                Ok(ended) => ended?,
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            }
        }
        Ok(())
    }

    async fn run_call(&self, turn: &TurnRow, row: CallRow) -> Result<(), StoreError> {
        match Builtin::read(&row.function) {
            Some(Builtin::Ask) => ask::run(self, row).await,
            Some(Builtin::Result) => self.read_on(row).await,
            None => Following::new(self, turn, row).await?.run().await,
        }
    }

    /// Reads on in a result that was cut.
    async fn read_on(&self, mut row: CallRow) -> Result<(), StoreError> {
        let (words, is_error) = {
            let book = self.session.book();
            let id = row.input.get("id").and_then(Value::as_str).unwrap_or("");
            let offset = row.input.get("offset").and_then(Value::as_u64).unwrap_or(0);
            let item = book.item(&ItemId::from(id));
            let output = item.and_then(|item| match &item.content {
                Content::Tool(tool) => match &tool.result {
                    footlight_vocabulary::item::CallResult::Success { output } => {
                        output.get("data").cloned()
                    }
                    _ => None,
                },
                _ => None,
            });
            match output {
                Some(data) => {
                    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
                    (reply::page(&reply::shown(&data), id, offset), false)
                }
                None => ("there is no result with this id".to_owned(), true),
            }
        };
        self.settle_own(&mut row, &words, is_error).await
    }

    /// Settles a call of the session's own tools.
    pub(super) async fn settle_own(
        &self,
        row: &mut CallRow,
        words: &str,
        is_error: bool,
    ) -> Result<(), StoreError> {
        self.settle_with(row, words, is_error, Vec::new()).await
    }

    /// The same, together with what else has happened.
    pub(super) async fn settle_with(
        &self,
        row: &mut CallRow,
        words: &str,
        is_error: bool,
        events: Vec<Happening>,
    ) -> Result<(), StoreError> {
        use footlight_vocabulary::item::CallResult;
        let batch = {
            let book = self.session.book();
            let mut batch = Batch {
                events,
                ..Batch::default()
            };
            let result = if is_error {
                CallResult::Error {
                    error: words.to_owned(),
                    code: None,
                    details: None,
                }
            } else {
                let output = serde_json::json!({ "kind": "text", "data": { "content": words } });
                CallResult::Success { output }
            };
            super::driver::settle(&book, &mut batch, row.clone(), result);
            if let Some(settled) = batch.calls.last_mut() {
                settled.reply = Some(reply::said(&book, row, words, is_error));
            }
            batch.drop_calls.push(row.id.clone());
            batch
        };
        self.commit(batch).await
    }

    /// Looks whether a request was settled, and tells of it.
    pub(super) async fn look(&self, id: &RequestId) -> Result<Option<Reply>, StoreError> {
        let request = self.session.store.request(id).await?;
        let reply = request.and_then(|request| request.reply);
        if let Some(reply) = &reply {
            self.session
                .tell(Update::Settled(id.clone(), reply.clone()));
        }
        Ok(reply)
    }

    /// When a request that begins now is too late.
    pub(super) fn too_late(&self) -> Option<Timestamp> {
        let patience = self.session.settings.patience?;
        let millis = i64::try_from(patience.as_millis()).unwrap_or(i64::MAX);
        Some(Timestamp::from_millis(
            now().millis().saturating_add(millis),
        ))
    }

    /// Waits until something may have been settled, or is too late.
    pub(super) async fn until_settled(
        &self,
        changed: crate::store::Answer<'_, ()>,
        open: &[Pending],
    ) -> Result<(), StoreError> {
        let first = open.iter().filter_map(|request| request.expires).min();
        let Some(first) = first else {
            return changed.await;
        };
        let left = u64::try_from(first.millis() - now().millis()).unwrap_or(0);
        tokio::select! {
            changed = changed => return changed,
            () = tokio::time::sleep(std::time::Duration::from_millis(left)) => {}
        }
        for request in open.iter().filter(|request| request.expires <= Some(now())) {
            let expired = Reply::Expired { at: now() };
            self.session.store.settle(&request.id, expired).await?;
        }
        Ok(())
    }
}

fn plugin_of(row: &CallRow) -> &str {
    row.function
        .split_once('.')
        .map_or("", |(plugin, _)| plugin)
}

/// One call, followed to its end.
struct Following<'a> {
    driver: &'a Driver,
    turn: &'a TurnRow,
    row: CallRow,
    call: Call,
    /// What is to be put down with the next commit.
    batch: Batch,
    /// What it waits for.
    open: Vec<Pending>,
    /// What its tool item's revisions are counted from.
    rev: u64,
    gate: Option<OwnedSemaphorePermit>,
}

/// Why a wait is over.
enum Woken {
    /// The call goes on.
    Event(Option<Event>),
    /// It is worth looking again.
    Otherwise,
}

impl<'a> Following<'a> {
    async fn new(driver: &'a Driver, turn: &'a TurnRow, row: CallRow) -> Result<Self, StoreError> {
        let session = &driver.session;
        let (rev, first) = {
            let book = session.book();
            let item = book.item(&ItemId::from(row.id.as_str()));
            let own = book.items_of_call(&row.id).map(|item| item.position.n);
            (
                item.map_or(0, |item| item.rev + 1),
                own.max().unwrap_or(0) + 1,
            )
        };
        let call = session.host.call_for(Order {
            caller: Caller::Model,
            function: &row.function,
            input: row.input.clone(),
            session: Some(session.id.clone()),
            call: Some(row.id.clone()),
            attended: session.settings.attended,
            first,
        });
        Ok(Self {
            gate: pass(driver, &row).await,
            driver,
            turn,
            row,
            call,
            batch: Batch::default(),
            open: Vec::new(),
            rev,
        })
    }

    async fn run(mut self) -> Result<(), StoreError> {
        let mut cancelled = false;
        loop {
            let event = match self.ready().await {
                Poll::Ready(event) => event,
                Poll::Pending => {
                    self.flush().await?;
                    match self.wait(&mut cancelled).await? {
                        Woken::Event(event) => event,
                        Woken::Otherwise => continue,
                    }
                }
            };
            match event {
                Some(Event::Finished(ended)) => return self.settle(*ended).await,
                Some(event) => self.take(event).await?,
                None => return Err(StoreError::Lost),
            }
        }
    }

    /// The next event if there is one already: what comes together is put down together.
    async fn ready(&mut self) -> Poll<Option<Event>> {
        use futures_core::Stream;
        poll_fn(|context| Poll::Ready(Pin::new(&mut self.call).poll_next(context))).await
    }

    /// Waits until the call goes on, a person has spoken, or the turn is cancelled.
    async fn wait(&mut self, cancelled: &mut bool) -> Result<Woken, StoreError> {
        // It listens before it looks, so nothing is missed in between.
        let changed = self.driver.session.store.changed();
        for request in std::mem::take(&mut self.open) {
            match self.driver.look(&request.id).await? {
                Some(reply) => {
                    // One at a time again, from here on.
                    if self.gate.is_none() {
                        self.gate = pass(self.driver, &self.row).await;
                    }
                    self.deliver(&request, reply);
                }
                None => self.open.push(request),
            }
        }
        if !self.open.is_empty() {
            self.gate = None;
        }
        tokio::select! {
            event = self.call.next() => Ok(Woken::Event(event)),
            settled = self.driver.until_settled(changed, &self.open), if !self.open.is_empty() => {
                settled.map(|()| Woken::Otherwise)
            }
            () = self.driver.cancelled(), if !*cancelled => {
                *cancelled = true;
                self.call.cancel();
                Ok(Woken::Otherwise)
            }
        }
    }

    async fn take(&mut self, event: Event) -> Result<(), StoreError> {
        match event {
            Event::Changed(change) => self.change(change),
            Event::Progress(progress) => self.driver.session.pass(
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
                let request = question_of(self.driver, &self.row, id, plugin, &question);
                self.request(request);
            }
            Event::Approval { id, plugin, ask } => {
                if ask.binding.action.is_none() {
                    self.row.state = CallState::Approval;
                    self.batch.calls.push(self.row.clone());
                }
                let binding = serde_json::to_string(&ask.binding).ok();
                let request = Pending {
                    id,
                    session: self.driver.session.id.clone(),
                    call: self.row.id.clone(),
                    plugin,
                    kind: PendingKind::Approval,
                    body: serde_json::to_value(&*ask).unwrap_or_default(),
                    binding,
                    recordable: true,
                    since: now(),
                    expires: self.driver.too_late(),
                    reply: None,
                };
                self.request(request);
            }
            Event::Finished(_) => {}
        }
        Ok(())
    }

    fn request(&mut self, request: Pending) {
        self.batch.pending.push(request.clone());
        self.open.push(request);
    }

    /// Puts a change where it belongs in the session's record.
    fn change(&mut self, change: Change) {
        match change {
            Change::Remove(id) => self.batch.events.push(Happening::Remove { id }),
            Change::Put(mut item) => {
                let n = item.position.n;
                item.position = Book::place(self.row.turn, self.row.step, self.row.n, n);
                if let Content::Tool(tool) = &mut item.content {
                    item.rev += self.rev;
                    let known = self.driver.session.book();
                    if let Some(Content::Tool(before)) =
                        known.item(&item.id).map(|item| &item.content)
                    {
                        tool.model_id.clone_from(&before.model_id);
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
                self.driver.session.tell(Update::Waits(Box::new(request)));
            }
        }
        Ok(())
    }

    /// Hands a reply to the call that waits for it.
    fn deliver(&self, request: &Pending, reply: Reply) {
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
                let is_same =
                    |ask: Leave| serde_json::to_string(&ask.binding).ok() == request.binding;
                if requests::wanted(request).is_some_and(is_same) {
                    host.decide_by(id, verdict, words, by)
                } else {
                    let words = "what was asked for has changed since".to_owned();
                    host.decide(id, Verdict::Deny, Some(words))
                }
            }
            Reply::Expired { .. } | Reply::Gone { .. } => host.expire(id),
        };
        if let Err(error) = taken {
            tracing::debug!(%error, "a reply came too late");
        }
    }

    /// Puts down how it ended: its result, its last revisions, what it withdrew, and that nothing of it
    /// waits any more, all at once.
    async fn settle(mut self, ended: Ended) -> Result<(), StoreError> {
        self.row.state = CallState::Settled;
        self.row.reply = Some(reply::ended(&self.driver.session.book(), &self.row, &ended));
        self.batch.calls.push(self.row.clone());
        if ended.result.is_ok() {
            self.batch.keep_outputs.push(self.row.id.clone());
        }
        self.batch.drop_calls.push(self.row.id.clone());
        self.flush().await
    }
}

/// Waits for this plugin's turn.
async fn pass(driver: &Driver, row: &CallRow) -> Option<OwnedSemaphorePermit> {
    let gate = driver.session.gate(plugin_of(row));
    // The gate is never closed; without it there would only be less order.
    gate.acquire_owned().await.ok()
}

/// A question as it waits.
pub(super) fn question_of(
    driver: &Driver,
    row: &CallRow,
    id: RequestId,
    plugin: String,
    question: &Question,
) -> Pending {
    let is_secret = |control: &Control| *control == Control::Secret;
    Pending {
        id,
        session: driver.session.id.clone(),
        call: row.id.clone(),
        plugin,
        kind: PendingKind::Ask,
        body: serde_json::to_value(question).unwrap_or_default(),
        binding: None,
        recordable: !question
            .fields
            .iter()
            .any(|field| is_secret(&field.control)),
        since: now(),
        expires: driver.too_late(),
        reply: None,
    }
}
