//! A conversation: prompts go in, a record comes out.
//!
//! A session is rows in the [store](crate::store), and `book` is what this process knows of them.
//! What to do next follows from the rows alone, so a session goes on after a restart where it stood:
//! an answer of the model that was not put down is asked for again, a verdict that was waited for is
//! still waited for, and a call that had begun ends as an honest `interrupted`.
//!
//! A [`Turn`] is a stream of what happens. Dropping it lets go of the stream and not of the turn;
//! [`Turn::cancel`] ends it. What waits for a person is settled by its id, through this session or
//! through the store by any other process.
//!
//! Invariant: the loop is the only caller here of `Host::call`, everything with a `seq` is stored
//! before it is shown, and the model's words and calls are stored before any of them runs.

mod arguments;
mod ask;
mod builtin;
mod call_driver;
mod compaction;
mod driver;
mod press;
mod projection;
mod replies;
mod scheduler;
mod state;
mod step;
mod tool_result;

pub use press::{Press, PressError};
pub use projection::project;
pub use replies::{SettleError, answer, decide, skip};

use crate::call::stage::now;
use crate::host::Host;
use crate::model::{Model, Retry};
use crate::store::{Reply, RequestRow, SessionRow, Store, StoreError};
use crate::sync::lock;
use footlight_vocabulary::answer::Answer;
use footlight_vocabulary::event::{Event, Happening, Status, Usage};
use footlight_vocabulary::item::{Item, ItemId, RequestId, SessionId, TurnId, Verdict};
use futures_core::Stream;
use serde_json::{Map, Value};
use state::SessionState;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc, watch};

/// How a session goes about things.
#[derive(Clone)]
#[non_exhaustive]
pub struct Settings {
    /// The model that is asked.
    pub model: Arc<dyn Model>,
    /// What the model is told before anything else, beside what Footlight tells it.
    pub system: String,
    /// Whether somebody can be asked. If not, what needs a person comes to nothing, at once.
    pub attended: bool,
    /// Who answers and decides through [`Session`], for the receipts.
    pub by: Option<String>,
    /// When a turn has gone on for long enough.
    pub limits: TurnLimits,
    /// After what time nobody waits for a person any more, which counts as a no.
    pub reply_timeout: Option<Duration>,
    /// What is kept with the session: what is needed to open it again.
    pub meta: Map<String, Value>,
}

impl Settings {
    /// The usual settings, with this model.
    pub fn new(model: impl Model) -> Self {
        Self::shared(Arc::new(model))
    }

    /// The usual settings, with a model that others use too.
    pub fn shared(model: Arc<dyn Model>) -> Self {
        Self {
            model,
            system: String::new(),
            attended: false,
            by: None,
            limits: TurnLimits::default(),
            reply_timeout: None,
            meta: Map::new(),
        }
    }

    /// Somebody follows the session and can be asked.
    #[must_use]
    pub fn attended(mut self) -> Self {
        self.attended = true;
        self
    }
}

/// When a turn has gone on for long enough. Each is looked at before the model is asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TurnLimits {
    /// Answers of the model.
    pub steps: u32,
    /// Calls.
    pub calls: usize,
    /// Tokens, read and written.
    pub tokens: Option<u64>,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self {
            steps: 32,
            calls: 256,
            tokens: None,
        }
    }
}

/// A conversation. Cheap to clone; all clones are the same one.
#[derive(Clone)]
pub struct Session(Arc<SessionInner>);

struct SessionInner {
    host: Host,
    store: Arc<dyn Store>,
    id: SessionId,
    settings: Settings,
    state: Mutex<SessionState>,
    followers: Mutex<Followers>,
    /// Whether the turn is to end. Nothing while there is none.
    cancel: Mutex<Option<watch::Sender<bool>>>,
    /// Checked answers on their way to the calls that wait for them.
    answers: Mutex<HashMap<RequestId, Answer>>,
    /// One at a time for each plugin.
    gates: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// Those who follow a session.
#[derive(Default)]
struct Followers {
    senders: Vec<mpsc::UnboundedSender<Result<Update, StoreError>>>,
    /// What waits for a person now: who comes late is told.
    pending: Vec<RequestRow>,
}

impl Followers {
    fn notify(&mut self, update: &Result<Update, StoreError>) {
        match update {
            Ok(Update::Pending(request)) => self.pending.push((**request).clone()),
            Ok(Update::Settled(id, _)) => self.pending.retain(|request| request.id != *id),
            _ => {}
        }
        self.senders
            .retain(|follower| follower.send(update.clone()).is_ok());
    }
}

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Update {
    /// Of the log, or passing.
    Event(Box<Event>),
    /// Something waits for a person: settle it with [`Session::answer`] or [`Session::decide`].
    Pending(Box<RequestRow>),
    /// It no longer does.
    Settled(RequestId, Reply),
    /// The model has begun to write a call of this tool. Passing.
    Calling(String),
    /// The words that came for this item are void: the model is asked again.
    Retry(ItemId, Retry),
}

/// Why a turn does not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TurnError {
    /// Another turn of this session is running.
    #[error("another turn of this session is still running")]
    Busy,
    /// There is no unfinished turn.
    #[error("this session has no unfinished turn to resume")]
    NothingToResume,
    /// An unfinished turn has to be resumed or cancelled first.
    #[error("the last turn of this session is not finished; resume it first")]
    Unfinished,
}

impl Host {
    /// Begins a conversation.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn session(&self, settings: Settings) -> Result<Session, StoreError> {
        let row = SessionRow {
            id: SessionId::from(mint("ses")),
            created: now(),
            updated: now(),
            title: String::new(),
            turns: 0,
            meta: settings.meta.clone(),
        };
        let id = row.id.clone();
        self.store().create(row).await?;
        self.resume(&id, settings).await
    }

    /// Opens a conversation that was begun before.
    ///
    /// # Errors
    /// When there is none with this id, or the store fails.
    pub async fn resume(&self, id: &SessionId, settings: Settings) -> Result<Session, StoreError> {
        let store = Arc::clone(self.store());
        let state = SessionState::new(store.open(id).await?);
        Ok(Session(Arc::new(SessionInner {
            host: self.clone(),
            store,
            id: id.clone(),
            settings,
            state: Mutex::new(state),
            followers: Mutex::default(),
            cancel: Mutex::default(),
            answers: Mutex::default(),
            gates: Mutex::default(),
        })))
    }
}

impl Session {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.0.id
    }

    /// The host it runs on.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.0.host
    }

    /// The record so far, in its order.
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        self.0.state().items().to_vec()
    }

    /// Says something to the model, and gives the stream of what comes of it.
    ///
    /// # Errors
    /// When the turn before is not over.
    ///
    /// # Panics
    /// Outside a tokio runtime: the turn goes on by itself, as a task.
    pub fn turn(&self, prompt: impl Into<String>) -> Result<Turn, TurnError> {
        self.begin(Some(driver::TurnStart::Prompt(prompt.into())))
    }

    /// Presses something in a widget, and gives the stream of what comes of it: a turn of its own,
    /// which runs one tool and asks no model.
    ///
    /// # Errors
    /// When there is nothing to press, or the turn before is not over.
    ///
    /// # Panics
    /// Outside a tokio runtime, as [`turn`](Self::turn) does.
    pub fn press(&self, press: Press) -> Result<Turn, PressError> {
        press::read(&self.0.state(), &press)?;
        Ok(self.begin(Some(driver::TurnStart::Press(press)))?)
    }

    /// Goes on with a turn that was interrupted.
    ///
    /// # Errors
    /// When there is none, or it goes on already.
    ///
    /// # Panics
    /// Outside a tokio runtime, as [`turn`](Self::turn) does.
    pub fn resume(&self) -> Result<Turn, TurnError> {
        self.begin(None)
    }

    /// Whether a turn was interrupted and can be gone on with.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.0.state().open_turn().is_some()
    }

    fn begin(&self, start: Option<driver::TurnStart>) -> Result<Turn, TurnError> {
        let mut cancel = lock(&self.0.cancel);
        if cancel.is_some() {
            return Err(TurnError::Busy);
        }
        match (self.is_unfinished(), &start) {
            (true, Some(_)) => return Err(TurnError::Unfinished),
            (false, None) => return Err(TurnError::NothingToResume),
            _ => {}
        }
        let (sender, receiver) = watch::channel(false);
        *cancel = Some(sender);
        let updates = self.follow();
        tokio::spawn(driver::run(Arc::clone(&self.0), start, receiver));
        Ok(Turn {
            session: self.clone(),
            updates,
        })
    }

    /// What happens in this session from now on, whoever began it; first what waits for a person.
    #[must_use]
    pub fn follow(&self) -> Updates {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut followers = lock(&self.0.followers);
        for request in &followers.pending {
            // The receiver is right here.
            let _ = sender.send(Ok(Update::Pending(Box::new(request.clone()))));
        }
        followers.senders.push(sender);
        Updates(receiver)
    }

    /// Ends the turn that goes on. Every call of it gets an answer; nothing is left waiting.
    pub fn cancel(&self) {
        if let Some(cancel) = &*lock(&self.0.cancel) {
            cancel.send_replace(true);
        }
    }

    /// Answers a question that waits in this session.
    ///
    /// # Errors
    /// When it does not wait, or the answer does not fit.
    pub async fn answer(&self, id: &RequestId, value: Value) -> Result<(), SettleError> {
        let store = &*self.0.store;
        let (request, answer) = replies::check(store, id, &value).await?;
        // The checked answer goes to the waiting call directly: it is not checked again, and a secret
        // is not stored.
        lock(&self.0.answers).insert(id.clone(), answer);
        let stored = request.recordable.then_some(value);
        let settled = replies::settle_answer(store, id, stored, self.by()).await;
        if settled.is_err() {
            lock(&self.0.answers).remove(id);
        }
        settled
    }

    /// Skips a question that waits in this session.
    ///
    /// # Errors
    /// When it does not wait.
    pub async fn skip(&self, id: &RequestId) -> Result<(), SettleError> {
        skip(&*self.0.store, id, self.by()).await
    }

    /// Decides on leave that is waited for, with words for the model.
    ///
    /// # Errors
    /// When it does not wait, or this verdict is not on offer.
    pub async fn decide(
        &self,
        id: &RequestId,
        verdict: Verdict,
        words: Option<String>,
    ) -> Result<(), SettleError> {
        decide(&*self.0.store, id, verdict, words, self.by()).await
    }

    fn by(&self) -> Option<String> {
        self.0.settings.by.clone()
    }
}

impl SessionInner {
    fn state(&self) -> MutexGuard<'_, SessionState> {
        lock(&self.state)
    }

    /// Tells everybody who follows.
    fn notify(&self, update: Update) {
        lock(&self.followers).notify(&Ok(update));
    }

    /// Tells of something that is not kept.
    fn send_transient(&self, turn: &TurnId, what: Happening) {
        debug_assert!(what.is_transient(), "what is kept goes through the store");
        self.notify(Update::Event(Box::new(Event {
            what,
            seq: None,
            session: self.id.clone(),
            turn: turn.clone(),
            at: now(),
        })));
    }

    fn gate(&self, plugin: &str) -> Arc<Semaphore> {
        let mut gates = lock(&self.gates);
        let gate = gates.entry(plugin.to_owned());
        Arc::clone(gate.or_insert_with(|| Arc::new(Semaphore::new(1))))
    }
}

/// The stream of what happens in a session.
pub struct Updates(mpsc::UnboundedReceiver<Result<Update, StoreError>>);

impl Updates {
    /// The next one; nothing when the session is gone, an error when the store has failed.
    pub async fn next(&mut self) -> Option<Result<Update, StoreError>> {
        self.0.recv().await
    }
}

impl Stream for Updates {
    type Item = Result<Update, StoreError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// From a prompt to the last word: the stream of what happens.
#[must_use = "a turn goes on by itself, but nobody would see it"]
pub struct Turn {
    session: Session,
    updates: Updates,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Finished {
    /// How.
    pub status: Status,
    /// Its items, in their order.
    pub items: Vec<Item>,
    /// What the model charged.
    pub usage: Usage,
}

impl Turn {
    /// What happens next; the last is a `turn_finished`.
    pub async fn next(&mut self) -> Option<Result<Update, StoreError>> {
        self.updates.next().await
    }

    /// Ends the turn. The stream goes on until it has.
    pub fn cancel(&self) {
        self.session.cancel();
    }

    /// Follows it to its end.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn finish(mut self) -> Result<Finished, StoreError> {
        while let Some(update) = self.next().await {
            if let Update::Event(event) = update?
                && let Happening::TurnFinished { status, usage, .. } = event.what
            {
                let items = self.session.0.state().items_of(&event.turn);
                let usage = usage.unwrap_or_default();
                return Ok(Finished {
                    status,
                    items,
                    usage,
                });
            }
        }
        Err(StoreError::LeaseLost)
    }
}

impl Stream for Turn {
    type Item = Result<Update, StoreError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.updates).poll_next(context)
    }
}

/// A new id.
fn mint(kind: &str) -> String {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).expect("a host is only built where there is randomness");
    format!("{kind}_{}", crate::plugin::digest::hex(&bytes))
}
