//! What to type when something in the library fails.
//!
//! The library returns typed errors and names no command and no flag; this is the one place that
//! adds them, with `remedy/power.rs` for folders, hosts and secrets that nobody granted.

mod power;

pub(crate) use power::PowerRemedies;

use crate::conversation::remote::ServerError;
use crate::plugins::signature::SignatureError;
use crate::plugins::transfer::TransferError;
use footlight::LoadError;
use footlight::model::{ModelError, ModelErrorKind};
use footlight::session::{FollowError, ResumeError, SettleError};
use footlight::store::StoreError;

/// Returns an error with its causes on one line, and the remedy where there is one.
pub(crate) fn describe(error: &anyhow::Error) -> String {
    match error.chain().find_map(remedy) {
        Some(remedy) => format!("{error:#}; {remedy}"),
        None => format!("{error:#}"),
    }
}

/// Returns the command or flag that helps with this cause.
fn remedy(cause: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    let of_store = match (cause.downcast_ref(), cause.downcast_ref()) {
        (Some(FollowError::Store(error)), _) | (_, Some(ResumeError::Store(error))) => Some(error),
        _ => cause.downcast_ref(),
    };
    if let Some(StoreError::NoSession(_)) = of_store {
        return Some("`footlight sessions list` shows all sessions");
    }
    if let Some(StoreError::Full(_)) = cause.downcast_ref() {
        return Some("`footlight sessions delete` frees space");
    }
    if let Some(LoadError::Settings { .. }) = cause.downcast_ref() {
        return Some("change the plugin's settings in `footlight.toml`");
    }
    if let Some(SettleError::Unknown) = cause.downcast_ref() {
        return Some("`footlight pending list` shows all open requests");
    }
    if let Some(error) = cause.downcast_ref::<ServerError>() {
        return of_server(error);
    }
    if let Some(SignatureError::UnknownKey(_)) = cause.downcast_ref() {
        return Some("name the author's public key with `--key`");
    }
    if let Some(TransferError::Unauthorized(_)) = cause.downcast_ref() {
        return Some(
            "log in with `docker login`, which keeps the login in `config.json`; logins in a helper program are not used",
        );
    }
    match cause.downcast_ref::<ModelError>()?.kind {
        ModelErrorKind::InvalidSpec | ModelErrorKind::Key => Some("`--model offline` needs no key"),
        _ => None,
    }
}

fn of_server(error: &ServerError) -> Option<&'static str> {
    match error {
        ServerError::Unreachable(_) | ServerError::Lost(_) => Some(
            "see whether it runs; `footlight serve <plugin>` starts one and prints its address",
        ),
        ServerError::Unauthorized(_) => Some(
            "name the file that `footlight serve` prints with `--token-file`, or set FOOTLIGHT_TOKEN",
        ),
        ServerError::Version { .. } => Some("use the same version on both sides"),
        ServerError::Token(_) | ServerError::Refused { .. } | ServerError::Unreadable(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remedies_follow_the_type_of_any_cause() {
        let error = anyhow::Error::new(SettleError::Unknown).context("cannot answer");
        let text = describe(&error);
        assert!(text.starts_with("cannot answer: "), "{text}");
        assert!(text.ends_with("; `footlight pending list` shows all open requests"));
        assert_eq!(describe(&anyhow::anyhow!("x")), "x");
        let missing = || StoreError::NoSession("ses_1".into());
        let of_turn = anyhow::Error::new(FollowError::Store(missing()));
        assert_eq!(describe(&of_turn), describe(&missing().into()));
        let resumed = anyhow::Error::new(ResumeError::Store(missing()));
        assert_eq!(describe(&resumed), describe(&missing().into()));
    }
}
