//! The seam to the library: the only file here that knows how a plugin is run.
//!
//! A [`Plugin`] is loaded once; it lists its tools, and runs one call whose events go to the
//! [`Show`] and whose questions go to the [`Person`].

use crate::filter;
use crate::inspect::Tool;
use crate::prompt::{Person, Reply, Wanted};
use crate::show::Show;
use crate::ui::{Ink, Ui};
use anyhow::{Context, Result};
use footlight::policy::Ask;
use footlight::{Call, Canceller, Ended, Event, Fault, Host, NotTaken};
use footlight_vocabulary::event::{Event as Shown, Happening, Status};
use footlight_vocabulary::item::{Change, RequestId, SessionId, Timestamp, TurnId, Verdict};
use footlight_vocabulary::question::Question;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::runtime::{Builder, Runtime};

/// How many calls may run at once: a command makes one.
const CALLS: u32 = 8;

/// A component, ready to be called.
pub(crate) struct Plugin {
    runtime: Runtime,
    host: Host,
    plugin: footlight::Plugin,
}

impl Plugin {
    /// Reads and compiles a component, with progress where that takes time.
    pub(crate) fn load(path: &Path, ui: &Ui) -> Result<Self> {
        let runtime = Builder::new_current_thread()
            .enable_time()
            .build()
            .context("no runtime")?;
        // Whether somebody can be asked is the person's to say, question by question.
        let mut builder = Host::builder().calls(CALLS).attended(true);
        if let Some(folder) = cache_folder() {
            builder = builder.cache(folder);
        }
        let host = builder.build()?;
        ui.progress(&format!("loading {}", path.display()));
        let plugin = runtime.block_on(host.load(path));
        ui.settle();
        let plugin = plugin.with_context(|| format!("`{}`", path.display()))?;
        Ok(Self {
            runtime,
            host,
            plugin,
        })
    }

    /// What the plugin offers, asked in a sandbox with nothing granted.
    pub(crate) fn tools(&self) -> Result<Vec<Tool>> {
        let tool = |tool: &footlight::Tool| Tool {
            name: tool.name.clone(),
            description: tool.description.clone(),
            input_schema: tool.input_schema.clone(),
            traits: Value::Object(tool.traits.clone()),
        };
        Ok(self.plugin.tools().iter().map(tool).collect())
    }

    /// Runs one call to its end. How it ended is in the events.
    pub(crate) fn call(
        &self,
        tool: &str,
        input: Map<String, Value>,
        show: &mut Show<'_>,
        person: &mut Person,
        ui: &Ui,
    ) -> Result<()> {
        let function = format!("{}.{tool}", self.plugin.id());
        let mut call = self.host.call(&function, Value::Object(input));
        watch_interrupts(call.canceller());
        while let Some(event) = self.runtime.block_on(call.next()) {
            self.handle(&mut call, event, show, person, ui)?;
        }
        Ok(())
    }

    fn handle(
        &self,
        call: &mut Call,
        event: Event,
        show: &mut Show<'_>,
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
                if let Err(error) = self.ask(&id, &plugin, &question, person) {
                    call.cancel();
                    return Err(error);
                }
            }
            Event::Approval { id, plugin, ask } => {
                show.before_prompt()?;
                let settled = match approve(&plugin, &ask, person)? {
                    Some(verdict) => self.host.decide(&id, verdict, None),
                    None => self.host.nobody(&id),
                };
                if let Err(NotTaken::NotPossible(_)) = settled {
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
        };
        match settled {
            // It comes too late, after a cancel: there is nothing to settle.
            Ok(()) | Err(NotTaken::NotWaiting) => Ok(()),
            // It was checked before it was given; should the two ever differ, the call must not
            // wait for ever.
            Err(refused) => {
                let _ = self.host.skip(id);
                Err(refused.into())
            }
        }
    }
}

fn approve(plugin: &str, ask: &Ask, person: &mut Person) -> Result<Option<Verdict>> {
    let fact = |name: &str| {
        ask.facts
            .iter()
            .find(|fact| fact.name == name)
            .map(|fact| fact.value.as_str())
    };
    let input: Value = fact("input")
        .and_then(|input| serde_json::from_str(input).ok())
        .unwrap_or_default();
    let own = ["plugin", "tool", "input", "action"];
    let others = ask
        .facts
        .iter()
        .filter(|fact| !own.contains(&fact.name.as_str()));
    let needs = ask.needs.iter().map(|need| format!("asked because {need}"));
    let facts: Vec<String> = others
        .map(|fact| format!("{}: {}", fact.name, fact.value))
        .chain(needs)
        .collect();
    let words: Vec<&str> = ask.quotes.iter().map(|quote| quote.text.as_str()).collect();
    person.approve(&Wanted {
        plugin,
        tool: &ask.binding.tool,
        input: &input,
        action: ask.binding.action.as_deref(),
        facts: &facts,
        subject: ask.subject.as_deref(),
        words: &words,
        lasts: ask
            .offers
            .iter()
            .any(|offer| offer.verdict == Verdict::Session),
    })
}

fn finish(ended: &Ended, show: &mut Show<'_>, ui: &Ui) -> Result<()> {
    let failure = ended.result.as_ref().err();
    if let Some(advice) = failure.and_then(|failure| failure.advice.as_deref()) {
        ui.note(&format!(
            "{} {}",
            ui.err(Ink::Red, "stopped:"),
            filter::clean(advice)
        ));
        for line in &ended.log {
            ui.note(&ui.err(Ink::Dim, &format!("  {}", filter::clean(line))));
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
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Shown {
        what,
        seq: None,
        session: SessionId::from("call".to_owned()),
        turn: TurnId::from("turn_1".to_owned()),
        at: Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
    }
}

/// Ctrl-C cancels the call, and quits if it comes twice.
fn watch_interrupts(canceller: Canceller) {
    // On a thread of its own: the call's thread may be waiting for a line of input.
    std::thread::spawn(move || {
        let Ok(runtime) = Builder::new_current_thread().enable_io().build() else {
            return;
        };
        runtime.block_on(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                canceller.cancel();
            }
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        });
    });
}

/// Where compiled plugins are kept: the user's cache, if there is one.
fn cache_folder() -> Option<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .filter(|path| !path.is_empty())
        .map(PathBuf::from);
    cache
        .or_else(home)
        .map(|cache| cache.join("footlight/compiled"))
}
