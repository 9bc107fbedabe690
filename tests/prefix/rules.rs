//! The rules of each wire for a request, checked on its JSON alone, independently of the encoder.

use footlight::model::Wire;
use serde_json::{Value, json};
use std::collections::HashSet;

/// Reports why a server of this wire would reject the body.
pub(super) fn takes(wire: Wire, body: &Value) -> Result<(), String> {
    match wire {
        Wire::Chat => chat(body),
        Wire::Anthropic => anthropic(body),
        Wire::OpenAi => responses(body),
        _ => Err(format!("there are no rules for {}", wire.name())),
    }
}

/// Calls without a result so far, in order; ids are unique.
#[derive(Default)]
struct Open {
    ids: Vec<String>,
    seen: HashSet<String>,
}

impl Open {
    fn call(&mut self, id: &Value, has_input: bool, shown: &Value) -> Result<(), String> {
        let id = id.as_str().unwrap_or_default().to_owned();
        if id.is_empty() || !has_input || !self.seen.insert(id.clone()) {
            return Err(format!("a call that is refused: {shown}"));
        }
        self.ids.push(id);
        Ok(())
    }

    fn result(&mut self, id: &Value, shown: &Value) -> Result<(), String> {
        match self.ids.first() {
            Some(first) if id == first => {
                self.ids.remove(0);
                Ok(())
            }
            _ => Err(format!("a result out of place: {shown}")),
        }
    }

    fn none(&self, before: &Value) -> Result<(), String> {
        if self.ids.is_empty() {
            return Ok(());
        }
        Err(format!("no result for {:?} before {before}", self.ids))
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn is_blank(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.trim().is_empty())
}

/// This wire sends arguments as text.
fn is_object(arguments: &Value) -> bool {
    let text = arguments.as_str().unwrap_or_default();
    serde_json::from_str::<Value>(text).is_ok_and(|value| value.is_object())
}

/// Results follow their calls directly, one each, in order.
fn chat(body: &Value) -> Result<(), String> {
    let mut open = Open::default();
    for message in list(&body["messages"]) {
        if message["role"] == "tool" {
            if is_blank(&message["content"]) {
                return Err(format!("an empty result: {message}"));
            }
            open.result(&message["tool_call_id"], message)?;
            continue;
        }
        open.none(message)?;
        let calls = list(&message["tool_calls"]);
        for call in calls {
            open.call(&call["id"], is_object(&call["function"]["arguments"]), call)?;
        }
        let content = &message["content"];
        if is_blank(content) || (content.is_null() && calls.is_empty()) {
            return Err(format!("an empty message: {message}"));
        }
    }
    open.none(&json!("the end"))
}

/// Roles alternate, beginning with the user; results come first in the message after their calls.
fn anthropic(body: &Value) -> Result<(), String> {
    let mut open = Open::default();
    for (at, message) in list(&body["messages"]).iter().enumerate() {
        let blocks = list(&message["content"]);
        if message["role"] != ["user", "assistant"][at % 2] || blocks.is_empty() {
            return Err(format!("out of turn at {at}: {message}"));
        }
        for block in blocks {
            if block["type"] == "tool_result" {
                open.result(&block["tool_use_id"], message)?;
                continue;
            }
            // A message of the model may have calls between its texts.
            if message["role"] == "user" {
                open.none(message)?;
            }
            if block["type"] == "text" && is_blank(&block["text"]) {
                return Err(format!("an empty text: {message}"));
            }
            if block["type"] == "tool_use" {
                open.call(&block["id"], block["input"].is_object(), block)?;
            }
        }
        if message["role"] == "user" {
            open.none(message)?;
        }
    }
    open.none(&json!("the end"))
}

/// Each call has its output before the next message.
fn responses(body: &Value) -> Result<(), String> {
    let mut open = Open::default();
    for item in list(&body["input"]) {
        match item["type"].as_str() {
            Some("function_call") => {
                open.call(&item["call_id"], is_object(&item["arguments"]), item)?;
            }
            Some("function_call_output") => open.result(&item["call_id"], item)?,
            _ if item["role"] == "user" => open.none(item)?,
            _ => {}
        }
    }
    open.none(&json!("the end"))
}

#[test]
fn the_rules_refuse_what_a_server_would() {
    let call = json!({ "id": "a", "function": { "arguments": "{}" } });
    let asks = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    let result = json!({ "role": "tool", "tool_call_id": "a", "content": "x" });
    let chat = |messages: &[&Value]| takes(Wire::Chat, &json!({ "messages": messages })).is_ok();
    assert!(chat(&[&asks, &result]));
    assert!(!chat(&[&asks]) && !chat(&[&result]) && !chat(&[&asks, &result, &result]));
    assert!(
        !chat(&[&asks, &result, &asks, &result]),
        "an id comes twice"
    );

    let words = json!({ "type": "text", "text": "x" });
    let call = json!({ "type": "tool_use", "id": "a", "input": {} });
    let result = json!({ "type": "tool_result", "tool_use_id": "a", "content": "x" });
    let anthropic = |person: &[&Value], model: &[&Value], back: &[&Value]| {
        let messages = [("user", person), ("assistant", model), ("user", back)]
            .map(|(role, content)| json!({ "role": role, "content": content }));
        takes(Wire::Anthropic, &json!({ "messages": messages })).is_ok()
    };
    assert!(anthropic(&[&words], &[&words, &call], &[&result, &words]));
    assert!(!anthropic(&[&words], &[&call], &[&words, &result]));
    assert!(!anthropic(&[&words], &[&call], &[&words]) && !anthropic(&[], &[&words], &[&words]));

    let call = json!({ "type": "function_call", "call_id": "a", "arguments": "{}" });
    let output = json!({ "type": "function_call_output", "call_id": "a", "output": "x" });
    let words = json!({ "role": "user", "content": "x" });
    let responses = |input: &[&Value]| takes(Wire::OpenAi, &json!({ "input": input })).is_ok();
    assert!(responses(&[&words, &call, &output, &words]));
    assert!(
        !responses(&[&call]) && !responses(&[&output]) && !responses(&[&call, &words, &output])
    );
}
