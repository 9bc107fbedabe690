//! Questions from outside, checked and completed before a person sees them.
//!
//! [`Question::parse`] is for a plugin's ask, [`Question::from_model`] for the model's own. Both
//! refuse what a person could not answer (a list without options, a bound that nothing meets), so
//! that whoever asked hears of it and no surface has to draw it.

use super::{Choice, Control, Field, Question};
use crate::answer::check;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt;

/// The longest prompt, in bytes.
pub const MAX_PROMPT: usize = 8 * 1024;
/// The most fields of one question.
pub const MAX_FIELDS: usize = 20;
/// The most options of one field.
pub const MAX_OPTIONS: usize = 200;
/// What is said where there is no prompt, word for word.
pub const NO_PROMPT: &str = "'prompt' (or 'text') is required for ask action";

impl Question {
    /// Checks a prompt and its fields (an array, or null for none) and fills in what was left
    /// out: names, and Yes and No where a `confirm` has no options.
    ///
    /// # Errors
    /// When a person could not answer it; the message says what to change.
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

    /// Reads the model's own way of asking: `{prompt, widgets}`. `text` stands in for a prompt
    /// that is missing or blank; `fields` for `widgets`.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn from_model(mut input: Value) -> Result<Self, QuestionError> {
        let mut take = |name: &str| input.get_mut(name).map(Value::take);
        let fields = take("widgets").filter(|value| !value.is_null());
        let fields = fields.or_else(|| take("fields")).unwrap_or_default();
        let prompt = ["prompt", "text"]
            .iter()
            .filter_map(|name| input.get(name)?.as_str())
            .find(|prompt| !prompt.trim().is_empty())
            .unwrap_or_default();
        Self::parse(prompt, fields)
    }
}

/// Whether `word` may name a field: `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`.
///
/// Wide enough for what forms use (`address.street`, `first-name`), narrow enough to be written
/// without quotes in `--answer field=value`.
#[must_use]
pub fn is_field_name(word: &str) -> bool {
    let mut bytes = word.bytes();
    word.len() <= 64
        && bytes
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-'))
}

fn read_field(value: Value) -> Result<Field, String> {
    let Value::Object(members) = value else {
        return Err("is not an object with a `type`".into());
    };
    match members.get("type") {
        Some(Value::String(word)) if Control::read(word).is_known() => {}
        Some(Value::String(word)) => {
            return Err(format!(
                "has the unknown `type` {}; use one of {}",
                check::quoted(word),
                Control::KNOWN.join(", ")
            ));
        }
        _ => {
            return Err(format!(
                "has no `type`; use one of {}",
                Control::KNOWN.join(", ")
            ));
        }
    }
    // A model's `null` means that it had nothing to say.
    let members: Map<_, _> = members.into_iter().filter(|(_, v)| !v.is_null()).collect();
    Field::deserialize(&Value::Object(members.clone())).map_err(|error| culprit(&members, &error))
}

/// serde says what is wrong but not where, so each member is tried alone.
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
            let mut name = if single {
                "answer".to_owned()
            } else {
                format!("field{}", at + 1)
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
            // It would be recorded and shown with the question.
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
            return Err(format!(
                "has the option {} twice",
                check::quoted(&option.value)
            ));
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

/// Why a question cannot be put to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuestionError {
    /// Nothing is asked.
    NoPrompt,
    /// The prompt has this many bytes.
    LongPrompt(usize),
    /// The fields are neither an array nor null.
    NotAList,
    /// There are this many fields.
    ManyFields(usize),
    /// A field is wrong.
    Field {
        /// Its name in quotes, or its place counted from 1.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPrompt => f.write_str(NO_PROMPT),
            Self::LongPrompt(bytes) => write!(
                f,
                "the prompt has {bytes} bytes; shorten it to at most {MAX_PROMPT}"
            ),
            Self::NotAList => f.write_str("the fields of a question are an array"),
            Self::ManyFields(count) => write!(
                f,
                "the question has {count} fields; ask at most {MAX_FIELDS} at once"
            ),
            Self::Field { field, problem } => write!(f, "field {field} {problem}"),
        }
    }
}

impl std::error::Error for QuestionError {}

#[cfg(test)]
mod tests;
