//! The end of a call: parses what the guest returned and settles the record.

use crate::call::event::{CallOutcome, Failure};
use crate::call::guest_log::GuestLog;
use crate::call::stage::Stage;
use crate::sandbox::bindings::exports::footlight::plugin::tools::{
    Failure as WireFailure, Outcome,
};
use crate::sandbox::limits::{Caps, exceeds_footprint};
use footlight_vocabulary::escape::cut;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::filter::{clean, clean_value};
use footlight_vocabulary::item::{CallResult, Level, Receipt};
use footlight_vocabulary::json::{self, Limits};
use footlight_vocabulary::limits;
use footlight_vocabulary::normalise::{ReportedError, normalise};
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;

/// How many lines of a log, and how many bytes of each, a notice about a stopped call quotes.
const LOG_TAIL: usize = 20;
const LOG_TAIL_LINE: usize = 500;

/// The most bytes of a failure's message.
const MAX_MESSAGE: usize = 8 << 10;

/// What a tool returned.
pub(super) struct Returned {
    pub(super) result: SemanticResult,
    /// What the model reads; the data of the result if there is nothing else.
    pub(super) model: Option<Value>,
}

pub(super) type ToolResult = Result<Returned, Failure>;

/// Parses an outcome into what the tool returned, or into the failure that the outcome reports.
///
/// # Errors
/// When the outcome breaks the contract.
pub(super) fn parse_outcome(outcome: Outcome) -> Result<ToolResult, String> {
    let texts = [&*outcome.data, outcome.more.as_deref().unwrap_or_default()];
    if exceeds_footprint(texts, Caps::RESULT) {
        return Err(
            "its result has too many parts; it should return fewer, or an output".to_owned(),
        );
    }
    let data = json::parse(&outcome.data, limits::RESULT)
        .map_err(|error| format!("its result: {error}"))?;
    let more = match outcome
        .more
        .as_deref()
        .map(|more| json::parse(more, limits::RESULT))
        .transpose()
    {
        Ok(None) => None,
        Ok(Some(Value::Object(more))) => Some(more),
        Ok(Some(_)) => return Err("its result's `more` is not an object".to_owned()),
        Err(error) => return Err(format!("its result's `more`: {error}")),
    };
    let read = SemanticResult::from_outcome(&outcome.kind, data, outcome.summary, more);
    let (result, model) = read.map_err(|error| error.to_string())?;
    Ok(match normalise_plain(result) {
        Ok(result) => Ok(Returned { result, model }),
        Err(failed) => Err(Failure::new(
            FailureCode::Other,
            cut(&failed.message, MAX_MESSAGE),
        )),
    })
}

/// Normalises a plain value, which a guest returns as `structured`: the value may be a result in the
/// format of an older tool, or may say that the tool failed. The record then holds what a surface
/// draws. Hints beside the value take precedence over hints within it.
fn normalise_plain(result: SemanticResult) -> Result<SemanticResult, ReportedError> {
    if result.kind.as_str() != "structured" || !result.data.is_object() {
        return Ok(result);
    }
    let mut plain = normalise(result.data)?;
    plain.extra.extend(result.extra);
    Ok(SemanticResult {
        summary: result.summary.or(plain.summary),
        mime_type: result.mime_type.or(plain.mime_type),
        display: result.display.or(plain.display),
        ..plain
    })
}

/// Parses a failure in the plugin's words. A guest can claim the codes of the contract; any other,
/// such as the host's `limit`, becomes `other`.
pub(super) fn parse_failure(failure: WireFailure) -> Failure {
    use FailureCode::{Cancelled, Denied, Interrupted, InvalidInput, Other, Unavailable};
    let code = match FailureCode::from(&*failure.code) {
        code @ (InvalidInput | Denied | Unavailable | Cancelled | Interrupted) => code,
        _ => Other,
    };
    let details = failure.details;
    Failure {
        details: details.and_then(|details| json::parse(&details, Limits::default()).ok()),
        ..Failure::new(code, cut(&failure.message, MAX_MESSAGE))
    }
}

/// Shortens the message of a failure.
pub(super) fn cut_message(message: &mut String) {
    let length = cut(message, MAX_MESSAGE).len();
    message.truncate(length);
}

/// Returns what a person reads about a call that the host stopped: the remedy, and the end of the
/// plugin's log, where a panic message is. Its lines are marked, so that they do not pass for words of
/// the host.
fn stopped_text(advice: &str, log: &[String]) -> String {
    let mut text = advice.to_owned();
    if !log.is_empty() {
        text.push_str("\nits log ends with:");
    }
    // The filter turns other line breaks into line feeds, so it comes before the marks.
    let log = log.join("\n");
    let log = clean(&log);
    let lines: Vec<&str> = log.lines().collect();
    for line in &lines[lines.len().saturating_sub(LOG_TAIL)..] {
        text.push_str("\n  | ");
        text.push_str(cut(line, LOG_TAIL_LINE));
    }
    text
}

/// Settles the record of a call: its result and its items, in one step.
pub(super) fn end(
    stage: &Stage,
    result: ToolResult,
    receipt: Option<Receipt>,
    guest_log: GuestLog,
) -> CallOutcome {
    let log = guest_log.take();
    let advice = result
        .as_ref()
        .err()
        .and_then(|failure| failure.advice.as_deref());
    if let Some(advice) = advice {
        stage.put_notice(Level::Danger, &stopped_text(advice, &log));
    }
    let (settled, result, model) = match result {
        Ok(Returned { result, model }) => {
            let output = serde_json::to_value(&result).unwrap_or(Value::Null);
            let model = clean_value(model.as_ref().unwrap_or(&result.data));
            (CallResult::Success { output }, Ok(result), model)
        }
        Err(failure) => {
            let error = CallResult::Error {
                error: failure.message.clone(),
                code: Some(failure.code.clone()),
                details: failure.details.clone(),
            };
            let message = clean(&failure.message);
            let model = serde_json::json!({ "error": failure.code, "message": message });
            (error, Err(failure), model)
        }
    };
    CallOutcome {
        call: stage.call.clone(),
        result,
        model,
        items: stage.close(settled, receipt),
        log,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_a_plugins_log_is_marked_and_the_last_ones_are_quoted() {
        let mut log = vec!["old".to_owned(); 100];
        log.push("a\nb\rc\u{2028}d\u{1b}[2Je".to_owned());
        let text = stopped_text("it panicked", &log);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["it panicked", "its log ends with:"]);
        assert!(
            lines[2..].iter().all(|line| line.starts_with("  | ")),
            "{text}"
        );
        assert_eq!(lines.len(), 2 + LOG_TAIL);
        assert!(
            text.ends_with("  | old\n  | a\n  | b\n  | c\n  | de"),
            "{text}"
        );
        assert_eq!(stopped_text("it panicked", &[]), "it panicked");
    }
}
