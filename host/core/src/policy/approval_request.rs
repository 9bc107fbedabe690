//! What a person is shown before they decide, and what their verdict is bound to.
//!
//! Facts come first and are the host's; the plugin's words come after, as quotes. Each verdict on
//! offer says what it would cover, and that is all it will cover.
//!
//! Invariant: a standing verdict is offered only where its whole subject can be read on one line.
//! Texts are otherwise as they came: a surface filters what it prints.

use super::decision::AskReason;
use super::grants::Scope;
use super::request::{Assessment, Operation, Request};
use super::rules::{Build, Effect, Pattern, Rule, Subject, Target};
use crate::plugin::digest::Digest;
use footlight_vocabulary::item::{CallId, SessionId, Verdict};
use footlight_vocabulary::manifest::{Approval, Manifest, Remember, Severity};
use serde::{Deserialize, Serialize};

/// The most characters a subject may have that a standing verdict covers.
const MAX_SUBJECT: usize = 200;

/// A decision that is left to a person. Only [`decide`](super::decide) makes one; it can be
/// stored while it waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ApprovalRequest {
    /// What the verdict will be bound to.
    pub binding: Binding,
    /// What the host knows, in the order to show it.
    pub facts: Vec<Fact>,
    /// Why a person is asked.
    #[serde(rename = "needs")]
    pub reasons: Vec<AskReason>,
    /// What it is about, in the plugin's words, where it named something.
    pub subject: Option<String>,
    /// What the plugin and its author say: to be shown after the facts, and as their words.
    pub quotes: Vec<Quote>,
    /// The possible verdicts, `deny` first.
    #[serde(rename = "offers")]
    pub options: Vec<VerdictOption>,
}

/// Something the host knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is, such as `tool`.
    pub name: String,
    /// The value. An input stands here whole, as canonical JSON.
    pub value: String,
}

/// Somebody else's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quote {
    /// Whose, such as `the plugin's manifest`.
    pub by: String,
    /// What they say.
    pub text: String,
}

/// A verdict that a person can give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictOption {
    /// Which.
    pub verdict: Verdict,
    /// What it covers, in a sentence.
    pub covers: String,
    /// The rule that `always` writes: the host adds it to the person's rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
}

/// What a verdict is bound to. One byte of difference, and it is a verdict about something else.
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
    /// The action, where a running call requested leave; none where the call itself was in
    /// question, so that a yes to a call is not a yes to what it goes on to do.
    pub action: Option<String>,
    /// What the plugin named.
    pub subject: Option<String>,
}

impl Binding {
    /// What a verdict on this request would be bound to.
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

    /// Whether a verdict bound to this is about that request. Folders, hosts and secrets are
    /// never settled by a verdict.
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
            options: options(manifest, request, approval, &reasons),
            reasons,
        }
    }

    /// What this verdict amounts to: itself where it is on offer, else the longest one on offer
    /// that is shorter. A no stays a no, and a yes never becomes more than was shown.
    #[must_use]
    pub fn narrowed(&self, verdict: Verdict) -> Verdict {
        let shorter: &[Verdict] = match verdict {
            Verdict::Deny => &[],
            Verdict::Once => &[Verdict::Once],
            Verdict::Session => &[Verdict::Session, Verdict::Once],
            Verdict::Always => &[Verdict::Always, Verdict::Session, Verdict::Once],
        };
        let offered = |verdict: &&Verdict| self.options.iter().any(|o| o.verdict == **verdict);
        shorter
            .iter()
            .find(offered)
            .copied()
            .unwrap_or(Verdict::Deny)
    }

    /// What a standing yes covers.
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
    let standing = match request.subject() {
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
        let covers = format!("{standing}, for the rest of this session");
        options.push(option(Verdict::Session, covers));
    }
    // What cannot be undone is not agreed to for all time, whatever the manifest says.
    let grave = reasons.contains(&AskReason::Destructive)
        || approval.is_some_and(|approval| approval.severity == Severity::Critical);
    if may(Remember::Always) && !grave {
        let rule = lasting_rule(manifest, request);
        options.push(VerdictOption {
            verdict: Verdict::Always,
            covers: format!("{standing}, until you revoke it; the rule: {rule}"),
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

/// Whether a person can read the whole of it: one short line without invisible characters.
fn is_readable(subject: &str) -> bool {
    let unquoted = subject.replace(['"', '\'', '\\'], "_");
    !subject.trim().is_empty()
        && subject.chars().count() <= MAX_SUBJECT
        && unquoted.escape_debug().eq(unquoted.chars())
}
