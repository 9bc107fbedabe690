//! Validators for the schemas of an untrusted plugin, with bounds on what they cost.

use super::cost;
use super::patterns::{self, PatternBudget};
use super::references::ReferenceBudget;
use super::violation::{MAX_VIOLATION, describe};
use crate::call::guest_log::cut;
use jsonschema::{PatternOptions, Validator};
use serde_json::Value;
use std::collections::HashSet;

/// How many violations are reported.
const MAX_VIOLATIONS: usize = 5;

/// What the schemas of a plugin can still cost to compile.
#[derive(Default)]
pub(super) struct SchemaBudget {
    references: ReferenceBudget,
    patterns: PatternBudget,
}

/// A validator that refuses values which would take too long to check.
#[derive(Debug)]
pub(super) struct BoundedValidator {
    validator: Validator,
    /// The references that lead back to themselves.
    recursive: HashSet<String>,
}

impl BoundedValidator {
    /// Compiles the schema of an untrusted plugin.
    pub(super) fn new(schema: &Value, budget: &mut SchemaBudget) -> Result<Self, String> {
        let refused = |wrong| format!("its schema {wrong}");
        let recursive = budget.references.check(schema).map_err(refused)?;
        budget.patterns.check(schema).map_err(refused)?;
        let validator = jsonschema::options()
            // These patterns take time linear in the value, whatever the plugin wrote.
            .with_pattern_options(
                PatternOptions::regex()
                    .size_limit(patterns::MAX_COMPILED)
                    .dfa_size_limit(patterns::MAX_CACHE),
            )
            // A format is a remark: `regex`, for one, would compile what the value says.
            .should_validate_formats(false)
            .build(schema)
            .map_err(|error| format!("its schema: {}", cut(&error.to_string(), MAX_VIOLATION)))?;
        Ok(Self {
            validator,
            recursive,
        })
    }

    /// Reports whether a value fits the schema that this was compiled from. A value that would take too
    /// long to check does not.
    pub(super) fn fits(&self, schema: &Value, value: &Value) -> bool {
        cost::check_size(value).is_ok()
            && cost::check_decision(schema, &self.recursive, value).is_ok()
            && self.validator.is_valid(value)
    }

    /// Checks a value against the schema that this was compiled from. Returns the violations, with their
    /// places in the value.
    pub(super) fn check(&self, schema: &Value, value: &Value) -> Result<(), Vec<String>> {
        cost::check_size(value).map_err(|wrong| vec![wrong])?;
        if cost::check_decision(schema, &self.recursive, value).is_err() {
            let wrong = "it would take too long to check against the schema: make it smaller";
            return Err(vec![wrong.to_owned()]);
        }
        if self.validator.is_valid(value) {
            return Ok(());
        }
        if cost::check_explanation(schema, value).is_err() {
            let wrong = "it is too large or nested too deeply to say where it does not fit";
            return Err(vec![wrong.to_owned()]);
        }
        let errors = self.validator.iter_errors(value).take(MAX_VIOLATIONS);
        let wrong = errors.map(|error| {
            let place = error.instance_path().to_string();
            let what = describe(&error);
            if place.is_empty() {
                what
            } else {
                format!("{place}: {what}")
            }
        });
        Err(wrong.collect())
    }
}
