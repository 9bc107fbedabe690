//! `footlight grants`: the durable rules that allow or deny without asking.
//!
//! They are stored in `rules.toml` in the configuration folder, which can also be edited by hand.
//! Approvals for a session are not listed: they end with the process that asked. What the person agreed
//! to once, such as a crate to build, is listed by `grants consents`.

use crate::commands::consents;
use crate::config::Config;
use crate::consent;
use crate::conversation::host::{self, PluginHost, now};
use crate::exit::{Exit, ExitError};
use crate::plugin_source::BuildCause;
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use footlight::policy::{
    Assessment, Build, Caller, Decision, Effect, Grants as Given, Operation, Pattern, Powers,
    Request, Rule, RulesFile, Subject, Target, Traits, describe, explain,
};
use footlight_render::filter;
use footlight_vocabulary::item::{CallId, SessionId};
use serde_json::{Value, json};
use std::path::PathBuf;

/// List, add, revoke and explain rules that allow or deny without asking.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight grants list
  footlight grants add allow todo --action todo.clear
  footlight grants add deny mail --action mail.send --subject boss@example.com
  footlight grants revoke 3f9a0c21
  footlight grants consents
  footlight grants revoke c_51bd07e2                     be asked again
  footlight grants explain plugins/todo clear            explain a decision
  footlight grants explain plugins/todo clear --action todo.clear")]
pub(crate) struct Grants {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the rules
    List,
    /// List what you agreed to once: crates to build, project files, components under an id
    Consents,
    /// Add a rule
    Add(AddArgs),
    /// Delete a rule, or forget what you agreed to
    Revoke {
        /// The id, or a prefix of at least four characters
        id: String,
    },
    /// Explain whether a call would be allowed, and why
    Explain(ExplainArgs),
}

#[derive(Debug, Args)]
struct AddArgs {
    /// The effect of the rule
    effect: EffectArg,
    /// The plugin id
    plugin: String,
    /// Match calls of this tool; `*` matches all
    #[arg(long, value_name = "TOOL", required_unless_present = "action")]
    #[arg(conflicts_with = "action")]
    tool: Option<String>,
    /// Match approval requests for this action; `*` matches all
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
    /// Match one build, by the digest that `inspect` shows; all builds by default
    #[arg(long, value_name = "DIGEST")]
    build: Option<String>,
    /// Match this exact subject; all subjects by default
    #[arg(long, value_name = "TEXT")]
    subject: Option<String>,
}

#[derive(Debug, Args)]
struct ExplainArgs {
    /// A component file, or a crate folder to build
    plugin: PathBuf,
    /// The tool name
    tool: String,
    /// An action that the tool would request approval for
    #[arg(long)]
    action: Option<String>,
    /// The subject of the request
    #[arg(long, default_value = "")]
    subject: String,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum EffectArg {
    Allow,
    Deny,
}

impl Grants {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let mut file = host::required_rules_file()?;
        match &self.command {
            Command::List => list(&file, ui)?,
            Command::Consents => consents::list(ui)?,
            Command::Add(args) => {
                let rule = args.rule()?;
                let is_new = file.add(&rule, now(), "added with `footlight grants add`")?;
                let before = match is_new {
                    true => "",
                    false => " (unchanged: the rule already exists)",
                };
                ui.note(&format!("{}{before}", rule_text(&rule)));
                if ui.json {
                    ui.print_json(&json!({ "rule": rule, "added": is_new }))?;
                }
            }
            Command::Revoke { id } if id.starts_with(consent::PREFIX) => consents::revoke(id, ui)?,
            Command::Revoke { id } => {
                let entry = file.remove(id)?;
                ui.note(&format!("revoked: {}", rule_text(&entry.rule)));
                if ui.json {
                    let id = entry.id.to_string();
                    ui.print_json(&json!({ "id": id, "rule": entry.rule, "revoked": true }))?;
                }
            }
            Command::Explain(args) => args.explain(&file, ui)?,
        }
        Ok(Exit::Done)
    }
}

impl AddArgs {
    fn rule(&self) -> Result<Rule> {
        let target = match (&self.tool, &self.action) {
            (Some(tool), _) => Target::Tool(pattern(tool)?),
            (None, Some(action)) => Target::Action(pattern(action)?),
            (None, None) => return Err(ExitError::usage("name a --tool or an --action")),
        };
        Ok(Rule {
            effect: match self.effect {
                EffectArg::Allow => Effect::Allow,
                EffectArg::Deny => Effect::Deny,
            },
            plugin: self.plugin.clone(),
            build: self.build.clone().map_or(Build::Any, Build::Digest),
            target,
            subject: self.subject.clone().map_or(Subject::Any, Subject::Exactly),
            folder: None,
        })
    }
}

fn rule_text(rule: &Rule) -> String {
    filter::line(&describe(rule), 400)
}

impl ExplainArgs {
    fn explain(&self, file: &RulesFile, ui: &Ui) -> Result<()> {
        let (tool, subject) = (&self.tool, &self.subject);
        let plugin = PluginHost::bare()?.load(&self.plugin, BuildCause::Named, ui)?;
        let described = plugin.tool(tool).ok_or_else(|| {
            let names = plugin.tools().iter().map(|tool| tool.name.as_str());
            let names = filter::line(&crate::suggest::quoted_list(names), 300);
            ExitError::usage(format!(
                "no tool `{}`; the plugin has {names}",
                filter::line(tool, 60)
            ))
        })?;
        let traits = Traits::read(&Value::Object(described.traits.clone()));
        let (session, call) = (SessionId::from("explain"), CallId::from("explain"));
        let digest = plugin.digest().to_string();
        let request = Request {
            session: &session,
            person: "local",
            call: &call,
            digest: &digest,
            tool,
            input: "{}",
            caller: Caller::Model,
            powers: Powers::default(),
            tainted: false,
            reachable: true,
            approved: None,
            operation: match &self.action {
                Some(action) => Operation::Approval {
                    action,
                    subject,
                    reason: "",
                    details: None,
                },
                None => Operation::Call {
                    traits: &traits,
                    assessment: Assessment::None,
                },
            },
        };
        let explained = explain(plugin.manifest(), file, &Given::default(), &request);
        let text = explained.to_string();
        if ui.json {
            let decision = match explained.decision {
                Decision::Allow { .. } => "allow",
                Decision::Ask { .. } => "ask",
                Decision::Deny { .. } => "deny",
            };
            let what = &explained.what;
            ui.print_json(&json!({ "what": what, "decision": decision, "text": text }))?;
        } else {
            ui.print(&filter::clean(&text))?;
        }
        let laid = Config::load_unasked(ui)?.tighten(file.rules().clone());
        if (laid.level, laid.ask) != (file.rules().level, file.rules().ask) {
            ui.note("footlight.toml sets a different level or ask mode, which also applies");
        }
        Ok(())
    }
}

fn list(file: &RulesFile, ui: &Ui) -> Result<()> {
    if !ui.json {
        let rules = Config::load_unasked(ui)?.tighten(file.rules().clone());
        let (level, ask) = (json!(rules.level), json!(rules.ask));
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let path = crate::data::display_path(file.path());
        ui.dim_note(&format!(
            "level {}, ask {}; {path}",
            word(&level),
            word(&ask)
        ));
    }
    for entry in file.entries() {
        let id = entry.id.to_string();
        if ui.json {
            let (line, note) = (entry.line, &entry.note);
            ui.print_json(&json!({ "id": id, "line": line, "rule": entry.rule, "note": note }))?;
        } else {
            let words = rule_text(&entry.rule);
            ui.print(&format!("{}  {words}", ui.styled_out(Emphasis::Bold, &id)))?;
        }
    }
    Ok(())
}

fn pattern(text: &str) -> Result<Pattern> {
    Pattern::parse(text).map_err(|error| ExitError::usage(error.to_string()))
}
