//! A session in this process, with its plugins and its model.

use super::ConversationFlags;
use super::settings::settings;
use crate::config::Config;
use crate::conversation::follow::Source;
use crate::conversation::host::PluginHost;
use crate::conversation::model::SelectedModel;
use crate::terminal::prompt::Person;
use crate::terminal::ui::Ui;
use anyhow::Result;
use footlight::session::{Press, Prompt};
use footlight::{Session, Turn};
use footlight_vocabulary::item::SessionId;

/// A session in this process.
pub(super) struct LocalSession<'a> {
    pub(super) loaded: PluginHost,
    pub(super) session: Session,
    pub(super) chosen: SelectedModel,
    config: &'a Config,
    flags: &'a ConversationFlags,
}

impl<'a> LocalSession<'a> {
    /// Starts a session, or opens one.
    pub(super) fn open(
        loaded: PluginHost,
        chosen: SelectedModel,
        before: Option<&SessionId>,
        person: &Person,
        flags: &'a ConversationFlags,
        config: &'a Config,
    ) -> Result<Self> {
        let settings = settings(&loaded, &chosen, person, flags, config);
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
        })
    }

    /// Switches to another model.
    pub(super) fn switch(&mut self, name: &str, person: &Person) -> Result<()> {
        let chosen = self
            .chosen
            .switched_to(name, &self.flags.model, &self.loaded.runtime)?;
        let settings = settings(&self.loaded, &chosen, person, self.flags, self.config);
        let id = self.session.id().clone();
        let resumed = self.loaded.host.resume(&id, settings);
        self.session = self.loaded.runtime.block_on(resumed)?;
        self.chosen = chosen;
        Ok(())
    }

    /// Returns the name and the description of each tool.
    pub(super) fn tools(&self) -> Vec<(String, String)> {
        let mut tools = Vec::new();
        for plugin in self.loaded.host.plugins() {
            for tool in plugin.tools() {
                let name = format!("{}.{}", plugin.id(), tool.name);
                tools.push((name, tool.description.clone()));
            }
        }
        tools
    }

    pub(super) fn turn(&mut self, words: &str, context: Option<&str>) -> Result<Source> {
        let prompt = match context {
            Some(context) => Prompt::new(words).context(context),
            None => Prompt::new(words),
        };
        self.begin(|session| Ok(session.turn(prompt)?))
    }

    /// Presses a control. The inner error is for the person.
    pub(super) fn press(&mut self, press: Press) -> Result<Result<Source, String>> {
        self.loaded.reload_rules(self.config)?;
        let _runtime = self.loaded.runtime.enter();
        let turn = self.session.press(press);
        Ok(turn
            .map(|turn| Source::of_turn(turn, self.session.clone()))
            .map_err(|why| why.to_string()))
    }

    /// Resumes the turn that was interrupted, if there is one.
    pub(super) fn resume(&mut self) -> Result<Option<Source>> {
        match self.session.is_unfinished() {
            true => self.begin(|session| Ok(session.resume()?)).map(Some),
            false => Ok(None),
        }
    }

    fn begin(&mut self, start: impl FnOnce(&Session) -> Result<Turn>) -> Result<Source> {
        self.loaded.reload_rules(self.config)?;
        let _runtime = self.loaded.runtime.enter();
        let turn = start(&self.session)?;
        Ok(Source::of_turn(turn, self.session.clone()))
    }

    /// Keeps what the turn has left to keep: rules of the person, and the recording of the model.
    pub(super) fn save(&mut self, ui: &Ui) -> Result<()> {
        self.loaded.save_always_rules(ui);
        self.chosen.save()
    }
}
