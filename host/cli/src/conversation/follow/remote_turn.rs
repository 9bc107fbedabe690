//! A turn that runs in a server: the same reports as those of a turn in this process.

use super::source::{Incoming, Request, RequestBody};
use crate::conversation::remote::{Arrival, Client, Events, Frame, RequestOrigin, SharedRecord};
use crate::conversation::remote::{approval, question};
use crate::terminal::prompt::PersonReply;
use anyhow::{Context, Result};
use footlight_render::filter;
use footlight_vocabulary::event::{Event, EventBody};
use footlight_vocabulary::item::{RequestId, SessionId, TurnId, Verdict};
use serde_json::{Value, json};
use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use tokio::runtime::Handle;

/// A turn of a session in a server.
pub(crate) struct RemoteTurn {
    pub(crate) client: Arc<Client>,
    pub(crate) runtime: Handle,
    pub(crate) session: SessionId,
    pub(crate) turn: TurnId,
    pub(crate) events: Events,
    pub(crate) record: SharedRecord,
    /// What was made of a frame and is not reported yet.
    reports: VecDeque<Incoming>,
    /// Requests that were replied to here. After a restart the server asks again.
    replied: HashSet<RequestId>,
}

impl RemoteTurn {
    pub(crate) fn new(
        client: Arc<Client>,
        runtime: Handle,
        (session, turn): (SessionId, TurnId),
        events: Events,
        record: SharedRecord,
    ) -> Self {
        Self {
            client,
            runtime,
            session,
            turn,
            events,
            record,
            reports: VecDeque::new(),
            replied: HashSet::new(),
        }
    }

    pub(super) async fn next(&mut self) -> Result<Option<Incoming>> {
        loop {
            if let Some(report) = self.reports.pop_front() {
                return Ok(Some(report));
            }
            match self.events.next().await {
                None => return Ok(None),
                Some(Arrival::Ended(error)) => return Err(error.into()),
                Some(Arrival::Lost) => {
                    let url = self.client.url();
                    let note = format!("the connection to {url} was lost; trying again");
                    return Ok(Some(Incoming::Note(note)));
                }
                Some(Arrival::Found) => {
                    let note = format!("connected to {} again", self.client.url());
                    self.reports.push_back(Incoming::Missed);
                    return Ok(Some(Incoming::Note(note)));
                }
                Some(Arrival::Frame(frame)) => self.report(frame)?,
            }
        }
    }

    /// Turns a frame into what is reported of it.
    fn report(&mut self, frame: Frame) -> Result<()> {
        match frame {
            Frame::Event(event) => {
                self.record.apply(&event);
                // Another client may have started the turn before.
                if event.turn == self.turn {
                    self.reports.push_back(Incoming::Event(*event));
                }
            }
            Frame::Snapshot(snapshot) => {
                let changes = self.record.replace(snapshot, &self.turn);
                let event = |what: EventBody| {
                    Incoming::Event(Event {
                        what,
                        seq: None,
                        session: self.session.clone(),
                        turn: self.turn.clone(),
                        at: crate::conversation::host::now(),
                    })
                };
                self.reports.push_back(Incoming::Missed);
                self.reports.extend(changes.into_iter().map(event));
            }
            Frame::RequestSettled(settled) => {
                let id = settled.request_id.clone();
                let reply = settled.into_reply();
                self.reports.push_back(Incoming::Settled(id, reply));
            }
            Frame::Retry { item, why } => self.reports.push_back(Incoming::Retry(item, why)),
            Frame::AskRequest { id, payload } => {
                let plugin = RequestOrigin::of(&payload.extra).plugin;
                let body = RequestBody::Question(question(payload));
                self.request(Request { id, plugin, body });
            }
            Frame::ApprovalRequest { id, payload } => {
                let plugin = RequestOrigin::of(&payload).plugin;
                let asked = approval(payload).context("unreadable approval request")?;
                let body = RequestBody::Approval(Box::new(asked));
                self.request(Request { id, plugin, body });
            }
            Frame::Resync {} | Frame::Calling {} => {}
        }
        Ok(())
    }

    /// Reports a request, unless it was replied to.
    fn request(&mut self, request: Request) {
        let is_known = |report: &Incoming| matches!(report, Incoming::Request(known) if known.id == request.id);
        let is_done =
            self.replied.contains(&request.id) || self.events.prompts.is_settled(&request.id);
        if !is_done && !self.reports.iter().any(is_known) {
            self.reports.push_back(Incoming::Request(request));
        }
    }

    /// Passes a reply on, and returns whether it settled the request.
    pub(super) async fn settle(&mut self, request: &Request, reply: PersonReply) -> Result<bool> {
        let id = &request.id;
        let (path, body) = match reply {
            // Whatever settled it, or ends the turn, is reported as well.
            PersonReply::Dismissed => return Ok(false),
            PersonReply::Answer(answer) => {
                let values = Value::Object(answer.values());
                (format!("/api/asks/{id}"), json!({ "values": values }))
            }
            PersonReply::Skip => (format!("/api/asks/{id}"), json!({ "skip": true })),
            PersonReply::Verdict(verdict, words) => {
                let body = json!({
                    "approved": verdict != Verdict::Deny,
                    "always": verdict == Verdict::Session,
                    "reason": words,
                });
                (format!("/api/approvals/{id}"), body)
            }
            // A folder is named where the server runs, and nowhere else.
            PersonReply::Folder(..) => {
                (format!("/api/approvals/{id}"), json!({ "approved": false }))
            }
            PersonReply::Nobody => (format!("/api/pending/{id}/no-person"), json!({})),
        };
        self.replied.insert(id.clone());
        match self.client.post_again(&path, body).await {
            Ok(_) => Ok(true),
            Err(error) if error.is_settled() => Ok(false),
            // It stays open for somebody who may settle it.
            Err(error) if error.is_forbidden() => {
                let note = filter::line(
                    &format!("{error}; it still waits for somebody who may"),
                    300,
                );
                self.reports.push_back(Incoming::Note(note));
                Ok(false)
            }
            Err(error) => Err(error.into()),
        }
    }

    pub(super) fn canceller(&self) -> Box<dyn Fn() + Send> {
        let (client, session) = (Arc::clone(&self.client), self.session.clone());
        let runtime = self.runtime.clone();
        Box::new(move || {
            let (client, session) = (Arc::clone(&client), session.clone());
            // If it does not arrive, the next Ctrl-C ends this process, and the turn goes on.
            runtime.spawn(async move { client.cancel(session.as_str()).await });
        })
    }
}
