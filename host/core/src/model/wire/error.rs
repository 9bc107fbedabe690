//! Turns the errors of a provider into [`ModelError`]s.
//!
//! Invariant: a provider's message is matched but never shown, because it may quote the key or the
//! person's words. Only an error code in the shape of an identifier is shown.

use crate::model::providers::profile::Profile;
use crate::model::{ModelError, ModelErrorKind};
use serde_json::Value;
use std::time::Duration;

/// Classifies a response whose status is not a success; `wait` is what the server asks for.
pub(crate) fn error_response(
    profile: &Profile,
    status: u16,
    body: &str,
    wait: Option<Duration>,
) -> ModelError {
    let said = ErrorDetails::read(body);
    let kind = match classify(Some(status), &said) {
        ModelErrorKind::Busy(_) => ModelErrorKind::Busy(wait),
        other => other,
    };
    let who = format!("`{}`", profile.name);
    let mut detail = format!("http {status}");
    if let Some(code) = said.shown() {
        detail = format!("{detail}, `{code}`");
    }
    let env = profile.key_variables().first().map(String::as_str);
    ModelError::new(kind, sentence(kind, &who, env, &said, &detail))
}

/// Classifies an error inside a stream.
pub(super) fn error_in_stream(error: &str) -> ModelError {
    let said = ErrorDetails::read(error);
    let kind = classify(said.status(), &said);
    let detail = said.shown().unwrap_or("no code given");
    ModelError::new(kind, sentence(kind, "the provider", None, &said, detail))
}

/// An answer that cannot be parsed.
pub(super) fn garbled(what: &str) -> ModelError {
    let message = format!("{what}; ask again, or choose another model");
    ModelError::new(ModelErrorKind::Garbled, message)
}

/// A server that cannot be reached, or closed the connection.
pub(crate) fn unreachable(what: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Unreachable, what)
}

/// An answer that ends too early.
pub(super) fn cut_off() -> ModelError {
    unreachable("the answer was cut off; ask again")
}

/// The provider's description of an error.
#[derive(Debug, Default)]
struct ErrorDetails {
    codes: Vec<String>,
    /// In lower case.
    message: String,
}

impl ErrorDetails {
    /// Parses `{"error": {..}}` and its variants: a bare object, a string, an array of one.
    fn read(text: &str) -> Self {
        let Ok(mut value) = serde_json::from_str::<Value>(text) else {
            return Self::default();
        };
        if let Value::Array(all) = &mut value {
            value = all.first_mut().map(Value::take).unwrap_or_default();
        }
        let error = match value.get("error") {
            Some(error) if !error.is_null() => error,
            _ => &value,
        };
        let text = |value: &Value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let message = error.get("message").or(Some(error)).and_then(text);
        let codes = ["code", "type", "status"].into_iter();
        Self {
            codes: codes.filter_map(|key| text(error.get(key)?)).collect(),
            message: message.unwrap_or_default().to_lowercase(),
        }
    }

    /// Reports whether one of these codes, separated by spaces, was given.
    fn has(&self, codes: &str) -> bool {
        codes
            .split(' ')
            .any(|code| self.codes.iter().any(|own| own == code))
    }

    fn mentions(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.message.contains(phrase))
    }

    /// Returns an HTTP status that is given as a code.
    fn status(&self) -> Option<u16> {
        let mut numbers = self.codes.iter().filter_map(|code| code.parse().ok());
        numbers.find(|status| (400..600).contains(status))
    }

    /// Returns a code that is safe to show.
    fn shown(&self) -> Option<&str> {
        let plain = |code: &&String| {
            let fits = (1..=48).contains(&code.len());
            fits && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        self.codes.iter().find(plain).map(String::as_str)
    }
}

/// Phrases in messages about requests that are too long; not every provider has a code for it.
const TOO_LONG: &[&str] = &[
    "prompt is too long",
    "maximum context length",
    "context window",
    "context size",
    "context length",
    "input token count",
    "too many tokens",
];

fn classify(status: Option<u16>, said: &ErrorDetails) -> ModelErrorKind {
    if status == Some(413) || said.has("context_length_exceeded request_too_large") {
        return ModelErrorKind::TooLong;
    }
    // An account without credit answers 429 too, but no wait helps.
    if said.has("insufficient_quota billing_not_active") {
        return ModelErrorKind::Refused;
    }
    let key = "authentication_error invalid_api_key permission_error";
    if said.has(key) || said.mentions(&["api key not valid"]) {
        return ModelErrorKind::Key;
    }
    match status {
        Some(401 | 403) => ModelErrorKind::Key,
        Some(429 | 503 | 529) => ModelErrorKind::Busy(None),
        Some(408 | 409 | 425 | 500..=599) => ModelErrorKind::Unreachable,
        _ if said.mentions(TOO_LONG) => ModelErrorKind::TooLong,
        Some(_) => ModelErrorKind::Refused,
        None if said.has("overloaded_error rate_limit_error rate_limit_exceeded") => {
            ModelErrorKind::Busy(None)
        }
        None if said.has("api_error server_error internal_server_error timeout_error") => {
            ModelErrorKind::Unreachable
        }
        None => ModelErrorKind::Refused,
    }
}

fn sentence(
    kind: ModelErrorKind,
    who: &str,
    env: Option<&str>,
    said: &ErrorDetails,
    detail: &str,
) -> String {
    match kind {
        ModelErrorKind::Key => match env {
            Some(env) => {
                format!("{who} does not accept the key; set `{env}` to a valid one ({detail})")
            }
            None => format!("{who} does not accept the key; check it ({detail})"),
        },
        ModelErrorKind::Busy(Some(wait)) => {
            let seconds = wait.as_secs().max(1);
            format!("{who} is busy; try again in {seconds} seconds ({detail})")
        }
        ModelErrorKind::Busy(None) => format!("{who} is busy; try again later ({detail})"),
        ModelErrorKind::TooLong => {
            format!("the conversation is longer than {who} can read ({detail})")
        }
        ModelErrorKind::Refused if said.has("insufficient_quota billing_not_active") => {
            format!("the account at {who} has no credit left ({detail})")
        }
        ModelErrorKind::Refused if said.has("model_not_found not_found_error") => {
            format!("{who} has no such model; choose another ({detail})")
        }
        ModelErrorKind::Refused => format!("{who} refused the request ({detail})"),
        ModelErrorKind::Unreachable | ModelErrorKind::Garbled | ModelErrorKind::InvalidSpec => {
            format!("{who} could not answer; try again later ({detail})")
        }
    }
}
