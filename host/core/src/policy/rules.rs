//! What a person laid down: how careful to be, and what is allowed or denied without asking.
//!
//! [`Rules`] is plain data; the file it stands in is a [`RulesFile`](super::RulesFile). A [`Rule`]
//! that denies beats everything that could allow.
//!
//! Invariant: nothing in a rule is guessed. Which build and which subject it covers must be
//! written; a key or a pattern we do not understand refuses the whole text, since a denial that
//! silently matches nothing is worse than none.

use super::decision::AskReason;
use super::request::{Operation, Request};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Everything a person laid down.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Rules {
    /// How far plugins are trusted.
    #[serde(default)]
    pub level: Level,
    /// When to ask.
    #[serde(default)]
    pub ask: AskMode,
    /// What is allowed or denied without asking; their order means nothing.
    #[serde(default)]
    pub rules: Vec<Rule>,
}

/// How far plugins are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Not at all: each call asks, whatever was allowed before.
    Deny,
    /// As far as rules and grants say; the rest asks.
    #[default]
    Allowlist,
    /// Nothing asks. What is undeclared, denied by a rule or not granted stays denied.
    Full,
}

/// When a person is asked. Where level and mode differ, the more careful one decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AskMode {
    /// Never: what would ask is denied.
    Off,
    /// Where nothing allows it.
    #[default]
    OnMiss,
    /// Each time, also about what is harmless or was allowed before, and at every level.
    Always,
}

/// One thing that is allowed or denied without asking.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Rule {
    /// Which of the two.
    pub effect: Effect,
    /// The plugin's id.
    pub plugin: String,
    /// Which builds of it.
    pub build: Build,
    /// What it would do.
    pub target: Target,
    /// To what.
    pub subject: Subject,
}

/// What a rule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the words say it")]
pub enum Effect {
    Allow,
    Deny,
}

/// Which builds of a plugin a rule covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Build {
    /// Every one, also those still to come.
    Any,
    /// The one with this digest.
    Digest(String),
}

/// What a rule is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Calls of a tool.
    Tool(Pattern),
    /// Requests for leave for an action.
    Action(Pattern),
    /// Requests to a host.
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
    /// Every one, none included.
    Any,
    /// None: calls that raise no concern. A rule that denies these denies all: a concern cannot
    /// make a call more welcome.
    None,
    /// This one, word for word. A case of its own, so that no subject can be read as "any".
    Exactly(String),
}

/// A name, or `*` for every name. There is nothing in between.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Pattern(Option<String>);

impl Pattern {
    /// Every name.
    pub const ANY: Self = Self(None);

    /// Reads a name or `*`.
    ///
    /// # Errors
    /// When it is empty, or a `*` stands beside something else.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        match text {
            "*" => Ok(Self::ANY),
            "" => Err(PatternError(text.to_owned())),
            _ if text.contains('*') => Err(PatternError(text.to_owned())),
            _ => Ok(Self(Some(text.to_owned()))),
        }
    }

    /// The one name, exactly as it is.
    pub(super) fn exactly(name: &str) -> Self {
        Self(Some(name.to_owned()))
    }

    /// Whether it covers this name.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        self.0.as_deref().is_none_or(|own| own == name)
    }

    fn names(&self) -> bool {
        self.0.is_some()
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

/// A text that is neither a name nor `*`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a pattern; write one whole name, or `*` for every name")]
pub struct PatternError(String);

impl Rules {
    /// The first rule that denies the request.
    pub(super) fn denying(&self, plugin: &str, request: &Request<'_>) -> Option<&Rule> {
        self.rules
            .iter()
            .find(|rule| rule.effect == Effect::Deny && rule.matches(plugin, request))
    }

    /// The first rule that allows the request in spite of these needs.
    pub(super) fn allowing(
        &self,
        plugin: &str,
        request: &Request<'_>,
        needs: &[AskReason],
    ) -> Option<&Rule> {
        self.rules.iter().find(|rule| {
            rule.effect == Effect::Allow
                && rule.matches(plugin, request)
                && needs.iter().all(|need| rule.lifts(*need))
        })
    }
}

impl Rule {
    fn matches(&self, plugin: &str, request: &Request<'_>) -> bool {
        let build = match &self.build {
            Build::Any => true,
            Build::Digest(digest) => digest == request.digest,
        };
        let target = match (&self.target, &request.operation) {
            (Target::Tool(tool), Operation::Call { .. }) => tool.matches(request.tool),
            (Target::Action(own), Operation::Approval { action, .. }) => own.matches(action),
            (Target::Host(own), Operation::Net { host, .. }) => own.matches(host),
            (Target::Folder(own), Operation::Folder { path, .. }) => own.matches(path),
            (Target::Secret(own), Operation::Secret { name, .. }) => own.matches(name),
            _ => false,
        };
        let subject = match (&self.subject, self.effect) {
            (Subject::Any, _) | (Subject::None, Effect::Deny) => true,
            (Subject::None, Effect::Allow) => !request.raises_concern(),
            (Subject::Exactly(own), _) => request.subject() == Some(own.as_str()),
        };
        self.plugin == plugin && build && target && subject
    }

    fn lifts(&self, need: AskReason) -> bool {
        match need {
            AskReason::Effectful
            | AskReason::Destructive
            | AskReason::Concern
            | AskReason::Requested => true,
            // A failed assessment may be about anything, and only `any` covers anything.
            AskReason::AssessmentFailed => self.subject == Subject::Any,
            // No verdict leaves such a rule, so a person wrote it by hand, and knew: it names the
            // tool. `*` only means the plugin's usual business.
            AskReason::ToolRequires | AskReason::OnceOnly => match &self.target {
                Target::Tool(pattern) | Target::Action(pattern) => pattern.names(),
                Target::Host(_) | Target::Folder(_) | Target::Secret(_) => false,
            },
            // These say that what was allowed before is not enough now.
            AskReason::Tainted | AskReason::Level | AskReason::Mode => false,
        }
    }
}

/// Such as: allow `mail` the action `mail.send`, any build, subject "bob@example.com".
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let effect = match self.effect {
            Effect::Allow => "allow",
            Effect::Deny => "deny",
        };
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
        match &self.subject {
            Subject::Any => f.write_str(", any subject"),
            Subject::None => f.write_str(", no subject"),
            Subject::Exactly(subject) => write!(f, ", subject {subject:?}"),
        }
    }
}
