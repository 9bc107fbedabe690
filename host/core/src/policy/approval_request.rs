//! The question that a person decides, and what the verdict is bound to.
//!
//! Facts come first and are the host's; the plugin's words follow as quotes. Each possible verdict
//! states what it would cover, and covers exactly that.
//!
//! Invariant: a verdict for the session or for good is offered only if its whole subject can be read
//! on one line. Texts are otherwise unchanged: a surface filters what it prints.

mod power;

use super::decision::AskReason;
use super::grants::Scope;
use super::request::{Assessment, Operation, Request};
use super::rules::{Build, Effect, FolderBinding, Pattern, Rule, Subject, Target};
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
    /// The folder that a guest path is to be bound to. A yes needs a folder of the machine: the offered
    /// one, or one that whoever started the process names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<FolderRequest>,
    /// The request to a host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkRequest>,
    /// The possible verdicts, `deny` first.
    #[serde(rename = "offers")]
    pub options: Vec<VerdictOption>,
}

/// A request to a host, as the host will send it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NetworkRequest {
    /// The HTTP method.
    pub method: String,
    /// The host, with its port unless that is the scheme's default. A standing yes covers it.
    pub host: String,
    /// The whole URL.
    pub url: String,
    /// The size of the body in bytes.
    pub bytes: u64,
    /// The secrets that it carries and that a yes covers, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
}

/// The binding of a guest path to a folder of the machine, as it is requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FolderRequest {
    /// The guest's path.
    pub path: String,
    /// Whether the plugin asks to change files.
    pub writable: bool,
    /// Whether a call can change files only after another approval in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks_to_write: bool,
    /// A folder of the machine that somebody other than the person proposes, such as a project's file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<String>,
}

/// A fact that the host established.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fact {
    /// A name such as `tool`.
    pub name: String,
    /// The value. An input is given in full, as canonical JSON.
    pub value: String,
}

impl Fact {
    /// Returns a fact.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            value: value.into(),
        }
    }
}

/// A statement of a plugin or its author.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Quote {
    /// The source, such as `the plugin's manifest`.
    pub by: String,
    /// The statement.
    pub text: String,
}

impl Quote {
    /// Returns a statement.
    pub fn new(by: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            by: by.into(),
            text: text.into(),
        }
    }
}

/// A verdict that the person can choose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VerdictOption {
    /// The verdict.
    pub verdict: Verdict,
    /// A sentence that says what the verdict covers.
    pub covers: String,
    /// The rule that the host adds to the person's rules if the verdict is `always`. For a folder it
    /// lacks the folder of the machine until the person has named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// The rules for the secrets that the request carries, if the verdict is `always`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secret_rules: Vec<Rule>,
}

impl VerdictOption {
    /// Returns an option that adds no rule.
    pub fn new(verdict: Verdict, covers: impl Into<String>) -> Self {
        Self {
            verdict,
            covers: covers.into(),
            rule: None,
            secret_rules: Vec::new(),
        }
    }

    /// Returns the lasting rules, first the one for the operation itself.
    pub(super) fn rules(&self, folder: Option<&FolderBinding>) -> Vec<Rule> {
        let rule = self.rule.clone().map(|rule| Rule {
            folder: folder.cloned(),
            ..rule
        });
        rule.into_iter().chain(self.secret_rules.clone()).collect()
    }
}

/// What a verdict applies to. If one byte differs, the verdict does not apply.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Binding {
    /// The session.
    pub session: SessionId,
    /// The person of the session.
    #[serde(default = "local_person")]
    pub person: String,
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
    /// The folder, or the request to a host with its method, URL and size; none for calls and actions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<String>,
}

/// The person of bindings that were stored before they named one.
fn local_person() -> String {
    crate::host::LOCAL_PERSON.to_owned()
}

impl Binding {
    /// Returns the binding of a verdict on this request.
    #[must_use]
    pub fn of(request: &Request<'_>) -> Self {
        Self {
            session: request.session.clone(),
            person: request.person.to_owned(),
            call: request.call.clone(),
            input_hash: Digest::of(request.input.as_bytes()).to_string(),
            digest: request.digest.to_owned(),
            tool: request.tool.to_owned(),
            action: request.action().map(str::to_owned),
            subject: request.subject().map(str::to_owned),
            power: power::bound_use(request),
        }
    }

    /// Reports whether a verdict with this binding applies to a request.
    #[must_use]
    pub fn matches(&self, request: &Request<'_>) -> bool {
        *self == Self::of(request)
    }
}

impl ApprovalRequest {
    pub(super) fn new(manifest: &Manifest, request: &Request<'_>, reasons: Vec<AskReason>) -> Self {
        let approval = request.action().and_then(|name| manifest.approval(name));
        Self {
            binding: Binding::of(request),
            facts: facts(manifest, request, approval),
            subject: request.subject().map(str::to_owned),
            quotes: quotes(manifest, request, approval),
            details: match request.operation {
                Operation::Approval { details, .. } => details.cloned(),
                _ => None,
            },
            folder: power::folder(manifest, request),
            network: power::network(request),
            options: match request.is_power() {
                true => power::options(manifest, request, &reasons),
                false => options(manifest, request, approval, &reasons),
            },
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

    /// Returns the scopes of the grants, first that of the operation itself.
    pub(super) fn scopes(&self, folder: Option<&FolderBinding>) -> Vec<Scope> {
        let binding = &self.binding;
        let scope = |target, folder: Option<&FolderBinding>| Scope {
            digest: binding.digest.clone(),
            target,
            subject: binding.subject.clone(),
            folder: folder.cloned(),
        };
        let secrets = self.network.iter().flat_map(|network| &network.secrets);
        let secrets = secrets.map(|name| scope(Target::Secret(Pattern::exactly(name)), None));
        std::iter::once(scope(self.target(), folder))
            .chain(secrets)
            .collect()
    }

    /// Returns what a standing yes covers.
    fn target(&self) -> Target {
        let binding = &self.binding;
        match (&self.folder, &self.network, &binding.action) {
            (Some(folder), _, _) => Target::Folder(Pattern::exactly(&folder.path)),
            (None, Some(network), _) => Target::Host(Pattern::exactly(&network.host)),
            (None, None, Some(action)) => Target::Action(Pattern::exactly(action)),
            (None, None, None) => Target::Tool(Pattern::exactly(&binding.tool)),
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
    facts.extend(power::facts(request));
    if let Some(approval) = approval {
        facts.push(fact("action", &approval.action));
        facts.push(fact("severity", approval.severity.as_str()));
    }
    facts
}

fn quotes(manifest: &Manifest, request: &Request<'_>, approval: Option<&Approval>) -> Vec<Quote> {
    let quote = |by: &str, text: &str| Quote {
        by: by.to_owned(),
        text: text.to_owned(),
    };
    let mut quotes = Vec::new();
    let descriptions = power::descriptions(manifest, request);
    let declared = approval.map(|approval| approval.description.as_str());
    let declared = declared.into_iter().chain(descriptions);
    quotes.extend(declared.map(|text| quote("the plugin's manifest", text)));
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
        secret_rules: Vec::new(),
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
            secret_rules: Vec::new(),
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
        folder: None,
    }
}

/// Reports whether a person can read all of a subject: one short line without invisible characters.
fn is_readable(subject: &str) -> bool {
    let unquoted = subject.replace(['"', '\'', '\\'], "_");
    !subject.trim().is_empty()
        && subject.chars().count() <= MAX_SUBJECT_CHARS
        && unquoted.escape_debug().eq(unquoted.chars())
}
