//! What a [`Follower`](super::Follower) follows: a turn of a session, in this process or in a server, or a
//! single call.

use super::is_end;
use super::remote_turn::RemoteTurn;
use crate::conversation::host::now;
use crate::conversation::remote::Prompts;
use crate::terminal::keyboard::Dismissal;
use crate::terminal::prompt::PersonReply;
use anyhow::{Context, Result};
use footlight::policy::ApprovalRequest;
use footlight::session::{FollowError, SettleError};
use footlight::store::{Reply as Settled, RequestKind};
use footlight::{Call, CallEvent, CallOutcome, Host, ReplyError, Session, Turn, Update};
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{ItemId, RequestId, SessionId, TurnId, Verdict};
use footlight_vocabulary::question::Question;
use serde_json::Value;
use std::collections::VecDeque;
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// What is followed.
pub(crate) enum Source {
    /// A turn of a session.
    Turn(Box<FollowedTurn>),
    /// A turn of a session in a server.
    Remote(Box<RemoteTurn>),
    /// A single call of this host, without a session.
    Call(Call, Host),
}

/// A turn, its session, and what was missed of it while this process did not read.
pub(crate) struct FollowedTurn {
    pub(super) turn: Turn,
    session: Session,
    missed: VecDeque<Event>,
    is_behind: bool,
}

impl FollowedTurn {
    /// Returns the next update. `None` is the end, and an update of `None` means that some were missed
    /// and the stored ones follow.
    async fn next(&mut self) -> Result<Option<Option<Update>>> {
        if let Some(event) = self.missed.pop_front() {
            return Ok(Some(Some(Update::Event(Box::new(event)))));
        }
        if !self.is_behind {
            match self.turn.next().await {
                Some(Err(FollowError::Lagged { .. })) => self.is_behind = true,
                update => return Ok(update.transpose()?.map(Some)),
            }
        }
        self.missed = self.turn.catch_up().await?.into();
        self.is_behind = false;
        Ok(Some(None))
    }
}

/// One thing that a source reports.
pub(super) enum Incoming {
    Event(Event),
    Request(Request),
    /// A request was settled, here or in another process.
    Settled(RequestId, Settled),
    /// The model is asked again, so the text of this item is void.
    Retry(ItemId, String),
    /// A single call ended.
    CallEnded(Box<CallOutcome>),
    /// Text that was being streamed was missed in part.
    Missed,
    /// Something about the server, for the person.
    Note(String),
    Ignored,
}

/// A question or an approval that waits for the person.
pub(super) struct Request {
    pub(super) id: RequestId,
    pub(super) plugin: String,
    pub(super) body: RequestBody,
}

pub(super) enum RequestBody {
    Question(Question),
    Approval(Box<ApprovalRequest>),
}

impl Source {
    pub(crate) fn of_turn(turn: Turn, session: Session) -> Self {
        Self::Turn(Box::new(FollowedTurn {
            turn,
            session,
            missed: VecDeque::new(),
            is_behind: false,
        }))
    }

    pub(super) async fn next(&mut self) -> Result<Option<Incoming>> {
        Ok(match self {
            Self::Turn(turn) => match turn.next().await? {
                None => None,
                Some(None) => Some(Incoming::Missed),
                Some(Some(Update::Event(event))) => Some(Incoming::Event(*event)),
                Some(Some(Update::Pending(pending))) => Some(Incoming::Request(Request {
                    body: match pending.kind {
                        RequestKind::Ask => RequestBody::Question(
                            serde_json::from_value(pending.body).context("unreadable question")?,
                        ),
                        RequestKind::Approval | RequestKind::Binding => RequestBody::Approval(
                            serde_json::from_value(pending.body)
                                .context("unreadable approval request")?,
                        ),
                    },
                    id: pending.id,
                    plugin: pending.plugin,
                })),
                Some(Some(Update::Settled(id, reply))) => Some(Incoming::Settled(id, reply)),
                Some(Some(Update::Retry(item, retry))) => Some(Incoming::Retry(item, retry.why)),
                Some(Some(_)) => Some(Incoming::Ignored),
            },
            Self::Remote(turn) => turn.next().await?,
            Self::Call(call, _) => call.next().await.map(|reported| match reported {
                CallEvent::Event(what) => Incoming::Event(event(what)),
                CallEvent::Asked {
                    id,
                    plugin,
                    question,
                } => Incoming::Request(Request {
                    id,
                    plugin,
                    body: RequestBody::Question(question),
                }),
                CallEvent::Approval { id, plugin, ask } => Incoming::Request(Request {
                    id,
                    plugin,
                    body: RequestBody::Approval(ask),
                }),
                CallEvent::Finished(ended) => Incoming::CallEnded(ended),
                _ => Incoming::Ignored,
            }),
        })
    }

    pub(super) fn canceller(&self) -> Box<dyn Fn() + Send> {
        match self {
            Self::Turn(turn) => {
                let session = turn.session.clone();
                Box::new(move || session.cancel())
            }
            Self::Remote(turn) => turn.canceller(),
            Self::Call(call, _) => {
                let canceller = call.canceller();
                Box::new(move || canceller.cancel())
            }
        }
    }

    /// Passes a reply on, and returns whether it settled the request.
    pub(super) async fn settle(&mut self, request: &Request, reply: PersonReply) -> Result<bool> {
        let id = &request.id;
        match self {
            Self::Turn(turn) => {
                let session = &turn.session;
                let settled = match reply {
                    PersonReply::Answer(answer) => {
                        session.answer(id, Value::Object(answer.values())).await
                    }
                    PersonReply::Skip => session.skip(id).await,
                    PersonReply::Verdict(verdict, words) => {
                        session.decide(id, verdict, words).await
                    }
                    PersonReply::Folder(verdict, folder, mode) => {
                        match session.bind(id, verdict, &folder, mode).await {
                            // It was checked, and has changed since. What is unclear is denied.
                            Err(SettleError::Folder(_)) => {
                                session.decide(id, Verdict::Deny, None).await
                            }
                            bound => bound,
                        }
                    }
                    PersonReply::Dismissed => return Ok(false),
                    PersonReply::Nobody => session.no_person(id).await,
                };
                match settled {
                    Ok(()) => Ok(true),
                    // Another process was faster, or the turn was cancelled.
                    Err(SettleError::Settled(_) | SettleError::Unknown) => Ok(false),
                    Err(error) => Err(error.into()),
                }
            }
            Self::Remote(turn) => turn.settle(request, reply).await,
            Self::Call(_, host) => {
                let settled = match reply {
                    PersonReply::Dismissed => return Ok(false),
                    PersonReply::Answer(answer) => host.answer(id, Value::Object(answer.values())),
                    PersonReply::Skip => host.skip(id),
                    PersonReply::Verdict(verdict, words) => host.decide(id, verdict, words),
                    PersonReply::Folder(verdict, folder, mode) => {
                        host.bind(id, verdict, &folder, mode)
                    }
                    PersonReply::Nobody => host.no_person(id),
                };
                match settled {
                    Ok(()) => Ok(true),
                    // The call was cancelled meanwhile.
                    Err(ReplyError::NotPending) => Ok(false),
                    // The prompt checks replies before they get here. Should the two checks ever
                    // disagree, the call must not wait for ever, and what is unclear is denied.
                    Err(ReplyError::NotOffered(_) | ReplyError::Folder(_)) => {
                        Ok(host.decide(id, Verdict::Deny, None).is_ok())
                    }
                    Err(error) => {
                        let _ = host.skip(id);
                        Err(error.into())
                    }
                }
            }
        }
    }

    /// Cancels what is followed, and waits for its end where that ends with this process.
    pub(super) fn abandon(self, runtime: &Runtime) {
        // The error that led here is the one to report.
        match self {
            Self::Turn(followed) => {
                followed.session.cancel();
                let _ = runtime.block_on(followed.turn.finish());
            }
            Self::Remote(turn) => {
                let _ = runtime.block_on(turn.client.cancel(turn.session.as_str()));
            }
            Self::Call(call, _) => call.canceller().cancel(),
        }
    }

    /// Dismisses the prompt once the request is settled in another process.
    pub(super) fn watch(&self, id: &RequestId, dismissal: &Dismissal, runtime: &Runtime) -> Watch {
        let turn = match self {
            Self::Turn(turn) => turn,
            Self::Remote(turn) => {
                turn.events.prompts.open(id, dismissal);
                return Watch::Remote(turn.events.prompts.clone());
            }
            Self::Call(..) => return Watch::Nothing,
        };
        dismissal.reset();
        let mut updates = turn.session.follow();
        let (store, id) = (Arc::clone(turn.session.host().store()), id.clone());
        let dismissal = dismissal.clone();
        Watch::Task(runtime.spawn(async move {
            let request = store.request(&id).await.ok().flatten();
            if request.is_none_or(|request| request.reply.is_none()) {
                while let Some(Ok(update)) = updates.next().await {
                    match update {
                        Update::Settled(settled, _) if settled == id => break,
                        Update::Event(event) if is_end(&event) => break,
                        _ => {}
                    }
                }
            }
            dismissal.dismiss();
        }))
    }
}

/// Dismisses a prompt when it is due.
pub(super) enum Watch {
    Task(JoinHandle<()>),
    Remote(Prompts),
    Nothing,
}

impl Watch {
    /// Ends it before the next prompt, which it would dismiss.
    pub(super) fn end(self, runtime: &Runtime) {
        match self {
            Self::Task(task) => {
                task.abort();
                let _ = runtime.block_on(task);
            }
            Self::Remote(prompts) => prompts.close(),
            Self::Nothing => {}
        }
    }
}

/// An event of a single call, which belongs to no session.
pub(super) fn event(what: EventBody) -> Event {
    Event {
        what,
        seq: None,
        session: SessionId::from("call".to_owned()),
        turn: TurnId::from("turn_1".to_owned()),
        at: now(),
    }
}
