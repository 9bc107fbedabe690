//! Encodes requests of the Responses API.

use crate::model::Request;
use crate::model::providers::profile::Profile;
use crate::model::wire::history::{
    AssistantPart, CallAnswer, ContentPart, WireTurn, arguments, turns,
};
use crate::model::wire::{Wire, raw, schema};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

#[derive(Serialize)]
struct ResponsesRequest<'a> {
    model: &'a str,
    stream: bool,
    store: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    include: &'a [&'a str],
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u64>,
    #[serde(skip_serializing_if = "str::is_empty")]
    instructions: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'a str>,
    input: Vec<Box<RawValue>>,
}

pub(in crate::model::wire) fn encode(request: &Request, profile: &Profile, model: &str) -> Vec<u8> {
    let mut input = Vec::new();
    for turn in turns(request, Wire::OpenAi, profile.quirks.images) {
        match turn {
            WireTurn::User { answers, content } => {
                input.extend(answers.into_iter().map(|answer| raw(&output(answer))));
                if !content.is_empty() {
                    let content: Value = content.iter().map(part).collect();
                    let message = json!({ "type": "message", "role": "user", "content": content });
                    input.push(raw(&message));
                }
            }
            WireTurn::Model(parts) => input.extend(parts.into_iter().filter_map(spoken)),
        }
    }
    let cache_key = request.cache_key.as_deref();
    let tools = request.tools.iter().map(|tool| {
        json!({
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": schema(&tool.input_schema),
            // In strict mode every property is required.
            "strict": false,
        })
    });
    let body = ResponsesRequest {
        model,
        stream: true,
        store: false,
        include: match profile.reasons(model) {
            true => &["reasoning.encrypted_content"],
            false => &[],
        },
        prompt_cache_key: cache_key.filter(|_| profile.quirks.cache_key),
        max_output_tokens: profile.output,
        instructions: &request.system,
        tools: tools.collect(),
        tool_choice: (!request.tools.is_empty() && !request.may_call).then_some("none"),
        input,
    };
    serde_json::to_vec(&body).expect("it consists of strings, numbers and JSON")
}

fn part(piece: &ContentPart<'_>) -> Value {
    match piece {
        ContentPart::Text(text) => json!({ "type": "input_text", "text": text }),
        ContentPart::Image { mime_type, data } => {
            json!({ "type": "input_image", "image_url": format!("data:{mime_type};base64,{data}") })
        }
    }
}

fn output(mut answer: CallAnswer<'_>) -> Value {
    if answer.is_error {
        // The API has no field for failures.
        answer.content.insert(0, ContentPart::Text("error:".into()));
    }
    let output = match answer.content.as_slice() {
        [ContentPart::Text(text)] => Value::from(&**text),
        content => content.iter().map(part).collect(),
    };
    json!({ "type": "function_call_output", "call_id": answer.id, "output": output })
}

fn spoken(part: AssistantPart<'_>) -> Option<Box<RawValue>> {
    Some(match part {
        AssistantPart::Text(text) => raw(&json!({
            "type": "message",
            "role": "assistant",
            "content": [{ "type": "output_text", "text": text }],
        })),
        AssistantPart::Call { id, call } => raw(&json!({
            "type": "function_call",
            "call_id": id,
            "name": call.name,
            "arguments": arguments(&call.arguments),
        })),
        AssistantPart::Opaque(part) => RawValue::from_string(part.to_owned()).ok()?,
    })
}
