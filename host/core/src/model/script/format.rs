//! The YAML format of a script.
//!
//! Unknown fields are errors, with their line: a misspelt `when` would otherwise go unnoticed.

use super::Script;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::fmt;
use std::time::Duration;

/// The most steps of a script, and the longest delay of a step.
const MAX_STEPS: usize = 10_000;
const MAX_DELAY: Duration = Duration::from_secs(600);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    steps: Vec<ScriptStep>,
}

/// One step: text, calls, or an error.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptStep {
    /// The reasoning: a string, or a list of the pieces in which it is streamed.
    #[serde(default, deserialize_with = "chunks")]
    pub(super) reasoning: Vec<String>,
    /// The text: a string, or a list of the pieces in which it is streamed.
    #[serde(default, deserialize_with = "chunks")]
    pub(super) text: Vec<String>,
    /// The calls after the text.
    #[serde(default)]
    pub(super) calls: Vec<ScriptCall>,
    /// The delay before the text, and after the reasoning: `50ms`, `2s`.
    #[serde(default, deserialize_with = "delay")]
    pub(super) delay: Option<Duration>,
    /// The error after the text.
    pub(super) error: Option<ScriptFault>,
    /// Why the answer is incomplete, if it is.
    pub(super) finish: Option<ScriptFinish>,
    /// The tokens used.
    pub(super) usage: Option<ScriptUsage>,
    /// When the step is taken; if absent, in its order.
    pub(super) when: Option<ScriptCondition>,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptCall {
    /// The tool: `weather.forecast`, or as on the wire, `weather__forecast`.
    pub(super) tool: String,
    /// The input.
    pub(super) input: Option<Map<String, Value>>,
    /// The arguments verbatim, which need not be JSON.
    pub(super) arguments: Option<String>,
}

/// The error of a step; see [`ModelErrorKind`](crate::model::ModelErrorKind).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ScriptFault {
    Busy,
    Unreachable,
    /// The connection breaks after the text, while calls are written.
    Cut,
    Garbled,
    TooLong,
    Refused,
    Key,
}

/// Why an answer is incomplete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ScriptFinish {
    Length,
    Filtered,
}

/// The tokens used by a step; see [`Tokens`](crate::model::Tokens).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ScriptUsage {
    pub(super) input: u64,
    pub(super) cache_read: u64,
    pub(super) cache_write: u64,
    pub(super) output: u64,
    pub(super) reasoning: u64,
}

/// When a step is taken: all given conditions must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptCondition {
    /// The newest prompt contains this. Unless a result is matched too, the prompt must be the newest
    /// message; otherwise the step would be taken again for its own results.
    pub(super) user_contains: Option<String>,
    /// The newest message holds results, one of which contains this.
    pub(super) tool_result_contains: Option<String>,
    /// The number of the turn, counted from 1.
    pub(super) turn: Option<usize>,
}

/// Why a script cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the script `{name}` cannot be used: {problem}")]
pub struct ScriptError {
    name: String,
    problem: String,
}

impl ScriptError {
    pub(super) fn new(name: &str, problem: impl fmt::Display) -> Self {
        Self {
            name: name.to_owned(),
            problem: problem.to_string(),
        }
    }
}

/// Parses the steps of a script.
pub(super) fn read(name: &str, text: &str) -> Result<Vec<ScriptStep>, ScriptError> {
    if text.len() > Script::MAX_BYTES {
        let problem = format!("it is larger than {} bytes", Script::MAX_BYTES);
        return Err(ScriptError::new(name, problem));
    }
    let options = serde_saphyr::options! {
        // `yes` and `on` stay strings, and JSON has no infinity.
        strict_booleans: true,
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::Reject,
        with_snippet: false,
    };
    let document: Document = serde_saphyr::from_str_with_options(text, options)
        .map_err(|error| ScriptError::new(name, error))?;
    if document.steps.len() > MAX_STEPS {
        let problem = format!("it has more than {MAX_STEPS} steps");
        return Err(ScriptError::new(name, problem));
    }
    for (at, step) in document.steps.iter().enumerate() {
        check(step)
            .map_err(|problem| ScriptError::new(name, format_args!("step {} {problem}", at + 1)))?;
    }
    Ok(document.steps)
}

/// Refuses a step that is surely a mistake.
fn check(step: &ScriptStep) -> Result<(), String> {
    if *step == ScriptStep::default() {
        return Err("is empty; give it `text`, `calls` or `error`".to_owned());
    }
    if step.when == Some(ScriptCondition::default()) {
        return Err("has an empty `when`; say when it is taken, or leave it out".to_owned());
    }
    if step.error.is_some() && step.finish.is_some() {
        return Err("has both `error` and `finish`; a step that fails does not finish".to_owned());
    }
    for call in &step.calls {
        if call.input.is_some() && call.arguments.is_some() {
            return Err(format!(
                "calls `{}` with both `input` and `arguments`; leave one out",
                call.tool
            ));
        }
    }
    Ok(())
}

/// Deserialises a string or a list of strings.
fn chunks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct Chunks;

    impl<'de> Visitor<'de> for Chunks {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text in quotes, or a list of texts")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
            Ok(vec![text.to_owned()])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut chunks = Vec::new();
            while let Some(chunk) = list.next_element()? {
                chunks.push(chunk);
            }
            Ok(chunks)
        }
    }

    deserializer.deserialize_any(Chunks)
}

/// Deserialises a delay: `50ms`, `2s`.
fn delay<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let wrong = || de::Error::custom(format_args!("`{text}` is no delay; write `50ms` or `2s`"));
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1),
        None => (text.strip_suffix('s').ok_or_else(wrong)?, 1000),
    };
    let number: u64 = number.trim().parse().map_err(|_| wrong())?;
    let delay = Duration::from_millis(number.saturating_mul(unit));
    if delay > MAX_DELAY {
        return Err(de::Error::custom("a delay is at most 600s"));
    }
    Ok(Some(delay))
}
