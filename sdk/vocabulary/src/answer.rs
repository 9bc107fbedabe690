//! What a person answered, checked against the question.
//!
//! [`Question::check`] is the one way to an [`Answer`]: a surface, a script and a stranger on the
//! network all pass it, so what a plugin receives always fits what it asked. Every field has one
//! value: a string, a number, an array where several options may be chosen, or null where an
//! optional field was left alone.
//!
//! Invariant: a secret leaves only through [`Answer::values`], which is for the plugin that asked.
//! There is no `Serialize`, and `Debug`, [`Answer::text`], [`Answer::recordable`] and every error
//! are made without it.

pub(crate) mod check;

use crate::question::{Control, Question};
use serde_json::{Map, Value};
use std::fmt;

/// Between the checked options in an answer's text (A-14).
pub const SEPARATOR: &str = ", ";
/// What stands for a secret wherever it is shown or recorded.
pub const REDACTED: &str = "(secret)";
/// The longest text that can be typed, in bytes.
pub const MAX_TEXT: usize = 64 * 1024;

impl Question {
    /// Checks what was given: an object with a member for each field, or, where there is one
    /// field, its value alone. Nobody's default is filled in here.
    ///
    /// A list of options is best given as an array. As a string it is taken where it can be read
    /// in one way only: an option, or options joined with [`SEPARATOR`] (A-38).
    ///
    /// # Errors
    /// When a field is unknown, unanswered, or its value is not among what the field accepts. The
    /// message names the field and says what would do.
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
                let value = given.remove(&field.name);
                let value = check::value(field, value.as_ref()).map_err(error)?;
                let value = match value {
                    Some(value) => value,
                    None if field.is_required() => return Err(error(check::missing(field))),
                    None if field.is_multiple() => Value::Array(Vec::new()),
                    None => Value::Null,
                };
                Ok(Entry {
                    name: field.name.clone(),
                    secret: field.control == Control::Secret,
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

/// One valid value for every field of a question, in the question's order.
#[derive(Clone, PartialEq)]
pub struct Answer {
    entries: Vec<Entry>,
}

#[derive(Clone, PartialEq)]
struct Entry {
    name: String,
    secret: bool,
    value: Value,
}

impl Answer {
    /// The values by field, secrets included: for the plugin that asked and for nobody else.
    #[must_use]
    pub fn values(&self) -> Map<String, Value> {
        self.entries
            .iter()
            .map(|entry| (entry.name.clone(), entry.value.clone()))
            .collect()
    }

    /// The values by field, as they may be recorded: a secret is [`REDACTED`].
    #[must_use]
    pub fn recordable(&self) -> Map<String, Value> {
        self.entries
            .iter()
            .map(|entry| (entry.name.clone(), entry.shown()))
            .collect()
    }

    /// The answer as plain text (A-13), as it may be recorded: the value of a single field, or a
    /// line `name: value` for each of several. Checked options are joined with [`SEPARATOR`]
    /// (A-14). Beside other fields a value of several lines is written as a JSON string, so that
    /// it cannot pass for another field.
    #[must_use]
    pub fn text(&self) -> String {
        if let [entry] = self.entries.as_slice() {
            return plain(&entry.shown());
        }
        let lines = self.entries.iter().map(|entry| {
            let mut text = plain(&entry.shown());
            if text.contains(char::is_control) {
                text = Value::String(text).to_string();
            }
            format!("{}: {text}", entry.name).trim_end().to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Whether a secret is in it, which must then never be written anywhere.
    #[must_use]
    pub fn has_secret(&self) -> bool {
        self.entries
            .iter()
            .any(|entry| entry.secret && !entry.value.is_null())
    }
}

impl Entry {
    fn shown(&self) -> Value {
        if self.secret && !self.value.is_null() {
            REDACTED.into()
        } else {
            self.value.clone()
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(SEPARATOR),
        other => other.to_string(),
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Answer").field(&self.recordable()).finish()
    }
}

/// Why something is not an answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerError {
    /// A single value was given to several fields: these.
    NotByField(Vec<String>),
    /// The question has no such field.
    UnknownField {
        /// The name that was given.
        name: String,
        /// The question's fields.
        known: Vec<String>,
    },
    /// A field is unanswered, or its value does not fit.
    Field {
        /// Which field.
        name: String,
        /// What is wrong and what would do.
        problem: String,
    },
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotByField(known) => write!(
                f,
                "the question has several fields; answer with an object of {}",
                known.join(", ")
            ),
            Self::UnknownField { name, known } => write!(
                f,
                "the question has no field {}; it has {}",
                check::quoted(name),
                known.join(", ")
            ),
            Self::Field { name, problem } => {
                write!(f, "the answer to {} {problem}", check::quoted(name))
            }
        }
    }
}

impl std::error::Error for AnswerError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::arbitrary::{any_json, any_object};
    use crate::question::Field;
    use proptest::prelude::*;
    use serde_json::json;

    fn ask(fields: impl IntoIterator<Item = Field>) -> Question {
        let fields: Vec<_> = fields.into_iter().collect();
        Question::parse("Well?", json!(fields)).expect("a question")
    }

    #[test]
    fn single_field_is_answered_by_its_value_or_by_name() {
        // A-13
        let question = ask([Field::select("city").options(["Oslo", "Bergen"])]);
        for given in [json!("Oslo"), json!({ "city": "Oslo" })] {
            let answer = question.check(given).expect("an answer");
            assert_eq!(answer.text(), "Oslo");
            assert_eq!(Value::Object(answer.values()), json!({ "city": "Oslo" }));
        }
    }

    #[test]
    fn checked_options_are_joined_beside_the_array() {
        // A-14, A-38
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
    fn unknown_field_is_refused_and_the_known_are_named() {
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
        // A-15
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
        fn what_was_checked_comes_back_however_the_options_are_spelt(
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
