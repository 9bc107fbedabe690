//! Sessions: conversations between a person, a model and tools, recorded in a store.
//!
//! A session is rows in the [store](crate::store); `state` mirrors them in memory. The next thing to
//! do follows from the rows alone, so a session can resume after a restart: the model is asked again
//! for an answer that was not committed, an approval that was pending is still pending, and a call
//! that had started ends as `interrupted`.
//!
//! A [`Turn`] is a stream of updates. Dropping it does not end the turn; [`Turn::cancel`] does.
//! A session belongs to one [person](field@Settings::person) and settles its own pending requests, by id.
//! [`Person`] settles those of all sessions of one person; [`answer`], [`decide`] and
//! [`skip`] settle those of every session, from any process.
//!
//! Invariant: everything with a `seq` is stored before it is shown, and the model's text and calls are
//! stored before any of the calls runs.

mod arguments;
mod ask;
mod builtin;
mod call_driver;
mod compaction;
mod driver;
mod followers;
mod open;
mod person;
mod press;
mod projection;
mod prompt;
mod reasoning;
mod record;
mod recovery;
mod replies;
mod requests;
mod retry;
mod revisions;
mod scheduler;
mod settings;
mod state;
mod step;
mod stored_output;
mod suspend;
mod tool_result;
mod turn;

pub(crate) use open::{LOCAL_PERSON_KEY, OpenSessions};
pub(crate) use settings::{PersonScope, SessionScope};

pub use followers::{FollowError, Update, Updates};
pub use open::ResumeError;
pub use person::Person;
pub use press::{Press, PressError};
pub use projection::project;
pub use prompt::Prompt;
pub use replies::{SettleError, answer, decide, is_waited_for, skip};
pub use retry::RetryError;
pub use settings::{Settings, TurnLimits};
pub use suspend::SuspendError;
pub use turn::{Turn, TurnOutcome};

use crate::call::stage::now;
use crate::host::Host;
use crate::store::{Store, StoreError, TurnRow};
use crate::sync::lock;
use followers::Followers;
use footlight_vocabulary::answer::Answer;
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{Item, RequestId, SessionId, TurnId};
use replies::Replier;
use serde_json::Value;
use state::SessionState;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::{Semaphore, watch};
use tracing::Instrument as _;

/// A conversation between a person, a model and tools: opened with [`Host::session`], or continued with
/// [`Host::resume`].
///
/// [`turn`](Self::turn) sends a prompt. The turn then runs by itself until the model has said its last
/// word, and everything it does is stored before anybody sees it. This is a handle: clones are cheap and
/// share the session.
#[derive(Clone)]
pub struct Session {
    inner: Arc<SessionInner>,
    settings: Arc<Settings>,
}

struct SessionInner {
    host: Host,
    store: Arc<dyn Store>,
    id: SessionId,
    /// What plugins' aliases of the session's person are made of.
    person_key: Arc<str>,
    /// Whether the stored session is tainted. Running calls read it.
    tainted: Arc<AtomicBool>,
    state: Mutex<SessionState>,
    followers: Mutex<Followers>,
    /// The running turn, if there is one.
    running: Mutex<Option<RunningTurn>>,
    /// Answers with secrets, which are not stored, on their way to the calls that wait for them.
    secrets: tokio::sync::Mutex<HashMap<RequestId, Answer>>,
    /// Let one call at a time run for each plugin.
    gates: Mutex<HashMap<String, Arc<Semaphore>>>,
}

/// The turn that runs.
struct RunningTurn {
    signal: watch::Sender<driver::Signal>,
    end: watch::Receiver<turn::TurnEnd>,
}

/// How many missed events [`Session::follow_from`] returns at most.
pub const MAX_REPLAY: usize = followers::MAX_BEHIND;

/// The record of a session up to one event of its log.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SessionRecord {
    /// The `seq` of the last event that the record contains.
    pub seq: u64,
    /// How many turns come before the first one of `turns`.
    pub earlier: usize,
    /// The turns, in order, without those that were [retracted](TurnRow::retracted).
    pub turns: Vec<TurnRow>,
    /// The items of these turns, in order.
    pub items: Vec<Item>,
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
    /// The same prompt with the same [key](Prompt::key) has started this turn.
    #[error("this prompt has started a turn already")]
    Repeated(TurnId),
    /// Another prompt of this session had the same [key](Prompt::key).
    #[error("another prompt of this session had the same key; choose a new one")]
    KeyTaken,
    /// The host was [shut down](Host::shutdown).
    #[error("this host was shut down; resume the session on another one")]
    ShutDown,
}

impl Session {
    /// Returns the session's id.
    #[must_use]
    pub fn id(&self) -> &SessionId {
        &self.inner.id
    }

    /// Returns the host of the session.
    #[must_use]
    pub fn host(&self) -> &Host {
        &self.inner.host
    }

    /// Returns the person whose session it is.
    #[must_use]
    pub fn person(&self) -> &str {
        &self.settings.person
    }

    /// Reports whether untrusted content has entered the model's context: something that a call with a
    /// folder or a host returned, or the [context](Prompt::context) of a prompt. It is stored and stays
    /// true for as long as the session exists.
    #[must_use]
    pub fn is_tainted(&self) -> bool {
        self.inner.tainted.load(Ordering::Relaxed)
    }

    /// Starts a turn with a prompt and returns the stream of its updates.
    ///
    /// # Errors
    /// When another turn is running or unfinished, the host was shut down, or the prompt has a
    /// [key](Prompt::key) and has started a turn already.
    ///
    /// # Panics
    /// Outside a tokio runtime: the turn runs as a task.
    pub fn turn(&self, prompt: impl Into<Prompt>) -> Result<Turn, TurnError> {
        self.begin(Some(driver::TurnStart::Prompt(prompt.into())))
    }

    /// Starts the turn of a press in a widget and returns the stream of its updates. Such a turn runs
    /// one tool and does not ask the model.
    ///
    /// # Errors
    /// When there is nothing to press, or another turn is running or unfinished.
    ///
    /// # Panics
    /// Outside a tokio runtime, as [`turn`](Self::turn) does.
    pub fn press(&self, press: Press) -> Result<Turn, PressError> {
        self.begin_press(press, false)
    }

    /// Starts the turn of a press as [`press`](Self::press) does. Once its tool has ended, the model takes
    /// its steps in the same turn, as after a prompt.
    ///
    /// The model also answers if the tool fails or is denied: the widget is then as it was before, and the
    /// model reads the failure. It does not answer if the turn is cancelled before, or if the press is
    /// refused because the widget has changed meanwhile. The model reads a line that names the tool, and
    /// the payload; the person's record has the line alone.
    ///
    /// # Errors
    /// When there is nothing to press, or another turn is running or unfinished.
    ///
    /// # Panics
    /// Outside a tokio runtime, as [`turn`](Self::turn) does.
    pub fn press_and_answer(&self, press: Press) -> Result<Turn, PressError> {
        self.begin_press(press, true)
    }

    fn begin_press(&self, press: Press, asks_model: bool) -> Result<Turn, PressError> {
        press::read(&self.inner.state(), &press, &self.settings)?;
        let start = driver::TurnStart::Press { press, asks_model };
        Ok(self.begin(Some(start))?)
    }

    /// Resumes an interrupted turn.
    ///
    /// # Errors
    /// When no turn is unfinished, or it is running already.
    ///
    /// # Panics
    /// Outside a tokio runtime, as [`turn`](Self::turn) does.
    pub fn resume(&self) -> Result<Turn, TurnError> {
        self.begin(None)
    }

    /// Reports whether there is an unfinished turn to resume.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.inner.state().open_turn().is_some()
    }

    /// Reports whether a turn is running. [`follow`](Self::follow) returns its updates.
    #[must_use]
    pub fn is_running(&self) -> bool {
        lock(&self.inner.running).is_some()
    }

    fn begin(&self, start: Option<driver::TurnStart>) -> Result<Turn, TurnError> {
        let named = match &start {
            Some(driver::TurnStart::Prompt(prompt)) => prompt.turn_id(self.id()).zip(Some(prompt)),
            _ => None,
        };
        let known = named.as_ref().and_then(|(id, prompt)| {
            let state = self.inner.state();
            let turn = state.turns.iter().find(|turn| turn.id == *id)?;
            Some(match turn.prompt == prompt.text() {
                true => TurnError::Repeated(id.clone()),
                false => TurnError::KeyTaken,
            })
        });
        if let Some(known) = known {
            return Err(known);
        }
        let named = named.map(|(id, _)| id);
        let mut running = lock(&self.inner.running);
        if running.is_some() {
            return Err(TurnError::Busy);
        }
        // Checked under the lock, which a shutdown takes after it has begun.
        if self.inner.host.is_shut_down() {
            return Err(TurnError::ShutDown);
        }
        let unfinished = self.inner.state().open_turn().map(|turn| turn.id.clone());
        let id = match (unfinished, &start) {
            (Some(_), Some(_)) => return Err(TurnError::Unfinished),
            (None, None) => return Err(TurnError::NothingToResume),
            (Some(unfinished), None) => unfinished,
            (None, Some(_)) => named.unwrap_or_else(|| TurnId::from(mint("turn"))),
        };
        let (signal, receiver) = watch::channel(driver::Signal::Run);
        let (ended, end) = watch::channel(None);
        *running = Some(RunningTurn {
            signal,
            end: end.clone(),
        });
        let updates = self.follow();
        let run = turn::run(self.clone(), id.clone(), start, receiver, ended);
        // A turn outlives whatever started it.
        let span = tracing::info_span!(parent: None, "turn", session = %self.inner.id, turn = %id);
        tokio::spawn(run.instrument(span));
        Ok(Turn {
            session: self.clone(),
            id,
            updates,
            end,
            has_ended: false,
        })
    }

    /// Returns the stream of updates from now on. It begins with the pending requests.
    ///
    /// The stream has a bounded queue: a follower that does not read is disconnected with
    /// [`FollowError::Lagged`].
    #[must_use]
    pub fn follow(&self) -> Updates {
        lock(&self.inner.followers).add()
    }

    /// Returns the record as it is now, and the stream of updates that continues after it.
    #[must_use]
    pub fn follow_with_record(&self) -> (SessionRecord, Updates) {
        self.follow_with_last(usize::MAX)
    }

    /// Returns the last `turns` turns of the record as it is now, and the stream of updates that continues
    /// after it. [`turns_before`](Self::turns_before) has the others.
    #[must_use]
    pub fn follow_with_last(&self, turns: usize) -> (SessionRecord, Updates) {
        // Subscribe first, then look: no event is missed in between.
        let mut updates = self.follow();
        let record = self.inner.state().record(None, turns);
        updates.skip_to(record.seq);
        (record, updates)
    }

    /// Returns the stored events after `seq`, and the stream of updates that continues after them.
    /// Transient updates from before are lost.
    ///
    /// Returns `None` if more than [`MAX_REPLAY`] events are missing, or if the log has no event `seq`.
    /// Then [`follow_with_record`](Self::follow_with_record) is the way to catch up.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn follow_from(&self, seq: u64) -> Result<Option<(Vec<Event>, Updates)>, StoreError> {
        let mut updates = self.follow();
        let (store, id) = (&self.inner.store, &self.inner.id);
        // The event `seq` itself, too, to see that it is in the log.
        let mut missed = store.log(id, seq.saturating_sub(1), MAX_REPLAY + 2).await?;
        if seq > 0 {
            if missed.first().and_then(|event| event.seq) != Some(seq) {
                return Ok(None);
            }
            missed.remove(0);
        }
        if missed.len() > MAX_REPLAY {
            return Ok(None);
        }
        updates.skip_to(missed.last().and_then(|event| event.seq).unwrap_or(seq));
        Ok(Some((missed, updates)))
    }

    /// Cancels the running turn. Each of its calls gets a result, and no request stays pending.
    pub fn cancel(&self) {
        if let Some(running) = &*lock(&self.inner.running) {
            running.signal.send_replace(driver::Signal::Cancel);
        }
    }
}

impl SessionInner {
    fn state(&self) -> MutexGuard<'_, SessionState> {
        lock(&self.state)
    }

    /// Sends an update to all followers.
    fn notify(&self, update: Update) {
        lock(&self.followers).notify(&Ok(update));
    }

    /// Sends an event that is not stored.
    fn send_transient(&self, turn: &TurnId, what: EventBody) {
        debug_assert!(what.is_transient(), "stored events go through the store");
        self.notify(Update::Event(Box::new(Event {
            what,
            seq: None,
            session: self.id.clone(),
            turn: turn.clone(),
            at: now(),
        })));
    }

    /// Answers a pending question of this session, also one for a secret.
    async fn answer(
        &self,
        replier: &Replier<'_>,
        id: &RequestId,
        value: Value,
    ) -> Result<(), SettleError> {
        let (request, answer) = replier.check(id, &value).await?;
        if request.recordable {
            return replier.settle_answer(id, Some(value)).await;
        }
        // Another process may wait for it, and there is no way to pass it on.
        if lock(&self.running).is_none() {
            return Err(SettleError::Secret);
        }
        // A secret is not stored: it goes to the waiting call directly. The lock is held until the
        // store has accepted it, so that the call gets the answer that was accepted and no other.
        let mut secrets = self.secrets.lock().await;
        let before = secrets.insert(id.clone(), answer);
        let settled = replier.settle_answer(id, None).await;
        if settled.is_err() {
            match before {
                Some(accepted) => secrets.insert(id.clone(), accepted),
                None => secrets.remove(id),
            };
        }
        settled
    }

    fn gate(&self, plugin: &str) -> Arc<Semaphore> {
        let mut gates = lock(&self.gates);
        let gate = gates.entry(plugin.to_owned());
        Arc::clone(gate.or_insert_with(|| Arc::new(Semaphore::new(1))))
    }
}

/// Returns a new random id.
fn mint(kind: &str) -> String {
    let mut bytes = [0; 12];
    getrandom::fill(&mut bytes).expect("a host is only built where there is randomness");
    format!("{kind}_{}", crate::plugin::digest::hex(&bytes))
}
