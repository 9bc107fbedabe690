//! Parsing of questions.
//!
//! [`Question::parse`] reads the question of a plugin, [`Question::from_model`] that of the model.
//! Both refuse what a person could not answer, such as a list without options or bounds that no
//! value meets, so that the asker gets an error and no surface has to draw it.

use super::{Choice, Control, Field, Question};
use crate::answer::check;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The most bytes of a prompt.
pub const MAX_PROMPT: usize = 8 * 1024;
/// The most fields of one question.
pub const MAX_FIELDS: usize = 20;
/// The most options of one field.
pub const MAX_OPTIONS: usize = 200;
/// The error message for a missing prompt, which models match.
pub const NO_PROMPT: &str = "'prompt' (or 'text') is required for ask action";

impl Question {
    /// Checks a prompt and its fields (an array, or null for none). Names fields without a name and
    /// gives a `confirm` without options Yes and No.
    ///
    /// # Errors
    /// When a person could not answer the question; the message says what to change.
    pub fn parse(prompt: &str, fields: Value) -> Result<Self, QuestionError> {
        if prompt.trim().is_empty() {
            return Err(QuestionError::NoPrompt);
        }
        if prompt.len() > MAX_PROMPT {
            return Err(QuestionError::LongPrompt(prompt.len()));
        }
        let given = match fields {
            Value::Null => Vec::new(),
            Value::Array(given) => given,
            _ => return Err(QuestionError::NotAList),
        };
        if given.len() > MAX_FIELDS {
            return Err(QuestionError::ManyFields(given.len()));
        }
        let mut fields = given
            .into_iter()
            .enumerate()
            .map(|(at, value)| read_field(value).map_err(|problem| error(at, None, problem)))
            .collect::<Result<Vec<_>, _>>()?;
        if fields.is_empty() {
            fields.push(Field::confirm(""));
        }
        name_all(&mut fields)?;
        for (at, field) in fields.iter_mut().enumerate() {
            complete(field).map_err(|problem| error(at, Some(&field.name), problem))?;
        }
        Ok(Self {
            prompt: prompt.to_owned(),
            fields,
        })
    }

    /// Reads the input of the model's built-in tool: `{prompt, widgets}`. `text` replaces a missing
    /// or blank `prompt`, and `fields` a missing `widgets`.
    ///
    /// # Errors
    /// Those of [`parse`](Self::parse).
    pub fn from_model(mut input: Value) -> Result<Self, QuestionError> {
        let mut take = |name: &str| input.get_mut(name).map(Value::take);
        let fields = take("widgets").filter(|value| !value.is_null());
        let fields = fields.or_else(|| take("fields")).unwrap_or_default();
        let prompts = ["prompt", "text"].into_iter();
        let mut prompts = prompts.filter_map(|name| input.get(name)?.as_str());
        let prompt = prompts.find(|prompt| !prompt.trim().is_empty());
        Self::parse(prompt.unwrap_or_default(), fields)
    }
}

/// Reports whether `word` can name a field: `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`.
///
/// This admits the names of forms (`address.street`, `first-name`), and no name needs quotes on a
/// command line.
#[must_use]
pub fn is_field_name(word: &str) -> bool {
    let begins = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-');
    word.len() <= 64 && begins && word.bytes().all(is_plain)
}

fn read_field(value: Value) -> Result<Field, String> {
    let Value::Object(members) = value else {
        return Err("is not an object with a `type`".into());
    };
    match members.get("type") {
        Some(Value::String(word)) if Control::read(word).is_known() => {}
        Some(Value::String(word)) => {
            let (word, known) = (check::quoted(word), Control::KNOWN.join(", "));
            return Err(format!("has the unknown `type` {word}; use one of {known}"));
        }
        _ => {
            return Err(format!(
                "has no `type`; use one of {}",
                Control::KNOWN.join(", ")
            ));
        }
    }
    // Models write `null` for a member they leave out.
    let members: Map<_, _> = members.into_iter().filter(|(_, v)| !v.is_null()).collect();
    Field::deserialize(&Value::Object(members.clone())).map_err(|error| culprit(&members, &error))
}

/// Finds the member that does not parse by trying each alone: serde's error does not name it.
fn culprit(members: &Map<String, Value>, error: &serde_json::Error) -> String {
    members
        .iter()
        .filter(|(name, _)| *name != "type")
        .find_map(|(name, value)| {
            let error = Field::deserialize(&json!({ "type": "text", name: value })).err()?;
            Some(format!("has a wrong `{name}`: {error}"))
        })
        .unwrap_or_else(|| error.to_string())
}

fn name_all(fields: &mut [Field]) -> Result<(), QuestionError> {
    let mut taken = BTreeSet::new();
    for (at, field) in fields.iter().enumerate() {
        let name = &field.name;
        let problem = if name.is_empty() {
            continue;
        } else if !is_field_name(name) {
            "needs a `name` of letters, digits, `_`, `.` and `-`, at most 64, that starts with a letter or `_`"
        } else if !taken.insert(name.clone()) {
            "has the name of another field; give each a name of its own"
        } else {
            continue;
        };
        return Err(error(at, Some(name), problem.into()));
    }
    let single = fields.len() == 1;
    for (at, field) in fields.iter_mut().enumerate() {
        if field.name.is_empty() {
            let mut name = match single {
                true => "answer".to_owned(),
                false => format!("field{}", at + 1),
            };
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            field.name = name;
        }
    }
    Ok(())
}

fn complete(field: &mut Field) -> Result<(), String> {
    if matches!(field.control, Control::Confirm | Control::Radio) {
        field.multiple = None;
    }
    if field.control == Control::Confirm && field.choices().is_empty() {
        field.options = Some(vec!["Yes".into(), "No".into()]);
    }
    if field.control.has_options() {
        check_options(field.choices())?;
    }
    check_bounds(field)?;
    if let Some(default) = field.default.take() {
        if field.control == Control::Secret {
            // A default is recorded and shown with the question.
            return Err("is a `secret` and cannot have a `default`".into());
        }
        field.default = check::value(field, Some(&default))
            .map_err(|problem| format!("has a `default` that {problem}"))?;
    }
    Ok(())
}

fn check_options(options: &[Choice]) -> Result<(), String> {
    if options.is_empty() {
        return Err("needs `options`".into());
    }
    if options.len() > MAX_OPTIONS {
        return Err(format!(
            "has {} options; at most {MAX_OPTIONS} can be shown, so let the person type instead",
            options.len()
        ));
    }
    let mut seen = BTreeSet::new();
    for option in options {
        if option.value.trim().is_empty() {
            return Err("has a blank option; give each a value to choose it by".into());
        }
        if !seen.insert(&option.value) {
            let value = check::quoted(&option.value);
            return Err(format!("has the option {value} twice"));
        }
    }
    if options.iter().all(|option| option.disabled == Some(true)) {
        return Err("has no option that can be chosen".into());
    }
    Ok(())
}

fn check_bounds(field: &mut Field) -> Result<(), String> {
    for (name, bound) in [("min", &mut field.min), ("max", &mut field.max)] {
        let Some(value) = bound else { continue };
        let wanted = match field.control {
            Control::Number => match check::number(value) {
                Some(number) => {
                    *bound = Some(Value::Number(number));
                    continue;
                }
                None => "a number",
            },
            Control::Date if value.as_str().is_some_and(check::is_date) => continue,
            Control::Date => "a day written YYYY-MM-DD",
            Control::Text | Control::Textarea | Control::Secret if value.is_u64() => continue,
            Control::Text | Control::Textarea | Control::Secret => "a number of characters",
            _ => {
                return Err(format!(
                    "cannot have a `{name}`; only text, number, date and secret can"
                ));
            }
        };
        return Err(format!("needs {wanted} for its `{name}`"));
    }
    match (&field.min, &field.max) {
        (Some(min), Some(max))
            if check::compare(min, max).is_some_and(std::cmp::Ordering::is_gt) =>
        {
            Err("has a `min` above its `max`".into())
        }
        _ => Ok(()),
    }
}

fn error(at: usize, name: Option<&str>, problem: String) -> QuestionError {
    let field = match name {
        Some(name) => check::quoted(name),
        None => (at + 1).to_string(),
    };
    QuestionError::Field { field, problem }
}

/// The error of parsing a question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// The prompt is missing or blank.
    #[error("{NO_PROMPT}")]
    NoPrompt,
    /// The prompt is too long: its number of bytes.
    #[error("the prompt has {0} bytes; shorten it to at most {MAX_PROMPT}")]
    LongPrompt(usize),
    /// The fields are neither an array nor null.
    #[error("the fields of a question are an array")]
    NotAList,
    /// There are too many fields: their number.
    #[error("the question has {0} fields; ask at most {MAX_FIELDS} at once")]
    ManyFields(usize),
    /// A field is invalid.
    #[error("field {field} {problem}")]
    Field {
        /// Its name in quotes, or its position counted from 1.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
}

#[cfg(test)]
mod tests;
