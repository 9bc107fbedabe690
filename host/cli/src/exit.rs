//! Exit codes, and the errors that choose one.
//!
//! A command returns an [`Exit`] or an error. An error exits with 1, unless its chain contains an
//! [`ExitError`].
//!
//! To add a code: [`Exit`], and the table in the main `--help`.

use footlight_vocabulary::event::Status;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{CallResult, Content, Item};
use std::io;
use std::process::ExitCode;

/// The exit code of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Success.
    Done = 0,
    /// An error of the program or its environment.
    Error = 1,
    /// Invalid command line, input that does not fit, or a prompt for which `offline` finds no tool.
    Usage = 2,
    /// Denied by a person or the policy.
    Denied = 3,
    /// A person is needed and there is none.
    NeedsPerson = 4,
    /// The plugin failed.
    Plugin = 5,
    /// A limit was reached.
    Limit = 6,
    /// Cancelled.
    Cancelled = 130,
}

impl Exit {
    /// The exit of one tool call. `nobody` says that a question or an approval came up and there
    /// was nobody to put it to: whatever the plugin made of that, a person is what was missing.
    pub(crate) fn of_call(status: &Status, result: Option<&CallResult>, nobody: bool) -> Self {
        match (status, result) {
            (Status::Cancelled, _) => Self::Cancelled,
            (Status::Waiting, _) => Self::NeedsPerson,
            (Status::Limit, _) => Self::Limit,
            (_, Some(CallResult::Success { .. })) => Self::Done,
            (_, Some(CallResult::Pending { .. })) => Self::NeedsPerson,
            (_, Some(CallResult::Error { .. })) if nobody => Self::NeedsPerson,
            (_, Some(CallResult::Error { code, .. })) => match code {
                Some(FailureCode::InvalidInput) => Self::Usage,
                Some(FailureCode::Denied) => Self::Denied,
                Some(FailureCode::Cancelled) => Self::Cancelled,
                Some(FailureCode::Limit) => Self::Limit,
                Some(FailureCode::NoPerson) => Self::NeedsPerson,
                _ => Self::Plugin,
            },
            (Status::Done, None) => Self::Done,
            (_, None) => Self::Error,
        }
    }

    /// The exit of a turn with these items. A failure that the model went on from counts for
    /// nothing if it `recovers`; that somebody said no, or that nobody was there, still does unless
    /// a later call came to something.
    pub(crate) fn of_turn(status: &Status, items: &[Item], nobody: bool, recovers: bool) -> Self {
        if *status != Status::Done {
            return Self::of_call(status, None, nobody);
        }
        let mut spoke = false;
        for item in items.iter().rev() {
            spoke |= matches!(item.content, Content::Text(_));
            if let Content::Tool(tool) = &item.content {
                return match Self::of_call(status, Some(&tool.result), nobody) {
                    exit @ (Self::Denied | Self::NeedsPerson | Self::Cancelled) => exit,
                    _ if recovers && spoke => Self::Done,
                    exit => exit,
                };
            }
        }
        Self::Done
    }

    /// Returns the exit code of an error.
    pub(crate) fn of_error(error: &anyhow::Error) -> Self {
        for cause in error.chain() {
            if let Some(refusal) = cause.downcast_ref::<ExitError>() {
                return refusal.exit;
            }
            // The reader closed the pipe (`footlight inspect x | head`).
            let error = cause.downcast_ref::<io::Error>();
            if error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
                return Self::Done;
            }
        }
        Self::Error
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error with an exit code of its own.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct ExitError {
    exit: Exit,
    message: String,
}

impl ExitError {
    /// Creates an error for an invalid command line.
    pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
        Self::error(Exit::Usage, message)
    }

    /// Creates an error for a missing person.
    pub(crate) fn needs_person(message: impl Into<String>) -> anyhow::Error {
        Self::error(Exit::NeedsPerson, message)
    }

    /// Creates an error for a denied request.
    pub(crate) fn denied(message: impl Into<String>) -> anyhow::Error {
        Self::error(Exit::Denied, message)
    }

    fn error(exit: Exit, message: impl Into<String>) -> anyhow::Error {
        let message = message.into();
        anyhow::Error::new(Self { exit, message })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;
    use serde_json::{Value, json};

    fn failed(code: &str) -> CallResult {
        CallResult::Error {
            error: "no".into(),
            code: Some(code.into()),
            details: None,
        }
    }

    #[test]
    fn every_outcome_of_a_call_has_its_exit_code() {
        let success = CallResult::Success {
            output: Value::Null,
        };
        for (status, result, nobody, expected) in [
            (Status::Done, Some(success.clone()), false, 0),
            (Status::Done, Some(success), true, 0),
            (Status::Done, Some(failed("denied")), false, 3),
            (Status::Done, Some(failed("denied")), true, 4),
            (Status::Done, Some(failed("unavailable")), true, 4),
            (Status::Done, Some(failed("unavailable")), false, 5),
            (Status::Error, Some(failed("other")), false, 5),
            (Status::Error, Some(failed("invalid-input")), false, 2),
            (Status::Error, Some(failed("limit")), false, 6),
            (Status::Error, Some(failed("no-person")), false, 4),
            (Status::Limit, Some(failed("other")), false, 6),
            (Status::Cancelled, Some(failed("cancelled")), false, 130),
            (Status::Waiting, None, false, 4),
            (Status::Error, None, false, 1),
        ] {
            let exit = Exit::of_call(&status, result.as_ref(), nobody);
            assert_eq!(exit as u8, expected, "{status:?} {result:?} {nobody}");
        }
    }

    fn items(contents: Value) -> Vec<Item> {
        let contents = contents.as_array().expect("a list").iter().enumerate();
        let item = |(n, content): (usize, &Value)| {
            let mut item = content.clone();
            item["id"] = format!("i{n}").into();
            item["rev"] = 0.into();
            item["start"] = "2026-11-16T01:52:35.000Z".into();
            item["position"] = json!({ "turn": 1, "step": n, "call": 0, "n": 0 });
            serde_json::from_value(item).expect("an item")
        };
        contents.map(item).collect()
    }

    #[test]
    fn every_outcome_of_a_turn_has_its_exit_code() {
        let tool = |result: Value| json!({ "type": "tool", "function": "a.b", "input": {}, "result": result });
        let done = || tool(json!({ "type": "success", "output": null }));
        let failed = |code: &str, error: &str| {
            tool(json!({ "type": "error", "error": error, "code": code }))
        };
        let text = || json!({ "type": "text", "text": "Well." });
        for (contents, recovers, expected) in [
            (json!([text()]), true, 0),
            (json!([done()]), false, 0),
            (json!([failed("other", "no"), text()]), true, 0),
            (json!([failed("other", "no"), text()]), false, 5),
            (json!([failed("invalid-input", "no"), text()]), false, 2),
            (json!([failed("invalid-input", "no"), text()]), true, 0),
            (json!([text(), failed("other", "no")]), true, 5),
            (json!([failed("other", "no"), done()]), true, 0),
            (json!([failed("denied", "no"), text()]), true, 3),
            (json!([failed("denied", "no"), done(), text()]), true, 0),
            (
                json!([failed("no-person", "nobody can be asked: …"), text()]),
                true,
                4,
            ),
            (
                json!([failed("denied", "nobody can be asked: …"), text()]),
                true,
                3,
            ),
            (json!([failed("limit", "long"), text()]), false, 6),
        ] {
            let exit = Exit::of_turn(&Status::Done, &items(contents.clone()), false, recovers);
            assert_eq!(exit as u8, expected, "{contents} {recovers}");
        }
        for (status, expected) in [
            (Status::Cancelled, 130),
            (Status::Limit, 6),
            (Status::Error, 1),
            (Status::Waiting, 4),
        ] {
            let exit = Exit::of_turn(&status, &items(json!([done(), text()])), false, true);
            assert_eq!(exit as u8, expected, "{status:?}");
        }
    }

    #[test]
    fn an_error_exits_with_1_unless_its_chain_says_otherwise() {
        let usage = || Err::<(), _>(ExitError::usage("which tool?"));
        let inner = usage().context("outer").expect_err("is one");
        assert_eq!(Exit::of_error(&inner), Exit::Usage);
        assert_eq!(Exit::of_error(&anyhow::anyhow!("x")), Exit::Error);
    }

    #[test]
    fn a_broken_pipe_is_not_an_error() {
        let error = io::Error::from(io::ErrorKind::BrokenPipe);
        let error = Err::<(), _>(error).context("writing").expect_err("is one");
        assert_eq!(Exit::of_error(&error), Exit::Done);
    }
}
