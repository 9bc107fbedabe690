//! `footlight grants`: what is allowed and denied without asking, and why.
//!
//! What lasts stands in `rules.toml` in the configuration folder, which can be edited by hand too. A
//! yes for a session is not here: it ends with the process that asked.

use crate::config::Config;
use crate::conversation::host::{self, PluginHost, now};
use crate::exit::{Exit, ExitError};
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::{Result, anyhow};
use clap::{Args, Subcommand, ValueEnum};
use footlight::policy::{
    Assessment, Build, Caller, Effect, Grants as Given, Operation, Pattern, Powers, Request, Rule,
    RulesFile, Subject, Target, Traits, describe, explain,
};
use footlight_render::filter;
use footlight_vocabulary::item::{CallId, SessionId};
use serde_json::{Value, json};
use std::path::PathBuf;

/// List, add, revoke and explain what is allowed without asking.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight grants list
  footlight grants add allow todo --action todo.clear
  footlight grants add deny mail --action mail.send --subject boss@example.com
  footlight grants revoke 3f9a0c21
  footlight grants explain plugins/todo clear            what would happen, and why
  footlight grants explain plugins/todo clear --action todo.clear")]
pub(crate) struct Grants {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The rules that last
    List,
    /// Allow or deny something without asking
    Add {
        effect: EffectArg,
        /// The plugin's id
        plugin: String,
        /// Calls of this tool; `*` is every one
        #[arg(
            long,
            value_name = "TOOL",
            required_unless_present = "action",
            conflicts_with = "action"
        )]
        tool: Option<String>,
        /// Requests for leave for this action; `*` is every one
        #[arg(long, value_name = "ACTION")]
        action: Option<String>,
        /// One build, as `inspect` shows it (sha256:…); otherwise every one, also those to come
        #[arg(long, value_name = "DIGEST")]
        build: Option<String>,
        /// This subject, word for word; otherwise whatever it is about
        #[arg(long, value_name = "TEXT")]
        subject: Option<String>,
    },
    /// Take a rule back
    Revoke {
        /// Its id, or at least four letters of its beginning
        id: String,
    },
    /// Say what would happen, and why
    Explain {
        /// A component, or a crate folder that is built first
        plugin: PathBuf,
        /// The tool
        tool: String,
        /// An action that the tool would ask leave for
        #[arg(long)]
        action: Option<String>,
        /// What it would be about
        #[arg(long, default_value = "")]
        subject: String,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum EffectArg {
    Allow,
    Deny,
}

impl Grants {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let mut file = host::rules_file()?.ok_or_else(|| {
            anyhow!("there is no home folder to keep rules in; set FOOTLIGHT_CONFIG_DIR")
        })?;
        match &self.command {
            Command::List => list(&file, ui)?,
            Command::Add {
                effect,
                plugin,
                tool,
                action,
                build,
                subject,
            } => {
                let target = match (tool, action) {
                    (Some(tool), _) => Target::Tool(pattern(tool)?),
                    (None, Some(action)) => Target::Action(pattern(action)?),
                    (None, None) => return Err(ExitError::usage("name a --tool or an --action")),
                };
                let rule = Rule {
                    effect: match effect {
                        EffectArg::Allow => Effect::Allow,
                        EffectArg::Deny => Effect::Deny,
                    },
                    plugin: plugin.clone(),
                    build: build.clone().map_or(Build::Any, Build::Digest),
                    target,
                    subject: subject.clone().map_or(Subject::Any, Subject::Exactly),
                };
                let is_new = file.add(&rule, now(), "added with `footlight grants add`")?;
                let what = filter::line(&describe(&rule), 400);
                let before = if is_new {
                    ""
                } else {
                    " (it was there already)"
                };
                ui.note(&format!("{what}{before}"));
            }
            Command::Revoke { id } => {
                let entry = file.remove(id)?;
                ui.note(&format!(
                    "revoked: {}",
                    filter::line(&describe(&entry.rule), 400)
                ));
            }
            Command::Explain {
                plugin,
                tool,
                action,
                subject,
            } => self.explain(&file, plugin, tool, action.as_deref(), subject, ui)?,
        }
        Ok(Exit::Done)
    }

    fn explain(
        &self,
        file: &RulesFile,
        path: &std::path::Path,
        tool: &str,
        action: Option<&str>,
        subject: &str,
        ui: &Ui,
    ) -> Result<()> {
        let plugin = PluginHost::bare()?.load(path, ui)?;
        let described = plugin.tool(tool).ok_or_else(|| {
            let names = plugin.tools().iter().map(|tool| tool.name.as_str());
            let names = filter::line(&crate::suggest::quoted_list(names), 300);
            ExitError::usage(format!(
                "there is no tool `{}`; this plugin has {names}",
                filter::line(tool, 60)
            ))
        })?;
        let traits = Traits::read(&Value::Object(described.traits.clone()));
        let (session, call) = (SessionId::from("explain"), CallId::from("explain"));
        let digest = plugin.digest().to_string();
        let request = Request {
            session: &session,
            call: &call,
            digest: &digest,
            tool,
            input: "{}",
            caller: Caller::Model,
            powers: Powers::default(),
            tainted: false,
            reachable: true,
            approved: None,
            operation: match action {
                Some(action) => Operation::Approval {
                    action,
                    subject,
                    reason: "",
                },
                None => Operation::Call {
                    traits: &traits,
                    assessment: Assessment::None,
                },
            },
        };
        let explained = explain(plugin.manifest(), file, &Given::default(), &request);
        ui.print(&filter::clean(&explained.to_string()))?;
        let laid = Config::load()?.tighten(file.rules().clone());
        if (laid.level, laid.ask) != (file.rules().level, file.rules().ask) {
            ui.note(
                "footlight.toml sets another level or ask mode than this file, which counts too",
            );
        }
        Ok(())
    }
}

fn list(file: &RulesFile, ui: &Ui) -> Result<()> {
    if !ui.json {
        let rules = Config::load()?.tighten(file.rules().clone());
        let (level, ask) = (json!(rules.level), json!(rules.ask));
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        ui.note(&ui.styled_err(
            Emphasis::Dim,
            &format!(
                "level {}, ask {}; {}",
                word(&level),
                word(&ask),
                crate::data::display_path(file.path())
            ),
        ));
    }
    for entry in file.entries() {
        let id = entry.id.to_string();
        if ui.json {
            let (line, note) = (entry.line, &entry.note);
            ui.print_json(&json!({ "id": id, "line": line, "rule": entry.rule, "note": note }))?;
        } else {
            let words = filter::line(&describe(&entry.rule), 400);
            ui.print(&format!("{}  {words}", ui.styled_out(Emphasis::Bold, &id)))?;
        }
    }
    Ok(())
}

fn pattern(text: &str) -> Result<Pattern> {
    Pattern::parse(text).map_err(|error| ExitError::usage(error.to_string()))
}
