//! Statements of a plugin about its own tool.
//!
//! Invariant: reading fails closed. A trait that is present but invalid is read as the stricter
//! value, so that a typo cannot make policy more lenient than leaving the trait out.

use super::request::Caller;
use serde_json::Value;

/// Statements of a plugin about its own tool. They can only make policy stricter: [`read_only`](Self::read_only) and
/// [`RequiresApproval::Never`] have no effect.
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
            audience,
        }
    }
}
