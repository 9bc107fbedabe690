//! A conversation at the terminal: turns of a session, shown as they come.
//!
//! The session runs on a thread of its own; this one shows what happens and asks the person. What
//! waits for them can be settled elsewhere meanwhile (`footlight pending answer`): then the prompt
//! goes away.
//!
//! Invariant: a turn is followed to its end. When something goes wrong here it is cancelled first,
//! so that nothing is left waiting for somebody who is gone.

mod settings;

pub(crate) use settings::remembered;

use crate::config::Config;
use crate::conversation::display::{AnswerSource, Display};
use crate::conversation::host::{PluginHost, approve};
use crate::conversation::model::{self, SelectedModel};
use crate::conversation::press::{self, PressCommand};
use crate::conversation::transcript::Format;
use crate::conversation::views::Detail;
use crate::exit::Exit;
use crate::terminal::interrupt::Interrupts;
use crate::terminal::keyboard::Dismissal;
use crate::terminal::prompt::{ApprovalReply, Person, Reply, Script, verdict_text};
use crate::terminal::ui::{Emphasis, ItemKey, OutStream, Ui};
use anyhow::{Context, Result, bail};
use clap::Args;
use footlight::session::SettleError;
use footlight::store::{Reply as Settled, RequestKind, RequestRow};
use footlight::{Session, Turn, Update};
use footlight_render::filter;
use footlight_vocabulary::event::Happening;
use footlight_vocabulary::item::{RequestId, SessionId, Verdict};
use serde_json::Value;
use settings::settings;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;

/// How often the line that moves is drawn.
const TICK: Duration = Duration::from_millis(100);

/// How a conversation is to go about things.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ConversationFlags {
    #[command(flatten)]
    pub(crate) model: model::ModelFlags,
    #[command(flatten)]
    pub(crate) script: Script,
    /// With nobody at a terminal, wait for `footlight pending answer`, at most TIME such as 10m
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true,
          value_parser = duration, help_heading = "Answers")]
    pub(crate) wait: Option<Option<Duration>>,
}

/// Reads `90s`, `10m` or `2h`.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write a time such as 90s, 10m or 2h".to_owned();
    let (number, unit) =
        text.split_at(text.len() - text.chars().next_back().map_or(0, char::len_utf8));
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let unit = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => return Err(wrong()),
    };
    number
        .checked_mul(unit)
        .filter(|seconds| *seconds > 0)
        .map(Duration::from_secs)
        .ok_or_else(wrong)
}

/// A conversation.
pub(crate) struct Conversation<'a> {
    pub(crate) loaded: PluginHost,
    pub(crate) session: Session,
    pub(crate) chosen: SelectedModel,
    config: &'a Config,
    flags: &'a ConversationFlags,
    ui: &'a Ui,
    person: Person,
    /// What a turn is written as at its end.
    format: Option<Format>,
    /// What was settled here.
    own: HashSet<RequestId>,
}

impl<'a> Conversation<'a> {
    /// Begins a conversation, or opens one again.
    pub(crate) fn new(
        loaded: PluginHost,
        chosen: SelectedModel,
        before: Option<&SessionId>,
        flags: &'a ConversationFlags,
        config: &'a Config,
        ui: &'a Ui,
    ) -> Result<Self> {
        let person = Person::at(ui, flags.script.clone());
        let settings = settings(&loaded, &chosen, &person, flags, config);
        let session = loaded.runtime.block_on(async {
            match before {
                Some(id) => loaded.host.resume(id, settings).await,
                None => loaded.host.session(settings).await,
            }
        })?;
        Ok(Self {
            loaded,
            session,
            chosen,
            config,
            flags,
            ui,
            person,
            format: None,
            own: HashSet::new(),
        })
    }

    /// Turns are written as this, and the answer is not.
    pub(crate) fn with_format(mut self, format: Option<Format>) -> Self {
        self.format = format;
        self
    }

    /// Goes on with another model.
    pub(crate) fn switch(&mut self, chosen: SelectedModel) -> Result<()> {
        let settings = settings(&self.loaded, &chosen, &self.person, self.flags, self.config);
        let id = self.session.id().clone();
        let resumed = self.loaded.host.resume(&id, settings);
        self.session = self.loaded.runtime.block_on(resumed)?;
        self.chosen = chosen;
        Ok(())
    }

    /// Says something, and shows what comes of it.
    pub(crate) fn turn(&mut self, prompt: &str) -> Result<Exit> {
        let turn = {
            let _runtime = self.loaded.runtime.enter();
            self.session.turn(prompt)?
        };
        self.follow(turn, 0, self.answer_source())
    }

    /// Shows what the last turn left on the record, to go on from. It is no result.
    pub(crate) fn recap(&self) -> Result<()> {
        if self.ui.json {
            return Ok(());
        }
        let to = match self.ui.stdout_is_terminal() {
            true => OutStream::Stdout,
            false => OutStream::Stderr,
        };
        let items = self.session.items();
        let Some(last) = items.iter().map(|item| item.position.turn).max() else {
            return Ok(());
        };
        let mut builder = self.loaded.view_builder();
        items.iter().for_each(|item| builder.learn_owner(item));
        for item in items.iter().filter(|item| item.position.turn == last) {
            let most = Detail::Screen(self.ui.size().1);
            let key = ItemKey {
                id: item.id.clone(),
                position: item.position,
            };
            self.ui.draw_item(to, &key, builder.item(item, most).0)?;
        }
        Ok(())
    }

    /// Presses what has a number on the screen; nothing where that comes to nothing.
    pub(crate) fn press(&mut self, line: &str) -> Result<Option<Exit>> {
        let wanted = match PressCommand::parse(line) {
            Ok(Some(wanted)) => wanted,
            Ok(None) => {
                press::list(self.ui);
                return Ok(None);
            }
            Err(why) => {
                self.ui.note(&filter::line(&why, 200));
                return Ok(None);
            }
        };
        self.person.dismissal().reset();
        let pressed = match press::prepare(wanted, self.ui, &mut self.person)? {
            Ok(press) => {
                let _runtime = self.loaded.runtime.enter();
                self.session.press(press).map_err(|why| why.to_string())
            }
            Err(why) => Err(why),
        };
        match pressed {
            // No model has a word in it.
            Ok(turn) => Ok(Some(self.follow(turn, 0, AnswerSource::Offline)?)),
            Err(why) => {
                self.ui.note(&filter::clean(&why));
                Ok(None)
            }
        }
    }

    /// Goes on with a turn that was interrupted.
    pub(crate) fn resume_turn(&mut self) -> Result<Exit> {
        let last = self
            .session
            .items()
            .last()
            .map_or(0, |item| item.position.turn);
        let turn = {
            let _runtime = self.loaded.runtime.enter();
            self.session.resume()?
        };
        self.follow(turn, last, self.answer_source())
    }

    fn answer_source(&self) -> AnswerSource {
        match self.chosen.is_offline {
            true => AnswerSource::Offline,
            false => AnswerSource::Model,
        }
    }

    /// Shows a turn to its end; `before` is the turn whose items are there already.
    fn follow(&mut self, mut turn: Turn, before: u32, source: AnswerSource) -> Result<Exit> {
        let show = Display::new(self.ui, source, self.loaded.view_builder());
        let show = show.with_sources(&self.loaded.sources);
        let mut show = show.with_format(self.format);
        let items = self.session.items();
        show.learn_owners(&items);
        let known = items.into_iter();
        show.mark_as_shown(known.filter(|item| item.position.turn == before));
        let (session, dismissal) = (self.session.clone(), self.person.dismissal());
        Interrupts::watch().on_interrupt(move || {
            session.cancel();
            dismissal.dismiss();
        });
        let waiting_for = match source {
            AnswerSource::Model => self.chosen.name.clone(),
            _ => String::new(),
        };
        loop {
            let next = async { tokio::time::timeout(TICK, turn.next()).await };
            let handled = match self.loaded.runtime.block_on(next) {
                Err(_) => show.tick(&waiting_for).map_err(Into::into),
                Ok(None) => bail!("the session ended before its turn did"),
                Ok(Some(update)) => match self.take(update?, &mut show) {
                    Ok(true) => break,
                    Ok(false) => Ok(()),
                    Err(error) => Err(error),
                },
            };
            if let Err(error) = handled {
                turn.cancel();
                // How that ends is of no interest beside what went wrong.
                let _ = self.loaded.runtime.block_on(turn.finish());
                return Err(error);
            }
        }
        self.loaded.save_always_rules(self.ui);
        self.chosen.save()?;
        let nobody = self.person.was_unavailable() && self.flags.wait.is_none();
        Ok(show.finish(nobody)?)
    }

    /// Takes in what happened, and says whether the turn is over.
    fn take(&mut self, update: Update, show: &mut Display<'_>) -> Result<bool> {
        match update {
            Update::Event(event) => {
                show.event(&event)?;
                return Ok(matches!(event.what, Happening::TurnFinished { .. }));
            }
            Update::Pending(request) => {
                show.before_prompt()?;
                self.request(&request)?;
            }
            Update::Settled(id, reply) if !self.own.remove(&id) => {
                let how = match &reply {
                    Settled::Expired { .. } | Settled::Withdrawn { .. } => how(&reply),
                    _ => format!("{} elsewhere", how(&reply)),
                };
                let note = format!("{how} ({id})");
                self.ui.note(&self.ui.styled_err(Emphasis::Dim, &note));
            }
            Update::Retry(item, retry) => show.withdraw_text(&item, &retry.why),
            _ => {}
        }
        Ok(false)
    }

    /// Puts what waits to the person.
    fn request(&mut self, request: &RequestRow) -> Result<()> {
        let dismissal = self.person.dismissal();
        dismissal.reset();
        let watch = self.watch(&request.id, dismissal);
        let settled = match request.kind {
            RequestKind::Ask => self.ask(request),
            RequestKind::Approval => self.approve(request),
        };
        self.ui
            .note_external_output(self.person.take_visible_text());
        // It must be over before the next prompt begins, which it would take away.
        watch.abort();
        let _ = self.loaded.runtime.block_on(watch);
        settled
    }

    /// Takes the prompt away once somebody else has settled this.
    fn watch(&self, id: &RequestId, dismissal: Dismissal) -> JoinHandle<()> {
        let mut updates = self.session.follow();
        let (store, id) = (Arc::clone(self.loaded.host.store()), id.clone());
        self.loaded.runtime.spawn(async move {
            let request = store.request(&id).await.ok().flatten();
            if request.is_none_or(|request| request.reply.is_none()) {
                while let Some(Ok(update)) = updates.next().await {
                    match update {
                        Update::Settled(settled, _) if settled == id => break,
                        Update::Event(event)
                            if matches!(event.what, Happening::TurnFinished { .. }) =>
                        {
                            break;
                        }
                        _ => {}
                    }
                }
            }
            dismissal.dismiss();
        })
    }

    fn ask(&mut self, request: &RequestRow) -> Result<()> {
        let question = serde_json::from_value(request.body.clone());
        let question = question.context("the question cannot be read")?;
        let asks = match request.plugin.as_str() {
            "footlight" => "the model",
            plugin => plugin,
        };
        let (id, session) = (&request.id, &self.session);
        let settled = match self.person.ask(asks, &question)? {
            Reply::Answered(answer) => {
                let answer = Value::Object(answer.values());
                self.loaded.runtime.block_on(session.answer(id, answer))
            }
            Reply::Skipped => self.loaded.runtime.block_on(session.skip(id)),
            Reply::Nobody => return self.nobody(request),
            Reply::Dismissed => return Ok(()),
        };
        self.settled(id, settled)
    }

    fn approve(&mut self, request: &RequestRow) -> Result<()> {
        let ask = serde_json::from_value(request.body.clone());
        let ask = ask.context("what leave is wanted for cannot be read")?;
        let (id, session) = (&request.id, &self.session);
        let settled = match approve(&request.plugin, &ask, &mut self.person)? {
            ApprovalReply::Given(verdict, words) => {
                let decided = session.decide(id, verdict, words);
                self.loaded.runtime.block_on(decided)
            }
            ApprovalReply::Nobody => return self.nobody(request),
            ApprovalReply::Dismissed => return Ok(()),
        };
        self.settled(id, settled)
    }

    /// There is nobody here: somebody elsewhere is waited for, or it comes to nothing.
    fn nobody(&mut self, request: &RequestRow) -> Result<()> {
        let id = &request.id;
        if self.flags.wait.is_some() {
            let how = match request.kind {
                RequestKind::Ask => "<answer>",
                RequestKind::Approval => "allow|deny",
            };
            self.ui.note(&format!(
                "{} waits for a person; answer it with: footlight pending answer {id} {how}",
                filter::line(&request.plugin, 60)
            ));
            return Ok(());
        }
        if self.loaded.host.nobody(id).is_ok() {
            return Ok(());
        }
        // The model's own question: no call waits for it.
        let runtime = &self.loaded.runtime;
        let settled = match request.kind {
            RequestKind::Ask => runtime.block_on(self.session.skip(id)),
            RequestKind::Approval => runtime.block_on(self.session.decide(id, Verdict::Deny, None)),
        };
        self.settled(id, settled)
    }

    fn settled(&mut self, id: &RequestId, settled: Result<(), SettleError>) -> Result<()> {
        match settled {
            Ok(()) => {
                self.own.insert(id.clone());
                Ok(())
            }
            // Somebody was faster, or the turn was cancelled: it is said when it is told of.
            Err(SettleError::Settled(_) | SettleError::Unknown) => Ok(()),
            Err(refused) => Err(refused.into()),
        }
    }
}

/// How something was settled, in words.
pub(crate) fn how(reply: &Settled) -> String {
    match reply {
        Settled::Answer { value, .. } => match value {
            Some(value) => format!("answered {}", filter::line(&value.to_string(), 100)),
            None => "answered".to_owned(),
        },
        Settled::Skip { .. } => "skipped".to_owned(),
        Settled::Verdict { verdict, words, .. } => {
            let words = words.as_ref().map_or_else(String::new, |words| {
                format!(" ({})", filter::line(words, 100))
            });
            format!("{}{words}", verdict_text(*verdict))
        }
        Settled::Expired { .. } => "too late".to_owned(),
        Settled::Withdrawn { .. } => "no longer wanted".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        for (text, seconds) in [
            ("90s", Some(90)),
            ("10m", Some(600)),
            ("2h", Some(7200)),
            ("", None),
            ("10", None),
            ("0s", None),
            ("é", None),
            ("99999999999999999999h", None),
        ] {
            assert_eq!(
                duration(text).ok(),
                seconds.map(Duration::from_secs),
                "{text}"
            );
        }
    }
}
