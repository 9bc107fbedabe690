//! `footlight dev`: builds a plugin on each save, and serves a page that calls its tools.
//!
//! `watch` notices saves, `build` runs cargo or componentize, `load` puts a build in the place of the one
//! before, `report` says what happened, and `surface` draws for the page what a terminal would show. All of
//! them meet in [`Dev::run`], in one loop over events.

mod build;
mod load;
mod report;
mod surface;
mod watch;

use crate::commands::call::input::{Origin, parse_input};
use crate::commands::serve::{local, open_in_browser};
use crate::config::Uses;
use crate::conversation::host::PluginHost;
use crate::conversation::model::{ModelFlags, SelectedModel};
use crate::conversation::remote::token_file_name;
use crate::conversation::session::OutputFlags;
use crate::data::{self, Data, display_path};
use crate::exit::{Exit, ExitError};
use crate::plugin_source;
use crate::plugin_source::quick::QuickBuilder;
use crate::power::PowerFlags;
use crate::secrets::LOCAL;
use crate::terminal::interrupt::Interrupts;
use crate::terminal::ui::Ui;
use crate::trace::TraceFlags;
use anyhow::{Context, Result};
use build::{Build, Built};
use clap::Args;
use footlight_serve::{BoundServer, DevCall, Server, Tokens};
use load::Loader;
use report::Report;
use serde_json::{Map, Value};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use surface::Surface;
use tokio::sync::oneshot;
use watch::Watched;

/// How often lasting approvals are saved and the rules are read again.
const RULES: Duration = Duration::from_secs(1);

/// How often what plugins log and call is printed.
const TRACE: Duration = Duration::from_millis(100);

/// Where the hashes of tokens from logins are kept.
const SIGNED_IN_FILE: &str = "dev.tokens.json";

/// The largest input of a tool that is read from a file, in bytes.
const MAX_INPUT: usize = 16 << 20;

/// Rebuild a plugin on each save, and show what it does on a page and here
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight dev                                work on the plugin in this folder
  footlight dev plugins/weather --no-open      print the link instead of opening the page
  footlight dev --tool greet --input '{\"name\":\"Ada\"}'
                                               call a tool with each build, and draw the result here
  footlight dev --tool forecast --input @oslo.json --columns 40
  footlight dev --log --trace                  print what the plugin logs, and its calls to the host
  footlight dev --json | jq -c .               one event to a line

The page has a form for each tool, made from its schema. Inputs are kept, and the last call is made again
with each build. It shows the call as the page draws it, in light and dark, as terminals of 40, 80 and 120
columns draw it, what a model reads and about how many tokens that is, and the plugin's log. What the plugin
asks is answered there, or with `footlight pending answer`. Conversations with a model are on the same
server, at `/`, and use each new build from their next step on.

Builds of a crate use the profile `plugin-dev`, which is quick; your Cargo.toml can define its own. A plugin in
Python or JavaScript is built by componentize-py or componentize-js, which takes a quarter of a minute or more.
A build takes the place of the one before without a question, as long as the folder is yours and nobody else
can change it; what it asks for in addition is shown. A build that fails changes nothing. Ctrl-C ends everything.")]
pub(crate) struct Dev {
    /// The folder of the plugin; by default this one
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// The port of the page; 0 for any that is free
    #[arg(long, default_value_t = 7391, value_name = "PORT")]
    port: u16,
    /// Open the page in the browser, also where this is no terminal
    #[arg(long, conflicts_with = "no_open")]
    open: bool,
    /// Do not open the page
    #[arg(long)]
    no_open: bool,
    /// Call this tool with each build, and draw the result here
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// The input of that tool: JSON, or @FILE
    #[arg(long, value_name = "JSON", requires = "tool")]
    input: Option<String>,
    /// The width of what is drawn here
    #[arg(long, value_name = "COLUMNS", value_parser = clap::value_parser!(u16).range(20..=400))]
    columns: Option<u16>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    powers: PowerFlags,
    #[command(flatten)]
    outputs: OutputFlags,
    #[command(flatten)]
    trace: TraceFlags,
}

/// What the loop waits for.
enum Event {
    /// A file has changed, noticed at this time.
    Saved(Instant),
    /// A build has ended.
    Built(Built),
    /// A call waits for the person, or has ended.
    Called(DevCall),
    /// The person has pressed Ctrl-C.
    Interrupted,
}

impl Dev {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        self.powers.check()?;
        let uses = Uses {
            model: self.model.model.is_none(),
            settings: true,
            limits: true,
            ..Uses::default()
        };
        let config = self.outputs.config(uses, ui)?;
        let folder = plugin_source::crate_folder(&self.folder)?;
        let folder = folder.ok_or_else(|| {
            let name = display_path(&self.folder);
            ExitError::usage(format!(
                "`{name}` is a component, which is built already; name the folder of a plugin"
            ))
        })?;
        let call = self.tool.clone().zip(Some(self.input()?));
        let builder = QuickBuilder::new(&folder, ui)?;

        let mut host = PluginHost::new(&config, data)?;
        host.watch(self.trace);
        let chosen = SelectedModel::open(&self.model, &config, data, &host.runtime, ui)?;
        let (events, inbox) = mpsc::channel();
        let dev =
            footlight_serve::Dev::new(LOCAL, display_path(&self.folder), Surface(events.clone()));
        if let Some((tool, input)) = call {
            dev.call_with_each_build(tool, input);
        }
        let own = data.folder()?;
        let mut tokens = Tokens::new(Some(own.join(SIGNED_IN_FILE)))?;
        let token = tokens.mint(local())?;
        let server = Server::shared(host.host.clone(), Arc::clone(&chosen.model), tokens)
            .keeps_rules_of(LOCAL)
            .dev(dev.clone());
        let server = self.bind(server, &host)?;
        let token_file = TokenFile::write(&own, &server, &token)?;
        let report = Report::new(self, ui);
        let page = format!("{}/dev#c={}", server.url(), server.mint_code(local())?);
        report.started(&server.url(), &page, &token_file.0)?;
        if self.opens(ui) && open_in_browser(&page).is_err() {
            ui.note("no browser could be started; open the link yourself");
        }

        let (end, ended) = oneshot::channel::<()>();
        let mut serving = host.runtime.spawn(server.run(async {
            let _ = ended.await;
        }));
        let interrupted = events.clone();
        Interrupts::watch().on_interrupt(move || {
            let _ = interrupted.send(Event::Interrupted);
        });
        let mut author = Author {
            watched: Watched::new(&builder),
            builder,
            events,
            loader: Loader::new(&folder, &self.folder, &self.powers, data, ui),
            dev,
            report,
            ui,
            number: 0,
            since: Instant::now(),
            started: Instant::now(),
            building: None,
        };
        let outcome = author.work(&mut host, &inbox, |host| {
            host.save_always_rules(ui);
            host.reload_rules_or_deny(&config, ui);
            serving.is_finished()
        });
        // The compiler first: its end needs no server.
        drop(author.building.take());
        drop(end);
        let stopped = host.runtime.block_on(async { (&mut serving).await });
        outcome?;
        stopped.context("the server failed")?;
        Ok(Exit::Done)
    }

    fn input(&self) -> Result<Map<String, Value>> {
        let words: Vec<String> = self.input.iter().cloned().collect();
        parse_input(&words, &Value::Null, &mut |origin| match origin {
            Origin::File(path) => data::read_text(Path::new(path), MAX_INPUT),
            Origin::Stdin => Err(ExitError::usage(
                "an input that is used again with each build cannot come from stdin; write JSON or @FILE",
            )),
        })
    }

    /// Reports whether the page is opened: by default where a person looks at this terminal.
    fn opens(&self, ui: &Ui) -> bool {
        self.open || (ui.can_ask && !ui.json && !self.no_open)
    }

    fn bind(&self, server: Server, host: &PluginHost) -> Result<BoundServer> {
        let address = (Ipv4Addr::LOCALHOST, self.port);
        host.runtime
            .block_on(server.bind(address))
            .map_err(|error| {
                ExitError::usage(format!(
                    "cannot listen on port {}: {error}; choose another with `--port`, or 0 for any",
                    self.port
                ))
            })
    }
}

/// The file with the token for other clients. It ends with the server that accepts it.
struct TokenFile(PathBuf);

impl TokenFile {
    fn write(folder: &Path, server: &BoundServer, token: &str) -> Result<Self> {
        let file = folder.join(token_file_name(server.address().port()));
        footlight::private_file::replace(&file, &[token.as_bytes()])
            .with_context(|| format!("cannot write `{}`", display_path(&file)))?;
        Ok(Self(file))
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The loop of one author and one plugin.
struct Author<'a> {
    builder: QuickBuilder,
    events: Sender<Event>,
    watched: Watched,
    loader: Loader<'a>,
    dev: footlight_serve::Dev,
    report: Report<'a>,
    ui: &'a Ui,
    /// Counts the builds.
    number: u64,
    /// When the save was noticed that the build is of.
    since: Instant,
    /// When the build was started.
    started: Instant,
    building: Option<Build>,
}

impl Author<'_> {
    /// Builds and loads until the person, or the end of the server, ends it.
    fn work(
        &mut self,
        host: &mut PluginHost,
        inbox: &Receiver<Event>,
        mut tick: impl FnMut(&mut PluginHost) -> bool,
    ) -> Result<()> {
        self.watched.clone().spawn(self.events.clone());
        self.build()?;
        let pause = host.trace.as_ref().map_or(RULES, |_| TRACE);
        let mut ticked = Instant::now();
        loop {
            let event = inbox.recv_timeout(pause);
            if let Some(trace) = &host.trace {
                trace.show(self.ui);
            }
            match event {
                Ok(Event::Saved(since)) => {
                    self.since = since;
                    self.build()?;
                }
                Ok(Event::Built(built)) if built.number == self.number => {
                    self.building = None;
                    self.built(host, built)?;
                }
                // Of a build that a later save has ended.
                Ok(Event::Built(_)) => {}
                Ok(Event::Called(call)) => self.report.called(&call)?,
                Ok(Event::Interrupted) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {
                    if self.building.is_some() {
                        self.report.goes_on(self.started.elapsed());
                    }
                }
            }
            if ticked.elapsed() >= RULES {
                ticked = Instant::now();
                if tick(host) {
                    return Ok(());
                }
            }
        }
    }

    /// Starts a build in place of the one that runs.
    fn build(&mut self) -> Result<()> {
        self.building = None;
        self.number += 1;
        self.dev.building();
        self.report.building()?;
        self.started = Instant::now();
        let prepared = self.builder.prepare(self.ui);
        let (folder, events) = (self.builder.folder(), self.events.clone());
        let started = prepared.and_then(|build| Build::start(build, folder, self.number, events));
        match started {
            Ok(build) => self.building = Some(build),
            Err(error) => self.failed(&format!("{error:#}"))?,
        }
        Ok(())
    }

    fn built(&mut self, host: &mut PluginHost, built: Built) -> Result<()> {
        let Some(component) = built.component else {
            return self.failed(&built.output);
        };
        self.report.loading();
        let loaded = component.and_then(|component| self.loader.load(host, &component));
        match loaded {
            Ok(mut loaded) => {
                loaded.warnings = built.output;
                loaded.millis = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
                // Whoever reads the report can call the build.
                self.dev.loaded(loaded.clone());
                self.report.loaded(&loaded, self.loader.is_first())?;
                if self.loader.is_first() {
                    self.watched.look_again();
                }
            }
            Err(error) => self.failed(&crate::remedy::describe(&error))?,
        }
        Ok(())
    }

    fn failed(&self, output: &str) -> Result<()> {
        self.dev.failed(output);
        self.report.failed(output, self.loader.has_loaded())
    }
}
