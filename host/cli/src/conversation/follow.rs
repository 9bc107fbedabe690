//! Follows a turn or a single call to its end at the terminal.
//!
//! [`Follower::follow`] is the one loop: it hands events to the [`Display`], puts questions and
//! approvals to the [`Person`], and cancels on Ctrl-C. A [`Source`] is what it follows; only the
//! source knows whether replies go to a session, to a server or to the host.
//!
//! A request of a turn can be settled in another process meanwhile (`footlight pending answer`);
//! the prompt for it is then dismissed.
//!
//! Invariant: when something fails here, the source is cancelled first, so that no call is left
//! waiting for a person who will not be asked.

mod remote_turn;
mod source;

pub(crate) use remote_turn::RemoteTurn;
pub(crate) use source::Source;

use crate::conversation::display::Display;
use crate::remedy::PowerRemedies;
use crate::secrets::RunSecrets;
use crate::terminal::interrupt::Interrupts;
use crate::terminal::prompt::{
    FolderNaming, Person, PersonReply, SecretReply, THE_MODEL, answer_name, answer_words,
    approval_name, verdict_text,
};
use crate::terminal::ui::Ui;
use crate::trace::Trace;
use anyhow::{Result, bail};
use footlight::policy::ApprovalRequest;
use footlight::store::Reply as Settled;
use footlight::{CallOutcome, Host, Plugin};
use footlight_render::filter;
use footlight_vocabulary::event::{Event, EventBody, Status};
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{RequestId, Verdict};
use footlight_vocabulary::question::Question;
use serde_json::Value;
use source::{Incoming, Request, RequestBody};
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use tokio::runtime::Runtime;

/// How often the progress line is redrawn.
const TICK: Duration = Duration::from_millis(100);

/// The host of this process.
#[derive(Clone, Copy)]
pub(crate) struct LocalHost<'a> {
    pub(crate) host: &'a Host,
    /// Where a secret that the person types is kept for this run.
    pub(crate) secrets: &'a RunSecrets,
    /// What shows what plugins do, if flags ask for it.
    pub(crate) trace: Option<&'a Trace>,
}

/// Follows sources at the terminal.
pub(crate) struct Follower<'a> {
    pub(crate) runtime: &'a Runtime,
    /// The host of this process; none for a turn that runs in a server, which grants powers itself.
    pub(crate) local: Option<LocalHost<'a>>,
    pub(crate) person: &'a mut Person,
    pub(crate) ui: &'a Ui,
    /// Whether a request stays open for another process when nobody is at this terminal; none if this
    /// command cannot wait.
    pub(crate) keeps_requests_open: Option<bool>,
    /// What would grant the powers that calls were denied.
    pub(crate) remedies: PowerRemedies,
    /// The questions that were put to the person and are open.
    pub(crate) asked: HashMap<RequestId, Question>,
    /// How a single call ended.
    pub(crate) outcome: Option<Box<CallOutcome>>,
}

impl Follower<'_> {
    /// Follows a source to its end. `waiting_for` names what is waited for while no call runs. Returns
    /// whether a power was denied, and a note has named the flag that would grant it.
    pub(crate) fn follow(
        &mut self,
        mut source: Source,
        display: &mut Display<'_>,
        waiting_for: &str,
    ) -> Result<bool> {
        let (cancel, dismissal) = (source.canceller(), self.person.dismissal());
        Interrupts::watch().on_interrupt(move || {
            cancel();
            dismissal.dismiss();
        });
        let mut settled_here = HashSet::new();
        loop {
            let next = async { tokio::time::timeout(TICK, source.next()).await };
            let next = self.runtime.block_on(next);
            if let Some(trace) = self.local.and_then(|local| local.trace) {
                trace.show(self.ui);
            }
            let is_last = match next {
                Err(_) => display
                    .tick(waiting_for)
                    .map(|()| false)
                    .map_err(Into::into),
                Ok(Ok(None)) => bail!("the events ended before the turn did"),
                Ok(Err(error)) => Err(error),
                Ok(Ok(Some(incoming))) => {
                    if let Incoming::Event(event) = &incoming {
                        self.remedies.learn(event);
                    }
                    self.handle(incoming, &mut source, display, &mut settled_here)
                }
            };
            match is_last {
                Ok(true) => return Ok(self.name_remedies()),
                // What was drawn has taken the place of the line.
                Ok(false) => display.show_progress(waiting_for),
                Err(error) => {
                    source.abandon(self.runtime);
                    return Err(error);
                }
            }
        }
    }

    /// Names the flags that would grant what was denied, and returns whether there are any.
    fn name_remedies(&self) -> bool {
        let plugins = self.local.map(|local| local.host.plugins());
        let manifests = plugins.iter().flatten().map(Plugin::manifest);
        let Some(remedy) = self.remedies.describe(&manifests.collect::<Vec<_>>()) else {
            return false;
        };
        if self.local.is_none() {
            self.ui
                .note("powers are granted where the server is started:");
        }
        self.ui.note(&remedy);
        true
    }

    /// Handles one report, and returns whether it was the last.
    fn handle(
        &mut self,
        incoming: Incoming,
        source: &mut Source,
        display: &mut Display<'_>,
        settled_here: &mut HashSet<RequestId>,
    ) -> Result<bool> {
        match incoming {
            Incoming::Event(event) => {
                display.event(&event)?;
                return Ok(is_end(&event));
            }
            Incoming::Request(request) => {
                display.before_prompt()?;
                if let RequestBody::Question(question) = &request.body {
                    self.asked.insert(request.id.clone(), question.clone());
                }
                let dismissal = self.person.dismissal();
                let watch = source.watch(&request.id, &dismissal, self.runtime);
                let reply = self.prompt(&request);
                self.ui
                    .note_external_output(self.person.take_visible_text());
                watch.end(self.runtime);
                let settled = source.settle(&request, reply?);
                if self.runtime.block_on(settled)? {
                    settled_here.insert(request.id);
                }
            }
            Incoming::Settled(id, reply) => {
                let question = self.asked.remove(&id);
                if settled_here.remove(&id) {
                    return Ok(false);
                }
                let elsewhere = match &reply {
                    Settled::Answer { by, .. }
                    | Settled::Skip { by, .. }
                    | Settled::Verdict { by, .. } => match by {
                        Some(by) => format!(" elsewhere by {}", filter::line(by, 60)),
                        None => " elsewhere".to_owned(),
                    },
                    _ => String::new(),
                };
                // An id of a server is its word.
                let id = filter::line(id.as_str(), 130);
                let said = in_labels(&reply, question.as_ref());
                let said = said.unwrap_or_else(|| settled_text(&reply));
                let note = format!("{said}{elsewhere} ({id})");
                self.ui.dim_note(&note);
            }
            Incoming::Retry(item, why) => display.withdraw_text(&item, &why),
            Incoming::CallEnded(ended) => {
                display.event(&end_of_call(&ended))?;
                self.outcome = Some(ended);
                return Ok(true);
            }
            Incoming::Missed => display.stop_streaming(),
            Incoming::Note(note) => {
                self.ui.end_partial_line();
                self.ui.dim_note(&note);
            }
            Incoming::Ignored => {}
        }
        Ok(false)
    }

    /// Puts a request to the person.
    fn prompt(&mut self, request: &Request) -> Result<PersonReply> {
        let name = match request.plugin.as_str() {
            "footlight" => THE_MODEL,
            plugin => plugin,
        };
        let reply = match &request.body {
            RequestBody::Question(question) => self.person.ask(name, question)?,
            RequestBody::Approval(ask) => {
                let Some(local) = self.local else {
                    return self.prompt_for_server(name, request, ask);
                };
                let check = |folder: &std::path::Path| local.host.check_folder(folder);
                let naming = FolderNaming::Here(&check);
                let reply = self.person.approve(name, ask, naming)?;
                self.with_secrets(local.secrets, &request.plugin, ask, reply)?
            }
        };
        Ok(self.or_nobody(name, request, reply))
    }

    /// Puts an approval of a server to the person. Only who runs the server can name a folder.
    fn prompt_for_server(
        &mut self,
        name: &str,
        request: &Request,
        ask: &ApprovalRequest,
    ) -> Result<PersonReply> {
        if !can_be_decided_elsewhere(ask) {
            self.remedies.add(name, ask);
            return Ok(PersonReply::Verdict(Verdict::Deny, None));
        }
        let reply = self.person.approve(name, ask, FolderNaming::Elsewhere)?;
        Ok(self.or_nobody(name, request, reply))
    }

    /// Says what helps if nobody could be asked. A request that stays open counts as dismissed.
    fn or_nobody(&mut self, name: &str, request: &Request, reply: PersonReply) -> PersonReply {
        if reply != PersonReply::Nobody {
            return reply;
        }
        // Nobody at another terminal can name a folder.
        let can_wait = match &request.body {
            RequestBody::Approval(ask) => can_be_decided_elsewhere(ask),
            RequestBody::Question(_) => true,
        };
        if self.keeps_requests_open == Some(true) && can_wait {
            let value = match request.body {
                RequestBody::Question(_) => "<answer>",
                RequestBody::Approval(_) => "allow|deny",
            };
            self.ui.note(&format!(
                "{} waits for a person; answer with: footlight pending answer {} {value}",
                filter::line(&request.plugin, 60),
                filter::line(request.id.as_str(), 130)
            ));
            return PersonReply::Dismissed;
        }
        let (needs, flag) = match &request.body {
            RequestBody::Question(question) => {
                let field = question.fields.first();
                let field = field.map_or("answer", |field| field.name.as_str());
                let flag = format!("--answer {}=VALUE", answer_name(name, field));
                ("an answer", format!("{flag}, and --allow for approvals"))
            }
            // The flag is named at the end, where several calls may have needed the same.
            RequestBody::Approval(ask) if ask.folder.is_some() || ask.network.is_some() => {
                self.remedies.add(name, ask);
                return reply;
            }
            RequestBody::Approval(ask) => {
                let flag = format!("--allow {}", approval_name(name, ask));
                ("approval", format!("{flag}, and --answer for questions"))
            }
        };
        let wait = match self.keeps_requests_open {
            Some(_) => "; or --wait for somebody at another terminal",
            None => "",
        };
        self.ui.note(&filter::line(
            &format!("{name} needs {needs}, and nobody can be asked; add {flag}{wait}"),
            400,
        ));
        reply
    }

    /// Asks for the values of secrets that the person lets a request carry and that have none. Without
    /// them the yes becomes a no.
    fn with_secrets(
        &mut self,
        secrets: &RunSecrets,
        plugin: &str,
        ask: &ApprovalRequest,
        reply: PersonReply,
    ) -> Result<PersonReply> {
        let is_yes =
            matches!(&reply, PersonReply::Verdict(verdict, _) if *verdict != Verdict::Deny);
        let network = ask.network.as_ref();
        let network = network.filter(|_| is_yes && self.person.is_present());
        for name in network.map_or(&[][..], |network| &network.secrets[..]) {
            if secrets.has_value(plugin, name)? {
                continue;
            }
            let mut accept = |text: &str| {
                let accepted = secrets.accept(plugin, name, text);
                accepted.map_err(|error| filter::line(&error.to_string(), 300))
            };
            match self.person.ask_for_secret(plugin, name, &mut accept)? {
                SecretReply::Given => {}
                SecretReply::Refused => return Ok(PersonReply::Verdict(Verdict::Deny, None)),
                SecretReply::Dismissed => return Ok(PersonReply::Dismissed),
            }
        }
        Ok(reply)
    }
}

/// Reports whether somebody at another terminal can say yes.
fn can_be_decided_elsewhere(request: &ApprovalRequest) -> bool {
    let folder = request.folder.as_ref();
    folder.is_none_or(|folder| folder.offered.is_some())
}

/// Returns the event that ends a single call.
fn end_of_call(ended: &CallOutcome) -> Event {
    let status = match ended.result.as_ref().err().map(|failure| &failure.code) {
        None => Status::Done,
        Some(FailureCode::Cancelled) => Status::Cancelled,
        Some(FailureCode::Limit) => Status::Limit,
        Some(_) => Status::Error,
    };
    source::event(EventBody::TurnFinished {
        status,
        output: Some(ended.items.clone()),
        usage: None,
    })
}

fn is_end(event: &Event) -> bool {
    matches!(event.what, EventBody::TurnFinished { .. })
}

/// Describes an answer in the words of its question; none if it is no answer, or the question is not known.
fn in_labels(reply: &Settled, question: Option<&Question>) -> Option<String> {
    let Settled::Answer { value, .. } = reply else {
        return None;
    };
    let question = question?;
    let answer = question.check(value.clone()?).ok()?;
    Some(format!("answered: {}", answer_words(question, &answer)))
}

/// Writes the values of an answer in words: the value of a single field, or `name: value` for each.
fn value_words(value: &Value) -> String {
    match value {
        Value::Object(fields) if fields.len() == 1 => {
            fields.values().map(value_words).collect::<String>()
        }
        Value::Object(fields) => {
            let words = fields
                .iter()
                .map(|(name, value)| format!("{name}: {}", value_words(value)));
            words.collect::<Vec<_>>().join(", ")
        }
        Value::Array(values) => {
            let words = values.iter().map(value_words);
            words.collect::<Vec<_>>().join(", ")
        }
        Value::String(text) => text.clone(),
        Value::Null => "nothing".to_owned(),
        other => other.to_string(),
    }
}

/// Describes how a request was settled.
pub(crate) fn settled_text(reply: &Settled) -> String {
    match reply {
        Settled::Answer { value, .. } => match value {
            Some(value) => format!("answered: {}", filter::line(&value_words(value), 100)),
            None => "answered".to_owned(),
        },
        Settled::Skip { .. } => "skipped".to_owned(),
        Settled::Verdict { verdict, words, .. } => {
            let words = words.as_ref().map_or_else(String::new, |words| {
                format!(" ({})", filter::line(words, 100))
            });
            format!("{}{words}", verdict_text(*verdict))
        }
        Settled::Expired { .. } => "expired".to_owned(),
        Settled::NoPerson { .. } => "nobody could be asked".to_owned(),
        Settled::Withdrawn { .. } => "withdrawn".to_owned(),
    }
}
