//! Runs turns of a session with a scripted model and a scripted person.

use footlight::model::{Delta, Finished, Model, ModelError, ModelPart, Request, Step, ToolCall};
use footlight::session::{FollowError, Press, Session, Turn, Update};
use footlight::store::{RequestKind, Store};
use footlight::vocabulary::component::find_actions;
use footlight::vocabulary::event::{Event, EventBody, Status};
use footlight::vocabulary::item::{Content, Item, Verdict};
use footlight::{Host, HostBuilder};
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// A model that gives scripted answers in order and records the requests it was sent.
#[derive(Clone, Default)]
pub struct Scripted {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    sent: Arc<Mutex<Vec<Request>>>,
    window: Option<u64>,
    forgets: bool,
}

/// One scripted answer.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A complete answer.
    Says(Finished),
    /// An error.
    Fails(ModelError),
    /// Sends this text, if there is any, and then hangs until it is dropped.
    Hangs(String),
    /// Sends these pieces of reasoning before another answer.
    Reasons(Vec<String>, Box<Answer>),
}

impl Answer {
    fn step(self) -> Step {
        match self {
            Self::Says(finished) => Step::finished(finished),
            Self::Fails(error) => Step::failed(error),
            Self::Hangs(words) => Step::from_fn(move |deltas| async move {
                if !words.is_empty() {
                    deltas.text(words);
                }
                std::future::pending().await
            }),
            Self::Reasons(pieces, answer) => Step::from_fn(move |deltas| async move {
                for piece in pieces {
                    deltas.reasoning(piece);
                }
                let mut step = answer.step();
                while let Some(delta) = step.next().await {
                    match delta? {
                        Delta::Finished(finished) => return Ok(finished),
                        delta => deltas.send(delta),
                    }
                }
                std::future::pending().await
            }),
        }
    }
}

impl Scripted {
    /// Creates a model with these answers. With none left it says `over`.
    #[must_use]
    pub fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            answers: Arc::new(Mutex::new(answers.into_iter().collect())),
            ..Self::default()
        }
    }

    /// Does not record requests.
    #[must_use]
    pub fn forgetful(mut self) -> Self {
        self.forgets = true;
        self
    }

    /// Sets the context window in tokens.
    #[must_use]
    pub fn window(mut self, tokens: u64) -> Self {
        self.window = Some(tokens);
        self
    }

    /// Returns every request it was sent.
    #[must_use]
    pub fn sent(&self) -> Vec<Request> {
        self.sent
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Returns an answer of text.
#[must_use]
pub fn says(words: &str) -> Answer {
    Answer::Says(Finished::text(words))
}

/// Returns an answer with this reasoning before it.
#[must_use]
pub fn reasons(words: &str, answer: Answer) -> Answer {
    Answer::Reasons(vec![words.to_owned()], Box::new(answer))
}

/// Returns an answer that calls tools, by their names on the wire.
#[must_use]
pub fn calls<const N: usize>(calls: [(&str, Value); N]) -> Answer {
    writes(calls.map(|(name, input)| (name, input.to_string())))
}

/// Returns an answer that calls tools with unparsed arguments.
#[must_use]
pub fn writes<const N: usize>(calls: [(&str, String); N]) -> Answer {
    let call = |(n, (name, arguments)): (usize, (&str, String))| {
        ModelPart::Call(ToolCall::new(format!("m{n}"), name, arguments))
    };
    Answer::Says(Finished::new(
        calls.into_iter().enumerate().map(call).collect(),
    ))
}

impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn window(&self) -> Option<u64> {
        self.window
    }

    fn step(&self, request: Request) -> Step {
        if !self.forgets {
            let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
            sent.push(request);
        }
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = answers.pop_front().unwrap_or_else(|| says("over"));
        answer.step()
    }
}

/// A person's replies in order. With none left, questions are skipped and approvals denied.
#[derive(Debug, Clone, Default)]
pub struct Person {
    /// The answer to each question; `None` skips it.
    pub answers: Vec<Option<Value>>,
    /// The verdict on each approval.
    pub verdicts: Vec<Verdict>,
}

/// A finished turn with its events.
#[derive(Debug)]
pub struct Followed {
    /// All events.
    pub updates: Vec<Update>,
    /// The end of the call or turn.
    pub status: Status,
    /// The session's record after the turn.
    pub items: Vec<Item>,
}

impl Followed {
    /// Returns the types of the items in order.
    #[must_use]
    pub fn types(&self) -> Vec<&str> {
        let types = self.items.iter().map(|item| item.content.type_name());
        types.collect()
    }

    /// Returns the events that were logged.
    #[must_use]
    pub fn log(&self) -> Vec<Event> {
        let kept = self.updates.iter().filter_map(|update| match update {
            Update::Event(event) if event.seq.is_some() => Some((**event).clone()),
            _ => None,
        });
        kept.collect()
    }
}

/// Sends a prompt and drives the turn to its end.
///
/// # Panics
/// If the turn does not begin, or the store fails.
pub async fn turn(session: &Session, prompt: &str, person: Person) -> Followed {
    let turn = session.turn(prompt).expect("no other turn goes on");
    follow(session, turn, person)
        .await
        .expect("the store works")
}

/// Drives a turn to its end and replies as the person does.
///
/// # Errors
/// If the store fails, or the turn is not read for too long.
///
/// # Panics
/// If a reply is refused: a test should know what it answers.
pub async fn follow(
    session: &Session,
    mut turn: Turn,
    person: Person,
) -> Result<Followed, FollowError> {
    let (mut answers, mut verdicts) = (person.answers.into_iter(), person.verdicts.into_iter());
    let mut updates = Vec::new();
    let mut missed = Vec::new().into_iter();
    loop {
        let update = match missed.next() {
            Some(event) => Update::Event(Box::new(event)),
            None => match turn.next().await.expect("a turn ends with how it ended") {
                // One commit can have more events than a follower can be behind.
                Err(FollowError::Lagged { .. }) => {
                    missed = turn.catch_up().await?.into_iter();
                    continue;
                }
                update => update?,
            },
        };
        updates.push(update.clone());
        match update {
            Update::Pending(request) if request.kind == RequestKind::Ask => {
                let taken = match answers.next().flatten() {
                    Some(answer) => session.answer(&request.id, answer).await,
                    None => session.skip(&request.id).await,
                };
                taken.expect("the answer fits");
            }
            Update::Pending(request) => {
                let verdict = verdicts.next().unwrap_or(Verdict::Deny);
                let taken = session.decide(&request.id, verdict, None).await;
                taken.expect("the verdict is on offer");
            }
            Update::Event(event) => {
                if let EventBody::TurnFinished { status, .. } = event.what {
                    let items = session.items();
                    return Ok(Followed {
                        updates,
                        status,
                        items,
                    });
                }
            }
            _ => {}
        }
    }
}

/// Returns a host with the example plugins.
///
/// # Panics
/// If they do not load.
pub async fn host(plugins: &[&str]) -> Host {
    loaded(crate::scripted_call::builder(), plugins).await
}

/// Returns a host that shares the store of another one, like a second process.
///
/// # Panics
/// If the plugins do not load.
pub async fn second_host(host: &Host, plugins: &[&str]) -> Host {
    let builder = crate::scripted_call::builder().store(Arc::clone(host.store()));
    loaded(builder, plugins).await
}

async fn loaded(builder: HostBuilder, plugins: &[&str]) -> Host {
    let host = builder.build().expect("builds");
    for path in plugins {
        host.load(path).await.expect("loads");
    }
    host
}

/// Simulates a process: a host of its own, and a runtime that drops every task when it ends.
///
/// # Panics
/// If the plugins do not load.
pub fn process<T>(
    store: &Arc<dyn Store>,
    plugins: &[&str],
    life: impl AsyncFnOnce(Host) -> T,
) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let ended = runtime.block_on(async {
        let builder = crate::scripted_call::builder().store(Arc::clone(store));
        life(loaded(builder, plugins).await).await
    });
    runtime.shutdown_background();
    ended
}

/// Returns a press on the widget's first action that calls `tool`, with these form values.
///
/// # Panics
/// If the widget has no such action.
#[must_use]
pub fn press(item: &Item, tool: &str, values: Value) -> Press {
    let Content::Widget(widget) = &item.content else {
        panic!("a widget: {item:?}");
    };
    let mut actions = find_actions(widget.view.as_ref().expect("a view")).into_iter();
    let placed = actions.find(|placed| placed.action.tool() == tool);
    Press {
        item: item.id.clone(),
        rev: item.rev,
        path: placed.expect("an action").path,
        values: match values {
            Value::Object(values) => values,
            _ => Map::new(),
        },
    }
}
