//! The file of a script, in YAML.
//!
//! A member that is not known is refused, with its line: a script whose `wehn` were ignored would
//! test nothing.

use super::MAX_SCRIPT;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use std::fmt;
use std::time::Duration;

/// How many steps a script may have, and how long a step may wait.
const MAX_STEPS: usize = 10_000;
const MAX_DELAY: Duration = Duration::from_secs(600);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    steps: Vec<ScriptStep>,
}

/// One step: what the model says, calls, or fails with.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptStep {
    /// What it says: a text, or a list of the pieces in which it is streamed.
    #[serde(default, deserialize_with = "chunks")]
    pub text: Vec<String>,
    /// What it calls, after that.
    #[serde(default)]
    pub calls: Vec<ScriptCall>,
    /// How long it waits before it says anything: `50ms`, `2s`.
    #[serde(default, deserialize_with = "delay")]
    pub delay: Option<Duration>,
    /// What it fails with, after it has said its text.
    #[serde(default)]
    pub error: Option<ScriptFault>,
    /// Why it stops, where that is not because it has no more to say.
    #[serde(default)]
    pub finish: Option<ScriptFinish>,
    /// What it costs.
    #[serde(default)]
    pub usage: Option<ScriptUsage>,
    /// ScriptCondition it is taken. Without this it is taken in its order.
    #[serde(default)]
    pub when: Option<ScriptCondition>,
}

/// A call that a scripted model asks for.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptCall {
    /// The tool: `weather.forecast`, or as on the wire, `weather__forecast`.
    pub tool: String,
    /// Its input.
    #[serde(default)]
    pub input: Option<Map<String, Value>>,
    /// The arguments letter for letter, which may be no JSON at all.
    #[serde(default)]
    pub arguments: Option<String>,
}

/// What a scripted model fails with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ScriptFault {
    /// Too many requests.
    Busy,
    /// It cannot be reached.
    Unreachable,
    /// It breaks off in the middle, after its text and while it writes its calls.
    Cut,
    /// What it sent cannot be understood.
    Garbled,
    /// More was sent than it reads.
    TooLong,
    /// The request was refused.
    Refused,
    /// The key is not taken.
    Key,
}

/// Why a scripted model stops before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ScriptFinish {
    /// It was cut off.
    Length,
    /// A filter cut it off.
    Filtered,
}

/// What a scripted step costs, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScriptUsage {
    /// Read, cached ones included.
    pub input: u64,
    /// Of those, read from a cache.
    pub cache_read: u64,
    /// Written to a cache.
    pub cache_write: u64,
    /// Written, reasoning included.
    pub output: u64,
    /// Of those, reasoning.
    pub reasoning: u64,
}

/// ScriptCondition a step is taken; everything that is said must hold.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptCondition {
    /// The person's newest words have this in them. Unless a result is matched as well, they must
    /// be the newest message, or the step would be taken again for its own results.
    #[serde(default)]
    pub user_contains: Option<String>,
    /// The newest message holds results, and one of them has this in it.
    #[serde(default)]
    pub tool_result_contains: Option<String>,
    /// It is this turn of the person, counted from 1.
    #[serde(default)]
    pub turn: Option<usize>,
}

/// Why a script cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    message: String,
}

impl ScriptError {
    pub(super) fn new(name: &str, problem: impl fmt::Display) -> Self {
        Self {
            message: format!("the script `{name}` cannot be used: {problem}"),
        }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ScriptError {}

/// Reads the steps of a script.
pub(super) fn read(name: &str, text: &str) -> Result<Vec<ScriptStep>, ScriptError> {
    if text.len() > MAX_SCRIPT {
        let problem = format!("it is larger than {MAX_SCRIPT} bytes");
        return Err(ScriptError::new(name, problem));
    }
    let options = serde_saphyr::options! {
        // `yes` and `on` are words, and nobody wants infinity in a tool's input.
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

/// Refuses a step that could not be meant.
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

/// A text, or a list of texts.
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

/// A time: `50ms`, `2s`.
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
