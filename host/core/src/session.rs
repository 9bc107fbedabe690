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

pub use press::{NotPressed, Press};
pub use projection::project;
pub use replies::{Refused, answer, decide, skip};

use crate::call::stage::now;
use crate::host::Host;
use crate::model::{Model, Retry};
use crate::store::{Pending, Reply, SessionRow, Store, StoreError};
use footlight_vocabulary::event::{Event, Happening, Status, Usage};
use footlight_vocabulary::item::{Item, ItemId, RequestId, SessionId, TurnId, Verdict};
use futures_core::Stream;
use serde_json::{Map, Value};
use state::Book;
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
    pub bounds: Bounds,
    /// After what time nobody waits for a person any more, which counts as a no.
    pub patience: Option<Duration>,
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
            bounds: Bounds::default(),
            patience: None,
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
pub struct Bounds {
    /// Answers of the model.
    pub steps: u32,
    /// Calls.
    pub calls: usize,
    /// Tokens, read and written.
    pub tokens: Option<u64>,
}

impl Default for Bounds {
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
pub struct Session(Arc<Inner>);

struct Inner {
    host: Host,
    store: Arc<dyn Store>,
    id: SessionId,
    settings: Settings,
    book: Mutex<Book>,
    followers: Mutex<Followers>,
    /// Whether the turn is to end. Nothing while there is none.
    cancel: Mutex<Option<watch::Sender<bool>>>,
    /// Answers that must not be stored, on their way to who asked.
    secrets: Mutex<HashMap<RequestId, Value>>,
    /// One at a time for each plugin.
    gates: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// Those who follow a session.
#[derive(Default)]
struct Followers {
    senders: Vec<mpsc::UnboundedSender<Result<Update, StoreError>>>,
    /// What waits for a person now: who comes late is told.
    waits: Vec<Pending>,
}

impl Followers {
    fn tell(&mut self, update: &Result<Update, StoreError>) {
        match update {
            Ok(Update::Waits(request)) => self.waits.push((**request).clone()),
            Ok(Update::Settled(id, _)) => self.waits.retain(|request| request.id != *id),
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
    Waits(Box<Pending>),
    /// It no longer does.
    Settled(RequestId, Reply),
    /// The model has begun to write a call of this tool. Passing.
    Calling(String),
    /// The words that came for this item are void: the model is asked again.
    Retry(ItemId, Retry),
}

/// Why a turn does not begin.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotBegun {
    /// Another turn of this session is not over.
    Busy,
    /// There is no unfinished turn to go on with.
    Nothing,
    /// There is one, which has to be finished or cancelled first.
    Unfinished,
}

impl std::fmt::Display for NotBegun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Busy => "another turn of this session is not over yet",
            Self::Nothing => "there is nothing to go on with in this session",
            Self::Unfinished => {
                "the last turn of this session is not finished; go on with it first"
            }
        })
    }
}

impl std::error::Error for NotBegun {}

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
        let book = Book::new(store.open(id).await?);
        Ok(Session(Arc::new(Inner {
            host: self.clone(),
            store,
            id: id.clone(),
            settings,
            book: Mutex::new(book),
            followers: Mutex::default(),
            cancel: Mutex::default(),
            secrets: Mutex::default(),
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
        self.0.book().items().to_vec()
    }

    /// Says something to the model, and gives the stream of what comes of it.
    ///
    /// # Errors
    /// When the turn before is not over.
    ///
    /// # Panics
    /// Outside a tokio runtime: the turn goes on by itself, as a task.
    pub fn turn(&self, prompt: impl Into<String>) -> Result<Turn, NotBegun> {
        self.begin(Some(driver::Opening::Prompt(prompt.into())))
    }

    /// Presses something in a widget, and gives the stream of what comes of it: a turn of its own,
    /// which runs one tool and asks no model.
    ///
    /// # Errors
    /// When there is nothing to press, or the turn before is not over.
    ///
    /// # Panics
    /// Outside a tokio runtime, as [`turn`](Self::turn) does.
    pub fn press(&self, press: Press) -> Result<Turn, NotPressed> {
        press::read(&self.0.book(), &press)?;
        Ok(self.begin(Some(driver::Opening::Press(press)))?)
    }

    /// Goes on with a turn that was interrupted.
    ///
    /// # Errors
    /// When there is none, or it goes on already.
    ///
    /// # Panics
    /// Outside a tokio runtime, as [`turn`](Self::turn) does.
    pub fn go_on(&self) -> Result<Turn, NotBegun> {
        self.begin(None)
    }

    /// Whether a turn was interrupted and can be gone on with.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.0.book().open_turn().is_some()
    }

    fn begin(&self, opening: Option<driver::Opening>) -> Result<Turn, NotBegun> {
        let mut cancel = lock(&self.0.cancel);
        if cancel.is_some() {
            return Err(NotBegun::Busy);
        }
        match (self.is_unfinished(), &opening) {
            (true, Some(_)) => return Err(NotBegun::Unfinished),
            (false, None) => return Err(NotBegun::Nothing),
            _ => {}
        }
        let (sender, receiver) = watch::channel(false);
        *cancel = Some(sender);
        let updates = self.follow();
        tokio::spawn(driver::run(Arc::clone(&self.0), opening, receiver));
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
        for request in &followers.waits {
            // The receiver is right here.
            let _ = sender.send(Ok(Update::Waits(Box::new(request.clone()))));
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
    pub async fn answer(&self, id: &RequestId, value: Value) -> Result<(), Refused> {
        let kept = |value: &Value| {
            lock(&self.0.secrets).insert(id.clone(), value.clone());
        };
        let taken = replies::answer_with(&*self.0.store, id, value, self.by(), Some(&kept)).await;
        if taken.is_err() {
            lock(&self.0.secrets).remove(id);
        }
        taken
    }

    /// Skips a question that waits in this session.
    ///
    /// # Errors
    /// When it does not wait.
    pub async fn skip(&self, id: &RequestId) -> Result<(), Refused> {
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
    ) -> Result<(), Refused> {
        decide(&*self.0.store, id, verdict, words, self.by()).await
    }

    fn by(&self) -> Option<String> {
        self.0.settings.by.clone()
    }
}

impl Inner {
    fn book(&self) -> MutexGuard<'_, Book> {
        lock(&self.book)
    }

    /// Tells everybody who follows.
    fn tell(&self, update: Update) {
        lock(&self.followers).tell(&Ok(update));
    }

    /// Tells of something that is not kept.
    fn pass(&self, turn: &TurnId, what: Happening) {
        debug_assert!(what.is_transient(), "what is kept goes through the store");
        self.tell(Update::Event(Box::new(Event {
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
                let items = self.session.0.book().items_of(&event.turn);
                let usage = usage.unwrap_or_default();
                return Ok(Finished {
                    status,
                    items,
                    usage,
                });
            }
        }
        Err(StoreError::Lost)
    }
}

impl Stream for Turn {
    type Item = Result<Update, StoreError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut self.updates).poll_next(context)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is behind these locks is put down whole; a panic elsewhere leaves it right.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new id.
fn mint(kind: &str) -> String {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).expect("a host is only built where there is randomness");
    format!("{kind}_{}", crate::plugin::digest::hex(&bytes))
}
