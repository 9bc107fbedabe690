//! How a call ends: what the guest handed back is read, and the record is settled.

use crate::call::event::{Ended, Failure};
use crate::call::guest_log::{GuestLog, cut};
use crate::call::stage::Stage;
use crate::sandbox::bindings::exports::footlight::plugin::tools::{
    Failure as WireFailure, Outcome,
};
use crate::sandbox::limits::{Caps, exceeds_footprint};
use footlight_vocabulary::item::{CallResult, Receipt};
use footlight_vocabulary::json::{self, Limits};
use footlight_vocabulary::result::SemanticResult;
use serde_json::Value;

/// What a call's result may have at most, as JSON text.
const MAX_RESULT: Limits = Limits {
    bytes: 4 << 20,
    depth: 64,
};

/// What a failure may say, in bytes.
const MAX_MESSAGE: usize = 8 << 10;

/// What the guest returned: a result, and what the model reads of it.
pub(super) fn parse_outcome(outcome: Outcome) -> Result<(SemanticResult, Value), String> {
    let texts = [&*outcome.data, outcome.more.as_deref().unwrap_or_default()];
    if exceeds_footprint(texts, Caps::RESULT) {
        return Err(
            "its result has too many parts; it should return fewer, or an output".to_owned(),
        );
    }
    let data =
        json::parse(&outcome.data, MAX_RESULT).map_err(|error| format!("its result: {error}"))?;
    let more = match outcome
        .more
        .as_deref()
        .map(|more| json::parse(more, MAX_RESULT))
        .transpose()
    {
        Ok(None) => None,
        Ok(Some(Value::Object(more))) => Some(more),
        Ok(Some(_)) => return Err("its result's `more` is not an object".to_owned()),
        Err(error) => return Err(format!("its result's `more`: {error}")),
    };
    let read = SemanticResult::from_outcome(&outcome.kind, data, outcome.summary, more);
    let (result, model) = read.map_err(|error| error.to_string())?;
    let model = model.unwrap_or_else(|| result.data.clone());
    Ok((result, model))
}

/// A failure in the plugin's own words, with a code that the host knows.
pub(super) fn parse_failure(failure: WireFailure) -> Failure {
    let known = [
        "invalid-input",
        "denied",
        "unavailable",
        "cancelled",
        "interrupted",
    ];
    let code = if known.contains(&failure.code.as_str()) {
        failure.code.as_str()
    } else {
        "other"
    };
    let details = failure
        .details
        .and_then(|details| json::parse(&details, Limits::default()).ok());
    Failure {
        details,
        // One sentence for the model: what is longer is no sentence.
        ..Failure::new(code, cut(&failure.message, MAX_MESSAGE))
    }
}

/// Settles a call: its result and its items, in one step.
pub(super) fn end(
    stage: &Stage,
    result: Result<(SemanticResult, Value), Failure>,
    receipt: Option<Receipt>,
    guest_log: GuestLog,
) -> Ended {
    let (settled, result, model) = match result {
        Ok((result, model)) => {
            let output = serde_json::to_value(&result).unwrap_or(Value::Null);
            (CallResult::Success { output }, Ok(result), model)
        }
        Err(failure) => {
            let error = CallResult::Error {
                error: failure.message.clone(),
                code: Some(failure.code.as_str().into()),
                details: failure.details.clone(),
            };
            let model = serde_json::json!({ "error": failure.code, "message": failure.message });
            (error, Err(failure), model)
        }
    };
    Ended {
        call: stage.call.clone(),
        result,
        model,
        items: stage.close(settled, receipt),
        log: guest_log.take(),
    }
}
