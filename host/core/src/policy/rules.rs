//! The person's rules: how strict to be, and what is allowed or denied without asking.
//!
//! [`Rules`] is plain data; a [`RulesFile`](super::RulesFile) stores it. A [`Rule`] that denies takes
//! precedence over everything that allows.
//!
//! Invariant: nothing in a rule is guessed. The build and the subject must be written, and an unknown
//! key or pattern makes the whole text invalid: a denial that silently matches nothing is worse than
//! none.

use super::decision::AskReason;
use super::request::{Operation, Request};
use serde::{Deserialize, Serialize};
use std::fmt;

/// All rules of a person: what is allowed or denied without asking, and how far plugins are trusted
/// otherwise. The default allows nothing and asks about everything that matters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct Rules {
    /// How far plugins are trusted.
    #[serde(default)]
    pub level: Level,
    /// When a person is asked.
    #[serde(default)]
    pub ask: AskMode,
    /// What is allowed or denied without asking. The order does not matter.
    #[serde(default)]
    pub rules: Vec<Rule>,
}

/// How far plugins are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Not at all: each call asks, whatever was allowed before.
    Deny,
    /// As far as rules and grants allow; the rest asks.
    #[default]
    Allowlist,
    /// Nothing asks. What is undeclared, denied by a rule or not granted stays denied.
    Full,
}

/// When a person is asked. If level and mode differ, the stricter one applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskMode {
    /// Never: what would ask is denied.
    Off,
    /// When nothing allows the request.
    #[default]
    OnMiss,
    /// Each time, also for harmless and already allowed requests, and at every level.
    Always,
}

/// Something that is allowed or denied without asking.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct Rule {
    /// Whether it allows or denies.
    pub effect: Effect,
    /// The plugin's id.
    pub plugin: String,
    /// The builds of the plugin.
    pub build: Build,
    /// The operation.
    pub target: Target,
    /// The subjects.
    pub subject: Subject,
    /// The folder of the machine that an allowed guest path is bound to. Only a rule that allows a
    /// folder has one, and each of these does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<FolderBinding>,
}

impl Rule {
    /// Returns a rule that allows something for every build and every subject.
    #[must_use]
    pub fn allow(plugin: impl Into<String>, target: Target) -> Self {
        Self::new(Effect::Allow, plugin, target)
    }

    /// Returns a rule that denies something for every build and every subject.
    #[must_use]
    pub fn deny(plugin: impl Into<String>, target: Target) -> Self {
        Self::new(Effect::Deny, plugin, target)
    }

    /// Returns a rule for every build and every subject.
    #[must_use]
    pub fn new(effect: Effect, plugin: impl Into<String>, target: Target) -> Self {
        Self {
            effect,
            plugin: plugin.into(),
            build: Build::Any,
            target,
            subject: Subject::Any,
            folder: None,
        }
    }

    /// Binds an allowed guest path to a folder of the machine.
    #[must_use]
    pub fn folder(mut self, folder: FolderBinding) -> Self {
        self.folder = Some(folder);
        self
    }
}

impl From<Vec<Rule>> for Rules {
    /// Returns these rules with the default level and mode.
    fn from(rules: Vec<Rule>) -> Self {
        Self {
            rules,
            ..Self::default()
        }
    }
}

/// A folder of the machine, and the most access to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct FolderBinding {
    /// The absolute path of the folder.
    pub path: String,
    /// Whether files can be changed.
    pub writable: bool,
}

impl FolderBinding {
    /// Returns a binding to the folder with this absolute path.
    #[must_use]
    pub fn new(path: impl Into<String>, writable: bool) -> Self {
        Self {
            path: path.into(),
            writable,
        }
    }
}

/// What a rule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Effect {
    Allow,
    Deny,
}

/// Which builds of a plugin a rule covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Build {
    /// Every build, including future ones.
    Any,
    /// The build with this digest.
    Digest(String),
}

/// The operations that a rule covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Calls of a tool.
    Tool(Pattern),
    /// Approval requests for an action.
    Action(Pattern),
    /// Requests to a host, as `api.example.com`, or with a port other than the scheme's default as
    /// `api.example.com:8443`. A rule that denies a host without a port denies all its ports.
    Host(Pattern),
    /// A folder, by the guest's path.
    Folder(Pattern),
    /// A secret, by its name.
    Secret(Pattern),
}

/// Which subjects a rule covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// Any subject, or none.
    Any,
    /// No subject: calls that raise no concern. A rule that denies these denies all calls, since a
    /// concern cannot make a call more acceptable.
    None,
    /// Exactly this subject. A case of its own, so that no subject can be mistaken for "any".
    Exactly(String),
}

/// A name, or `*` for every name. There are no partial patterns.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(Option<String>);

impl Pattern {
    /// Every name.
    pub const ANY: Self = Self(None);

    /// Parses a name or `*`.
    ///
    /// # Errors
    /// When the text is empty, or contains `*` and something else.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        match text {
            "*" => Ok(Self::ANY),
            "" => Err(PatternError(text.to_owned())),
            _ if text.contains('*') => Err(PatternError(text.to_owned())),
            _ => Ok(Self(Some(text.to_owned()))),
        }
    }

    /// A pattern that covers one name.
    pub(super) fn exactly(name: &str) -> Self {
        Self(Some(name.to_owned()))
    }

    /// Reports whether the pattern covers a name.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.0.as_deref().is_none_or(|own| own == name)
    }

    /// Returns the one name that the pattern covers; none if it covers every name.
    pub(super) fn name(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_deref().unwrap_or("*"))
    }
}

impl TryFrom<String> for Pattern {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        Self::parse(&text)
    }
}

impl From<Pattern> for String {
    fn from(pattern: Pattern) -> Self {
        pattern.to_string()
    }
}

/// The error for a text that is neither a name nor `*`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a pattern; write one whole name, or `*` for every name")]
pub struct PatternError(String);

impl Rules {
    /// Returns the first rule that denies the request.
    pub(super) fn denying(&self, plugin: &str, request: &Request<'_>) -> Option<&Rule> {
        self.rules
            .iter()
            .find(|rule| rule.effect == Effect::Deny && rule.matches(plugin, request))
    }

    /// Returns the first rule that allows the request despite these reasons to ask.
    pub(super) fn allowing(
        &self,
        plugin: &str,
        request: &Request<'_>,
        reasons: &[AskReason],
    ) -> Option<&Rule> {
        self.rules.iter().find(|rule| {
            rule.effect == Effect::Allow
                && rule.matches(plugin, request)
                && reasons.iter().all(|reason| rule.overrides(*reason))
        })
    }
}

impl Rule {
    fn matches(&self, plugin: &str, request: &Request<'_>) -> bool {
        let build = match &self.build {
            Build::Any => true,
            Build::Digest(digest) => digest == request.digest,
        };
        let target = self.target.matches(request)
            || matches!(
                (&self.target, &request.operation, self.effect),
                (Target::Host(own), Operation::Net(net), Effect::Deny) if own.matches(net.host)
            );
        let subject = match (&self.subject, self.effect) {
            (Subject::Any, _) | (Subject::None, Effect::Deny) => true,
            (Subject::None, Effect::Allow) => !request.raises_concern(),
            (Subject::Exactly(own), _) => request.subject() == Some(own.as_str()),
        };
        // A folder is not granted without a folder of the machine.
        let is_bound = self.effect == Effect::Deny
            || !matches!(self.target, Target::Folder(_))
            || self.folder.is_some();
        self.plugin == plugin && build && target && subject && is_bound
    }

    fn overrides(&self, reason: AskReason) -> bool {
        match reason {
            AskReason::Effectful | AskReason::Destructive | AskReason::Concern => true,
            // Granting a power does not approve an action.
            AskReason::Requested => matches!(self.target, Target::Action(_)),
            AskReason::NotGranted => self.is_power(),
            // A failed assessment may concern any subject, and only `any` covers that.
            AskReason::AssessmentFailed => self.subject == Subject::Any,
            // No verdict creates such a rule: a person wrote it and named the tool. `*` does not
            // express that intent.
            AskReason::ToolRequires => self.names_tool_or_action(),
            // The subject is the plugin's word. What the approval admits is not bound to it, so a rule
            // for one subject would let the plugin do anything under that word.
            AskReason::OnceOnly => self.names_tool_or_action() && self.subject == Subject::Any,
            // A rule about the host does not grant the secret; one about the secret leaves no such reason.
            AskReason::NewSecret => false,
            // An earlier permission is not enough in these cases.
            AskReason::Tainted | AskReason::Level | AskReason::Mode => false,
        }
    }
}

impl Rule {
    fn names_tool_or_action(&self) -> bool {
        match &self.target {
            Target::Tool(pattern) | Target::Action(pattern) => pattern.name().is_some(),
            Target::Host(_) | Target::Folder(_) | Target::Secret(_) => false,
        }
    }

    /// Reports whether the rule is about a folder, a host or a secret.
    #[must_use]
    pub fn is_power(&self) -> bool {
        match self.target {
            Target::Tool(_) | Target::Action(_) => false,
            Target::Host(_) | Target::Folder(_) | Target::Secret(_) => true,
        }
    }
}

impl Target {
    /// Reports whether a request is about this target.
    pub(super) fn matches(&self, request: &Request<'_>) -> bool {
        match (self, &request.operation) {
            (Self::Tool(own), Operation::Call { .. }) => own.matches(request.tool),
            (Self::Action(own), Operation::Approval { action, .. }) => own.matches(action),
            (Self::Action(own), Operation::Net(net)) => {
                net.action.is_some_and(|action| own.matches(action))
            }
            (Self::Host(own), Operation::Net(net)) => {
                // A rule may write out the port that goes without saying.
                let with_port = format!("{}:{}", net.host, net.port);
                own.matches(&net.authority()) || own.matches(&with_port)
            }
            (Self::Folder(own), Operation::Folder { path, .. }) => own.matches(path),
            (Self::Secret(own), Operation::Secret { name, .. }) => own.matches(name),
            _ => false,
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
        })
    }
}

/// For example: allow `mail` the action `mail.send`, any build, subject "bob@example.com".
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let effect = self.effect;
        let (kind, name) = match &self.target {
            Target::Tool(name) => ("tool", name),
            Target::Action(name) => ("action", name),
            Target::Host(name) => ("host", name),
            Target::Folder(name) => ("folder", name),
            Target::Secret(name) => ("secret", name),
        };
        write!(f, "{effect} `{}` the {kind} `{name}`", self.plugin)?;
        match &self.build {
            Build::Any => f.write_str(", any build")?,
            Build::Digest(digest) => write!(f, ", build {digest}")?,
        }
        if let Some(folder) = &self.folder {
            let access = if folder.writable { "change" } else { "read" };
            write!(f, ", to {access} files in {:?}", folder.path)?;
        }
        match &self.subject {
            Subject::Any => f.write_str(", any subject"),
            Subject::None => f.write_str(", no subject"),
            Subject::Exactly(subject) => write!(f, ", subject {subject:?}"),
        }
    }
}
