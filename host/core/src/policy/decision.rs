//! The result of [`decide`](super::decide) and the reasons for it.
//!
//! Invariant: every denial says in one sentence what is denied and what would change that. A
//! plugin's words are escaped and cut in such a sentence, so that they cannot pass for the host's.

use super::approval_request::ApprovalRequest;
use super::grants::GrantId;
use super::request::{Caller, Operation, Request};
use footlight_vocabulary::escape::escape_short;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The decision about a request, with the steps that led to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The request is allowed.
    Allow {
        /// Why.
        reason: AllowReason,
        /// The steps of the decision.
        trace: Vec<Step>,
    },
    /// A person has to decide.
    Ask {
        /// What the person decides about.
        request: Box<ApprovalRequest>,
        /// The steps of the decision.
        trace: Vec<Step>,
    },
    /// The request is denied.
    Deny {
        /// Why, for the program.
        reason: DenyReason,
        /// Why, and what would change the decision: one sentence for the model and the person.
        message: String,
        /// The steps of the decision.
        trace: Vec<Step>,
    },
}

impl Decision {
    /// Returns the steps that led to the decision, in order.
    #[must_use]
    pub fn trace(&self) -> &[Step] {
        match self {
            Self::Allow { trace, .. } | Self::Ask { trace, .. } | Self::Deny { trace, .. } => trace,
        }
    }
}

/// Why a request is allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AllowReason {
    /// The plugin has no powers, and there is no reason to ask.
    Harmless,
    /// Only the plugin's own statements are a reason to ask, and the running tool requests approval
    /// itself.
    OwnApproval,
    /// The level is `full`.
    Level,
    /// This rule, given in words, allows it.
    Rule(String),
    /// A person approved exactly this request.
    Verdict,
    /// A person granted it earlier in this session.
    Grant(GrantId),
}

/// Why a request is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DenyReason {
    /// The manifest does not declare it.
    Undeclared,
    /// A rule denies it.
    Rule,
    /// The tool is not for this caller.
    Audience,
    /// Nobody granted it, and the level is `full`, at which nobody is asked.
    NotGranted,
    /// The tool says that it only reads, and the request does more.
    ReadOnly,
    /// A person would have to decide, and the ask mode is `off`.
    NeverAsk,
    /// A person would have to decide, and none can be asked.
    NoPerson,
}

/// Why a person has to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum AskReason {
    /// The plugin can change something, or act in the person's name.
    Effectful,
    /// The tool declares that it is destructive.
    Destructive,
    /// The tool requires approval for each call.
    #[serde(rename = "insisted")]
    ToolRequires,
    /// The plugin has a concern about this input.
    Concern,
    /// The plugin could not assess the input.
    #[serde(rename = "unassessed")]
    AssessmentFailed,
    /// The plugin combines sensitive access with egress, and the context contains untrusted content.
    Tainted,
    /// A running call requests approval.
    Requested,
    /// Nobody has granted the folder, the host or the secret.
    NotGranted,
    /// The request carries a secret that nobody has granted.
    NewSecret,
    /// An approval of this action is not remembered: the manifest forbids it, or the approval admits a
    /// request to a host or changes in a folder.
    OnceOnly,
    /// The level is `deny`.
    Level,
    /// The ask mode is `always`.
    Mode,
}

impl AskReason {
    /// Reports whether the question can wait until the running tool requests approval itself: the
    /// reason is only what the plugin says of itself.
    #[must_use]
    pub fn yields_to_own_approval(self) -> bool {
        matches!(self, Self::Destructive | Self::Concern)
    }

    /// Reports whether a person has to decide each time, whatever they granted before.
    #[must_use]
    pub fn needs_new_verdict(self) -> bool {
        match self {
            Self::Effectful
            | Self::Destructive
            | Self::Concern
            | Self::Requested
            | Self::NotGranted
            | Self::NewSecret => false,
            Self::ToolRequires
            | Self::AssessmentFailed
            | Self::Tainted
            | Self::OnceOnly
            | Self::Level
            | Self::Mode => true,
        }
    }
}

/// Continues the sentence "you are asked because".
impl fmt::Display for AskReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Effectful => "the plugin can change things or act in your name",
            Self::Destructive => "the tool says that it destroys something",
            Self::ToolRequires => "the tool needs your approval each time",
            Self::Concern => "the plugin has a concern about this input",
            Self::AssessmentFailed => "the plugin could not assess this input",
            Self::Tainted => {
                "the conversation contains untrusted text, and this plugin can both read your data and send it away"
            }
            Self::Requested => "the running call requests your approval",
            Self::NotGranted => "you have not granted it to this plugin",
            Self::NewSecret => "you have not granted the secret to this plugin",
            Self::OnceOnly => "the action needs your approval each time",
            Self::Level => "the level is `deny`",
            Self::Mode => "the ask mode is `always`",
        })
    }
}

/// One step of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "Display says it")]
#[non_exhaustive]
pub enum Step {
    Declared,
    NotDenied,
    PersonNeeded(AskReason),
    NoRule,
    NoGrant,
    Allowed(AllowReason),
    /// With the rule that denied it, if one did.
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
            Self::Allowed(AllowReason::OwnApproval) => {
                f.write_str("allowed to run: it requests approval itself")
            }
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
                DenyReason::ReadOnly => "denied: the tool says that it only reads",
                DenyReason::NeverAsk => "denied: the ask mode is `off`",
                DenyReason::NoPerson => "denied: nobody can be asked",
            }),
        }
    }
}

impl DenyReason {
    /// Returns the sentence for the model and the person.
    pub(super) fn sentence(self, plugin: &str, request: &Request<'_>) -> String {
        let what = describe_operation(plugin, request);
        match self {
            Self::Undeclared => {
                let section = match request.operation {
                    Operation::Call { .. } => "its description",
                    Operation::Approval { .. } => "[[approval]]",
                    Operation::Net(_) => "[[net]]",
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
            Self::NotGranted => {
                format!(
                    "{what} has not been granted, and the level is `full`; add a rule that allows it"
                )
            }
            Self::ReadOnly => format!(
                "{what} is denied because the tool says that it only reads; its author can declare otherwise"
            ),
            Self::NeverAsk => format!(
                "{what} needs a person's approval and the ask mode is `off`; add a rule that allows it, or set the ask mode to `on-miss`"
            ),
            // Programs and models rely on the words before the colon.
            Self::NoPerson => format!(
                "nobody can be asked: no terminal or page is connected; connect one, or add a rule that allows {what}"
            ),
        }
    }
}

/// Names the operation, as the object of a sentence.
fn describe_operation(plugin: &str, request: &Request<'_>) -> String {
    match request.operation {
        Operation::Call { .. } => format!("`{plugin}.{}`", shown(request.tool)),
        Operation::Approval { action, .. } => {
            format!("the action `{}` of `{plugin}`", shown(action))
        }
        Operation::Net(net) => format!(
            "reaching `{}` ({}) from `{plugin}`",
            shown(&net.authority()),
            net.method
        ),
        Operation::Folder { path, .. } => format!("the folder `{}` of `{plugin}`", shown(path)),
        Operation::Secret { name, .. } => format!("the secret `{}` of `{plugin}`", shown(name)),
    }
}

/// Escapes and cuts an untrusted word.
fn shown(word: &str) -> String {
    escape_short(word, 64).replace('`', "'")
}
