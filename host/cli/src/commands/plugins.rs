//! `footlight plugins`: installs, lists, updates and removes plugins.

use crate::data::Data;
use crate::exit::{Exit, ExitError};
use crate::plugins::Installed;
use crate::plugins::install::{self, InstallFlags, Outcome, Report};
use crate::plugins::lock::Entry;
use crate::plugins::signature::PublicKey;
use crate::plugins::source::Source;
use crate::remedy;
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::Result;
use clap::{Args, Subcommand};
use footlight_render::filter;
use footlight_vocabulary::item::Timestamp;
use serde::Serialize;
use serde_json::json;

/// Install, list, update and remove plugins.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight plugins add registry.example/acme/weather:1.2.0
  footlight plugins add https://acme.example/weather.wasm --key weather.pub
  footlight plugins add ./weather.wasm
  footlight run weather \"Will it rain in Oslo?\"              by its name from then on
  footlight plugins list
  footlight plugins update                                   all of them
  footlight plugins update weather
  footlight plugins remove weather

Before anything is written or runs, you see who signed a plugin and what it may do, and are asked. Its
key is remembered: another one, or none, under the same name is refused unless you accept it at a
terminal. An update asks again if it wants more. Without a terminal, add `--yes` and the author's public
key (`--key`), or the digest that you expect (`--digest`).

The folder `plugins` in the data folder has the components and `footlight.lock`, the list of them with
their digests. `docs/plugins.md` says more.")]
pub(crate) struct Plugins {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Install a plugin from a registry, a URL or a file
    Add {
        /// HOST/PATH[:TAG][@DIGEST] in a registry, a URL, or a `.wasm` file
        source: String,
        /// Allow a connection without encryption to another machine
        #[arg(long)]
        plain_http: bool,
        #[command(flatten)]
        flags: InstallFlags,
    },
    /// List the installed plugins
    List,
    /// Fetch newer versions from where the plugins came from; of all plugins by default
    Update {
        /// The name of a plugin
        name: Option<String>,
        #[command(flatten)]
        flags: InstallFlags,
    },
    /// Remove a plugin. Its state, settings, secrets, rules and trusted key stay
    Remove {
        /// The name of the plugin
        name: String,
    },
}

/// An installed plugin as it is listed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row<'a> {
    name: &'a str,
    version: &'a str,
    source: String,
    digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    manifest: Option<String>,
    /// The id of the key that signed it.
    key: Option<String>,
    installed: Timestamp,
    /// Why it cannot be loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl Plugins {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        match &self.command {
            Command::Add {
                source,
                plain_http,
                flags,
            } => {
                let source = Source::parse(source, *plain_http);
                let source = source.map_err(|error| ExitError::usage(error.to_string()))?;
                say(&install::add(&source, flags, data, ui)?, ui)?;
            }
            Command::List => list(data, ui)?,
            Command::Update { name, flags } => {
                return update(name.as_deref(), flags, data, ui);
            }
            Command::Remove { name } => {
                let installed = Installed::open(data)?;
                let entry = find(&installed, name)?;
                Installed::remove(data, &entry.name)?;
                ui.note(&format!(
                    "removed {} {}; its state, settings, secrets and rules stay, and `footlight grants consents` lists what you agreed to",
                    entry.name,
                    filter::line(&entry.version, 64)
                ));
                if ui.json {
                    ui.print_json(&json!({ "type": "removed", "name": entry.name }))?;
                }
            }
        }
        Ok(Exit::Done)
    }
}

fn find<'a>(installed: &'a Installed, name: &str) -> Result<&'a Entry> {
    installed.find(name).ok_or_else(|| {
        let (meant, name) = (installed.did_you_mean(name), filter::line(name, 60));
        ExitError::usage(format!(
            "no plugin `{name}` is installed{meant}; `footlight plugins list` shows all"
        ))
    })
}

fn list(data: &Data, ui: &Ui) -> Result<()> {
    let installed = Installed::open(data)?;
    let rows = installed.entries().iter().map(|entry| Row {
        name: &entry.name,
        version: &entry.version,
        source: entry.source.to_string(),
        digest: entry.component.to_string(),
        manifest: entry.manifest.as_ref().map(ToString::to_string),
        key: entry.key.as_ref().map(PublicKey::id),
        installed: entry.installed,
        problem: installed
            .read(entry)
            .err()
            .map(|error| format!("{error:#}")),
    });
    let rows: Vec<Row> = rows.collect();
    let none = "no plugins are installed; `footlight plugins add` installs one";
    Ok(ui.print_rows(&rows, none, |row| {
        let name = ui.styled_out(Emphasis::Bold, row.name);
        let key = match &row.key {
            Some(key) => format!("signed by {key}"),
            None => "not signed".to_owned(),
        };
        let problem = match &row.problem {
            Some(problem) => format!("\n  {}", filter::line(problem, 600)),
            None => String::new(),
        };
        format!(
            "{name} {}  {key}  from {}{problem}",
            filter::line(row.version, 64),
            row.source
        )
    })?)
}

fn update(name: Option<&str>, flags: &InstallFlags, data: &Data, ui: &Ui) -> Result<Exit> {
    let installed = Installed::open(data)?;
    if let Some(name) = name {
        let entry = find(&installed, name)?;
        say(&install::update(entry, flags, data, ui)?, ui)?;
        return Ok(Exit::Done);
    }
    flags.check_for_all()?;
    if installed.entries().is_empty() {
        ui.note("no plugins are installed; `footlight plugins add` installs one");
    }
    // One that fails does not keep the others from their updates.
    let mut first = Exit::Done;
    for entry in installed.entries() {
        match install::update(entry, flags, data, ui) {
            Ok(report) => say(&report, ui)?,
            Err(error) => {
                let text = filter::clean(&remedy::describe(&error)).into_owned();
                let name = ui.styled_err(Emphasis::Red, &format!("{}:", entry.name));
                ui.note(&format!("{name} {text}"));
                if ui.json {
                    ui.print_json(&json!({ "type": "failed", "name": entry.name, "error": text }))?;
                }
                if first == Exit::Done {
                    first = Exit::of_error(&error);
                }
            }
        }
    }
    Ok(first)
}

/// Says what was installed.
fn say(report: &Report, ui: &Ui) -> Result<()> {
    if ui.json {
        return Ok(ui.print_json(report)?);
    }
    let (name, version) = (&report.name, &report.version);
    let key = match &report.key {
        Some(key) => format!("signed by {key}"),
        None => "not signed".to_owned(),
    };
    let did = match (report.outcome, &report.previous) {
        (Outcome::Unchanged, _) => format!("{name} {version} is up to date"),
        (_, Some(previous)) => format!(
            "updated {name} {} to {version}, {key}",
            filter::line(previous, 64)
        ),
        (_, None) => format!("installed {name} {version}, {key}"),
    };
    ui.print(&did)?;
    if report.outcome == Outcome::Unchanged {
        return Ok(());
    }
    ui.note(&format!("  {}", report.digest));
    for difference in &report.differences {
        ui.note(&format!("  {}", filter::line(difference, 2_000)));
    }
    let tools = report.tools.iter().map(|tool| filter::line(tool, 60));
    let tools: Vec<String> = tools.collect();
    ui.note(&format!("  tools: {}", tools.join(", ")));
    if report.outcome == Outcome::Installed {
        ui.note(&format!("use it by its name: footlight chat {name}"));
    }
    Ok(())
}
