//! `footlight grants`: the durable rules that allow or deny without asking.
//!
//! They are stored in `rules.toml` in the configuration folder, which can also be edited by hand.
//! Approvals for a session are not listed: they end with the process that asked. What the person agreed
//! to once, such as a crate to build, is listed by `grants consents`.

mod explain;

use crate::commands::consents;
use crate::config::Config;
use crate::consent;
use crate::conversation::host::{self, PluginHost, now};
use crate::data::Data;
use crate::exit::{Exit, ExitError};
use crate::power::{TypedFolder, pattern};
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::Result;
use clap::{Args, Subcommand, ValueEnum};
use explain::ExplainArgs;
use footlight::policy::{Build, Effect, FolderBinding, Rule, RulesFile, Subject, Target, describe};
use footlight_render::filter;
use serde_json::{Value, json};

/// List, add, revoke and explain rules that allow or deny without asking.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight grants list
  footlight grants add allow todo --action todo.clear
  footlight grants add deny mail --action mail.send --subject boss@example.com
  footlight grants add allow files --dir /data=~/notes:ro
  footlight grants add allow weather --net api.open-meteo.com
  footlight grants revoke bcdfghjk
  footlight grants consents
  footlight grants revoke c_51bd07e2                     be asked again
  footlight grants explain plugins/todo clear            explain a decision
  footlight grants explain plugins/todo clear --action todo.clear
  footlight grants explain files.wasm --dir /data")]
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
    /// Explain whether a call, or the use of a folder, a host or a secret, would be allowed, and why
    Explain(ExplainArgs),
}

#[derive(Debug, Args)]
struct AddArgs {
    /// The effect of the rule
    effect: EffectArg,
    /// The plugin id
    plugin: String,
    #[command(flatten)]
    target: TargetArgs,
    /// Match one build, by the digest that `inspect` shows; all builds by default
    #[arg(long, value_name = "DIGEST")]
    build: Option<String>,
    /// Match this exact subject; all subjects by default
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["dir", "net", "secret"])]
    subject: Option<String>,
}

/// What a rule is about.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct TargetArgs {
    /// Match calls of this tool; `*` matches all
    #[arg(long, value_name = "TOOL")]
    tool: Option<String>,
    /// Match approval requests for this action; `*` matches all
    #[arg(long, value_name = "ACTION")]
    action: Option<String>,
    /// Bind a path of the plugin to a folder of yours; to deny one, GUEST alone
    #[arg(long, value_name = "GUEST=FOLDER[:ro]")]
    dir: Option<String>,
    /// Match requests to this host; `*` matches all that the plugin asks for
    #[arg(long, value_name = "HOST[:PORT]")]
    net: Option<String>,
    /// Match use of this secret; `*` matches all that the plugin asks for
    #[arg(long, value_name = "NAME")]
    secret: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum EffectArg {
    Allow,
    Deny,
}

impl Grants {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        let mut file = host::required_rules_file()?;
        match &self.command {
            Command::List => list(&file, ui)?,
            Command::Consents => consents::list(ui)?,
            Command::Add(args) => {
                let rule = args.rule(data)?;
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
            Command::Explain(args) => args.explain(&file, data, ui)?,
        }
        Ok(Exit::Done)
    }
}

impl AddArgs {
    fn rule(&self, data: &Data) -> Result<Rule> {
        let effect = match self.effect {
            EffectArg::Allow => Effect::Allow,
            EffectArg::Deny => Effect::Deny,
        };
        let (target, folder) = self.target.read(effect, data)?;
        let mut rule = Rule::new(effect, self.plugin.clone(), target);
        rule.build = self.build.clone().map_or(Build::Any, Build::Digest);
        rule.subject = self.subject.clone().map_or(Subject::Any, Subject::Exactly);
        rule.folder = folder;
        Ok(rule)
    }
}

impl TargetArgs {
    /// Returns what the rule is about, and for a folder that is allowed the folder of the machine.
    fn read(&self, effect: Effect, data: &Data) -> Result<(Target, Option<FolderBinding>)> {
        let target = match (&self.tool, &self.action, &self.net, &self.secret) {
            (Some(name), ..) => Target::Tool(pattern(name)?),
            (_, Some(name), ..) => Target::Action(pattern(name)?),
            (.., Some(name), _) => Target::Host(pattern(name)?),
            (.., Some(name)) => Target::Secret(pattern(name)?),
            _ => return self.read_folder(effect, data),
        };
        Ok((target, None))
    }

    fn read_folder(&self, effect: Effect, data: &Data) -> Result<(Target, Option<FolderBinding>)> {
        let dir = self.dir.as_deref().unwrap_or_default();
        if effect == Effect::Deny {
            if dir.contains('=') {
                return Err(ExitError::usage(
                    "a rule denies a path of the plugin, whatever folder it would be; write `--dir GUEST`",
                ));
            }
            return Ok((Target::Folder(pattern(dir)?), None));
        }
        let typed = TypedFolder::parse(dir)?;
        let binding = typed.bind(&PluginHost::bare(data)?.host, true)?;
        Ok((Target::Folder(pattern(typed.guest)?), Some(binding)))
    }
}

fn rule_text(rule: &Rule) -> String {
    filter::line(&describe(rule), 400)
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
            ui.print_row(&format!("{}  {words}", ui.styled_out(Emphasis::Bold, &id)))?;
        }
    }
    Ok(())
}
