//! What went wrong, told from what a provider said about it.
//!
//! Invariant: a provider's own words are read but not repeated: they may quote the key or what
//! the person said. Only a code in the shape of an identifier is shown.

use super::super::{ModelError, ModelErrorKind};
use crate::model::providers::profile::Profile;
use serde_json::Value;
use std::time::Duration;

/// An answer that is no success.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorResponse<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a str,
    /// How long the server asked to wait.
    pub(crate) wait: Option<Duration>,
}

/// Reads an answer that is no success.
pub(crate) fn error_response(response: ErrorResponse<'_>, profile: &Profile) -> ModelError {
    let said = ErrorDetails::read(response.body);
    let kind = match sort(Some(response.status), &said) {
        ModelErrorKind::Busy(_) => ModelErrorKind::Busy(response.wait),
        other => other,
    };
    let who = format!("`{}`", profile.name);
    let mut detail = format!("http {}", response.status);
    if let Some(code) = said.shown() {
        detail = format!("{detail}, `{code}`");
    }
    let env = profile.key.as_ref().and_then(|key| key.env.first());
    ModelError {
        kind,
        message: sentence(kind, &who, env.map(String::as_str), &said, &detail),
    }
}

/// Reads an error that came where an answer was expected.
pub(super) fn complaint(error: &str) -> ModelError {
    let said = ErrorDetails::read(error);
    let kind = sort(said.status(), &said);
    let detail = said.shown().unwrap_or("no code given");
    ModelError {
        kind,
        message: sentence(kind, "the provider", None, &said, detail),
    }
}

/// An answer that cannot be understood.
pub(super) fn garbled(what: &str) -> ModelError {
    ModelError {
        kind: ModelErrorKind::Garbled,
        message: format!("{what}; ask again, or choose another model with `--model`"),
    }
}

/// A server that cannot be reached, or went away.
pub(crate) fn unreachable(what: &str) -> ModelError {
    ModelError {
        kind: ModelErrorKind::Unreachable,
        message: what.to_owned(),
    }
}

/// An answer without its end.
pub(super) fn broke_off() -> ModelError {
    unreachable("the answer broke off before its end; ask again")
}

/// What the provider said about it, for reading only.
#[derive(Debug, Default)]
struct ErrorDetails {
    codes: Vec<String>,
    /// Lower case.
    message: String,
}

impl ErrorDetails {
    /// Reads `{"error": {..}}` and its relatives: a bare object, a text, an array of one.
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
        Self {
            codes: ["code", "type", "status"]
                .iter()
                .filter_map(|key| error.get(key).and_then(text))
                .collect(),
            message: message.unwrap_or_default().to_lowercase(),
        }
    }

    fn has(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }

    fn mentions(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.message.contains(phrase))
    }

    /// A status that stands where a code should.
    fn status(&self) -> Option<u16> {
        let mut numbers = self.codes.iter().filter_map(|code| code.parse().ok());
        numbers.find(|status| (400..600).contains(status))
    }

    fn shown(&self) -> Option<&str> {
        let plain = |code: &&String| {
            let fits = (1..=48).contains(&code.len());
            fits && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        self.codes.iter().find(plain).map(String::as_str)
    }
}

const LONG: &[&str] = &[
    "prompt is too long",
    "maximum context length",
    "context window",
    "context size",
    "context length",
    "input token count",
    "too many tokens",
];

fn sort(status: Option<u16>, said: &ErrorDetails) -> ModelErrorKind {
    if status == Some(413) || said.has(&["context_length_exceeded", "request_too_large"]) {
        return ModelErrorKind::TooLong;
    }
    // A spent account answers 429 too, but waiting does not help.
    if said.has(&["insufficient_quota", "billing_not_active"]) {
        return ModelErrorKind::Refused;
    }
    let key = [
        "authentication_error",
        "invalid_api_key",
        "permission_error",
    ];
    if said.has(&key) || said.mentions(&["api key not valid"]) {
        return ModelErrorKind::Key;
    }
    match status {
        Some(401 | 403) => ModelErrorKind::Key,
        Some(429 | 503 | 529) => ModelErrorKind::Busy(None),
        Some(408 | 409 | 425 | 500..=599) => ModelErrorKind::Unreachable,
        _ if said.mentions(LONG) => ModelErrorKind::TooLong,
        Some(_) => ModelErrorKind::Refused,
        None if said.has(&[
            "overloaded_error",
            "rate_limit_error",
            "rate_limit_exceeded",
        ]) =>
        {
            ModelErrorKind::Busy(None)
        }
        None if said.has(&[
            "api_error",
            "server_error",
            "internal_server_error",
            "timeout_error",
        ]) =>
        {
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
                format!("{who} does not take the key: set `{env}` to a valid one ({detail})")
            }
            None => format!("{who} does not take the key: check it ({detail})"),
        },
        ModelErrorKind::Busy(Some(wait)) => format!(
            "{who} is busy: try again in {} seconds ({detail})",
            wait.as_secs().max(1)
        ),
        ModelErrorKind::Busy(None) => format!("{who} is busy: try again later ({detail})"),
        ModelErrorKind::TooLong => format!("more was sent than {who} reads at once ({detail})"),
        ModelErrorKind::Refused if said.has(&["insufficient_quota", "billing_not_active"]) => {
            format!("the account at {who} has no credit left ({detail})")
        }
        ModelErrorKind::Refused if said.has(&["model_not_found", "not_found_error"]) => {
            format!("{who} knows no such model: choose another with `--model` ({detail})")
        }
        ModelErrorKind::Refused => format!("{who} refused the request ({detail})"),
        ModelErrorKind::Unreachable | ModelErrorKind::Garbled => {
            format!("{who} could not answer: try again later ({detail})")
        }
    }
}
