//! What it costs to say where an input does not fit a stranger's schema, known before it is said.
//!
//! Whether an input fits is found in time that is bounded: the validator remembers what it found where a
//! reference leads. To say why it does not fit, it goes through every branch: a schema that refers to
//! itself in two branches of `anyOf` takes twice as long with each level of the input, on the caller's
//! thread, where nothing can stop it. So that is counted first: how many parts of the schema can meet at
//! one place of an input, for each depth of that place; an input costs the sum over its places.
//!
//! Invariant: never too few. An object's member meets one of `properties` at most; everything else that
//! could apply is taken to apply.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// How deep an input may be.
const MAX_DEPTH: usize = 64;

/// How large an input may be, about in bytes of JSON.
const MAX_BYTES: usize = 1 << 20;

/// How many parts of a schema may meet parts of an input: tenths of a second.
const MAX_STEPS: u64 = 1_000_000;

/// How many places an input has at each depth.
pub(super) struct Extent(Vec<u64>);

impl Extent {
    /// Measures an input, unless it is too large or too deep to be looked at.
    pub(super) fn of(input: &Value) -> Result<Self, String> {
        let (mut slots, mut bytes) = (Vec::new(), 0);
        // No recursion: a stranger chose how deep it goes.
        let mut left = vec![(input, 0)];
        while let Some((value, depth)) = left.pop() {
            if depth >= MAX_DEPTH {
                return Err(format!("the input is more than {MAX_DEPTH} levels deep"));
            }
            bytes += match value {
                Value::String(text) => 2 + text.len(),
                Value::Array(items) => {
                    left.extend(items.iter().map(|item| (item, depth + 1)));
                    2 + items.len()
                }
                Value::Object(members) => {
                    left.extend(members.values().map(|member| (member, depth + 1)));
                    2 + members.keys().map(|name| name.len() + 4).sum::<usize>()
                }
                _ => 4,
            };
            if bytes > MAX_BYTES {
                return Err(format!("the input has more than {MAX_BYTES} bytes"));
            }
            if slots.len() <= depth {
                slots.push(0);
            }
            slots[depth] += 1;
        }
        Ok(Self(slots))
    }

    /// Whether it can be said where an input of this extent does not fit.
    pub(super) fn is_affordable(&self, schema: &Value) -> bool {
        self.steps(schema) <= MAX_STEPS
    }

    fn steps(&self, schema: &Value) -> u64 {
        let mut count = Count {
            root: schema,
            known: HashMap::new(),
        };
        let mut parts = Vec::new();
        let mut left = vec![schema];
        while let Some(value) = left.pop() {
            match value {
                Value::Object(members) => {
                    parts.push(value);
                    left.extend(members.values());
                }
                Value::Array(items) => left.extend(items),
                _ => {}
            }
        }
        let mut steps: u64 = 0;
        for (depth, slots) in self.0.iter().enumerate() {
            // All of one depth before the next, so that nothing is followed far.
            for part in &parts {
                count.at(part, depth);
            }
            steps = steps.saturating_add(slots.saturating_mul(count.at(schema, depth)));
        }
        steps
    }
}

struct Count<'a> {
    root: &'a Value,
    /// How many parts of a schema meet at a depth, by where the schema stands in memory.
    known: HashMap<(*const Value, usize), u64>,
}

impl<'a> Count<'a> {
    /// How many parts of this schema can meet at one place, so many levels below where it applies.
    fn at(&mut self, schema: &'a Value, depth: usize) -> u64 {
        let Value::Object(members) = schema else {
            return u64::from(depth == 0);
        };
        let key = (std::ptr::from_ref(schema), depth);
        if let Some(count) = self.known.get(&key) {
            return *count;
        }
        // Whoever comes back here before the count is known goes in a circle.
        self.known.insert(key, u64::MAX);
        let count = self.sum(members, depth);
        self.known.insert(key, count);
        count
    }

    fn sum(&mut self, members: &'a Map<String, Value>, depth: usize) -> u64 {
        let mut here = u64::from(depth == 0);
        for (name, value) in members {
            let more = match (name.as_str(), value) {
                ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(to)) => {
                    let target = to.strip_prefix('#').and_then(|to| self.root.pointer(to));
                    target.map_or(0, |target| self.at(target, depth))
                }
                ("allOf" | "anyOf" | "oneOf", Value::Array(all)) => self.each(all, depth),
                ("not" | "if" | "then" | "else", schema) => self.at(schema, depth),
                ("dependentSchemas" | "dependencies", Value::Object(all)) => {
                    self.each(all.values(), depth)
                }
                _ => 0,
            };
            here = here.saturating_add(more);
        }
        if depth > 0 {
            here = here.saturating_add(self.below(members, depth - 1));
        }
        // What is left over is found by checking the rest once more.
        let again = ["unevaluatedProperties", "unevaluatedItems"];
        if again.iter().any(|name| members.contains_key(*name)) {
            here = here.saturating_mul(4);
        }
        here
    }

    /// The same for a member or an item of what the schema applies to.
    fn below(&mut self, members: &'a Map<String, Value>, depth: usize) -> u64 {
        let (mut object, mut array): (u64, u64) = (0, 0);
        for (name, value) in members {
            match (name.as_str(), value) {
                // A member has one name, and an item one place.
                ("properties", Value::Object(all)) => {
                    let most = all.values().map(|schema| self.at(schema, depth)).max();
                    object = object.saturating_add(most.unwrap_or(0));
                }
                ("prefixItems" | "items", Value::Array(all)) => {
                    let most = all.iter().map(|schema| self.at(schema, depth)).max();
                    array = array.saturating_add(most.unwrap_or(0));
                }
                ("patternProperties", Value::Object(all)) => {
                    object = object.saturating_add(self.each(all.values(), depth));
                }
                ("additionalProperties" | "unevaluatedProperties" | "propertyNames", schema) => {
                    object = object.saturating_add(self.at(schema, depth));
                }
                ("items" | "additionalItems" | "unevaluatedItems" | "contains", schema) => {
                    array = array.saturating_add(self.at(schema, depth));
                }
                _ => {}
            }
        }
        object.max(array)
    }

    fn each(&mut self, all: impl IntoIterator<Item = &'a Value>, depth: usize) -> u64 {
        all.into_iter()
            .map(|schema| self.at(schema, depth))
            .fold(0, u64::saturating_add)
    }
}

#[cfg(test)]
mod tests;
