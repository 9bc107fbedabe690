//! The loop: what to do next follows from the rows, until nothing does.

use super::state::{Book, Next};
use super::step::Stepped;
use super::tool_result;
use super::{Inner, NotBegun, Press, Update, lock, mint};
use crate::call::stage::now;
use crate::store::{Batch, CallRow, CallState, Lease, StoreError, TurnRow};
use footlight_vocabulary::event::{Happening, Origin, Status};
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{
    AskState, CallResult, Content, Item, ItemId, Level, Notice, Text, TurnId,
};
use serde_json::Map;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How long a process that has stopped keeps a session from others, where nobody can see that it has.
const LEASE: Duration = Duration::from_secs(30);

/// How much of the first prompt a session is known by.
const TITLE: usize = 80;

/// What begins a turn.
pub(super) enum Opening {
    /// A person says something.
    Prompt(String),
    /// A person presses something.
    Press(Press),
}

/// One turn on its way.
pub(super) struct Driver {
    pub(super) session: Arc<Inner>,
    lease: Lease,
    /// One commit at a time, so that everybody is told in the order of the log.
    order: tokio::sync::Mutex<()>,
    cancel: watch::Receiver<bool>,
}

/// Drives a turn to its end and tells everybody who follows.
pub(super) async fn run(
    session: Arc<Inner>,
    opening: Option<Opening>,
    cancel: watch::Receiver<bool>,
) {
    let driven = async {
        let lease = Driver::claim(&session).await?;
        let driver = Arc::new(Driver {
            session: Arc::clone(&session),
            lease,
            order: tokio::sync::Mutex::default(),
            cancel,
        });
        let ended = tokio::select! {
            ended = driver.drive(opening) => ended,
            lost = driver.renew() => Err(lost),
        };
        if ended.is_err() {
            // What it knows may be old: the next one reads it again.
            let _ = session.store.release(&driver.lease).await;
        }
        ended
    };
    let ended = driven.await;
    // Nobody can begin another turn before everybody knows that this one is over.
    let mut cancel = lock(&session.cancel);
    let mut followers = lock(&session.followers);
    followers.waits.clear();
    followers.tell(&ended);
    *cancel = None;
}

impl Driver {
    /// Takes the session, and reads it again if somebody else has written to it meanwhile.
    async fn claim(session: &Inner) -> Result<Lease, StoreError> {
        let owner = format!("process {}", std::process::id());
        let lease = session.store.claim(&session.id, &owner, LEASE).await?;
        let seq = session.book().seq;
        if !session.store.log(&session.id, seq, 1).await?.is_empty() {
            let snapshot = session.store.open(&session.id).await?;
            *session.book() = Book::new(snapshot);
        }
        Ok(lease)
    }

    async fn renew(&self) -> StoreError {
        loop {
            tokio::time::sleep(LEASE / 3).await;
            if let Err(error) = self.session.store.renew(&self.lease, LEASE).await {
                return error;
            }
        }
    }

    /// Stores it, then tells of it.
    pub(super) async fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        let _order = self.order.lock().await;
        for update in self.put_down(batch).await? {
            self.session.tell(update);
        }
        Ok(())
    }

    async fn put_down(&self, mut batch: Batch) -> Result<Vec<Update>, StoreError> {
        batch.at = now();
        let rows = Batch {
            turns: batch.turns.clone(),
            steps: batch.steps.clone(),
            calls: batch.calls.clone(),
            summary: batch.summary.clone(),
            ..Batch::default()
        };
        let events = self.session.store.commit(&self.lease, batch).await?;
        self.session.book().apply(rows, &events);
        let updates = events.into_iter().map(Box::new).map(Update::Event);
        Ok(updates.collect())
    }

    async fn drive(self: &Arc<Self>, opening: Option<Opening>) -> Result<Update, StoreError> {
        // Another process may have left one behind since this one last looked.
        if opening.is_some() && self.session.book().open_turn().is_some() {
            return Err(StoreError::Failed(NotBegun::Unfinished.to_string()));
        }
        match opening {
            Some(Opening::Prompt(prompt)) => self.open(prompt).await?,
            Some(Opening::Press(press)) => self.open_press(press).await?,
            None => self.recover().await?,
        }
        loop {
            if self.is_cancelled() {
                return self.give_up().await;
            }
            let (turn, next) = {
                let book = self.session.book();
                (book.open_turn().cloned(), book.next())
            };
            let Some(turn) = turn else {
                return Err(StoreError::Lost);
            };
            match next {
                Next::Idle => return Err(StoreError::Lost),
                Next::Calls(step) => self.run_calls(&turn, step).await?,
                Next::Step(step) => match self.step(&turn, step, !self.is_over(&turn, step)).await?
                {
                    Stepped::Put | Stepped::Cancelled => {}
                    Stepped::Trouble(error) => {
                        let notice = self.notice(&turn, Level::Danger, &error.message);
                        return self.finish(&turn, Status::Error, Some(notice)).await;
                    }
                    Stepped::Hopeless(why) => {
                        let text = self.last_word(&turn, &why);
                        return self.finish(&turn, Status::Error, Some(text)).await;
                    }
                },
                Next::Finish if turn.origin == Origin::Action => {
                    return self.finish(&turn, self.pressed(&turn), None).await;
                }
                Next::Finish => {
                    let last = self
                        .session
                        .book()
                        .last_step(turn.n)
                        .map_or(0, |row| row.step);
                    if self.is_over(&turn, last) {
                        let steps = last.saturating_sub(1);
                        let why = format!(
                            "Stopped: a limit of this turn was reached after {steps} steps."
                        );
                        let text = self.last_word(&turn, &why);
                        return self.finish(&turn, Status::Limit, Some(text)).await;
                    }
                    return self.finish(&turn, Status::Done, None).await;
                }
            }
        }
    }

    async fn open(&self, prompt: String) -> Result<(), StoreError> {
        let n = self.session.book().next_turn();
        let turn = TurnRow {
            n,
            id: TurnId::from(mint("turn")),
            prompt: prompt.clone(),
            origin: Origin::Person,
            item: None,
            rev: None,
            path: None,
            start: now(),
            status: None,
        };
        let title: String = prompt.chars().take(TITLE).collect();
        let started = Happening::TurnStarted {
            prompt,
            origin: Origin::Person,
            item: None,
            rev: None,
        };
        self.commit(Batch {
            events: vec![started],
            turns: vec![turn],
            title: (n == 1).then_some(title),
            ..Batch::default()
        })
        .await
    }

    /// Whether the model has had its say: this step is to be its last.
    fn is_over(&self, turn: &TurnRow, step: u32) -> bool {
        let bounds = self.session.settings.bounds;
        let book = self.session.book();
        let earlier = |row: &&CallRow| row.step < step;
        let calls = book.last_calls(turn.n).filter(earlier).count();
        let usage = book.usage(turn.n);
        let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
        step > bounds.steps
            || calls >= bounds.calls
            || bounds.tokens.is_some_and(|most| tokens > most)
    }

    /// After a crash: what had begun and can not be taken up again ends here.
    async fn recover(&self) -> Result<(), StoreError> {
        let begun: Vec<CallRow> = {
            let book = self.session.book();
            let Some(turn) = book.open_turn() else {
                return Ok(());
            };
            let of_turn = book.calls.iter().filter(|row| row.turn == turn.n);
            let begun = of_turn.filter(|row| has_begun(&book, row));
            begun.cloned().collect()
        };
        if begun.is_empty() {
            return Ok(());
        }
        let mut batch = self.undone().await?;
        {
            let book = self.session.book();
            for mut row in begun {
                batch.events.extend(withdrawn(&book, &row));
                batch.drop_calls.push(row.id.clone());
                if row.read_only {
                    row.state = CallState::Proposed;
                    batch.calls.push(row);
                } else {
                    let failed = CallResult::Error {
                        error: "interrupted; it may have taken effect".to_owned(),
                        code: Some(FailureCode::Interrupted),
                        details: None,
                    };
                    settle(&book, &mut batch, row, failed);
                }
            }
        }
        self.commit(batch).await
    }

    /// Ends a cancelled turn: every open call gets an answer, nothing is left waiting.
    async fn give_up(&self) -> Result<Update, StoreError> {
        let (turn, batch) = {
            let book = self.session.book();
            let Some(turn) = book.open_turn().cloned() else {
                return Err(StoreError::Lost);
            };
            let mut batch = Batch::default();
            let open = |row: &&CallRow| row.turn == turn.n && row.state != CallState::Settled;
            for row in book.calls.iter().filter(open) {
                batch.events.extend(withdrawn(&book, row));
                batch.drop_calls.push(row.id.clone());
                let failed = CallResult::Error {
                    error: "the person stopped this before it ran".to_owned(),
                    code: Some(FailureCode::Cancelled),
                    details: None,
                };
                settle(&book, &mut batch, row.clone(), failed);
            }
            (turn, batch)
        };
        if batch != Batch::default() {
            self.commit(batch).await?;
        }
        self.finish(&turn, Status::Cancelled, None).await
    }

    /// Ends the turn. What is told last is told when another turn can begin.
    async fn finish(
        &self,
        turn: &TurnRow,
        status: Status,
        item: Option<Item>,
    ) -> Result<Update, StoreError> {
        let usage = self.session.book().usage(turn.n);
        let finished = Happening::TurnFinished {
            status: status.clone(),
            output: None,
            usage: Some(usage),
        };
        let mut turn = turn.clone();
        turn.status = Some(status);
        let events = item.map(Happening::put).into_iter().chain([finished]);
        let batch = Batch {
            events: events.collect(),
            turns: vec![turn],
            ..Batch::default()
        };
        let _order = self.order.lock().await;
        let mut updates = self.put_down(batch).await?;
        self.session.store.release(&self.lease).await?;
        let last = updates.pop().ok_or(StoreError::Lost)?;
        updates
            .into_iter()
            .for_each(|update| self.session.tell(update));
        Ok(last)
    }

    /// Words of the host's at the end of a turn.
    fn last_word(&self, turn: &TurnRow, words: &str) -> Item {
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

    /// An item after everything else of the turn.
    fn closing(&self, turn: &TurnRow, content: Content) -> Item {
        let step = self
            .session
            .book()
            .last_step(turn.n)
            .map_or(1, |row| row.step + 1);
        item(mint("itm"), content, Book::place(turn.n, step, 0, 1))
    }

    pub(super) fn is_cancelled(&self) -> bool {
        *self.cancel.borrow()
    }

    /// Returns once the turn is cancelled.
    pub(super) async fn cancelled(&self) {
        let mut cancel = self.cancel.clone();
        if cancel.wait_for(|is| *is).await.is_err() {
            // Nobody is left who could.
            std::future::pending().await
        }
    }
}

/// An item that is new.
pub(super) fn item(
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

/// Whether a call may have done something before a crash. That it has begun is not put down for one
/// that only reads: it shows by what is on the record.
fn has_begun(book: &Book, row: &CallRow) -> bool {
    let tool = book.item(&ItemId::from(row.id.as_str()));
    match row.state {
        CallState::Running => true,
        CallState::Proposed => row.read_only && tool.is_some_and(|item| item.rev > 0),
        CallState::Approval | CallState::Settled => false,
    }
}

/// What goes from the record when a call comes to nothing without having said so itself.
fn withdrawn(book: &Book, row: &CallRow) -> Vec<Happening> {
    let change = |item: &Item| match &item.content {
        Content::Widget(_) | Content::Output(_) => Some(Happening::Remove {
            id: item.id.clone(),
        }),
        Content::Ask(ask) if ask.state == AskState::Open => {
            let mut item = item.clone();
            if let Content::Ask(ask) = &mut item.content {
                ask.state = AskState::Cancelled;
            }
            item.rev += 1;
            item.end = Some(now());
            Some(Happening::put(item))
        }
        _ => None,
    };
    book.items_of_call(&row.id).filter_map(change).collect()
}

/// Settles a call that the host knows nothing of (any more).
pub(super) fn settle(book: &Book, batch: &mut Batch, mut row: CallRow, result: CallResult) {
    if let Some(item) = book.item(&ItemId::from(row.id.as_str())) {
        let mut item = item.clone();
        if let Content::Tool(tool) = &mut item.content {
            tool.result = result.clone();
        }
        item.rev += 1;
        item.end = Some(now());
        batch.events.push(Happening::put(item));
    }
    row.state = CallState::Settled;
    row.reply = Some(tool_result::failed(book, &row, &result));
    batch.calls.push(row);
}
