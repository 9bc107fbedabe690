//! Validators for the schemas of an untrusted plugin, with bounds on what they cost.
//!
//! A host checks inputs, the data of widgets and settings with them, and the SDK's scripted stage does
//! the same in a native test.
//!
//! To add a format: a line in `formats`.

mod cost;
mod formats;
mod patterns;
mod references;
mod violation;

pub use formats::{Format, formats};

use crate::escape::cut;
use jsonschema::{PatternOptions, Validator};
use patterns::PatternBudget;
use references::ReferenceBudget;
use serde_json::Value;
use std::collections::HashSet;
use violation::{MAX_VIOLATION, describe};

/// How many violations are reported.
const MAX_VIOLATIONS: usize = 5;

/// What the schemas of a plugin can still cost to compile.
#[derive(Default)]
pub struct SchemaBudget {
    references: ReferenceBudget,
    patterns: PatternBudget,
}

/// A validator that refuses values which would take too long to check.
#[derive(Debug)]
pub struct BoundedValidator {
    validator: Validator,
    /// The references that lead back to themselves.
    recursive: HashSet<String>,
}

impl BoundedValidator {
    /// Compiles the schema of an untrusted plugin.
    ///
    /// # Errors
    /// If the schema is malformed or would cost too much, with the reason.
    pub fn new(schema: &Value, budget: &mut SchemaBudget) -> Result<Self, String> {
        let refused = |wrong| format!("its schema {wrong}");
        let recursive = budget.references.check(schema).map_err(refused)?;
        budget.patterns.check(schema).map_err(refused)?;
        let options = jsonschema::options()
            // These patterns take time linear in the value, whatever the plugin wrote.
            .with_pattern_options(
                PatternOptions::regex()
                    .size_limit(patterns::MAX_COMPILED)
                    .dfa_size_limit(patterns::MAX_CACHE),
            )
            .should_validate_formats(true);
        let validator = formats::restrict(options)
            .build(schema)
            .map_err(|error| format!("its schema: {}", cut(&error.to_string(), MAX_VIOLATION)))?;
        Ok(Self {
            validator,
            recursive,
        })
    }

    /// Reports whether a value fits the schema that this was compiled from. A value that would take too
    /// long to check does not.
    #[must_use]
    pub fn fits(&self, schema: &Value, value: &Value) -> bool {
        cost::check_size(value).is_ok()
            && cost::check_decision(schema, &self.recursive, value).is_ok()
            && self.validator.is_valid(value)
    }

    /// Checks a value against the schema that this was compiled from. Returns the violations, with their
    /// places in the value.
    ///
    /// # Errors
    /// The violations.
    pub fn check(&self, schema: &Value, value: &Value) -> Result<(), Vec<String>> {
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
