//! A call or a turn on the terminal: its events as they come, and what came of it.
//!
//! A [`Show`] is given every event. With `--json` each is one line on stdout. Otherwise what counts
//! as the answer goes to stdout: of a call its result, of `offline` the results, of a language model
//! its last words. What stands beside it (widgets' fallbacks, outputs, results that the model reads)
//! goes there too if a person reads along; if stdout is piped, it goes to stderr or nowhere.
//!
//! Nothing can be unprinted, so a call's items are shown when it settles; only before a person is
//! asked something, they are shown what there is so far.
//!
//! Invariant: text from a plugin or a model passes [`crate::filter`].

mod item;
mod running;

use crate::exit::Exit;
use crate::filter;
use crate::ui::{Ink, Ui};
use footlight_vocabulary::event::{Event, Happening, Status};
use footlight_vocabulary::item::{CallResult, Content, Item, ItemId, Record, Tool};
use running::Running;
use serde_json::Value;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// Nobody: it is one call.
    Call,
    /// `offline`, whose words say what it does and are no answer.
    Router,
    /// A language model.
    Model,
}

/// What has been shown of a call or a turn.
pub(crate) struct Show<'a> {
    ui: &'a Ui,
    voice: Voice,
    record: Record,
    /// Which revision of an item is on the screen.
    shown: HashMap<ItemId, u64>,
    running: Running,
    /// Calls that are over and are still to be shown.
    over: Vec<ItemId>,
    /// Words of a router, until it is known whether it calls something.
    said: Vec<String>,
    /// The text whose words have come by.
    flowing: Option<ItemId>,
    /// Each plugin's id and what to type for it: a router says how to make the same call by hand.
    sources: Vec<(String, PathBuf)>,
    status: Option<Status>,
}

impl<'a> Show<'a> {
    pub(crate) fn new(ui: &'a Ui, voice: Voice) -> Self {
        Self {
            ui,
            voice,
            record: Record::default(),
            shown: HashMap::new(),
            running: Running::default(),
            over: Vec::new(),
            said: Vec::new(),
            flowing: None,
            sources: Vec::new(),
            status: None,
        }
    }

    /// What to type for the plugins.
    pub(crate) fn called(mut self, sources: &[(String, PathBuf)]) -> Self {
        self.sources = sources.to_vec();
        self
    }

    /// Takes in what was on the record before, and is not shown again.
    pub(crate) fn know(&mut self, items: impl IntoIterator<Item = Item>) {
        for item in items {
            let is_open = matches!(&item.content, Content::Tool(tool) if !is_over(tool));
            if !is_open {
                self.shown.insert(item.id.clone(), item.rev);
            }
            self.record
                .apply(&footlight_vocabulary::item::Change::Put(Box::new(item)));
        }
    }

    /// Takes in one event. The last is `turn_finished`.
    pub(crate) fn event(&mut self, event: &Event) -> io::Result<()> {
        if let Some(change) = event.what.change() {
            self.record.apply(&change);
        }
        if let Happening::TurnFinished { status, .. } = &event.what {
            self.status = Some(status.clone());
        }
        if self.ui.json {
            return self.ui.print(&filter::json_line(&self.line(event)));
        }
        match &event.what {
            Happening::Progress {
                call,
                message,
                done,
                total,
            } => {
                let share = match (done, total) {
                    (Some(done), Some(total)) => format!(" ({done} of {total})"),
                    (Some(done), None) => format!(" ({done})"),
                    _ => String::new(),
                };
                let message = format!("{message}{share}");
                self.ui.progress(&message);
                self.running.says(&ItemId::from(call.as_str()), message);
            }
            Happening::TextDelta { item, delta, .. } => self.flow(item, delta)?,
            Happening::Put { item, .. } if self.voice != Voice::Call => self.put(item)?,
            Happening::TurnFinished { .. } => self.catch_up()?,
            _ => {}
        }
        Ok(())
    }

    /// An event as a line of JSON. The last one carries the items, whoever made it.
    fn line(&self, event: &Event) -> Value {
        let mut event = event.clone();
        if let Happening::TurnFinished { output, .. } = &mut event.what {
            output.get_or_insert_with(|| self.record.items().to_vec());
        }
        serde_json::to_value(&event).unwrap_or_default()
    }

    fn put(&mut self, item: &Item) -> io::Result<()> {
        match &item.content {
            Content::Tool(tool) if is_over(tool) => {
                self.running.ends(&item.id);
                let is_shown = self.shown.contains_key(&item.id) || self.over.contains(&item.id);
                if !is_shown {
                    self.over.push(item.id.clone());
                }
            }
            Content::Tool(tool) => self.running.begins(&item.id, tool),
            Content::Text(text) => {
                self.catch_up()?;
                self.words(&item.id, &text.text)?;
                self.shown.insert(item.id.clone(), item.rev);
            }
            _ => {}
        }
        Ok(())
    }

    /// A model's words as they come, where somebody reads along.
    fn flow(&mut self, id: &ItemId, delta: &str) -> io::Result<()> {
        if self.voice != Voice::Model {
            return Ok(());
        }
        self.running.speaks();
        if !self.ui.stdout_is_terminal() {
            return Ok(());
        }
        self.catch_up()?;
        self.flowing = Some(id.clone());
        self.ui.flow(&filter::clean(delta))
    }

    /// A whole text.
    fn words(&mut self, id: &ItemId, text: &str) -> io::Result<()> {
        match self.voice {
            Voice::Router => {
                let mut said = filter::clean(text);
                for (plugin, path) in &self.sources {
                    let typed = format!("footlight call {} ", item::shell(&path.to_string_lossy()));
                    said = said.replace(&format!("footlight call {plugin} "), &typed);
                }
                self.said.push(said);
            }
            Voice::Model if !self.ui.stdout_is_terminal() => {}
            Voice::Model if self.flowing.as_ref() == Some(id) => self.ui.settle(),
            Voice::Model | Voice::Call => self.ui.print(&filter::clean(text))?,
        }
        Ok(())
    }

    /// The words that came for this text are void.
    pub(crate) fn void(&mut self, id: &ItemId, why: &str) {
        let seen = self.flowing.take().as_ref() == Some(id);
        if !self.ui.json {
            let void = if seen {
                "; what it said above is void"
            } else {
                ""
            };
            let note = format!("the model is asked again: {}{void}", filter::line(why, 200));
            self.ui.note(&self.ui.err(Ink::Dim, &note));
        }
    }

    /// Time has passed: shows what is over, or how long it takes.
    pub(crate) fn tick(&mut self, waiting_for: &str) -> io::Result<()> {
        if self.ui.json {
            return Ok(());
        }
        self.catch_up()?;
        if let Some(line) = self.running.line(waiting_for) {
            self.ui.progress(&line);
        }
        Ok(())
    }

    /// Shows the calls that are over.
    fn catch_up(&mut self) -> io::Result<()> {
        let has_called = |item: &Item| matches!(item.content, Content::Tool(_));
        if self.record.items().iter().any(has_called) {
            for said in std::mem::take(&mut self.said) {
                self.ui.note(&self.ui.err(Ink::Dim, said.trim_end()));
            }
        }
        for id in std::mem::take(&mut self.over) {
            let Some(item) = self.record.item(&id).cloned() else {
                continue;
            };
            let Content::Tool(tool) = &item.content else {
                continue;
            };
            let is_own = tool.function.starts_with("footlight.");
            if self.voice == Voice::Model && !is_own {
                let took = self.running.took(&id);
                self.ui.note(&item::tool_line(tool, took, |ink, text| {
                    self.ui.err(ink, text)
                }));
            }
            let own = |item: &Item| {
                let call = item.content.call();
                call.is_some_and(|call| call.as_str() == id.as_str())
            };
            self.beside(own)?;
            let reads_along = self.voice == Voice::Router || self.ui.stdout_is_terminal();
            if let (CallResult::Success { .. }, true, false) = (&tool.result, reads_along, is_own) {
                item::result(self.ui, tool)?;
            }
            self.shown.insert(id, item.rev);
        }
        Ok(())
    }

    /// Shows what the person should see before they are asked something.
    pub(crate) fn before_prompt(&mut self) -> io::Result<()> {
        self.ui.settle();
        if self.ui.json {
            return Ok(());
        }
        self.catch_up()?;
        self.beside(|_| true)
    }

    /// Shows the rest and says how it ended. `nobody`: somebody was wanted and nobody was there.
    pub(crate) fn finish(mut self, nobody: bool) -> io::Result<Exit> {
        self.ui.settle();
        if !self.ui.json {
            self.catch_up()?;
            self.beside(|_| true)?;
            let gone = |id: &&ItemId| self.record.item(id).is_none();
            if self.shown.keys().any(|id| gone(&id)) {
                self.ui.note("(what the call had shown above is withdrawn)");
            }
            self.answer()?;
            if self.voice != Voice::Call && self.status == Some(Status::Cancelled) {
                self.ui.note("cancelled");
            }
        }
        let status = self.status.clone().unwrap_or(Status::Error);
        Ok(match self.voice {
            Voice::Call => {
                let mut tools = self.record.items().iter().filter_map(tool_of);
                Exit::of_call(&status, tools.next_back().map(|tool| &tool.result), nobody)
            }
            Voice::Router => Exit::of_turn(&status, self.record.items(), nobody, false),
            Voice::Model => Exit::of_turn(&status, self.record.items(), nobody, true),
        })
    }

    /// What counts as the answer, as far as it is not on the screen yet.
    fn answer(&self) -> io::Result<()> {
        match self.voice {
            Voice::Call => {
                for item in self.record.items() {
                    match &item.content {
                        Content::Tool(tool) => item::result(self.ui, tool)?,
                        Content::Text(text) => self.ui.print(&filter::clean(&text.text))?,
                        _ => {}
                    }
                }
            }
            // It called nothing: what it has to say is the answer.
            Voice::Router => {
                for said in &self.said {
                    self.ui.print(said)?;
                }
            }
            Voice::Model if self.ui.stdout_is_terminal() => {}
            Voice::Model => {
                let mut texts = self
                    .record
                    .items()
                    .iter()
                    .filter_map(|item| match &item.content {
                        Content::Text(text) => Some(&text.text),
                        _ => None,
                    });
                if let Some(last) = texts.next_back() {
                    self.ui.print(&filter::clean(last))?;
                }
            }
        }
        Ok(())
    }

    /// Whatever is new beside the results, of items that are wanted.
    fn beside(&mut self, is_wanted: impl Fn(&Item) -> bool) -> io::Result<()> {
        for item in self.record.items().iter().filter(|item| is_wanted(item)) {
            if self.shown.get(&item.id).is_some_and(|rev| *rev >= item.rev) {
                continue;
            }
            if item::beside(self.ui, item)? {
                self.shown.insert(item.id.clone(), item.rev);
            }
        }
        Ok(())
    }
}

fn tool_of(item: &Item) -> Option<&Tool> {
    match &item.content {
        Content::Tool(tool) => Some(tool),
        _ => None,
    }
}

fn is_over(tool: &Tool) -> bool {
    !matches!(tool.result, CallResult::Pending { .. })
}

/// A record that was made before, as a person reads it: everything, in its order.
pub(crate) fn record(ui: &Ui, items: &[Item]) -> io::Result<()> {
    for item in items {
        match &item.content {
            Content::Text(text) => ui.print(&filter::clean(&text.text))?,
            Content::Tool(tool) => {
                ui.print(&item::tool_line(tool, None, |ink, text| ui.out(ink, text)))?;
                if let CallResult::Success { .. } = &tool.result {
                    item::result(ui, tool)?;
                }
            }
            Content::Ask(ask) => {
                let answer = ask.response.as_deref().unwrap_or("(not answered)");
                let (prompt, answer) = (filter::line(&ask.prompt, 200), filter::line(answer, 200));
                ui.print(&format!("asked: {prompt} -> {answer}"))?;
            }
            _ => {
                item::beside(ui, item)?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
