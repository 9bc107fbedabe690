//! What is said of a value that does not fit a schema.

use super::formats;
use crate::escape::cut;
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::types::JsonType;
use serde_json::Value;
use std::collections::HashSet;

/// The most bytes of the value, and of the words about it.
pub(super) const MAX_VIOLATION: usize = 300;

/// Describes a violation. If only certain values are valid, all of them are listed: whoever wrote the
/// input, often a model, needs them to correct it. The length of a schema bounds the list.
pub(super) fn describe(error: &ValidationError<'_>) -> String {
    if let ValidationErrorKind::Format { format } = error.kind() {
        let given = error.instance().to_string();
        return formats::mismatch(cut(&given, MAX_VIOLATION), format);
    }
    let Some(values) = valid_values(error.kind()) else {
        return cut(&error.to_string(), MAX_VIOLATION).to_owned();
    };
    let given = error.instance().to_string();
    let given = cut(&given, MAX_VIOLATION);
    // References can name the same values many times.
    let mut seen = HashSet::new();
    let values = values.iter().filter(|value| seen.insert(value.as_str()));
    let values: Vec<&str> = values.map(String::as_str).collect();
    format!("{given} is not one of {}", values.join(", "))
}

/// Returns the valid values if there are only certain ones: those of an `enum`, or of alternatives
/// that are all constants or types.
fn valid_values(kind: &ValidationErrorKind) -> Option<Vec<String>> {
    match kind {
        ValidationErrorKind::Enum { options } => {
            Some(options.as_array()?.iter().map(Value::to_string).collect())
        }
        ValidationErrorKind::Constant { expected_value } => Some(vec![expected_value.to_string()]),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            let mut values = Vec::new();
            let mut has_constants = false;
            for alternative in context {
                // An alternative can fail by its type as well as by its constants.
                let named = alternative
                    .iter()
                    .find_map(|error| valid_values(error.kind()));
                has_constants |= named.is_some();
                match (named, alternative.first()?.kind()) {
                    (Some(named), _) => values.extend(named),
                    (None, ValidationErrorKind::Type { kind }) => match kind {
                        TypeKind::Single(JsonType::Null) => values.push("null".to_owned()),
                        TypeKind::Single(name) => values.push(format!("any {name}")),
                        TypeKind::Multiple(_) => return None,
                    },
                    _ => return None,
                }
            }
            has_constants.then_some(values)
        }
        _ => None,
    }
}
