//! A session at the terminal: prompts, presses and resumed turns, each followed to its end.
//!
//! The session runs on the runtime's thread (`local`) or in a server, while this one shows events and
//! prompts the person.

mod local;
mod settings;

pub(crate) use settings::remembered;

use crate::config::{Config, Uses};
use crate::conversation::display::{AnswerSource, Display};
use crate::conversation::follow::{Follower, LocalHost, Source};
use crate::conversation::host::{PluginHost, now};
use crate::conversation::model::{self, SelectedModel};
use crate::conversation::press::{self, PressCommand};
use crate::conversation::remote::{self, RemoteServer, RemoteSession, ServerFlags};
use crate::conversation::transcript::Format;
use crate::data::{ControlNumbers, Data};
use crate::duration::{duration, lifetime};
use crate::exit::{Exit, ExitError};
use crate::power::PowerFlags;
use crate::remedy::PowerRemedies;
use crate::terminal::prompt::{Person, PreparedAnswers};
use crate::terminal::ui::{ItemKey, OutStream, Ui};
use crate::trace::TraceFlags;
use anyhow::Result;
use clap::Args;
use footlight_render::detail::{Detail, ViewBuilder};
use footlight_render::filter;
use footlight_render::transcript::mark_expired;
use footlight_vocabulary::component;
use footlight_vocabulary::item::{Content, Item, SessionId};
use local::LocalSession;
use std::collections::HashMap;
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
    #[command(flatten)]
    pub(crate) trace: TraceFlags,
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

    /// Reports whether somebody can be asked.
    fn is_attended(&self, person: &Person) -> bool {
        person.is_present() || person.is_prepared() || self.wait.is_some()
    }

    /// Returns a flag that only a host in this process can follow, if one is given.
    pub(crate) fn for_a_host(&self) -> Option<&'static str> {
        let model = &self.model;
        let outputs = self
            .outputs
            .keep_outputs
            .is_some()
            .then_some("--keep-outputs");
        let named = [
            (model.model.is_some(), "--model"),
            (model.log_requests.is_some(), "--log-requests"),
            (model.record.is_some(), "--record"),
        ];
        let named = named.into_iter().find(|(is_given, _)| *is_given);
        let model = named.map(|(_, flag)| flag);
        let given = self.powers.first_given().or(model).or(outputs);
        given.or(self.trace.first_given())
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

/// A session, in this process or in a server, with the person.
pub(crate) struct Conversation<'a> {
    place: Place<'a>,
    /// Whether a request waits where nobody is at this terminal.
    waits: bool,
    ui: &'a Ui,
    person: Person,
    /// The format that turns are written in at their end.
    format: Option<Format>,
    /// Where the highest number of a control is kept.
    numbers: ControlNumbers,
}

/// Where the session runs.
enum Place<'a> {
    Here(Box<LocalSession<'a>>),
    Server(Box<RemoteSession>),
}

impl Place<'_> {
    fn session(&self) -> &SessionId {
        match self {
            Self::Here(local) => local.session.id(),
            Self::Server(remote) => remote.id(),
        }
    }

    /// Returns where everything is shown in full.
    fn all(&self) -> String {
        match self {
            Self::Here(local) => format!("footlight sessions show {}", local.session.id()),
            Self::Server(remote) => format!("the page of {}", remote.url()),
        }
    }
}

impl<'a> Conversation<'a> {
    /// Starts a session in this process, or resumes one.
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
        loaded.watch(flags.trace);
        let person = Person::at(ui, script);
        let data = loaded.data.clone();
        let session = LocalSession::open(loaded, chosen, before, &person, flags, config)?;
        let place = Place::Here(Box::new(session));
        Ok(Self::at(place, flags, &data, ui, person))
    }

    /// Starts a session in a server, or continues one. `plugins` are the ids of those that take part.
    pub(crate) fn remote(
        server: &ServerFlags,
        url: &str,
        plugins: &[String],
        flags: &'a ConversationFlags,
        data: &Data,
        ui: &'a Ui,
    ) -> Result<Self> {
        let found = RemoteServer::connect(server, url, plugins, data)?;
        let person = Person::at(ui, flags.script.for_plugins(&found.known_plugins())?);
        let attended = flags.is_attended(&person);
        let settings = remote::new_session(attended, plugins, flags.wait.flatten());
        let session = found.session(server.session.as_deref(), settings)?;
        let place = Place::Server(Box::new(session));
        Ok(Self::at(place, flags, data, ui, person))
    }

    fn at(
        place: Place<'a>,
        flags: &ConversationFlags,
        data: &Data,
        ui: &'a Ui,
        person: Person,
    ) -> Self {
        let numbers = ControlNumbers::new(data, place.session());
        ui.continue_numbers_after(numbers.highest());
        Self {
            place,
            waits: flags.wait.is_some(),
            ui,
            person,
            format: None,
            numbers,
        }
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

    /// Returns the name of the model, filtered for display.
    pub(crate) fn model_name(&self) -> String {
        match &self.place {
            Place::Here(local) => local.chosen.display_name(),
            Place::Server(remote) => filter::line(remote.model(), 100),
        }
    }

    /// Reports whether the model is `offline`, whose text is not an answer.
    pub(crate) fn is_offline(&self) -> bool {
        match &self.place {
            Place::Here(local) => local.chosen.is_offline,
            Place::Server(remote) => remote.model() == footlight_offline::NAME,
        }
    }

    /// Returns the name and the description of each tool.
    pub(crate) fn tools(&self) -> Vec<(String, String)> {
        match &self.place {
            Place::Here(local) => local.tools(),
            Place::Server(remote) => remote.tools(),
        }
    }

    /// Returns the command that continues the conversation later.
    pub(crate) fn command_to_continue(&self) -> String {
        match &self.place {
            Place::Here(local) => format!("footlight sessions resume {}", local.session.id()),
            Place::Server(remote) => {
                let (url, id) = (remote.url(), filter::line(remote.id().as_str(), 130));
                format!("footlight chat --server {url} --session {id}")
            }
        }
    }

    /// Switches to another model.
    ///
    /// # Errors
    /// When it cannot be opened, or a server chooses the model.
    pub(crate) fn switch(&mut self, name: &str) -> Result<()> {
        match &mut self.place {
            Place::Here(local) => local.switch(name, &self.person),
            Place::Server(_) => Err(ExitError::usage(
                "the server chooses the model: start it with another one, `footlight serve --model`",
            )),
        }
    }

    /// Sends a prompt, with text that the person did not write before it, and follows the turn.
    pub(crate) fn turn(&mut self, words: &str, context: Option<&str>) -> Result<Exit> {
        let turn = match &mut self.place {
            Place::Here(local) => local.turn(words, context)?,
            Place::Server(remote) => remote.prompt(words, context, self.ui)?,
        };
        let exit = self.follow(turn, 0, self.answer_source())?;
        match exit {
            // `offline` calls a tool, or says in words why it calls none: that is no answer.
            Exit::Done if self.is_offline() && !self.has_called() => Ok(Exit::Usage),
            exit => Ok(exit),
        }
    }

    fn items(&self) -> Vec<Item> {
        match &self.place {
            Place::Here(local) => local.session.items(),
            Place::Server(remote) => remote.items(),
        }
    }

    /// Reports whether the last turn has a call of a plugin.
    fn has_called(&self) -> bool {
        let items = self.items();
        let last = items.iter().map(|item| item.position.turn).max();
        let mut last = items.iter().filter(|item| Some(item.position.turn) == last);
        let is_own = |function: &str| function.starts_with("footlight.");
        last.any(|item| matches!(&item.content, Content::Tool(tool) if !is_own(&tool.function)))
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
        let mut items = self.items();
        mark_expired(&mut items, now());
        let Some(last) = items.iter().map(|item| item.position.turn).max() else {
            return Ok(());
        };
        let mut builder = ViewBuilder::default();
        items.iter().for_each(|item| builder.learn(item));
        let is_card = |item: &&Item| item.position.turn != last && has_controls(item);
        let hidden = items
            .iter()
            .filter(is_card)
            .count()
            .saturating_sub(MAX_CARDS);
        if hidden > 0 {
            let id = filter::line(self.place.session().as_str(), 130);
            self.ui.dim_note(&format!(
                "{hidden} earlier cards are not shown; all of them: footlight sessions show {id}"
            ));
        }
        let cards = items.iter().filter(is_card).skip(hidden);
        let of_last_turn = items.iter().filter(|item| item.position.turn == last);
        for item in cards.chain(of_last_turn) {
            let most = Detail::Screen(self.ui.size().1);
            let (id, position) = (item.id.clone(), item.position);
            let view = builder.item(item, most);
            let key = ItemKey { id, position };
            let all = format!("show all: {}", self.place.all());
            self.ui.draw_shortened(to, &key, view, &all)?;
        }
        self.numbers.keep(self.ui.highest_number());
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
            Ok(press) => match &mut self.place {
                Place::Here(local) => local.press(press)?,
                Place::Server(remote) => remote.press(press)?,
            },
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

    /// Follows the turn that has not ended: one that was interrupted, which is resumed, or one that a
    /// server runs. Returns `None` if there is none.
    pub(crate) fn resume_turn(&mut self) -> Result<Option<Exit>> {
        let items = self.items();
        let last = items.last().map_or(0, |item| item.position.turn);
        let turn = match &mut self.place {
            Place::Here(local) => local.resume()?,
            Place::Server(remote) => remote.take_open_turn()?,
        };
        match turn {
            Some(turn) => self.follow(turn, last, self.answer_source()).map(Some),
            None => Ok(None),
        }
    }

    fn answer_source(&self) -> AnswerSource {
        match self.is_offline() {
            true => AnswerSource::Offline,
            false => AnswerSource::Model,
        }
    }

    /// Follows a turn to its end. The items of the turn `before` are on the screen already.
    fn follow(&mut self, turn: Source, before: u32, source: AnswerSource) -> Result<Exit> {
        let items = self.items();
        let model = self.model_name();
        let (runtime, local, sources) = match &self.place {
            Place::Here(local) => {
                let loaded = &local.loaded;
                let here = LocalHost {
                    host: &loaded.host,
                    secrets: &loaded.secrets,
                    trace: loaded.trace.as_deref(),
                };
                (&loaded.runtime, Some(here), &loaded.sources[..])
            }
            Place::Server(remote) => (remote.runtime(), None, &[][..]),
        };
        let mut display = Display::new(self.ui, source, ViewBuilder::default())
            .with_sources(sources)
            .with_all_in(&self.place.all())
            .with_format(self.format);
        display.learn_items(&items);
        let known = items.into_iter();
        display.mark_as_shown(known.filter(|item| item.position.turn == before));
        let waiting_for = match source {
            AnswerSource::Model => model.as_str(),
            _ => "",
        };
        let mut follower = Follower {
            runtime,
            local,
            person: &mut self.person,
            ui: self.ui,
            keeps_requests_open: Some(self.waits),
            remedies: PowerRemedies::default(),
            asked: HashMap::new(),
            outcome: None,
        };
        let is_remedy_named = follower.follow(turn, &mut display, waiting_for)?;
        if let Place::Here(local) = &mut self.place {
            local.save(self.ui)?;
        }
        let was_unavailable = self.person.was_unavailable();
        let exit = display.finish(was_unavailable && !self.waits)?;
        self.numbers.keep(self.ui.highest_number());
        // Where nobody is there at all, no request reaches the person, who would name the flag.
        if exit == Exit::NeedsPerson && !was_unavailable && !self.waits && !is_remedy_named {
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
