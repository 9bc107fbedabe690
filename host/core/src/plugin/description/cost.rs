//! Estimates what it costs to explain why an input does not fit a schema.
//!
//! Checking whether an input fits takes bounded time, because the validator caches what references
//! lead to. Explaining why it does not fit visits every branch: with a schema that refers to itself
//! in two branches of `anyOf`, each level of the input doubles the time, on the caller's thread,
//! where nothing can stop it. The cost is therefore estimated first: how many parts of the schema
//! can apply to a value at each depth, summed over the values of the input.
//!
//! Invariant: the estimate is never too low. At most one of `properties` applies to a member;
//! everything else that could apply is assumed to apply.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// The depth of an input.
const MAX_DEPTH: usize = 64;

/// The size of an input, in bytes of JSON, roughly.
const MAX_BYTES: usize = 1 << 20;

/// How many pairs of schema part and value are visited: tenths of a second.
const MAX_STEPS: u64 = 1_000_000;

/// The number of values of an input at each depth.
pub(super) struct Extent(Vec<u64>);

impl Extent {
    /// Measures an input. Fails if it is too large or too deep.
    pub(super) fn of(input: &Value) -> Result<Self, String> {
        let (mut slots, mut bytes) = (Vec::new(), 0);
        // No recursion, because the depth is untrusted.
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

    /// Reports whether explaining an input of this extent is affordable.
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
            // Depth by depth, so that recursion stays shallow.
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
    /// The number of applicable parts by depth and address of the schema.
    known: HashMap<(*const Value, usize), u64>,
}

impl<'a> Count<'a> {
    /// Returns how many parts of this schema can apply to one value `depth` levels below.
    fn at(&mut self, schema: &'a Value, depth: usize) -> u64 {
        let Value::Object(members) = schema else {
            return u64::from(depth == 0);
        };
        let key = (std::ptr::from_ref(schema), depth);
        if let Some(count) = self.known.get(&key) {
            return *count;
        }
        // A schema that is reached again before its count is known is recursive.
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
        // Unevaluated members are found by checking the rest again.
        let again = ["unevaluatedProperties", "unevaluatedItems"];
        if again.iter().any(|name| members.contains_key(*name)) {
            here = here.saturating_mul(4);
        }
        here
    }

    /// Counts the parts that apply to a member or an item.
    fn below(&mut self, members: &'a Map<String, Value>, depth: usize) -> u64 {
        let (mut object, mut array): (u64, u64) = (0, 0);
        for (name, value) in members {
            match (name.as_str(), value) {
                // A member has one name, and an item one index.
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
