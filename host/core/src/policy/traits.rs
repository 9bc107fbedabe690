//! What a plugin says of its own tool.
//!
//! Invariant: reading is fail-closed. A trait that is there but makes no sense is read as the
//! careful one, so that a slip of the pen cannot make us less careful than silence would.

use super::request::Caller;
use serde_json::Value;

/// What a plugin says of its own tool. It can only tighten: [`read_only`](Self::read_only) and
/// [`RequiresApproval::Never`] loosen nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Traits {
    /// Changes nothing. Not believed; for a surface to show.
    pub read_only: bool,
    /// Destroys what cannot be brought back.
    pub destructive: bool,
    /// Twice is as good as once. Says nothing about leave.
    pub idempotent: bool,
    /// Speaks with the world outside: counts as egress.
    pub open_world: bool,
    /// Will ask the person something. An ask is no power: says nothing about leave.
    pub asks: bool,
    /// When it wants a person's leave.
    pub approval: RequiresApproval,
    /// Who may call it.
    pub audience: Audience,
}

/// When a tool wants a person's leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RequiresApproval {
    /// Not on its own account.
    #[default]
    Never,
    /// Each time.
    Always,
    /// Where `assess` has a concern. The concern itself arrives in the request.
    Assess,
}

/// Who may call a tool; both unless the plugin says less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Audience {
    /// The model.
    pub model: bool,
    /// A person, by an action of a widget.
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
    /// The embedder and the command line are not an audience: they may call everything.
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
    /// Reads the `traits` of a tool's description. What is not listed there is not said.
    #[must_use]
    pub fn read(traits: &Value) -> Self {
        let absent = |name: &str| traits.get(name).is_none_or(Value::is_null);
        // The loosening ones are true only where they say true, the others false only where they
        // say false.
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
