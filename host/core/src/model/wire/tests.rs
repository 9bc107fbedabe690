//! The wire formats against recorded responses, known peculiarities of servers, and arbitrary
//! input.

mod anthropic;
mod calls;
mod chat;
mod error;
mod openai;
mod printed_calls;
mod requests;

use super::*;
use crate::model::{
    Message, ModelErrorKind, ModelPart, Part, Reason, ToolCall, ToolResult, ToolSpec,
};
use serde_json::json;

fn profile(name: &str) -> Profile {
    Profile::named(name).expect("it is embedded").clone()
}

fn body(request: &Request, name: &str) -> Value {
    let sent = encode(request, &profile(name), "m");
    serde_json::from_slice(&sent.body).expect("a body is JSON")
}

/// The body as text, for what must come back byte for byte.
fn bytes(request: &Request, name: &str) -> String {
    let sent = encode(request, &profile(name), "m");
    String::from_utf8(sent.body).expect("JSON is text")
}

fn person(text: &str) -> Message {
    Message::Person {
        content: vec![words(text)],
    }
}

fn words(text: &str) -> Part {
    Part::Text {
        text: text.to_owned(),
    }
}

fn picture() -> Part {
    Part::Image {
        mime_type: "image/png".to_owned(),
        data: "AAAA".to_owned(),
    }
}

fn said(text: &str) -> ModelPart {
    ModelPart::Text {
        text: text.to_owned(),
    }
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(id, name, arguments)
}

fn returned(call: &str, content: Vec<Part>) -> ToolResult {
    ToolResult {
        call: call.to_owned(),
        name: "map".to_owned(),
        content,
        is_error: false,
    }
}

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("does {name}"),
        input_schema: json!({ "type": "object", "properties": { "city": { "type": "string" } } }),
        examples: Vec::new(),
    }
}

/// A person asked, the model made these calls, and they came to that.
fn round(parts: Vec<ModelPart>, results: Vec<ToolResult>) -> Request {
    Request {
        system: "be brief".to_owned(),
        messages: vec![
            person("what is it like in Oslo and Rome?"),
            Message::Model { parts },
            Message::Results { results },
        ]
        .into(),
        tools: vec![tool("forecast"), tool("map")],
        may_call: true,
        cache_key: Some("session-1".to_owned()),
    }
}

fn asked() -> Request {
    Request {
        messages: vec![person("hello")].into(),
        tools: vec![tool("forecast"), tool("map")],
        may_call: true,
        ..Request::default()
    }
}

/// Lines of `data`, each an event.
fn events(data: &[Value]) -> String {
    let lines = data.iter().map(|data| format!("data: {data}\n\n"));
    lines.collect()
}

/// All deltas of an answer, which must be the same however it is cut.
fn read(answer: &str, name: &str) -> Result<Vec<Delta>, ModelError> {
    let all = |size: usize| {
        let mut decoder = Decoder::new(&asked(), &profile(name));
        let mut deltas = Vec::new();
        for piece in answer.as_bytes().chunks(size) {
            deltas.extend(decoder.push(piece)?);
        }
        deltas.extend(decoder.end()?);
        Ok(deltas)
    };
    let whole = all(answer.len().max(1));
    let sizes: &[usize] = if answer.len() < 1 << 16 {
        &[1, 7, 64]
    } else {
        &[999]
    };
    for &size in sizes {
        assert_eq!(all(size), whole, "cut into pieces of {size}");
    }
    whole
}

fn finished(answer: &str, name: &str) -> Finished {
    let mut deltas = read(answer, name).expect("it is a whole answer");
    let Some(Delta::Finished(finished)) = deltas.pop() else {
        panic!("the last delta is not the end");
    };
    let streamed: String = deltas
        .iter()
        .filter_map(|delta| match delta {
            Delta::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let kept: String = finished
        .parts
        .iter()
        .filter_map(|part| match part {
            ModelPart::Text { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(streamed, kept, "what is shown is what is kept");
    finished
}

fn calls(finished: &Finished) -> Vec<(&str, &str, &str)> {
    let calls = finished.parts.iter().filter_map(|part| match part {
        ModelPart::Call(call) => Some((&*call.id, &*call.name, &*call.arguments)),
        _ => None,
    });
    calls.collect()
}
