//! Streams one step of a script.

use super::format::{ScriptCall, ScriptFault, ScriptFinish, ScriptStep};
use crate::model::{
    Delta, Finished, ModelError, ModelErrorKind, ModelPart, Reason, Request, Step, Tokens, ToolCall,
};
use footlight_vocabulary::function::FunctionName;
use futures_util::{FutureExt as _, StreamExt as _, stream};

/// Streams a step: its reasoning, its delay, its text, its calls, and its end or error.
pub(super) fn play(step: &ScriptStep, request: &Request) -> Step {
    let text = step.text.iter().map(|text| Ok(Delta::Text(text.clone())));
    let mut deltas: Vec<Result<Delta, ModelError>> = text.collect();
    let calls = step.calls.iter().enumerate();
    let calls: Vec<ToolCall> = calls
        .map(|(at, call)| tool_call(call, at, request))
        .collect();
    if matches!(step.error, None | Some(ScriptFault::Cut)) {
        let names = calls.iter().map(|call| call.name.clone());
        deltas.extend(names.map(|name| Ok(Delta::Calling(name))));
    }
    deltas.push(match step.error {
        Some(fault) => Err(error(fault)),
        None => Ok(Delta::Finished(finished(step, calls))),
    });
    let reasoning = step.reasoning.iter().cloned();
    let reasoning: Vec<_> = reasoning.map(Delta::Reasoning).map(Ok).collect();
    let delay = step.delay;
    let deltas = async move {
        if let Some(delay) = delay {
            tokio::time::sleep(delay).await;
        }
        stream::iter(deltas)
    };
    Step::new(stream::iter(reasoning).chain(deltas.flatten_stream()))
}

fn finished(step: &ScriptStep, calls: Vec<ToolCall>) -> Finished {
    let text = step.text.concat();
    let said = (!text.is_empty()).then_some(ModelPart::Text { text });
    let usage = step.usage.unwrap_or_default();
    let calls = calls.into_iter().map(ModelPart::Call);
    Finished {
        parts: said.into_iter().chain(calls).collect(),
        reason: match step.finish {
            None => Reason::Stop,
            Some(ScriptFinish::Length) => Reason::Length,
            Some(ScriptFinish::Filtered) => Reason::Filtered,
        },
        usage: Tokens {
            input: usage.input,
            cache_read: usage.cache_read,
            cache_write: usage.cache_write,
            output: usage.output,
            reasoning: usage.reasoning,
        },
    }
}

fn tool_call(call: &ScriptCall, at: usize, request: &Request) -> ToolCall {
    let is_offered = request.tools.iter().any(|tool| tool.name == call.tool);
    let name = match is_offered {
        true => call.tool.clone(),
        false => wire_name(&call.tool),
    };
    let arguments = match (&call.arguments, &call.input) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(input)) => serde_json::to_string(input).expect("an input is plain data"),
        (None, None) => "{}".to_owned(),
    };
    let id = format!("script-{}-{}", request.messages.len(), at + 1);
    ToolCall::new(id, name, arguments)
}

/// Returns a tool's name on the wire; a name of another form stays as it is.
pub(super) fn wire_name(tool: &str) -> String {
    let name = tool.parse::<FunctionName>();
    name.map_or_else(|_| tool.to_owned(), |name| name.wire())
}

fn error(fault: ScriptFault) -> ModelError {
    use ModelErrorKind::{Busy, Garbled, Key, Refused, TooLong, Unreachable};
    let (kind, message) = match fault {
        ScriptFault::Busy => (Busy(None), "is busy; try again later"),
        ScriptFault::Unreachable => (Unreachable, "cannot be reached; try again later"),
        ScriptFault::Cut => (Unreachable, "closed the connection; try again"),
        ScriptFault::Garbled => (Garbled, "sent an answer that cannot be parsed; try again"),
        ScriptFault::TooLong => (TooLong, "cannot read a conversation this long; say less"),
        ScriptFault::Refused => (Refused, "refused the request; change it"),
        ScriptFault::Key => (Key, "does not accept the key; set another"),
    };
    ModelError::new(kind, format!("the scripted model {message}"))
}
