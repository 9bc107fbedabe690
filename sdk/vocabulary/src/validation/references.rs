//! Checks the references in the schema of an untrusted plugin.
//!
//! A validator follows references. One that leads outside the schema could fetch; definitions that
//! each refer twice to the next double the work with every step, on the caller's thread, where
//! nothing can stop it; a long chain of nested ones overflows its stack. All are refused before a
//! validator is built.

use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// How many schemas a plugin can have when all references are expanded.
const MAX_WEIGHT: u64 = 50_000;

/// How deep a schema can be when all references are expanded. Building a validator is recursive.
const MAX_DEPTH: usize = 250;

/// How long a chain of references can be.
const MAX_CHAIN: usize = 64;

/// How many schemas a plugin can still have.
pub(super) struct ReferenceBudget(u64);

impl Default for ReferenceBudget {
    fn default() -> Self {
        Self(MAX_WEIGHT)
    }
}

impl ReferenceBudget {
    /// Checks that every reference stays in the schema and that following all of them is affordable.
    /// Returns the references that lead back to themselves. The depth of the schema as it is written is
    /// already bounded.
    pub(super) fn check(&mut self, schema: &Value) -> Result<HashSet<String>, String> {
        let mut walk = Walk {
            root: schema,
            open: Vec::new(),
            known: HashMap::new(),
            recursive: HashSet::new(),
        };
        let expanded = walk.weigh(schema)?;
        if expanded.depth > MAX_DEPTH {
            return Err(format!(
                "is more than {MAX_DEPTH} levels deep when its references are followed"
            ));
        }
        self.0 = self.0.checked_sub(expanded.weight).ok_or_else(|| {
            format!(
                "comes to more than {MAX_WEIGHT} schemas when its references are followed, with the plugin's other schemas"
            )
        })?;
        Ok(walk.recursive)
    }
}

/// The size of a schema whose references are followed.
#[derive(Debug, Clone, Copy, Default)]
struct Expanded {
    weight: u64,
    depth: usize,
}

impl Expanded {
    /// Adds a part that is one level below.
    fn add(&mut self, part: Self) {
        self.weight = self.weight.saturating_add(part.weight);
        self.depth = self.depth.max(part.depth + 1);
    }
}

struct Walk<'a> {
    root: &'a Value,
    /// The references that are being followed.
    open: Vec<&'a str>,
    /// The sizes of the targets of references that were followed before.
    known: HashMap<&'a str, Expanded>,
    /// The references that lead back to themselves.
    recursive: HashSet<String>,
}

impl<'a> Walk<'a> {
    fn weigh(&mut self, schema: &'a Value) -> Result<Expanded, String> {
        let mut expanded = Expanded::default();
        match schema {
            Value::Object(members) => {
                expanded.weight = 1;
                for (name, value) in members {
                    let part = match (name.as_str(), value) {
                        ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(to)) => {
                            self.follow(to)?
                        }
                        // A base URI of its own would change what the references inside mean.
                        ("$id", Value::String(to)) if !to.starts_with('#') => {
                            return Err(outside(to));
                        }
                        // Draft 4 spells `$id` as `id`, which is a common name of a property.
                        ("$schema", Value::String(dialect)) if dialect.contains("draft-04") => {
                            return Err("is of draft 4: write it in a later one".to_owned());
                        }
                        _ => self.weigh(value)?,
                    };
                    expanded.add(part);
                }
            }
            Value::Array(items) => {
                for item in items {
                    let part = self.weigh(item)?;
                    expanded.add(part);
                }
            }
            _ => {}
        }
        Ok(expanded)
    }

    fn follow(&mut self, to: &'a str) -> Result<Expanded, String> {
        if let Some(expanded) = self.known.get(to) {
            return Ok(*expanded);
        }
        // A recursive schema: the input determines how often it is followed.
        if self.open.contains(&to) {
            self.recursive.insert(to.to_owned());
            return Ok(Expanded {
                weight: 1,
                depth: 1,
            });
        }
        let Some(pointer) = to.strip_prefix('#') else {
            return Err(outside(to));
        };
        // Percent-encoding or an anchor could hide where it leads.
        let target = (!pointer.contains('%'))
            .then(|| self.root.pointer(pointer))
            .flatten();
        let Some(target) = target else {
            return Err(format!(
                "refers to `{}`, which is not in it; write `#` or `#/$defs/name`",
                shown(to)
            ));
        };
        if self.open.len() >= MAX_CHAIN {
            return Err(format!("has a chain of more than {MAX_CHAIN} references"));
        }
        self.open.push(to);
        let expanded = self.weigh(target);
        self.open.pop();
        let expanded = expanded?;
        self.known.insert(to, expanded);
        Ok(expanded)
    }
}

fn outside(to: &str) -> String {
    format!("refers to `{}`, outside of itself", shown(to))
}

fn shown(to: &str) -> String {
    to.chars().take(80).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Map, json};

    fn doubling(steps: usize) -> Value {
        let mut definitions = Map::new();
        for at in 0..steps {
            let next = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
            definitions.insert(format!("d{at}"), json!({ "allOf": [next.clone(), next] }));
        }
        definitions.insert(format!("d{steps}"), json!({ "required": ["a"] }));
        json!({ "type": "object", "$ref": "#/$defs/d0", "$defs": definitions })
    }

    fn check(schema: &Value) -> Result<(), String> {
        ReferenceBudget::default().check(schema).map(|_| ())
    }

    #[test]
    fn what_would_be_checked_for_years_is_refused() {
        assert_eq!(check(&doubling(5)), Ok(()));
        for steps in [20, 40, 63, 1_000] {
            assert!(check(&doubling(steps)).is_err(), "{steps}");
        }
    }

    #[test]
    fn references_that_stay_are_fine_also_in_a_circle() {
        for schema in [
            json!({ "properties": { "child": { "$ref": "#" }, "other": { "$ref": "#" } } }),
            json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } }),
            json!({ "properties": { "$ref": { "type": "string" }, "id": { "type": "string" } } }),
        ] {
            assert_eq!(check(&schema), Ok(()), "{schema}");
        }
    }

    #[test]
    fn references_that_leave_or_hide_are_refused() {
        for to in [
            "http://x/y",
            "file:///etc/passwd",
            "other.json",
            "#name",
            "#/$defs/%61",
        ] {
            let schema = json!({ "properties": { "a": { "$ref": to } }, "$defs": { "a": {} } });
            assert!(check(&schema).is_err(), "{to}");
        }
        for id in ["http://x/y", "y"] {
            assert!(
                check(&json!({ "properties": { "a": { "$id": id } } })).is_err(),
                "{id}"
            );
        }
        assert!(check(&json!({ "$schema": "http://json-schema.org/draft-04/schema#" })).is_err());
    }
}
