//! One scripted step, streamed.

use super::format::{ScriptCall, ScriptFault, ScriptFinish, ScriptStep};
use crate::model::{
    Delta, Finished, ModelError, ModelErrorKind, ModelPart, Reason, Request, Step, Tokens, ToolCall,
};
use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use std::vec::IntoIter;
use tokio::time::Sleep;

/// Streams a step: waits, says its text, begins its calls, and finishes or fails.
pub(super) fn play(step: &ScriptStep, request: &Request) -> Step {
    let text = step.text.iter().map(|text| Ok(Delta::Text(text.clone())));
    let mut deltas: Vec<Result<Delta, ModelError>> = text.collect();
    let calls: Vec<ToolCall> = step
        .calls
        .iter()
        .enumerate()
        .map(|(at, call)| tool_call(call, at, request))
        .collect();
    if matches!(step.error, None | Some(ScriptFault::Cut)) {
        deltas.extend(
            calls
                .iter()
                .map(|call| Ok(Delta::Calling(call.name.clone()))),
        );
    }
    deltas.push(match step.error {
        Some(fault) => Err(error(fault)),
        None => Ok(Delta::Finished(finished(step, calls))),
    });
    Box::pin(Play {
        delay: step.delay,
        wait: None,
        deltas: deltas.into_iter(),
    })
}

/// A step being streamed. The timer starts when it is first looked at.
struct Play {
    delay: Option<Duration>,
    wait: Option<Pin<Box<Sleep>>>,
    deltas: IntoIter<Result<Delta, ModelError>>,
}

impl Stream for Play {
    type Item = Result<Delta, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(delay) = self.delay.take() {
            self.wait = Some(Box::pin(tokio::time::sleep(delay)));
        }
        if let Some(wait) = &mut self.wait {
            ready!(wait.as_mut().poll(cx));
            self.wait = None;
        }
        Poll::Ready(self.deltas.next())
    }
}

fn finished(step: &ScriptStep, calls: Vec<ToolCall>) -> Finished {
    let text = step.text.concat();
    let said = (!text.is_empty()).then_some(ModelPart::Text { text });
    let usage = step.usage.unwrap_or_default();
    Finished {
        parts: said
            .into_iter()
            .chain(calls.into_iter().map(ModelPart::Call))
            .collect(),
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
    let name = if is_offered {
        call.tool.clone()
    } else {
        wire_name(&call.tool)
    };
    let arguments = match (&call.arguments, &call.input) {
        (Some(arguments), _) => arguments.clone(),
        (None, Some(input)) => serde_json::to_string(input).expect("an input is plain data"),
        (None, None) => "{}".to_owned(),
    };
    ToolCall {
        id: format!("script-{}-{}", request.messages.len(), at + 1),
        name,
        arguments,
        opaque: None,
    }
}

/// A tool's name on the wire, from that or from what a person calls it.
pub(super) fn wire_name(tool: &str) -> String {
    if tool.contains("__") {
        tool.to_owned()
    } else {
        tool.replacen('.', "__", 1)
    }
}

fn error(fault: ScriptFault) -> ModelError {
    let (kind, message) = match fault {
        ScriptFault::Busy => (ModelErrorKind::Busy(None), "is busy; try again later"),
        ScriptFault::Unreachable => (
            ModelErrorKind::Unreachable,
            "cannot be reached; try again later",
        ),
        ScriptFault::Cut => (ModelErrorKind::Unreachable, "broke off; try again"),
        ScriptFault::Garbled => (
            ModelErrorKind::Garbled,
            "sent what cannot be understood; try again",
        ),
        ScriptFault::TooLong => (
            ModelErrorKind::TooLong,
            "reads less than it was sent; say less",
        ),
        ScriptFault::Refused => (ModelErrorKind::Refused, "refused the request; change it"),
        ScriptFault::Key => (ModelErrorKind::Key, "does not take the key; set another"),
    };
    ModelError {
        kind,
        message: format!("the scripted model {message}"),
    }
}
