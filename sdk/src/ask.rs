//! The answers to a question.

use crate::{AskError, Result};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;

/// The answers of the person to one question, by the names of its fields. Returned by
/// [`Stage::ask`](crate::Stage::ask).
///
/// The host has checked them: an option is one that was offered, a number lies within its bounds. A field
/// that may be empty and was left empty has no text; [`read`](Self::read) it as an `Option`.
pub struct Answers(Map<String, Value>);

impl Answers {
    pub(crate) fn parse(json: &str) -> Result<Self, AskError> {
        serde_json::from_str(json)
            .map(Self)
            .map_err(|error| AskError::Other(error.to_string()))
    }

    /// Returns the value of a field: a string, a number, or an array of strings.
    #[must_use]
    pub fn value(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// Returns the value of a field if it is a string.
    #[must_use]
    pub fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field)?.as_str()
    }

    /// Deserialises the value of a field.
    ///
    /// # Errors
    /// If there is no such field, or its value has another type.
    pub fn read<T: DeserializeOwned>(&self, field: &str) -> Result<T, AskError> {
        let value = self.0.get(field).cloned().unwrap_or(Value::Null);
        serde_json::from_value(value)
            .map_err(|error| AskError::Other(format!("the answer to `{field}`: {error}")))
    }
}

/// Prints only the names of the fields: an answer may be a secret.
impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

/// Unique labels of the options of [`Stage::choose`](crate::Stage::choose).
pub(crate) struct UniqueLabels(Vec<String>);

impl UniqueLabels {
    pub(crate) fn of<T: fmt::Display>(options: &[T]) -> Self {
        let mut labels: Vec<String> = Vec::with_capacity(options.len());
        for option in options {
            let label = option.to_string();
            let mut unique = label.clone();
            let mut count = 1;
            // Options with the same label get a number, so that the answer identifies one of them.
            while labels.contains(&unique) {
                count += 1;
                unique = format!("{label} ({count})");
            }
            labels.push(unique);
        }
        Self(labels)
    }

    pub(crate) fn labels(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub(crate) fn index(&self, label: &str) -> Option<usize> {
        self.0.iter().position(|known| known == label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_with_the_same_text_get_different_labels() {
        let choices = UniqueLabels::of(&["Springfield", "Oslo", "Springfield", "Springfield"]);
        let labels: Vec<_> = choices.labels().collect();
        assert_eq!(
            labels,
            ["Springfield", "Oslo", "Springfield (2)", "Springfield (3)"]
        );
        assert_eq!(choices.index("Springfield (2)"), Some(2));
    }

    #[test]
    fn debug_output_contains_no_answer() {
        let answers = Answers::parse(r#"{"password":"hunter2"}"#).expect("an object");
        assert_eq!(format!("{answers:?}"), r#"["password"]"#);
    }
}
