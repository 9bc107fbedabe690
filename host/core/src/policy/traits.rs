//! Statements of a plugin about its own tool.
//!
//! Invariant: reading fails closed. A trait that is present but invalid is read as the stricter
//! value, so that a typo cannot make policy more lenient than leaving the trait out.

use super::request::Caller;
use footlight_vocabulary::manifest::Manifest;
use serde_json::{Map, Value};

/// Statements of a plugin about its own tool. They can only make policy stricter: [`read_only`](Self::read_only) and
/// [`RequiresApproval::Never`] have no effect, and [`requests`](Self::requests) only replaces a question that the
/// plugin's own statements would cause.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traits {
    /// The tool changes nothing. Shown to people, not trusted.
    pub read_only: bool,
    /// The tool destroys something irrecoverably.
    pub destructive: bool,
    /// Repeating a call has no further effect. Does not affect approval.
    pub idempotent: bool,
    /// The tool communicates with the outside, which counts as egress.
    pub open_world: bool,
    /// The tool asks the person questions. Does not affect approval.
    pub asks: bool,
    /// When the tool requires approval.
    pub approval: RequiresApproval,
    /// The actions for which the tool requests approval itself while it runs. If the manifest declares
    /// them all, nobody is asked before the tool runs merely because it says that it is destructive or
    /// has a concern.
    pub requests: Vec<String>,
    /// Who may call it.
    pub audience: Audience,
}

/// When a tool requires a person's approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RequiresApproval {
    /// Never on its own account.
    #[default]
    Never,
    /// For each call.
    Always,
    /// When `assess` raises a concern, which is part of the request.
    Assess,
}

/// Who may call a tool. By default both may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Audience {
    /// The model.
    pub model: bool,
    /// A person, through an action of a widget.
    pub user: bool,
}

impl Default for Audience {
    fn default() -> Self {
        Self {
            model: true,
            user: true,
        }
    }
}

impl Audience {
    /// Reports whether a caller may call the tool. The embedding program always may.
    #[must_use]
    pub fn admits(self, caller: Caller) -> bool {
        match caller {
            Caller::Model => self.model,
            Caller::Person => self.user,
            Caller::Direct => true,
        }
    }
}

impl Traits {
    /// Reads the `traits` of a tool's description.
    #[must_use]
    pub fn read(traits: &Value) -> Self {
        let absent = |name: &str| traits.get(name).is_none_or(Value::is_null);
        // A lenient trait holds only if it is `true`, a strict one unless it is absent or `false`.
        let says = |name: &str| traits.get(name) == Some(&Value::Bool(true));
        let warns = |name: &str| !absent(name) && traits[name] != Value::Bool(false);
        let approval = match traits.get("approval").and_then(Value::as_str) {
            _ if absent("approval") => RequiresApproval::Never,
            Some("never") => RequiresApproval::Never,
            Some("assess") => RequiresApproval::Assess,
            _ => RequiresApproval::Always,
        };
        // A list that is not understood declares nothing, so that the host asks.
        let actions = traits.get("requests").and_then(Value::as_array);
        let action = |action: &Value| action.as_str().map(str::to_owned);
        let requests = actions.and_then(|actions| actions.iter().map(action).collect());
        let audience = if absent("audience") {
            Audience::default()
        } else {
            let words = traits["audience"].as_array().map_or(&[][..], Vec::as_slice);
            Audience {
                model: words.iter().any(|word| word == "model"),
                user: words.iter().any(|word| word == "user"),
            }
        };
        Self {
            read_only: says("readOnly"),
            destructive: warns("destructive"),
            idempotent: says("idempotent"),
            open_world: warns("openWorld"),
            asks: warns("asks"),
            approval,
            requests: Option::unwrap_or_default(requests),
            audience,
        }
    }

    /// Writes the traits as the members that [`read`](Self::read) reads.
    pub(crate) fn write(&self) -> Map<String, Value> {
        let approval = match self.approval {
            RequiresApproval::Never => "never",
            RequiresApproval::Always => "always",
            RequiresApproval::Assess => "assess",
        };
        let Audience { model, user } = self.audience;
        let audience = [("model", model), ("user", user)];
        let audience = audience.into_iter().filter(|(_, may)| *may);
        Map::from_iter([
            ("readOnly".to_owned(), self.read_only.into()),
            ("destructive".to_owned(), self.destructive.into()),
            ("idempotent".to_owned(), self.idempotent.into()),
            ("openWorld".to_owned(), self.open_world.into()),
            ("asks".to_owned(), self.asks.into()),
            ("approval".to_owned(), approval.into()),
            ("requests".to_owned(), self.requests.clone().into()),
            (
                "audience".to_owned(),
                audience.map(|(word, _)| word).collect(),
            ),
        ])
    }

    /// Reports whether the tool requests approval itself, for actions that the manifest declares.
    ///
    /// Nothing forces such a tool to request it. What it can do without is what its sandbox allows:
    /// show, ask, and change its own state. A plugin with more power is asked about in any case.
    pub(super) fn requests_own_approval(&self, manifest: &Manifest) -> bool {
        let is_declared = |action: &String| manifest.approval(action).is_some();
        !self.requests.is_empty() && self.requests.iter().all(is_declared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_the_same() {
        let approvals = [
            RequiresApproval::Never,
            RequiresApproval::Always,
            RequiresApproval::Assess,
        ];
        for (bits, approval) in (0..1 << 8).flat_map(|bits| approvals.map(|it| (bits, it))) {
            let bit = |n: u32| bits >> n & 1 == 1;
            let traits = Traits {
                read_only: bit(0),
                destructive: bit(1),
                idempotent: bit(2),
                open_world: bit(3),
                asks: bit(4),
                approval,
                requests: match bit(5) {
                    true => vec!["mail.send".to_owned()],
                    false => Vec::new(),
                },
                audience: Audience {
                    model: bit(6),
                    user: bit(7),
                },
            };
            let written = Value::Object(traits.write());
            assert_eq!(Traits::read(&written), traits, "{written}");
        }
    }
}
