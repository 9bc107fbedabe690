//! The question that a person decides, and what the verdict is bound to.
//!
//! Facts come first and are the host's; the plugin's words follow as quotes. Each possible verdict
//! states what it would cover, and covers exactly that.
//!
//! Invariant: a verdict for the session or for good is offered only if its whole subject can be read
//! on one line. Texts are otherwise unchanged: a surface filters what it prints.

use super::decision::AskReason;
use super::grants::Scope;
use super::request::{Assessment, Operation, Request};
use super::rules::{Build, Effect, Pattern, Rule, Subject, Target};
use crate::plugin::digest::Digest;
use footlight_vocabulary::item::{CallId, SessionId, Verdict};
use footlight_vocabulary::manifest::{Approval, Manifest, Remember, Severity};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The number of characters up to which a subject is readable on one line.
const MAX_SUBJECT_CHARS: usize = 200;

/// A decision that a person has to make. Only [`decide`](super::decide) creates one. It is
/// serializable, so that it can be stored until the person decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// What the verdict applies to.
    pub binding: Binding,
    /// What the host knows, in display order.
    pub facts: Vec<Fact>,
    /// Why a person is asked.
    #[serde(rename = "needs")]
    pub reasons: Vec<AskReason>,
    /// The subject in the plugin's words, if the plugin named one.
    pub subject: Option<String>,
    /// Statements of the plugin and its author. Surfaces show them after the facts, as quotes.
    pub quotes: Vec<Quote>,
    /// Further information from the plugin. Surfaces show it as the plugin's words, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// The possible verdicts, `deny` first.
    #[serde(rename = "offers")]
    pub options: Vec<VerdictOption>,
}

/// A fact that the host established.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// A name such as `tool`.
    pub name: String,
    /// The value. An input is given in full, as canonical JSON.
    pub value: String,
}

/// A statement of a plugin or its author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// The source, such as `the plugin's manifest`.
    pub by: String,
    /// The statement.
    pub text: String,
}

/// A verdict that the person can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictOption {
    /// The verdict.
    pub verdict: Verdict,
    /// A sentence that says what the verdict covers.
    pub covers: String,
    /// The rule that the host adds to the person's rules if the verdict is `always`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
}

/// What a verdict applies to. If one byte differs, the verdict does not apply.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Binding {
    /// The session.
    pub session: SessionId,
    /// The call.
    pub call: CallId,
    /// The SHA-256 of the call's canonical input.
    pub input_hash: String,
    /// The digest of the plugin's bytes.
    pub digest: String,
    /// The tool.
    pub tool: String,
    /// The action for which a running call requests approval; none if the call itself needs approval.
    /// Approving a call does not approve the actions that it requests later.
    pub action: Option<String>,
    /// The subject that the plugin named.
    pub subject: Option<String>,
}

impl Binding {
    /// Returns the binding of a verdict on this request.
    #[must_use]
    pub fn of(request: &Request<'_>) -> Self {
        Self {
            session: request.session.clone(),
            call: request.call.clone(),
            input_hash: Digest::of(request.input.as_bytes()).to_string(),
            digest: request.digest.to_owned(),
            tool: request.tool.to_owned(),
            action: request.action().map(str::to_owned),
            subject: request.subject().map(str::to_owned),
        }
    }

    /// Reports whether a verdict with this binding applies to a request. It never applies to folders,
    /// hosts and secrets.
    #[must_use]
    pub fn matches(&self, request: &Request<'_>) -> bool {
        matches!(
            request.operation,
            Operation::Call { .. } | Operation::Approval { .. }
        ) && *self == Self::of(request)
    }
}

impl ApprovalRequest {
    pub(super) fn new(manifest: &Manifest, request: &Request<'_>, reasons: Vec<AskReason>) -> Self {
        let approval = request.action().and_then(|name| manifest.approval(name));
        Self {
            binding: Binding::of(request),
            facts: facts(manifest, request, approval),
            subject: request.subject().map(str::to_owned),
            quotes: quotes(request, approval),
            details: match request.operation {
                Operation::Approval { details, .. } => details.cloned(),
                _ => None,
            },
            options: options(manifest, request, approval, &reasons),
            reasons,
        }
    }

    /// Narrows a verdict to the widest offered one that it includes. A denial stays a denial, and an
    /// approval never covers more than the person was shown.
    #[must_use]
    pub fn narrowed(&self, verdict: Verdict) -> Verdict {
        let included: &[Verdict] = match verdict {
            Verdict::Deny => &[],
            Verdict::Once => &[Verdict::Once],
            Verdict::Session => &[Verdict::Session, Verdict::Once],
            Verdict::Always => &[Verdict::Always, Verdict::Session, Verdict::Once],
        };
        let offered = |verdict: &&Verdict| self.options.iter().any(|o| o.verdict == **verdict);
        included
            .iter()
            .find(offered)
            .copied()
            .unwrap_or(Verdict::Deny)
    }

    /// Returns the scope of a grant.
    pub(super) fn scope(&self) -> Scope {
        let binding = &self.binding;
        Scope {
            digest: binding.digest.clone(),
            target: match &binding.action {
                Some(action) => Target::Action(Pattern::exactly(action)),
                None => Target::Tool(Pattern::exactly(&binding.tool)),
            },
            subject: binding.subject.clone(),
        }
    }
}

fn facts(manifest: &Manifest, request: &Request<'_>, approval: Option<&Approval>) -> Vec<Fact> {
    let fact = |name: &str, value: &str| Fact {
        name: name.to_owned(),
        value: value.to_owned(),
    };
    let mut facts = vec![
        fact("plugin", &manifest.id),
        fact("build", request.digest),
        fact("tool", request.tool),
        fact("input", request.input),
        fact("can", &request.powers.summary()),
    ];
    if let Some(approval) = approval {
        facts.push(fact("action", &approval.action));
        facts.push(fact("severity", approval.severity.as_str()));
    }
    facts
}

fn quotes(request: &Request<'_>, approval: Option<&Approval>) -> Vec<Quote> {
    let quote = |by: &str, text: &str| Quote {
        by: by.to_owned(),
        text: text.to_owned(),
    };
    let mut quotes = Vec::new();
    if let Some(approval) = approval {
        quotes.push(quote("the plugin's manifest", &approval.description));
    }
    match request.operation {
        Operation::Approval { reason, .. }
        | Operation::Call {
            assessment: Assessment::Concern { reason, .. },
            ..
        } => quotes.push(quote("the plugin", reason)),
        _ => {}
    }
    quotes
}

fn options(
    manifest: &Manifest,
    request: &Request<'_>,
    approval: Option<&Approval>,
    reasons: &[AskReason],
) -> Vec<VerdictOption> {
    let option = |verdict, covers: String| VerdictOption {
        verdict,
        covers,
        rule: None,
    };
    let name = match request.action() {
        Some(action) => format!("the action `{action}` of `{}`", manifest.id),
        None => format!("`{}.{}`", manifest.id, request.tool),
    };
    let once = match request.action() {
        Some(_) => format!("yes to {name} this one time, within this call"),
        None => format!("yes to this call of {name}, with this input"),
    };
    let mut options = vec![
        option(Verdict::Deny, format!("no to {name}, this time")),
        option(Verdict::Once, once),
    ];
    let readable = request.subject().is_none_or(is_readable);
    if !readable || reasons.iter().any(|reason| reason.needs_new_verdict()) {
        return options;
    }
    let scope = match request.subject() {
        Some(subject) => {
            format!("yes to {name} for {subject:?} and nothing else, from this build of the plugin")
        }
        None => {
            format!(
                "yes to {name} with any input that raises no concern, from this build of the plugin"
            )
        }
    };
    let may = |remember| approval.is_none_or(|approval| approval.remember.contains(&remember));
    if may(Remember::Session) {
        let covers = format!("{scope}, for the rest of this session");
        options.push(option(Verdict::Session, covers));
    }
    // No lasting approval for what cannot be undone, whatever the manifest says.
    let is_irreversible = reasons.contains(&AskReason::Destructive)
        || approval.is_some_and(|approval| approval.severity == Severity::Critical);
    if may(Remember::Always) && !is_irreversible {
        let rule = lasting_rule(manifest, request);
        options.push(VerdictOption {
            verdict: Verdict::Always,
            covers: format!("{scope}, until you revoke it"),
            rule: Some(rule),
        });
    }
    options
}

fn lasting_rule(manifest: &Manifest, request: &Request<'_>) -> Rule {
    Rule {
        effect: Effect::Allow,
        plugin: manifest.id.clone(),
        build: Build::Digest(request.digest.to_owned()),
        target: match request.action() {
            Some(action) => Target::Action(Pattern::exactly(action)),
            None => Target::Tool(Pattern::exactly(request.tool)),
        },
        subject: match request.subject() {
            Some(subject) => Subject::Exactly(subject.to_owned()),
            None => Subject::None,
        },
    }
}

/// Reports whether a person can read all of a subject: one short line without invisible characters.
fn is_readable(subject: &str) -> bool {
    let unquoted = subject.replace(['"', '\'', '\\'], "_");
    !subject.trim().is_empty()
        && subject.chars().count() <= MAX_SUBJECT_CHARS
        && unquoted.escape_debug().eq(unquoted.chars())
}
