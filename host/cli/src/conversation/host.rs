//! The seam to the library: how plugins are loaded and called.
//!
//! [`PluginHost`] is a host with the plugins of one command. It lists their tools and runs one call whose
//! events go to the [`Display`] and whose questions go to the [`Person`]; a conversation is
//! [`Conversation`](crate::conversation::session::Conversation)'s.

use crate::commands::inspect::Tool;
use crate::config::Config;
use crate::conversation::display::Display;
use crate::conversation::views::ViewBuilder;
use crate::data::{self, Data};
use crate::dirs;
use crate::exit::ExitError;
use crate::plugin_source;
use crate::terminal::interrupt::Interrupts;
use crate::terminal::prompt::{ApprovalPrompt, ApprovalReply, Person, Reply};
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::{Context, Result};
use footlight::policy::{ApprovalRequest, RulesFile};
use footlight::store::Store;
use footlight::{Call, Ended, Event, Fault, Host, Plugin, ReplyError};
use footlight_render::filter;
use footlight_vocabulary::event::{Event as Shown, Happening, Status};
use footlight_vocabulary::item::{Change, RequestId, SessionId, Timestamp, TurnId, Verdict};
use footlight_vocabulary::question::Question;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

/// How many calls may run at once: a command makes few.
const CALLS: u32 = 8;

/// How often the line that moves is drawn.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// A host, and the plugins that a command named.
pub(crate) struct PluginHost {
    pub(crate) runtime: Runtime,
    pub(crate) host: Host,
    /// Each plugin's id, and what to type for it.
    pub(crate) sources: Vec<(String, PathBuf)>,
    rules: Option<RulesFile>,
    /// The plugin that is being compiled, which takes a while.
    compiling: Arc<Mutex<Option<String>>>,
}

impl PluginHost {
    /// A host that keeps nothing and knows nobody: to look at a plugin.
    pub(crate) fn bare() -> Result<Self> {
        Self::build(Host::builder().attended(true), None)
    }

    /// A host with the person's data, rules and settings.
    pub(crate) fn new(config: &Config, data: &Data) -> Result<Self> {
        Self::over(data.store()?, config)
    }

    /// The same over a store that is open.
    pub(crate) fn over(store: Arc<dyn Store>, config: &Config) -> Result<Self> {
        let rules = rules_file()?;
        let laid = config.tighten(
            rules
                .as_ref()
                .map(|file| file.rules().clone())
                .unwrap_or_default(),
        );
        // Whether somebody can be asked is the person's to say, question by question.
        let mut builder = Host::builder().attended(true).store(store).rules(laid);
        for (plugin, settings) in &config.settings {
            builder = builder.settings(plugin, settings.clone());
        }
        Self::build(builder, rules)
    }

    fn build(mut builder: footlight::HostBuilder, rules: Option<RulesFile>) -> Result<Self> {
        // One thread beside this one, which may be waiting for a line of input.
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .context("no runtime")?;
        let compiling = Arc::<Mutex<Option<String>>>::default();
        let sink = Arc::clone(&compiling);
        builder = builder.calls(CALLS).on_compile(move |id| {
            *sink.lock().unwrap_or_else(PoisonError::into_inner) = Some(id.to_owned());
        });
        if let Some(folder) = dirs::cache() {
            builder = builder.cache(folder);
        }
        Ok(Self {
            runtime,
            host: builder.build()?,
            sources: Vec::new(),
            rules,
            compiling,
        })
    }

    /// Loads those that the configuration names and those of the command line, each once.
    pub(crate) fn load_all(&mut self, config: &Config, named: &[PathBuf], ui: &Ui) -> Result<()> {
        let mut seen: Vec<PathBuf> = Vec::new();
        for path in config.plugins.iter().chain(named) {
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            if !seen.contains(&real) {
                seen.push(real);
                self.load(path, ui)?;
            }
        }
        if self.sources.is_empty() {
            return Err(ExitError::usage(format!(
                "which plugin? name a `.wasm` file or a crate folder, or put `plugins` into `{}`",
                crate::config::NAME
            )));
        }
        Ok(())
    }

    /// Builds a plugin where it is a crate folder, then reads and compiles it, with progress where
    /// that takes time.
    pub(crate) fn load(&mut self, path: &Path, ui: &Ui) -> Result<Plugin> {
        let component = plugin_source::component(path, ui)?;
        self.load_component(path, &component, ui)
    }

    /// Loads what `path` was built into.
    pub(crate) fn load_component(
        &mut self,
        path: &Path,
        component: &Path,
        ui: &Ui,
    ) -> Result<Plugin> {
        let plugin = self.runtime.block_on(async {
            let (mut load, since) = (pin!(self.host.load(component)), Instant::now());
            loop {
                if let Ok(plugin) = timeout(PROGRESS_INTERVAL, &mut load).await {
                    return plugin;
                }
                let compiling = self.compiling.lock();
                if let Some(id) = &*compiling.unwrap_or_else(PoisonError::into_inner) {
                    let seconds = since.elapsed().as_secs();
                    ui.progress(&format!(
                        "compiling `{id}` (first time, kept afterwards) {seconds} s"
                    ));
                }
            }
        });
        ui.end_partial_line();
        let plugin = plugin.with_context(|| format!("`{}`", path.display()))?;
        self.sources.push((plugin.id().to_owned(), path.to_owned()));
        Ok(plugin)
    }

    /// What draws the items of these plugins.
    pub(crate) fn view_builder(&self) -> ViewBuilder {
        ViewBuilder::of(&self.host.plugins())
    }

    /// Writes down what a person has said `always` to, so that it lasts.
    pub(crate) fn save_always_rules(&mut self, ui: &Ui) {
        let Some(file) = &mut self.rules else { return };
        for grant in self.host.grants() {
            let Some(rule) = &grant.rule else { continue };
            match file.add(rule, now(), &grant.covers) {
                Ok(true) => ui.note(&ui.styled_err(
                    Emphasis::Dim,
                    &format!(
                        "kept in `{}`: {}",
                        data::display_path(file.path()),
                        filter::line(&rule.to_string(), 300)
                    ),
                )),
                Ok(false) => {}
                Err(error) => ui.note(&format!(
                    "{} the rule could not be kept: {}",
                    ui.styled_err(Emphasis::Red, "problem:"),
                    filter::clean(&error.to_string())
                )),
            }
        }
    }

    /// Runs one call to its end. How it ended is in the events.
    pub(crate) fn call(
        &mut self,
        plugin: &Plugin,
        tool: &str,
        input: Map<String, Value>,
        show: &mut Display<'_>,
        person: &mut Person,
        ui: &Ui,
    ) -> Result<()> {
        let function = format!("{}.{tool}", plugin.id());
        let mut call = self.host.call(&function, Value::Object(input));
        let (canceller, dismissal) = (call.canceller(), person.dismissal());
        Interrupts::watch().on_interrupt(move || {
            canceller.cancel();
            dismissal.dismiss();
        });
        while let Some(event) = self.runtime.block_on(call.next()) {
            self.handle(&mut call, event, show, person, ui)?;
        }
        self.save_always_rules(ui);
        Ok(())
    }

    fn handle(
        &self,
        call: &mut Call,
        event: Event,
        show: &mut Display<'_>,
        person: &mut Person,
        ui: &Ui,
    ) -> Result<()> {
        match event {
            Event::Changed(Change::Put(item)) => show.event(&shown(Happening::put(*item)))?,
            Event::Changed(Change::Remove(id)) => show.event(&shown(Happening::Remove { id }))?,
            Event::Progress(progress) => show.event(&shown(Happening::Progress {
                call: progress.call,
                message: progress.message,
                done: progress.done,
                total: progress.total,
            }))?,
            Event::Asked {
                id,
                plugin,
                question,
            } => {
                show.before_prompt()?;
                let asked = self.ask(&id, &plugin, &question, person);
                ui.note_external_output(person.take_visible_text());
                if let Err(error) = asked {
                    call.cancel();
                    return Err(error);
                }
            }
            Event::Approval { id, plugin, ask } => {
                show.before_prompt()?;
                let decided = approve(&plugin, &ask, person)?;
                ui.note_external_output(person.take_visible_text());
                let settled = match decided {
                    ApprovalReply::Given(verdict, words) => self.host.decide(&id, verdict, words),
                    ApprovalReply::Nobody => self.host.nobody(&id),
                    // The call is cancelled already.
                    ApprovalReply::Dismissed => Ok(()),
                };
                if let Err(ReplyError::NotOffered(_)) = settled {
                    // Only what is on offer was asked for; should the two ever differ, it is a no.
                    let _ = self.host.decide(&id, Verdict::Deny, None);
                }
            }
            Event::Finished(ended) => finish(&ended, show, ui)?,
            _ => {}
        }
        Ok(())
    }

    fn ask(
        &self,
        id: &RequestId,
        plugin: &str,
        question: &Question,
        person: &mut Person,
    ) -> Result<()> {
        let settled = match person.ask(plugin, question)? {
            Reply::Answered(answer) => self.host.answer(id, Value::Object(answer.values())),
            Reply::Skipped => self.host.skip(id),
            Reply::Nobody => self.host.nobody(id),
            Reply::Dismissed => Ok(()),
        };
        match settled {
            // It comes too late, after a cancel: there is nothing to settle.
            Ok(()) | Err(ReplyError::NotPending) => Ok(()),
            // It was checked before it was given; should the two ever differ, the call must not
            // wait for ever.
            Err(refused) => {
                let _ = self.host.skip(id);
                Err(refused.into())
            }
        }
    }
}

/// Asks for leave, with everything that the library says of it.
pub(crate) fn approve(plugin: &str, ask: &ApprovalRequest, person: &mut Person) -> Result<ApprovalReply> {
    let fact = |name: &str| {
        let found = ask.facts.iter().find(|fact| fact.name == name);
        found.map(|fact| fact.value.as_str())
    };
    let input: Value = fact("input")
        .and_then(|input| serde_json::from_str(input).ok())
        .unwrap_or_default();
    let own = ["plugin", "tool", "input", "action"];
    let others = ask
        .facts
        .iter()
        .filter(|fact| !own.contains(&fact.name.as_str()));
    let needs = ask
        .reasons
        .iter()
        .map(|need| format!("asked because {need}"));
    let facts: Vec<String> = others
        .map(|fact| format!("{}: {}", fact.name, fact.value))
        .chain(needs)
        .collect();
    let words: Vec<&str> = ask.quotes.iter().map(|quote| quote.text.as_str()).collect();
    let offers: Vec<(Verdict, &str)> = ask
        .options
        .iter()
        .map(|offer| (offer.verdict, offer.covers.as_str()))
        .collect();
    person.approve(&ApprovalPrompt {
        plugin,
        tool: &ask.binding.tool,
        input: &input,
        action: ask.binding.action.as_deref(),
        facts: &facts,
        subject: ask.subject.as_deref(),
        words: &words,
        offers: &offers,
    })
}

/// The tools of a plugin, as it describes them.
pub(crate) fn tools(plugin: &Plugin) -> Vec<Tool> {
    let tool = |tool: &footlight::Tool| Tool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        input_schema: tool.input_schema.clone(),
        traits: Value::Object(tool.traits.clone()),
    };
    plugin.tools().iter().map(tool).collect()
}

/// The person's rules; none where there is no place for them.
///
/// A file that cannot be understood denies everything, so it is an error here and nothing is run.
pub(crate) fn rules_file() -> Result<Option<RulesFile>> {
    let path = dirs::config().map(|folder| folder.join("rules.toml"));
    Ok(path.map(RulesFile::open).transpose()?)
}

fn finish(ended: &Ended, show: &mut Display<'_>, ui: &Ui) -> Result<()> {
    let failure = ended.result.as_ref().err();
    if let Some(advice) = failure.and_then(|failure| failure.advice.as_deref()) {
        ui.note(&format!(
            "{} {}",
            ui.styled_err(Emphasis::Red, "stopped:"),
            filter::clean(advice)
        ));
        for line in &ended.log {
            ui.note(&ui.styled_err(Emphasis::Dim, &format!("  {}", filter::clean(line))));
        }
    }
    let status = match failure {
        None => Status::Done,
        Some(failure) if failure.code == "cancelled" => Status::Cancelled,
        Some(failure) if failure.fault.as_ref().is_some_and(is_limit) => Status::Limit,
        Some(_) => Status::Error,
    };
    show.event(&shown(Happening::TurnFinished {
        status,
        output: Some(ended.items.clone()),
        usage: None,
    }))?;
    Ok(())
}

fn is_limit(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::Cpu | Fault::Wall | Fault::Memory | Fault::Payload | Fault::Handles | Fault::Stack
    )
}

/// An event as surfaces know it. A single call has no session to speak of.
fn shown(what: Happening) -> Shown {
    Shown {
        what,
        seq: None,
        session: SessionId::from("call".to_owned()),
        turn: TurnId::from("turn_1".to_owned()),
        at: now(),
    }
}

/// What time it is.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
