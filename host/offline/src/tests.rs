//! The router against tables of prompts, in whole turns, and against anything at all.

mod anything;
mod tables;
mod turns;

use super::*;
use footlight::model::ToolSpec;

/// The tools of the example plugins that a model is offered, as `footlight inspect` shows them,
/// and the one with which it asks.
fn tools() -> Vec<ToolSpec> {
    serde_json::from_str(include_str!("tests/tools.json")).expect("tools")
}

/// A Wednesday.
fn today() -> Day {
    Day::read("2026-03-11").expect("a day")
}

fn person(text: &str) -> Message {
    let text = text.to_owned();
    Message::Person {
        content: vec![Part::Text { text }],
    }
}

fn request(tools: Vec<ToolSpec>, messages: Vec<Message>) -> Request {
    let mut request = Request::new(messages);
    (request.tools, request.may_call) = (tools, true);
    request
}

fn calls(parts: &[ModelPart]) -> Vec<&ToolCall> {
    let calls = parts.iter().filter_map(|part| match part {
        ModelPart::Call(call) => Some(call),
        _ => None,
    });
    calls.collect()
}

fn said(parts: &[ModelPart]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        ModelPart::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
