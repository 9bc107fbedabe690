//! Answers to questions.
//!
//! [`Question::check`] is the only way to make an [`Answer`], so a value of this type is the proof
//! that the input of a surface, a script or a network client fits the question. Every field has
//! one value: a string, a number, an array if several options can be chosen, or null if an
//! optional field was left empty.
//!
//! Invariant: only [`Answer::values`] returns secrets; it is for the plugin that asked. `Answer`
//! does not implement `Serialize`, and `Debug`, [`Answer::text`], [`Answer::recordable`] and every
//! error omit secrets.

pub(crate) mod check;

use crate::question::{Control, Field, Question};
use serde_json::{Map, Value};
use std::fmt;

/// The separator of several chosen options in an answer's text.
pub const SEPARATOR: &str = ", ";
/// The replacement for a secret wherever an answer is shown or recorded.
pub const REDACTED: &str = "(secret)";
/// The most bytes of a text.
pub const MAX_TEXT: usize = 64 * 1024;

impl Question {
    /// Checks an answer: an object with a member for each field, or the bare value of a question
    /// with one field. Defaults of fields are not filled in.
    ///
    /// Several options are given as an array, or as a string of options joined with [`SEPARATOR`]
    /// if that string can be read in one way only.
    ///
    /// # Errors
    /// When a field is unknown, missing, or does not accept its value. The message names the field
    /// and what it accepts.
    pub fn check(&self, given: Value) -> Result<Answer, AnswerError> {
        let mut given = match (given, self.fields.as_slice()) {
            (Value::Object(given), _) => given,
            (value, [field]) => Map::from_iter([(field.name.clone(), value)]),
            _ => return Err(AnswerError::NotByField(self.names())),
        };
        let entries = self
            .fields
            .iter()
            .map(|field| {
                let error = |problem: String| AnswerError::Field {
                    name: field.name.clone(),
                    problem,
                };
                let value = given.shift_remove(&field.name);
                let value = check::value(field, value.as_ref()).map_err(error)?;
                let value = match value {
                    Some(value) => value,
                    None if field.is_required() => return Err(error(check::missing(field))),
                    None if field.is_multiple() => Value::Array(Vec::new()),
                    None => Value::Null,
                };
                Ok(Entry {
                    field: field.clone(),
                    value,
                })
            })
            .collect::<Result<Vec<_>, _>>()?;
        match given.keys().next() {
            Some(name) => Err(AnswerError::UnknownField {
                name: name.clone(),
                known: self.names(),
            }),
            None => Ok(Answer { entries }),
        }
    }

    fn names(&self) -> Vec<String> {
        self.fields.iter().map(|field| field.name.clone()).collect()
    }
}

/// One valid value for each field of a question, in the question's order.
#[derive(Clone, PartialEq)]
pub struct Answer {
    entries: Vec<Entry>,
}

#[derive(Clone, PartialEq)]
struct Entry {
    field: Field,
    value: Value,
}

impl Answer {
    /// Reports whether this answer was checked against a question with the same fields, so that
    /// it need not be checked again.
    #[must_use]
    pub fn is_for(&self, question: &Question) -> bool {
        let fields = self.entries.iter().map(|entry| &entry.field);
        fields.eq(&question.fields)
    }

    /// Returns the values by field, secrets included: for the plugin that asked and nobody else.
    #[must_use]
    pub fn values(&self) -> Map<String, Value> {
        self.entries
            .iter()
            .map(|entry| (entry.field.name.clone(), entry.value.clone()))
            .collect()
    }

    /// Returns the values by field for the record: a secret is [`REDACTED`].
    #[must_use]
    pub fn recordable(&self) -> Map<String, Value> {
        self.entries
            .iter()
            .map(|entry| (entry.field.name.clone(), entry.recordable()))
            .collect()
    }

    /// Returns the answer as text for the record: the value of a single field, or a line
    /// `name: value` for each of several. Chosen options are joined with [`SEPARATOR`]. With
    /// several fields, a value of several lines is written as a JSON string, so that it cannot
    /// pass for another field.
    #[must_use]
    pub fn text(&self) -> String {
        if let [entry] = self.entries.as_slice() {
            return as_text(&entry.recordable());
        }
        let lines = self.entries.iter().map(|entry| {
            let mut text = as_text(&entry.recordable());
            if text.contains(char::is_control) {
                text = Value::String(text).to_string();
            }
            format!("{}: {text}", entry.field.name)
                .trim_end()
                .to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Reports whether the answer contains a secret, which must never be written anywhere.
    #[must_use]
    pub fn has_secret(&self) -> bool {
        self.entries.iter().any(Entry::is_secret)
    }
}

impl Entry {
    fn is_secret(&self) -> bool {
        self.field.control == Control::Secret && !self.value.is_null()
    }

    fn recordable(&self) -> Value {
        if self.is_secret() {
            REDACTED.into()
        } else {
            self.value.clone()
        }
    }
}

fn as_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values
            .iter()
            .map(as_text)
            .collect::<Vec<_>>()
            .join(SEPARATOR),
        other => other.to_string(),
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Answer").field(&self.recordable()).finish()
    }
}

/// The error of [`Question::check`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// A bare value for a question with several fields: these.
    #[error("the question has several fields; answer with an object of {}", .0.join(", "))]
    NotByField(Vec<String>),
    /// The question has no such field.
    #[error("the question has no field {}; it has {}", check::quoted(name), known.join(", "))]
    UnknownField {
        /// The name in the answer.
        name: String,
        /// The question's fields.
        known: Vec<String>,
    },
    /// A field is missing, or does not accept its value.
    #[error("the answer to {} {problem}", check::quoted(name))]
    Field {
        /// The field.
        name: String,
        /// What is wrong and what the field accepts.
        problem: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::tests::arbitrary::{any_json, any_object};
    use crate::question::Field;
    use proptest::prelude::*;
    use serde_json::json;

    fn ask(fields: impl IntoIterator<Item = Field>) -> Question {
        let fields: Vec<_> = fields.into_iter().collect();
        Question::parse("Well?", json!(fields)).expect("a question")
    }

    #[test]
    fn single_field_is_answered_by_its_value_or_by_name() {
        let question = ask([Field::select("city").options(["Oslo", "Bergen"])]);
        for given in [json!("Oslo"), json!({ "city": "Oslo" })] {
            let answer = question.check(given).expect("an answer");
            assert_eq!(answer.text(), "Oslo");
            assert_eq!(Value::Object(answer.values()), json!({ "city": "Oslo" }));
        }
    }

    #[test]
    fn checked_options_are_joined_beside_the_array() {
        let question = ask([Field::checkbox("c").options(["b", "a, z", "a"])]);
        let answer = question.check(json!(["a, z", "b"])).expect("an answer");
        assert_eq!(answer.text(), "b, a, z");
        assert_eq!(answer.values()["c"], json!(["b", "a, z"]));
    }

    #[test]
    fn several_fields_are_a_line_each_and_no_line_can_be_forged() {
        let question = ask([
            Field::text("name"),
            Field::number("age"),
            Field::textarea("note").required(false),
        ]);
        let answer = question
            .check(json!({ "age": 3, "name": "x\nage: 4" }))
            .expect("an answer");
        assert_eq!(answer.text(), "name: \"x\\nage: 4\"\nage: 3\nnote:");
        assert_eq!(answer.values()["note"], Value::Null);
    }

    #[test]
    fn answer_is_for_the_question_it_was_checked_against() {
        let question = ask([Field::select("city").options(["Oslo", "Bergen"])]);
        let answer = question.check(json!("Oslo")).expect("an answer");
        assert!(answer.is_for(&question));
        assert!(!answer.is_for(&ask([Field::select("city").options(["Bergen"])])));
        assert!(!answer.is_for(&ask([Field::text("city"), Field::text("name")])));
    }

    #[test]
    fn secret_is_seen_by_the_plugin_only() {
        let question = ask([Field::secret("key")]);
        let answer = question.check(json!("hunter2")).expect("an answer");
        assert_eq!(answer.values()["key"], "hunter2");
        assert_eq!(answer.recordable()["key"], REDACTED);
        assert!(answer.has_secret());
        for shown in [format!("{answer:?}"), answer.text()] {
            assert!(!shown.contains("hunter2"), "{shown}");
        }
    }

    #[test]
    fn refused_secret_is_not_in_the_message() {
        let question = ask([Field::secret("key").min(8)]);
        for given in [json!("hunter2"), json!(["hunter2"]), json!({ "key": 4711 })] {
            let error = question.check(given).expect_err("too short");
            let message = format!("{error} {error:?}");
            assert!(
                !message.contains("hunter2") && !message.contains("4711"),
                "{message}"
            );
        }
    }

    #[test]
    fn unknown_field_is_refused_and_the_known_ones_are_named() {
        let question = ask([Field::text("a"), Field::text("b")]);
        let error = question
            .check(json!({ "a": "1", "b": "2", "c\u{1b}": "3" }))
            .expect_err("no c");
        assert_eq!(
            error.to_string(),
            r#"the question has no field "c\u{1b}"; it has a, b"#
        );
        assert!(matches!(
            question.check(json!("1")),
            Err(AnswerError::NotByField(_))
        ));
    }

    #[test]
    fn missing_answer_is_refused_unless_the_field_allows_it() {
        for field in [
            Field::select("f").options(["a"]).multiple(true),
            Field::radio("f").options(["a"]),
            Field::checkbox("f").options(["a"]),
            Field::buttons("f").options(["a"]),
            Field::confirm("f"),
            Field::text("f"),
            Field::number("f"),
            Field::date("f"),
            Field::secret("f"),
        ] {
            for nothing in [json!(null), json!(""), json!({}), json!({ "f": null })] {
                let question = ask([field.clone()]);
                let error = question.check(nothing.clone()).expect_err("nothing given");
                assert!(error.to_string().contains("\"f\""), "{error}");
                let optional = ask([field.clone().required(false)]);
                let answer = optional.check(nothing).expect("optional");
                assert_eq!(answer.text(), "");
            }
        }
        let question = ask([Field::checkbox("f").options(["a"])]);
        assert!(question.check(json!([])).is_err());
    }

    #[test]
    fn default_is_never_taken_for_an_answer() {
        let question = ask([Field::text("f").default("Oslo")]);
        assert!(question.check(json!({})).is_err());
    }

    proptest! {
        #[test]
        fn checking_never_panics_and_an_answer_answers_again(
            fields in prop::collection::vec(any_object(), 0..3),
            given in any_json(),
        ) {
            if let Ok(question) = Question::parse("p", fields.into())
                && let Ok(answer) = question.check(given)
            {
                let again = question.check(Value::Object(answer.values()));
                prop_assert_eq!(again, Ok(answer));
            }
        }

        #[test]
        fn checked_answer_passes_the_check_again(
            options in prop::collection::btree_set("[ab](, [ab]){0,2}", 1..5),
            marks in prop::collection::vec(any::<bool>(), 5),
        ) {
            let chosen: Vec<_> = options.iter().zip(marks).filter_map(|(o, on)| on.then_some(o)).collect();
            let question = ask([Field::checkbox("f").options(&options)]);
            if let Ok(answer) = question.check(json!(chosen)) {
                prop_assert_eq!(&answer.values()["f"], &json!(chosen));
                // As text it is either understood as it was meant, or refused.
                if let Ok(read) = question.check(answer.text().into()) {
                    prop_assert_eq!(read, answer);
                }
            }
        }
    }
}
