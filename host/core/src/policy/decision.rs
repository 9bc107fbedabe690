//! What [`decide`](super::decide) answers, and how it came to it.
//!
//! Invariant: every no says in one sentence what is refused and what would change that. Words of
//! a plugin stand in such a sentence escaped and cut, so they cannot pass for ours.

use super::approval_request::ApprovalRequest;
use super::grants::GrantId;
use super::request::{Caller, Operation, Request};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is to be done about a request. The steps are for a person who wants to know why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Go ahead.
    Allow {
        /// By what right.
        reason: AllowReason,
        /// How it was decided.
        trace: Vec<Step>,
    },
    /// Wait for a person.
    Ask {
        /// What they are to be shown.
        request: Box<ApprovalRequest>,
        /// How it was decided.
        trace: Vec<Step>,
    },
    /// Refuse.
    Deny {
        /// On what ground, for the program.
        reason: DenyReason,
        /// Why, and what would change it, in a sentence for the model and the person.
        message: String,
        /// How it was decided.
        trace: Vec<Step>,
    },
}

impl Decision {
    /// The steps that led here, in order.
    #[must_use]
    pub fn trace(&self) -> &[Step] {
        match self {
            Self::Allow { trace, .. } | Self::Ask { trace, .. } | Self::Deny { trace, .. } => trace,
        }
    }
}

/// By what right something may happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowReason {
    /// The plugin holds nothing that could do harm, and nothing speaks against it.
    Harmless,
    /// The level is `full`.
    Level,
    /// A rule allows it; this one, in words.
    Rule(String),
    /// A person said yes to exactly this.
    Verdict,
    /// A person said yes earlier in this session.
    Grant(GrantId),
}

/// Why something may not happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DenyReason {
    /// The manifest does not list it.
    Undeclared,
    /// A rule denies it.
    Rule,
    /// The tool is not for this caller.
    Audience,
    /// NoPerson granted it.
    NotGranted,
    /// Somebody would have to be asked, and the mode is `off`.
    NeverAsk,
    /// Somebody would have to be asked, and nobody is there.
    NoPerson,
}

/// Why a person is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskReason {
    /// The plugin can change something, or act in the person's name.
    Effectful,
    /// The tool says it destroys.
    Destructive,
    /// The tool wants leave each time.
    #[serde(rename = "insisted")]
    ToolRequires,
    /// The plugin has a concern about this input.
    Concern,
    /// The plugin could not say whether it has one.
    #[serde(rename = "unassessed")]
    AssessmentFailed,
    /// Sensitive access and egress, after untrusted content.
    Tainted,
    /// A running call requests leave.
    Requested,
    /// The manifest lets no yes to this action be remembered.
    OnceOnly,
    /// The level is `deny`.
    Level,
    /// The mode is `always`.
    Mode,
}

impl AskReason {
    /// Whether it wants a person each time, whatever they said before.
    #[must_use]
    pub fn needs_new_verdict(self) -> bool {
        match self {
            Self::Effectful | Self::Destructive | Self::Concern | Self::Requested => false,
            Self::ToolRequires
            | Self::AssessmentFailed
            | Self::Tainted
            | Self::OnceOnly
            | Self::Level
            | Self::Mode => true,
        }
    }
}

/// In words that go on from "you are asked because".
impl fmt::Display for AskReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Effectful => "the plugin can change things or act in your name",
            Self::Destructive => "the tool says that it destroys something",
            Self::ToolRequires => "the tool wants your leave each time",
            Self::Concern => "the plugin has a concern about this input",
            Self::AssessmentFailed => "the plugin could not assess this input",
            Self::Tainted => {
                "text that nobody vouches for has entered the conversation, and this plugin can both read what is yours and send it away"
            }
            Self::Requested => "the running call requests your leave",
            Self::OnceOnly => "the action needs your leave each time",
            Self::Level => "the level is `deny`",
            Self::Mode => "the ask mode is `always`",
        })
    }
}

/// One step on the way to a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "their words are below")]
pub enum Step {
    Declared,
    NotDenied,
    PersonNeeded(AskReason),
    NoRule,
    NoGrant,
    Allowed(AllowReason),
    /// With the rule, where one denied it.
    Denied(DenyReason, Option<String>),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared => f.write_str("it is declared"),
            Self::NotDenied => f.write_str("no rule denies it"),
            Self::PersonNeeded(need) => write!(f, "a person is needed: {need}"),
            Self::NoRule => f.write_str("no rule allows it"),
            Self::NoGrant => f.write_str("no grant covers it"),
            Self::Allowed(AllowReason::Harmless) => f.write_str("allowed: it can do no harm"),
            Self::Allowed(AllowReason::Level) => f.write_str("allowed: the level is `full`"),
            Self::Allowed(AllowReason::Rule(rule)) => write!(f, "allowed by a rule: {rule}"),
            Self::Allowed(AllowReason::Verdict) => f.write_str("allowed: a person said yes to it"),
            Self::Allowed(AllowReason::Grant(id)) => write!(f, "allowed by {id}"),
            Self::Denied(DenyReason::Rule, Some(rule)) => write!(f, "denied by a rule: {rule}"),
            Self::Denied(reason, _) => f.write_str(match reason {
                DenyReason::Undeclared => "denied: the manifest does not list it",
                DenyReason::Rule => "denied by a rule",
                DenyReason::Audience => "denied: the tool is not for this caller",
                DenyReason::NotGranted => "denied: nobody granted it",
                DenyReason::NeverAsk => "denied: the ask mode is `off`",
                DenyReason::NoPerson => "denied: nobody can be asked",
            }),
        }
    }
}

impl DenyReason {
    /// The whole sentence.
    pub(super) fn sentence(self, plugin: &str, request: &Request<'_>) -> String {
        let what = said(plugin, request);
        match self {
            Self::Undeclared => {
                let section = match request.operation {
                    Operation::Call { .. } => "its description",
                    Operation::Approval { .. } => "[[approval]]",
                    Operation::Net { .. } => "[[net]]",
                    Operation::Folder { .. } => "[[fs]]",
                    Operation::Secret { .. } => "[[secret]]",
                };
                format!(
                    "{what} is not in the plugin's manifest; its author can add it under {section}"
                )
            }
            Self::Rule => format!("a rule denies {what}; to allow it, remove the rule"),
            Self::Audience => match request.caller {
                Caller::Model => {
                    format!("{what} is not for the model; the person reaches it through a widget")
                }
                Caller::Person | Caller::Direct => {
                    format!("{what} is only for the model; ask for it in the conversation")
                }
            },
            // Says what is so today; once these can be granted, the way to do it belongs here.
            Self::NotGranted => {
                format!("{what} has not been granted; this version cannot grant it yet")
            }
            Self::NeverAsk => format!(
                "{what} needs a person's leave and the ask mode is `off`; add a rule that allows it, or set the ask mode to `on-miss`"
            ),
            // The first half is a promise, word for word.
            Self::NoPerson => format!(
                "nobody can be asked: no terminal or page is connected; connect one, or add a rule that allows {what}"
            ),
        }
    }
}

/// What is wanted, as the object of a sentence.
fn said(plugin: &str, request: &Request<'_>) -> String {
    match request.operation {
        Operation::Call { .. } => format!("`{plugin}.{}`", shown(request.tool)),
        Operation::Approval { action, .. } => {
            format!("the action `{}` of `{plugin}`", shown(action))
        }
        Operation::Net { method, host, .. } => format!(
            "reaching `{}` ({}) from `{plugin}`",
            shown(host),
            method.as_str()
        ),
        Operation::Folder { path, .. } => format!("the folder `{}` of `{plugin}`", shown(path)),
        Operation::Secret { name, .. } => format!("the secret `{}` of `{plugin}`", shown(name)),
    }
}

/// A word from outside, on one line and of bounded length.
fn shown(word: &str) -> String {
    const MOST: usize = 64;
    let cut: String = word.chars().take(MOST).collect();
    let mut shown = cut.escape_debug().to_string().replace('`', "'");
    if word.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
