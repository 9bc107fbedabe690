//! Answers and verdicts that are given as flags: `--answer`, `--allow`, `--deny`.
//!
//! A flag names the plugin that it is for. Where only one plugin is loaded, the name can be left
//! out; an answer to the model always names it. A flag that names nothing is an error before anything runs, and one that was not needed is an
//! error at the end: what was meant for a question that did not come may be misspelt.

use super::PersonReply;
use crate::exit::ExitError;
use crate::suggest::{did_you_mean, quoted_list};
use anyhow::Result;
use clap::Args;
use footlight::Plugin;
use footlight::policy::{ApprovalRequest, AskReason, Rule, Target};
use footlight_render::filter;
use footlight_vocabulary::item::Verdict;
use footlight_vocabulary::manifest::Mode;

/// How the model's own questions are named at the terminal.
pub(crate) const THE_MODEL: &str = "the model";

/// How a flag names the model. No plugin has this id.
const MODEL_FLAG: &str = "model";

/// Answers and verdicts as they were typed.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PreparedAnswers {
    /// Answer a field of a question of a plugin, or of `model`; each answer is used once, in order.
    /// With one plugin, FIELD=VALUE answers its questions, and not the model's
    #[arg(long = "answer", value_name = "PLUGIN.FIELD=VALUE", value_parser = field_and_value, help_heading = "Answers")]
    pub(crate) answers: Vec<(String, String)>,
    /// Allow a tool or an action of a plugin (such as `mail.send`) each time it needs approval
    #[arg(long, value_name = "PLUGIN.NAME", help_heading = "Answers")]
    pub(crate) allow: Vec<String>,
    /// Deny a tool or an action, perhaps with words for the model; overrides --allow
    #[arg(long, value_name = "PLUGIN.NAME[=WORDS]", help_heading = "Answers")]
    pub(crate) deny: Vec<String>,
}

pub(crate) fn field_and_value(word: &str) -> Result<(String, String), String> {
    let (field, value) = word.split_once('=').ok_or("write FIELD=VALUE")?;
    Ok((field.to_owned(), value.to_owned()))
}

/// What a plugin can be approved for.
pub(crate) struct ApprovablePlugin {
    pub(crate) id: String,
    pub(crate) tools: Vec<String>,
    pub(crate) actions: Vec<String>,
}

impl From<&Plugin> for ApprovablePlugin {
    fn from(plugin: &Plugin) -> Self {
        let actions = plugin.manifest().approvals.iter();
        Self {
            id: plugin.id().to_owned(),
            tools: plugin
                .tools()
                .iter()
                .map(|tool| tool.name.clone())
                .collect(),
            actions: actions.map(|approval| approval.action.clone()).collect(),
        }
    }
}

/// Answers and verdicts, each with the plugin it is for.
#[derive(Debug, Default)]
pub(crate) struct PreparedReplies {
    answers: Vec<PreparedAnswer>,
    verdicts: Vec<PreparedVerdict>,
    /// Powers that flags grant, where the person would be asked all the same.
    powers: Vec<Rule>,
}

#[derive(Debug)]
struct PreparedAnswer {
    /// Whose question it answers; none if anybody's.
    plugin: Option<String>,
    field: String,
    value: String,
}

#[derive(Debug)]
struct PreparedVerdict {
    typed: String,
    verdict: Verdict,
    words: Option<String>,
    /// The plugin, and the tool or the action.
    targets: Vec<(String, ApprovalTarget)>,
    is_used: bool,
}

/// What needs approval. Approving an action does not approve the call that requests it, nor the reverse.
#[derive(Debug, PartialEq)]
enum ApprovalTarget {
    Tool(String),
    Action(String),
    /// A folder or a host, which `--allow` does not grant.
    Power(String),
}

impl ApprovalTarget {
    fn of(request: &ApprovalRequest) -> Self {
        if let Some(folder) = &request.folder {
            return Self::Power(folder.path.clone());
        }
        match (&request.network, &request.binding.action) {
            // Where host and secrets are granted, the action is all that is asked about.
            (Some(network), Some(action))
                if network.secrets.is_empty()
                    && !request.reasons.contains(&AskReason::NotGranted) =>
            {
                Self::Action(action.clone())
            }
            (Some(network), _) => Self::Power(network.host.clone()),
            (None, Some(action)) => Self::Action(action.clone()),
            (None, None) => Self::Tool(request.binding.tool.clone()),
        }
    }

    /// Returns the name with which a flag names the target. Most actions begin with their plugin's id.
    fn flag_name(&self, plugin: &str) -> String {
        let (Self::Tool(name) | Self::Action(name) | Self::Power(name)) = self;
        match self {
            Self::Action(_) if name.starts_with(&format!("{plugin}.")) => name.clone(),
            _ => format!("{plugin}.{name}"),
        }
    }
}

/// Returns the name of what needs approval, for `--allow` and `--deny`.
pub(crate) fn approval_name(plugin: &str, request: &ApprovalRequest) -> String {
    ApprovalTarget::of(request).flag_name(plugin)
}

/// Returns the name with which `--answer` names a field.
pub(crate) fn answer_name(plugin: &str, field: &str) -> String {
    format!("{}.{field}", flag_plugin(plugin))
}

fn flag_plugin(plugin: &str) -> &str {
    match plugin {
        THE_MODEL => MODEL_FLAG,
        plugin => plugin,
    }
}

impl PreparedAnswers {
    /// Finds out which plugin each flag is for.
    ///
    /// # Errors
    /// When a flag names no loaded plugin, or no tool or action of one.
    pub(crate) fn for_plugins(&self, plugins: &[ApprovablePlugin]) -> Result<PreparedReplies> {
        let answer = |(name, value): &(String, String)| {
            let (plugin, field) = answered(name, plugins)?;
            Ok(PreparedAnswer {
                plugin: Some(plugin),
                field,
                value: value.clone(),
            })
        };
        let verdict = |flag: &str, verdict, name: &str, words: Option<&str>| {
            let targets = targets(name, plugins);
            if targets.is_empty() {
                return Err(unknown_name(flag, name, plugins));
            }
            let words = words.map(str::trim).filter(|words| !words.is_empty());
            Ok(PreparedVerdict {
                typed: format!("{flag} {name}"),
                verdict,
                words: words.map(str::to_owned),
                targets,
                is_used: false,
            })
        };
        let deny = self.deny.iter().map(|typed| match typed.split_once('=') {
            Some((name, words)) => verdict("--deny", Verdict::Deny, name, Some(words)),
            None => verdict("--deny", Verdict::Deny, typed, None),
        });
        let allow = self.allow.iter();
        let allow = allow.map(|name| verdict("--allow", Verdict::Once, name, None));
        Ok(PreparedReplies {
            answers: self.answers.iter().map(answer).collect::<Result<_>>()?,
            // A denial comes first and so decides.
            verdicts: deny.chain(allow).collect::<Result<_>>()?,
            powers: Vec::new(),
        })
    }
}

/// Returns the plugin and the field that an answer is for.
fn answered(name: &str, plugins: &[ApprovablePlugin]) -> Result<(String, String)> {
    let is_known = |id: &str| id == MODEL_FLAG || plugins.iter().any(|plugin| plugin.id == id);
    match name.split_once('.') {
        Some((id, field)) if is_known(id) => Ok((id.to_owned(), field.to_owned())),
        // What is meant for the plugin may be a secret, which the model must not get.
        _ if plugins.len() == 1 => Ok((plugins[0].id.clone(), name.to_owned())),
        _ => {
            let ids = plugins.iter().map(|plugin| plugin.id.as_str());
            let ids = quoted_list(ids.chain([MODEL_FLAG]));
            Err(ExitError::usage(format!(
                "`--answer {}` does not say whose question it answers; write PLUGIN.FIELD=VALUE with one of {}",
                filter::line(name, 60),
                filter::line(&ids, 300)
            )))
        }
    }
}

/// Returns what a name means. A tool and an action can have the same name.
fn targets(name: &str, plugins: &[ApprovablePlugin]) -> Vec<(String, ApprovalTarget)> {
    let is_alone = plugins.len() == 1;
    let all = plugins.iter().flat_map(approvable);
    let is_meant = |(plugin, target): &(String, ApprovalTarget)| {
        let (ApprovalTarget::Tool(own) | ApprovalTarget::Action(own) | ApprovalTarget::Power(own)) =
            target;
        name == target.flag_name(plugin)
            || name == format!("{plugin}.{own}")
            || is_alone && name == own
    };
    all.filter(is_meant).collect()
}

fn approvable(plugin: &ApprovablePlugin) -> impl Iterator<Item = (String, ApprovalTarget)> {
    let tools = plugin.tools.iter().cloned().map(ApprovalTarget::Tool);
    let actions = plugin.actions.iter().cloned().map(ApprovalTarget::Action);
    let id = plugin.id.clone();
    tools.chain(actions).map(move |target| (id.clone(), target))
}

fn unknown_name(flag: &str, name: &str, plugins: &[ApprovablePlugin]) -> anyhow::Error {
    let known = plugins.iter().flat_map(approvable);
    let known: Vec<String> = known
        .map(|(plugin, target)| target.flag_name(&plugin))
        .collect();
    let meant = did_you_mean(name, known.iter().map(String::as_str));
    let remedy = match meant.as_str() {
        "" => "; write PLUGIN.NAME, as `footlight inspect` lists them".to_owned(),
        _ => meant,
    };
    ExitError::usage(format!(
        "`{flag} {}`: no loaded plugin has a tool or an action of this name{remedy}",
        filter::line(name, 80)
    ))
}

impl PreparedReplies {
    /// Makes answers to any plugin's question.
    pub(crate) fn answers(answers: Vec<(String, String)>) -> Self {
        let answer = |(field, value)| PreparedAnswer {
            plugin: None,
            field,
            value,
        };
        Self {
            answers: answers.into_iter().map(answer).collect(),
            ..Self::default()
        }
    }

    /// Answers requests for powers with a yes, as these rules of flags say.
    pub(crate) fn grant(&mut self, powers: Vec<Rule>) {
        self.powers = powers;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.verdicts.is_empty() && self.powers.is_empty()
    }

    /// Takes the first answer to a field.
    pub(super) fn take_answer(&mut self, plugin: &str, field: &str) -> Option<String> {
        let plugin = flag_plugin(plugin);
        let is_it = |answer: &PreparedAnswer| {
            answer.field == field && answer.plugin.as_deref().is_none_or(|own| own == plugin)
        };
        let at = self.answers.iter().position(is_it)?;
        Some(self.answers.remove(at).value)
    }

    /// Returns the reply to a request.
    pub(super) fn reply(&mut self, plugin: &str, request: &ApprovalRequest) -> Option<PersonReply> {
        if let Some((verdict, words)) = self.verdict(plugin, request) {
            return Some(PersonReply::Verdict(verdict, words));
        }
        let is_granted = |granted: &dyn Fn(&Target) -> bool| {
            let mut powers = self.powers.iter();
            powers.find(|rule| rule.plugin == plugin && granted(&rule.target))
        };
        if let Some(asked) = &request.folder {
            let rule = is_granted(
                &|target| matches!(target, Target::Folder(path) if path.matches(&asked.path)),
            );
            let folder = rule?.folder.clone()?;
            let mode = match folder.writable {
                true => Mode::ReadWrite,
                false => Mode::ReadOnly,
            };
            let path = folder.path.into();
            return Some(PersonReply::Folder(Verdict::Once, path, mode));
        }
        let network = request.network.as_ref()?;
        is_granted(&|target| matches!(target, Target::Host(host) if host.matches(&network.host)))?;
        for name in &network.secrets {
            is_granted(&|target| matches!(target, Target::Secret(own) if own.matches(name)))?;
        }
        let is_all = request.binding.action.is_none();
        is_all.then_some(PersonReply::Verdict(Verdict::Once, None))
    }

    /// Returns the verdict of `--allow` or `--deny` on a request.
    fn verdict(
        &mut self,
        plugin: &str,
        request: &ApprovalRequest,
    ) -> Option<(Verdict, Option<String>)> {
        let wanted = (plugin.to_owned(), ApprovalTarget::of(request));
        let mut verdicts = self.verdicts.iter_mut();
        let found = verdicts.find(|verdict| verdict.targets.contains(&wanted))?;
        found.is_used = true;
        Some((found.verdict, found.words.clone()))
    }

    /// Returns the flags that answered nothing. A denial that was not needed did its work.
    pub(super) fn unused(&self) -> Option<String> {
        let answers = self.answers.iter().map(|answer| match &answer.plugin {
            Some(plugin) => format!("--answer {plugin}.{}", answer.field),
            None => format!("--answer {}", answer.field),
        });
        let is_unused =
            |verdict: &&PreparedVerdict| !verdict.is_used && verdict.verdict != Verdict::Deny;
        let verdicts = self.verdicts.iter().filter(is_unused);
        let all: Vec<String> = answers
            .chain(verdicts.map(|verdict| verdict.typed.clone()))
            .collect();
        (!all.is_empty()).then(|| {
            let flags = quoted_list(all.iter().map(String::as_str));
            format!(
                "not used: {}; nothing asked for it, so check the name or leave it out",
                filter::line(&flags, 300)
            )
        })
    }
}

#[cfg(test)]
mod tests;
