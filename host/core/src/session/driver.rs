//! The loop of a turn: the rows determine what to do next, until the turn is over.

use super::recovery::removed_items;
use super::state::{Next, SessionState};
use super::step::StepOutcome;
use super::tool_result;
use super::{
    FollowError, Press, Prompt, Session, SessionInner, SessionScope, Settings, TurnError, Update,
    mint,
};
use crate::call::stage::now;
use crate::store::{Batch, CallRow, CallState, Lease, StoreError, TurnRow};
use footlight_vocabulary::event::{Event, EventBody, Origin, Status};
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{CallResult, Content, Item, ItemId, Level, Notice, Text, TurnId};
use serde_json::Map;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedRwLockReadGuard, RwLock, watch};
use tracing::Instrument as _;

/// How long a session stays locked after its process died without a trace.
const LEASE: Duration = Duration::from_secs(30);

/// The length of a session's title, taken from the first prompt.
const TITLE: usize = 80;

/// What a running turn is told to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// To go on.
    Run,
    /// To end: each of its calls gets a result.
    Cancel,
    /// To stop where it is, as if its process had ended.
    Suspend,
}

/// How a turn starts.
pub(super) enum TurnStart {
    /// With a prompt.
    Prompt(Prompt),
    /// With a press in a widget.
    Press {
        press: Press,
        /// Whether the model answers afterwards.
        asks_model: bool,
    },
    /// With the prompt of an earlier turn, which is retracted together with all after it.
    Retry(TurnId),
}

/// The driver of one turn.
pub(super) struct Driver {
    pub(super) session: Arc<SessionInner>,
    pub(super) settings: Arc<Settings>,
    /// The id of the turn, if it is a new one.
    pub(super) turn: TurnId,
    lease: Lease,
    /// Serializes commits, so that updates are sent in the order of the log.
    order: tokio::sync::Mutex<()>,
    /// Bytes of revisions that the calls of this turn have logged while they ran.
    pub(super) logged_revisions: AtomicUsize,
    /// Bytes that the calls of this turn have recorded when they ended.
    pub(super) recorded: AtomicUsize,
    signal: watch::Receiver<Signal>,
    /// Held by every task of the turn, so that its end can be awaited.
    tasks: Arc<RwLock<()>>,
}

impl Driver {
    /// Claims the session for a turn.
    pub(super) async fn claim(
        session: &Session,
        turn: TurnId,
        signal: watch::Receiver<Signal>,
    ) -> Result<Self, StoreError> {
        let owner = format!("process {}", std::process::id());
        let inner = &session.inner;
        Ok(Self {
            lease: inner.store.claim(&inner.id, &owner, LEASE).await?,
            session: Arc::clone(inner),
            settings: Arc::clone(&session.settings),
            turn,
            order: tokio::sync::Mutex::default(),
            logged_revisions: AtomicUsize::new(0),
            recorded: AtomicUsize::new(0),
            signal,
            tasks: Arc::default(),
        })
    }

    /// Drives the turn to its end. Returns the last update, which is not sent yet.
    pub(super) async fn run(
        self: Arc<Self>,
        start: Option<TurnStart>,
    ) -> Result<Update, FollowError> {
        let driven = async {
            // Not suspended before it is stored: whoever started the turn can resume it.
            self.begin(start).await?;
            self.drive_until_suspended().await
        };
        let ended = tokio::select! {
            ended = driven => ended,
            lost = self.renew() => Err(lost.into()),
        };
        if ended.is_err() {
            // The state may be stale; the next turn reads it again.
            let released = self.session.store.release(&self.lease).await;
            if let (Err(FollowError::Suspended), Err(error)) = (&ended, released) {
                return Err(error.into());
            }
        }
        ended
    }

    /// Drives the turn to its end, or drops everything that runs when it is suspended.
    async fn drive_until_suspended(self: &Arc<Self>) -> Result<Update, FollowError> {
        let suspended = async {
            self.signalled(Signal::Suspend).await;
            // What is being stored is stored and shown first.
            self.order.lock().await
        };
        tokio::select! {
            biased;
            ended = self.drive() => Ok(ended?),
            _order = suspended => {
                // The tasks of the turn have been aborted. Until they are gone, none of them may commit.
                let _gone = self.tasks.write().await;
                Err(FollowError::Suspended)
            }
        }
    }

    /// Stores the start of a new turn, or settles what was interrupted.
    async fn begin(&self, start: Option<TurnStart>) -> Result<(), StoreError> {
        self.reload().await?;
        // Another process may have left an unfinished turn.
        if start.is_some() && self.session.state().open_turn().is_some() {
            return Err(StoreError::failed(TurnError::Unfinished.to_string()));
        }
        match start {
            Some(TurnStart::Prompt(prompt)) => self.open(prompt).await,
            Some(TurnStart::Press { press, asks_model }) => {
                self.open_press(press, asks_model).await
            }
            Some(TurnStart::Retry(turn)) => self.open_retry(&turn).await,
            None => self.settle_interrupted_calls().await,
        }
    }

    /// Returns what a task of the turn holds for as long as it runs.
    pub(super) async fn task(&self) -> OwnedRwLockReadGuard<()> {
        Arc::clone(&self.tasks).read_owned().await
    }

    /// Reads the session again if another process has written to it. Fails if the session was deleted
    /// and another one has its id.
    async fn reload(&self) -> Result<(), StoreError> {
        let session = &self.session;
        let row = session.store.session(&session.id).await?;
        if row.person != self.settings.person {
            return Err(StoreError::NoSession(session.id.clone()));
        }
        session.note_taint(row.tainted);
        let (seq, last) = {
            let state = session.state();
            (state.seq, state.turns.last().map(|turn| turn.id.clone()))
        };
        // The last known event, whose turn has a random id, and the one after it.
        let log = session.store.log(&session.id, seq.saturating_sub(1), 2);
        let log = log.await?;
        let is_known =
            |event: &&Event| event.seq == Some(seq) && Some(&event.turn) == last.as_ref();
        if seq > 0 && log.first().filter(is_known).is_none() {
            return Err(StoreError::NoSession(session.id.clone()));
        }
        if log.iter().any(|event| event.seq > Some(seq)) {
            let snapshot = session.store.open(&session.id).await?;
            *session.state() = SessionState::new(snapshot);
        }
        Ok(())
    }

    /// Returns what the calls of this turn take over from the session.
    pub(super) fn scope(&self) -> SessionScope {
        let session = &self.session;
        SessionScope {
            id: session.id.clone(),
            settings: Arc::clone(&self.settings),
            person_key: Arc::clone(&session.person_key),
            tainted: Arc::clone(&session.tainted),
        }
    }

    async fn renew(&self) -> StoreError {
        loop {
            tokio::time::sleep(LEASE / 3).await;
            if let Err(error) = self.session.store.renew(&self.lease, LEASE).await {
                return error;
            }
        }
    }

    /// Stores a batch, then sends its events to the followers.
    pub(super) async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        let _order = self.order.lock().await;
        for update in self.store_batch(batch).await? {
            self.session.notify(update);
        }
        Ok(())
    }

    async fn store_batch(&self, mut batch: Batch) -> Result<Vec<Update>, StoreError> {
        batch.at = now();
        let rows = Batch {
            turns: batch.turns.clone(),
            steps: batch.steps.clone(),
            calls: batch.calls.clone(),
            summary: batch.summary.clone(),
            ..Batch::default()
        };
        let (tainted, ended) = (batch.tainted, batch.drop_calls.clone());
        let is_settled = |row: &&CallRow| row.state == CallState::Settled;
        let settled = batch.calls.iter().filter(is_settled);
        let settled = settled.map(|row| (row.id.clone(), row.function.clone()));
        let settled: Vec<_> = settled.collect();
        let events = self.session.store.commit(&self.lease, batch).await?;
        self.session.note_taint(tainted);
        self.session.state().apply(rows, &events);
        self.forget_requests(&ended);
        for (call, function) in settled {
            self.observe_call(&call, &function);
        }
        let updates = events.into_iter().map(Box::new).map(Update::Event);
        Ok(updates.collect())
    }

    /// Returns the span of an answer of the model.
    fn step_span(&self, step: u32) -> tracing::Span {
        tracing::info_span!("step", step, model = self.settings.model.name())
    }

    async fn drive(self: &Arc<Self>) -> Result<Update, StoreError> {
        loop {
            if self.is_cancelled() {
                return self.cancel_turn().await;
            }
            let (turn, next) = {
                let state = self.session.state();
                (state.open_turn().cloned(), state.next())
            };
            let Some(turn) = turn else {
                return Err(StoreError::LeaseLost);
            };
            match next {
                Next::Idle => return Err(StoreError::LeaseLost),
                Next::Calls(step) => {
                    let span = tracing::info_span!("step", step);
                    self.run_calls(&turn, step).instrument(span).await?;
                }
                Next::Step(step) => match self
                    .step(&turn, step, !self.is_limit_reached(&turn, step))
                    .instrument(self.step_span(step))
                    .await?
                {
                    StepOutcome::Committed | StepOutcome::Cancelled => {}
                    StepOutcome::ModelFailed(error) => {
                        let notice = self.notice(&turn, Level::Danger, &error.full_message());
                        return self.finish(&turn, Status::Error, Some(notice)).await;
                    }
                    StepOutcome::Abandoned(why) => {
                        let text = self.closing_text(&turn, &why);
                        return self.finish(&turn, Status::Error, Some(text)).await;
                    }
                },
                Next::Finish => {
                    let last = self
                        .session
                        .state()
                        .last_step(turn.n)
                        .map_or(0, |row| row.step);
                    if turn.origin == Origin::Action && last <= 1 {
                        return self.finish(&turn, self.press_status(&turn), None).await;
                    }
                    if self.is_limit_reached(&turn, last) {
                        let steps = last.saturating_sub(1);
                        let why = format!(
                            "Stopped: a limit of this turn was reached after {steps} steps."
                        );
                        let text = self.closing_text(&turn, &why);
                        return self.finish(&turn, Status::Limit, Some(text)).await;
                    }
                    return self.finish(&turn, Status::Done, None).await;
                }
            }
        }
    }

    async fn open(&self, prompt: Prompt) -> Result<(), StoreError> {
        let n = self.session.state().next_turn();
        let (tainted, prompt) = (prompt.is_tainted(), prompt.text().to_owned());
        let turn = TurnRow::new(n, self.turn.clone(), &prompt, Origin::Person, now());
        let title: String = prompt.chars().take(TITLE).collect();
        let started = EventBody::TurnStarted {
            prompt,
            origin: Origin::Person,
            item: None,
            rev: None,
            retries: None,
        };
        self.commit(Batch {
            events: vec![started],
            turns: vec![turn],
            title: (n == 1).then_some(title),
            tainted,
            ..Batch::default()
        })
        .await
    }

    /// Reports whether a limit of the turn is reached, so that this step must be the last.
    fn is_limit_reached(&self, turn: &TurnRow, step: u32) -> bool {
        let limits = self.settings.limits;
        let state = self.session.state();
        let earlier = |row: &&CallRow| row.step < step;
        let calls = state.last_calls(turn.n).filter(earlier).count();
        let usage = state.usage(turn.n);
        let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
        step > limits.steps
            || calls >= limits.calls
            || limits.tokens.is_some_and(|most| tokens > most)
            || self.has_recorded_too_much()
    }

    /// Reports whether the calls of this turn have recorded as much as they may.
    pub(super) fn has_recorded_too_much(&self) -> bool {
        self.recorded.load(Ordering::Relaxed) > self.settings.limits.bytes
    }

    /// Ends a cancelled turn: each open call gets a result, and no request stays pending.
    async fn cancel_turn(&self) -> Result<Update, StoreError> {
        let (turn, batch) = {
            let state = self.session.state();
            let Some(turn) = state.open_turn().cloned() else {
                return Err(StoreError::LeaseLost);
            };
            let mut batch = Batch::default();
            let open = |row: &&CallRow| row.turn == turn.n && row.state != CallState::Settled;
            for row in state.calls.iter().filter(open) {
                batch.events.extend(removed_items(&state, row, &[]));
                batch.drop_calls.push(row.id.clone());
                let failed = CallResult::Error {
                    error: "the person stopped this before it ran".to_owned(),
                    code: Some(FailureCode::Cancelled),
                    details: None,
                };
                settle(&state, &mut batch, row.clone(), failed);
            }
            (turn, batch)
        };
        if batch != Batch::default() {
            self.commit(batch).await?;
        }
        self.finish(&turn, Status::Cancelled, None).await
    }

    /// Commits the end of the turn. Returns the last update, which is sent once another turn can
    /// start.
    async fn finish(
        &self,
        turn: &TurnRow,
        status: Status,
        item: Option<Item>,
    ) -> Result<Update, StoreError> {
        let usage = self.session.state().usage(turn.n);
        let finished = EventBody::TurnFinished {
            status: status.clone(),
            output: None,
            usage: Some(usage),
        };
        let mut turn = turn.clone();
        turn.status = Some(status);
        let events = item.map(EventBody::put).into_iter().chain([finished]);
        let batch = Batch {
            events: events.collect(),
            turns: vec![turn],
            ..Batch::default()
        };
        let _order = self.order.lock().await;
        let mut updates = self.store_batch(batch).await?;
        self.session.store.release(&self.lease).await?;
        let last = updates.pop().ok_or(StoreError::LeaseLost)?;
        updates
            .into_iter()
            .for_each(|update| self.session.notify(update));
        Ok(last)
    }

    /// Returns a text item of the host for the end of a turn.
    fn closing_text(&self, turn: &TurnRow, words: &str) -> Item {
        let text = Text {
            text: words.to_owned(),
            extra: Map::new(),
        };
        self.closing(turn, Content::Text(text))
    }

    fn notice(&self, turn: &TurnRow, level: Level, words: &str) -> Item {
        let notice = Notice {
            level,
            text: words.to_owned(),
            extra: Map::new(),
        };
        self.closing(turn, Content::Notice(notice))
    }

    /// Returns an item positioned after all others of the turn.
    fn closing(&self, turn: &TurnRow, content: Content) -> Item {
        let step = self
            .session
            .state()
            .last_step(turn.n)
            .map_or(1, |row| row.step + 1);
        new_item(
            mint("itm"),
            content,
            SessionState::position(turn.n, step, 0, 1),
        )
    }

    pub(super) fn is_cancelled(&self) -> bool {
        *self.signal.borrow() == Signal::Cancel
    }

    /// Returns once the turn is cancelled.
    pub(super) async fn cancelled(&self) {
        self.signalled(Signal::Cancel).await;
    }

    async fn signalled(&self, awaited: Signal) {
        let mut signal = self.signal.clone();
        if signal.wait_for(|signal| *signal == awaited).await.is_err() {
            // No handle is left that could send one.
            std::future::pending().await
        }
    }
}

/// Returns a new item.
pub(super) fn new_item(
    id: String,
    content: Content,
    position: footlight_vocabulary::item::Position,
) -> Item {
    Item {
        content,
        id: ItemId::from(id),
        position,
        rev: 0,
        start: now(),
        end: None,
    }
}

/// Settles a call without an outcome from the host.
pub(super) fn settle(
    state: &SessionState,
    batch: &mut Batch,
    mut row: CallRow,
    result: CallResult,
) {
    if let Some(item) = state.item(&ItemId::from(row.id.as_str())) {
        let mut item = item.clone();
        if let Content::Tool(tool) = &mut item.content {
            tool.result = result.clone();
        }
        item.rev += 1;
        item.end = Some(now());
        batch.events.push(EventBody::put(item));
    }
    row.state = CallState::Settled;
    row.reply = Some(tool_result::of_failure(state, &row, &result));
    batch.calls.push(row);
}
