//! Bounds the work of checking a value against a schema, before it is done.
//!
//! Both can be hostile, and a check runs on the caller's thread, where nothing can stop it. The
//! estimate walks the schema along the value as the validator does, adds up what each keyword costs,
//! and ends when the budget is spent. The unit is about ten nanoseconds.
//!
//! A validator that only decides remembers what the targets of recursive references said of a value,
//! and so does the estimate. One that explains visits every branch: with a schema that refers to itself
//! in two branches of `anyOf`, each level of the value doubles the work.
//!
//! Invariant: the estimate is never too low by more than a constant factor. What could apply to a value
//! is assumed to apply.

use super::patterns;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The depth of a value.
const MAX_DEPTH: usize = 64;

/// The size of a value, in bytes of JSON, roughly.
const MAX_BYTES: usize = 1 << 20;

/// How deep the parts of schema and value can be nested in each other. Validators are recursive.
const MAX_NESTING: usize = 500;

/// The work to decide whether a value fits: half a second.
const MAX_WORK: u64 = 50_000_000;

/// The work to explain why a value does not fit. Explaining takes longer for each step.
const MAX_EXPLAINED_WORK: u64 = 10_000_000;

/// The work to compare a byte of a text with a format, of whichever name.
const FORMAT: u64 = 4;

/// The work for one pair of schema and value.
const VISIT: u64 = 10;

/// The work to find in the memory what a recursive reference said of a value. The validator remembers
/// only what took it more visits than this.
const REMEMBERED: u64 = 16 * VISIT;

/// The work to divide two numbers of usual size exactly ...
const DIVISION: u64 = 500;

/// ... and of any size, which can have thousands of digits.
const LONG_DIVISION: u64 = 20_000;

/// How much more work it is to find out what was not evaluated.
const UNEVALUATED: u64 = 4;

/// A check that would take too much time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooCostly;

/// Checks the size and the depth of a value.
pub(super) fn check_size(input: &Value) -> Result<(), String> {
    let mut bytes = 0;
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
    }
    Ok(())
}

/// Checks that deciding whether a value fits a schema is affordable. `recursive` has the references of
/// the schema that lead back to themselves.
pub(super) fn check_decision(
    schema: &Value,
    recursive: &HashSet<String>,
    value: &Value,
) -> Result<(), TooCostly> {
    Walk::new(schema, Some(recursive), MAX_WORK).visit(schema, value)
}

/// Checks that explaining why a value does not fit a schema is affordable.
pub(super) fn check_explanation(schema: &Value, value: &Value) -> Result<(), TooCostly> {
    Walk::new(schema, None, MAX_EXPLAINED_WORK).visit(schema, value)
}

struct Walk<'a> {
    root: &'a Value,
    /// The references whose targets are remembered.
    recursive: Option<&'a HashSet<String>>,
    /// The addresses of targets and values that were visited.
    visited: HashSet<(*const Value, *const Value)>,
    left: u64,
    /// How often everything is done that is visited now.
    factor: u64,
    nesting: usize,
}

impl<'a> Walk<'a> {
    fn new(root: &'a Value, recursive: Option<&'a HashSet<String>>, work: u64) -> Self {
        Self {
            root,
            recursive,
            visited: HashSet::new(),
            left: work,
            factor: 1,
            nesting: 0,
        }
    }

    fn charge(&mut self, work: u64) -> Result<(), TooCostly> {
        let work = work.saturating_mul(self.factor);
        self.left = self.left.checked_sub(work).ok_or(TooCostly)?;
        Ok(())
    }

    /// Spends what it takes to check a value against a schema.
    fn visit(&mut self, schema: &'a Value, value: &Value) -> Result<(), TooCostly> {
        let Value::Object(keywords) = schema else {
            return self.charge(VISIT);
        };
        if self.nesting >= MAX_NESTING {
            return Err(TooCostly);
        }
        self.nesting += 1;
        let factor = self.factor;
        let evaluates_again = ["unevaluatedProperties", "unevaluatedItems"];
        if evaluates_again
            .iter()
            .any(|name| keywords.contains_key(*name))
        {
            self.factor = factor.saturating_mul(UNEVALUATED);
        }
        self.charge(VISIT + keywords.len() as u64)?;
        for (name, keyword) in keywords {
            self.in_place(name, keyword, value)?;
            match value {
                Value::Object(members) => self.object(keywords, name, keyword, members)?,
                Value::Array(items) => self.array(name, keyword, items)?,
                Value::String(text) => self.text(name, keyword, text)?,
                Value::Number(number) if name == "multipleOf" => {
                    self.charge(division(number.as_f64(), keyword.as_f64()))?;
                }
                _ => {}
            }
        }
        self.factor = factor;
        self.nesting -= 1;
        Ok(())
    }

    /// Visits the schemas that apply to the same value.
    fn in_place(&mut self, name: &str, keyword: &'a Value, value: &Value) -> Result<(), TooCostly> {
        match (name, keyword) {
            ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(to)) => self.follow(to, value),
            ("allOf" | "anyOf" | "oneOf", Value::Array(all)) => {
                all.iter().try_for_each(|schema| self.visit(schema, value))
            }
            ("not" | "if" | "then" | "else", schema) => self.visit(schema, value),
            ("dependentSchemas" | "dependencies", Value::Object(all)) => {
                self.charge(all.len() as u64)?;
                let applies = |name: &String| value.get(name).is_some();
                all.iter()
                    .filter(|(name, _)| applies(name))
                    .try_for_each(|(_, schema)| self.visit(schema, value))
            }
            ("enum" | "const" | "required" | "dependentRequired", values) => {
                self.charge(weight(values))
            }
            _ => Ok(()),
        }
    }

    fn follow(&mut self, to: &'a str, value: &Value) -> Result<(), TooCostly> {
        let target = to.strip_prefix('#').and_then(|to| self.root.pointer(to));
        let Some(target) = target else {
            return self.charge(VISIT);
        };
        let is_remembered = self.recursive.is_some_and(|all| all.contains(to))
            && (value.is_object() || value.is_array());
        let pair = (std::ptr::from_ref(target), std::ptr::from_ref(value));
        if is_remembered && !self.visited.insert(pair) {
            return self.charge(REMEMBERED);
        }
        self.visit(target, value)
    }

    fn object(
        &mut self,
        keywords: &'a Map<String, Value>,
        name: &str,
        keyword: &'a Value,
        members: &Map<String, Value>,
    ) -> Result<(), TooCostly> {
        let declared = keywords.get("properties");
        self.charge(members.len() as u64)?;
        match (name, keyword) {
            ("properties", Value::Object(all)) => {
                for (name, member) in members {
                    if let Some(schema) = all.get(name) {
                        self.visit(schema, member)?;
                    }
                }
            }
            ("patternProperties", Value::Object(all)) => {
                for (pattern, schema) in all {
                    let states = patterns::states(pattern);
                    for (name, member) in members {
                        self.charge(states.saturating_mul(name.len() as u64 + 1))?;
                        self.visit(schema, member)?;
                    }
                }
            }
            ("additionalProperties" | "unevaluatedProperties", schema) => {
                for (name, member) in members {
                    if declared.is_none_or(|all| all.get(name).is_none()) {
                        self.visit(schema, member)?;
                    }
                }
            }
            ("propertyNames", schema) => {
                for name in members.keys() {
                    self.visit(schema, &Value::String(name.clone()))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn array(&mut self, name: &str, keyword: &'a Value, items: &[Value]) -> Result<(), TooCostly> {
        match (name, keyword) {
            ("prefixItems" | "items", Value::Array(all)) => {
                for (schema, item) in all.iter().zip(items) {
                    self.visit(schema, item)?;
                }
            }
            ("items" | "additionalItems" | "unevaluatedItems" | "contains", schema) => {
                items.iter().try_for_each(|item| self.visit(schema, item))?
            }
            ("uniqueItems", Value::Bool(true)) => self.charge(comparisons(items))?,
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, name: &str, keyword: &'a Value, text: &str) -> Result<(), TooCostly> {
        let bytes = text.len() as u64;
        match (name, keyword) {
            ("pattern", Value::String(pattern)) => {
                self.charge(patterns::states(pattern).saturating_mul(bytes + 1))
            }
            ("minLength" | "maxLength" | "contentMediaType" | "contentEncoding", _) => {
                self.charge(bytes)
            }
            ("format", Value::String(_)) => self.charge(FORMAT.saturating_mul(bytes + 1)),
            _ => Ok(()),
        }
    }
}

/// Returns the work to compare a value with an equal one.
fn weight(value: &Value) -> u64 {
    let mut weight = 0;
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        weight += 1;
        match value {
            Value::String(text) => weight += text.len() as u64 / 8,
            Value::Array(items) => left.extend(items),
            Value::Object(members) => {
                weight += members.len() as u64;
                left.extend(members.values());
            }
            _ => {}
        }
    }
    weight
}

/// Returns the work to find out whether the items of an array are unique. The validator compares their
/// hashes first, but arrays, objects and large numbers can be made to have the same one.
fn comparisons(items: &[Value]) -> u64 {
    /// Integers from here on share their hash with others, up to two thousand.
    const INEXACT: f64 = (1_u64 << 53) as f64;
    let (mut containers, mut work): (u64, u64) = (0, 0);
    for item in items {
        work += weight(item);
        match item {
            Value::Array(_) | Value::Object(_) => containers += 1,
            Value::Number(number) if number.as_f64().is_none_or(|n| n.abs() >= INEXACT) => {
                work += 50 * VISIT;
            }
            _ => work += VISIT,
        }
    }
    work.saturating_mul(containers.max(1))
}

/// Returns the work to divide a number exactly.
fn division(number: Option<f64>, by: Option<f64>) -> u64 {
    let is_usual = |number: f64| number == 0.0 || (1e-15..1e18).contains(&number.abs());
    if number.is_some_and(is_usual) && by.is_some_and(is_usual) {
        DIVISION
    } else {
        LONG_DIVISION
    }
}

#[cfg(test)]
mod tests;
