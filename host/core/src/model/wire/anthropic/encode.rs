//! Encodes requests of the Messages API.

use crate::model::Request;
use crate::model::providers::profile::Profile;
use crate::model::wire::history::{
    AssistantPart, CallAnswer, ContentPart, WireTurn, arguments, turns,
};
use crate::model::wire::{Wire, raw, schema};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The limit of an answer's tokens, which the API requires, where the profile has none.
const DEFAULT_OUTPUT: u64 = 32_000;

#[derive(Serialize)]
struct MessagesRequest<'a> {
    model: &'a str,
    stream: bool,
    max_tokens: u64,
    // The provider's cache covers prefixes in this order: tools, system, messages.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Value>,
    messages: Vec<MessagesTurn<'a>>,
}

#[derive(Serialize)]
struct MessagesTurn<'a> {
    role: &'a str,
    content: Vec<Box<RawValue>>,
}

pub(in crate::model::wire) fn encode(request: &Request, profile: &Profile, model: &str) -> Vec<u8> {
    let tools = request.tools.iter().map(|tool| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "input_schema": schema(&tool.input_schema),
        })
    });
    let mut tools: Vec<Value> = tools.collect();
    tools.last_mut().map(mark);
    let mut system = Vec::new();
    if !request.system.trim().is_empty() {
        system.push(json!({ "type": "text", "text": request.system }));
    }
    system.last_mut().map(mark);
    let turns = turns(request, Wire::Anthropic, profile.quirks.images);
    // Marks the end of this request and that of the one before, where the cache ends.
    let marked = turns.len().saturating_sub(3);
    let messages = turns.into_iter().enumerate().map(|(at, turn)| match turn {
        WireTurn::User { answers, content } => {
            let answers = answers.into_iter().map(result);
            let mut blocks: Vec<Value> = answers.chain(content.iter().map(block)).collect();
            if at >= marked {
                blocks.last_mut().map(mark);
            }
            MessagesTurn {
                role: "user",
                content: blocks.iter().map(raw).collect(),
            }
        }
        WireTurn::Model(parts) => MessagesTurn {
            role: "assistant",
            content: parts.into_iter().filter_map(spoken).collect(),
        },
    });
    let body = MessagesRequest {
        model,
        stream: true,
        max_tokens: profile.output.unwrap_or(DEFAULT_OUTPUT),
        tool_choice: (!tools.is_empty() && !request.may_call).then(|| json!({ "type": "none" })),
        tools,
        system,
        messages: messages.collect(),
    };
    serde_json::to_vec(&body).expect("it consists of strings, numbers and JSON")
}

fn mark(block: &mut Value) {
    block["cache_control"] = json!({ "type": "ephemeral" });
}

fn block(piece: &ContentPart<'_>) -> Value {
    match piece {
        ContentPart::Text(text) => json!({ "type": "text", "text": text }),
        ContentPart::Image { mime_type, data } => json!({
            "type": "image",
            "source": { "type": "base64", "media_type": mime_type, "data": data },
        }),
    }
}

fn result(answer: CallAnswer<'_>) -> Value {
    let content: Value = answer.content.iter().map(block).collect();
    let mut result = json!({
        "type": "tool_result",
        "tool_use_id": answer.id,
        "content": content,
    });
    if answer.is_error {
        result["is_error"] = true.into();
    }
    result
}

#[derive(Serialize)]
struct ToolUse<'a> {
    r#type: &'a str,
    id: String,
    name: &'a str,
    input: Box<RawValue>,
}

fn spoken(part: AssistantPart<'_>) -> Option<Box<RawValue>> {
    Some(match part {
        AssistantPart::Text(text) => raw(&json!({ "type": "text", "text": text })),
        AssistantPart::Opaque(part) => RawValue::from_string(part.to_owned()).ok()?,
        AssistantPart::Call { id, call } => {
            let input = RawValue::from_string(arguments(&call.arguments).into_owned()).ok()?;
            raw(&ToolUse {
                r#type: "tool_use",
                id,
                name: &call.name,
                input,
            })
        }
    })
}
