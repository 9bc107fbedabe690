//! A session at the terminal: prompts, presses and resumed turns, each followed to its end.
//!
//! The session runs on the runtime's thread, while this one shows events and prompts the person.

mod settings;

pub(crate) use settings::remembered;

use crate::config::{Config, Uses};
use crate::conversation::display::{AnswerSource, Display};
use crate::conversation::follow::{Follower, Source};
use crate::conversation::host::{PluginHost, now};
use crate::conversation::model::{self, SelectedModel};
use crate::conversation::press::{self, PressCommand};
use crate::conversation::transcript::Format;
use crate::duration::{duration, lifetime};
use crate::exit::Exit;
use crate::power::PowerFlags;
use crate::remedy::PowerRemedies;
use crate::terminal::prompt::{Person, PreparedAnswers};
use crate::terminal::ui::{ItemKey, OutStream, Ui};
use anyhow::Result;
use clap::Args;
use footlight::session::Prompt;
use footlight::{Session, Turn};
use footlight_render::detail::{Detail, ViewBuilder};
use footlight_render::filter;
use footlight_render::transcript::mark_expired;
use footlight_vocabulary::component;
use footlight_vocabulary::item::{Content, Item, SessionId};
use settings::settings;
use std::time::Duration;

/// The most cards of earlier turns that a resumed conversation shows.
const MAX_CARDS: usize = 10;

/// What helps where nobody can be asked.
const NOBODY_REMEDY: &str = "nobody can be asked; add --answer PLUGIN.FIELD=VALUE for a question, \
     --allow PLUGIN.NAME for an approval, or --wait for somebody at another terminal";

/// Flags of the commands that run turns.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ConversationFlags {
    #[command(flatten)]
    pub(crate) model: model::ModelFlags,
    #[command(flatten)]
    pub(crate) script: PreparedAnswers,
    #[command(flatten)]
    pub(crate) powers: PowerFlags,
    /// Without a terminal, wait for `footlight pending answer`, at most TIME (such as 10m)
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true,
          value_parser = duration, help_heading = "Answers")]
    pub(crate) wait: Option<Option<Duration>>,
    #[command(flatten)]
    pub(crate) outputs: OutputFlags,
}

impl ConversationFlags {
    /// Returns the keys of `footlight.toml` that a new session uses.
    pub(crate) fn uses(&self) -> Uses {
        Uses {
            plugins: true,
            model: self.model.model.is_none(),
            settings: true,
            limits: true,
        }
    }
}

/// Flags of the commands that store outputs.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct OutputFlags {
    /// Keep outputs of plugins for this long (such as 2h or 7d; 30m by default)
    #[arg(long, value_name = "TIME", value_parser = lifetime)]
    keep_outputs: Option<Duration>,
}

impl OutputFlags {
    /// Loads the configuration, which the flags override.
    pub(crate) fn config(&self, uses: Uses, ui: &Ui) -> Result<Config> {
        let mut config = Config::load(uses, ui)?;
        config.keep_outputs = self.keep_outputs.or(config.keep_outputs);
        Ok(config)
    }
}

/// A session with its plugins, its model and the person.
pub(crate) struct Conversation<'a> {
    pub(crate) loaded: PluginHost,
    pub(crate) session: Session,
    pub(crate) chosen: SelectedModel,
    config: &'a Config,
    flags: &'a ConversationFlags,
    ui: &'a Ui,
    person: Person,
    /// The format that turns are written in at their end.
    format: Option<Format>,
}

impl<'a> Conversation<'a> {
    /// Starts a session, or resumes one.
    pub(crate) fn new(
        mut loaded: PluginHost,
        chosen: SelectedModel,
        before: Option<&SessionId>,
        flags: &'a ConversationFlags,
        config: &'a Config,
        ui: &'a Ui,
    ) -> Result<Self> {
        let mut script = flags.script.for_plugins(&loaded.known_plugins())?;
        script.grant(loaded.grant(&flags.powers, ui)?);
        let person = Person::at(ui, script);
        let settings = settings(&loaded, &chosen, &person, flags, config);
        let session = match before {
            Some(id) => loaded.runtime.block_on(loaded.host.resume(id, settings))?,
            None => loaded.runtime.block_on(loaded.host.session(settings))?,
        };
        Ok(Self {
            loaded,
            session,
            chosen,
            config,
            flags,
            ui,
            person,
            format: None,
        })
    }

    /// Writes turns in this format instead of the answer.
    pub(crate) fn with_format(mut self, format: Option<Format>) -> Self {
        self.format = format;
        self
    }

    /// Returns the exit of the command at the end of the conversation.
    ///
    /// # Errors
    /// When a flag with an answer or a verdict was not needed.
    pub(crate) fn end(&self, exit: Exit) -> Result<Exit> {
        self.person.check_all_used(exit, self.ui)
    }

    /// Switches to another model.
    pub(crate) fn switch(&mut self, chosen: SelectedModel) -> Result<()> {
        let settings = settings(&self.loaded, &chosen, &self.person, self.flags, self.config);
        let id = self.session.id().clone();
        let resumed = self.loaded.host.resume(&id, settings);
        self.session = self.loaded.runtime.block_on(resumed)?;
        self.chosen = chosen;
        Ok(())
    }

    /// Sends a prompt and follows the turn.
    pub(crate) fn turn(&mut self, prompt: impl Into<Prompt>) -> Result<Exit> {
        let prompt = prompt.into();
        // `offline` makes a typed call, asks for what is missing, or says in words why it cannot be made.
        let is_typed = self.chosen.is_offline && prompt.text().trim_start().starts_with('/');
        self.loaded.reload_rules(self.config)?;
        let turn = {
            let _runtime = self.loaded.runtime.enter();
            self.session.turn(prompt)?
        };
        let exit = self.follow(turn, 0, self.answer_source())?;
        match exit {
            Exit::Done if is_typed && !self.has_called() => Ok(Exit::Usage),
            exit => Ok(exit),
        }
    }

    /// Reports whether the last turn has a call.
    fn has_called(&self) -> bool {
        let items = self.session.items();
        let last = items.iter().map(|item| item.position.turn).max();
        let mut last = items.iter().filter(|item| Some(item.position.turn) == last);
        last.any(|item| matches!(item.content, Content::Tool(_)))
    }

    /// Shows the items of the last turn, and the latest cards of earlier turns, which can still be pressed,
    /// before the person continues. They are not a result.
    pub(crate) fn recap(&self) -> Result<()> {
        if self.ui.json {
            return Ok(());
        }
        let to = match self.ui.stdout_is_terminal() {
            true => OutStream::Stdout,
            false => OutStream::Stderr,
        };
        let mut items = self.session.items();
        mark_expired(&mut items, now());
        let Some(last) = items.iter().map(|item| item.position.turn).max() else {
            return Ok(());
        };
        let mut builder = ViewBuilder::default();
        items.iter().for_each(|item| builder.learn_owner(item));
        let is_card = |item: &&Item| item.position.turn != last && has_controls(item);
        let hidden = items
            .iter()
            .filter(is_card)
            .count()
            .saturating_sub(MAX_CARDS);
        if hidden > 0 {
            let id = self.session.id();
            self.ui.dim_note(&format!(
                "{hidden} earlier cards are not shown; all of them: footlight sessions show {id}"
            ));
        }
        let cards = items.iter().filter(is_card).skip(hidden);
        let of_last_turn = items.iter().filter(|item| item.position.turn == last);
        for item in cards.chain(of_last_turn) {
            let most = Detail::Screen(self.ui.size().1);
            let (id, position) = (item.id.clone(), item.position);
            let view = builder.item(item, most).0;
            self.ui.draw_item(to, &ItemKey { id, position }, view)?;
        }
        Ok(())
    }

    /// Activates a numbered control. Returns `None` if no turn came of it.
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
                self.loaded.reload_rules(self.config)?;
                let _runtime = self.loaded.runtime.enter();
                self.session.press(press).map_err(|why| why.to_string())
            }
            Err(why) => Err(why),
        };
        match pressed {
            // A press calls a tool directly, without a model.
            Ok(turn) => Ok(Some(self.follow(turn, 0, AnswerSource::Offline)?)),
            Err(why) => {
                self.ui.note(&filter::clean(&why));
                Ok(None)
            }
        }
    }

    /// Resumes an interrupted turn.
    pub(crate) fn resume_turn(&mut self) -> Result<Exit> {
        let items = self.session.items();
        let last = items.last().map_or(0, |item| item.position.turn);
        self.loaded.reload_rules(self.config)?;
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

    /// Follows a turn to its end. The items of the turn `before` are on the screen already.
    fn follow(&mut self, turn: Turn, before: u32, source: AnswerSource) -> Result<Exit> {
        let mut display = Display::new(self.ui, source, ViewBuilder::default())
            .with_sources(&self.loaded.sources)
            .with_format(self.format);
        let items = self.session.items();
        display.learn_owners(&items);
        let known = items.into_iter();
        display.mark_as_shown(known.filter(|item| item.position.turn == before));
        let waiting_for = match source {
            AnswerSource::Model => self.chosen.name.as_str(),
            _ => "",
        };
        let waits = self.flags.wait.is_some();
        let mut follower = Follower {
            host: &self.loaded.host,
            runtime: &self.loaded.runtime,
            secrets: &self.loaded.secrets,
            person: &mut self.person,
            ui: self.ui,
            keeps_requests_open: Some(waits),
            remedies: PowerRemedies::default(),
        };
        let turn = Source::of_turn(turn, self.session.clone());
        let is_remedy_named = follower.follow(turn, &mut display, waiting_for)?;
        self.loaded.save_always_rules(self.ui);
        self.chosen.save()?;
        let was_unavailable = self.person.was_unavailable();
        let exit = display.finish(was_unavailable && !waits)?;
        // Where nobody is there at all, no request reaches the person, who would name the flag.
        if exit == Exit::NeedsPerson && !was_unavailable && !waits && !is_remedy_named {
            self.ui.note(NOBODY_REMEDY);
        }
        Ok(exit)
    }
}

/// Reports whether an item is a widget with controls.
fn has_controls(item: &Item) -> bool {
    let Content::Widget(widget) = &item.content else {
        return false;
    };
    let view = widget.view.as_ref().filter(|_| !widget.invalid_data);
    view.is_some_and(|view| !component::find_actions(view).is_empty())
}
