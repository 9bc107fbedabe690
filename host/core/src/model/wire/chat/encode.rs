//! Encodes requests of the Chat Completions API.

use super::Reasoning;
use crate::model::providers::profile::{Echo, Profile, Quirks};
use crate::model::wire::history::{
    AssistantPart, CallAnswer, ContentPart, WireTurn, arguments, turns,
};
use crate::model::wire::{Wire, schema};
use crate::model::{Request, ToolCall};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

#[derive(Serialize)]
struct ChatRequest<'a> {
    model: &'a str,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt_cache_key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<&'a str>,
    messages: Vec<ChatTurn<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ChatTurn<'a> {
    Plain(Value),
    Model(Box<AssistantTurn<'a>>),
}

/// An assistant message, which may hold parts that are kept byte for byte.
#[derive(Serialize)]
struct AssistantTurn<'a> {
    role: &'a str,
    content: Option<String>,
    #[serde(flatten)]
    echo: Reasoning,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<ToolCallEntry<'a>>,
}

#[derive(Serialize)]
struct ToolCallEntry<'a> {
    id: String,
    r#type: &'a str,
    function: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    extra_content: Option<Box<RawValue>>,
}

pub(in crate::model::wire) fn encode(request: &Request, profile: &Profile, model: &str) -> Vec<u8> {
    let quirks = &profile.quirks;
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        let system = json!({ "role": "system", "content": request.system });
        messages.push(ChatTurn::Plain(system));
    }
    for turn in turns(request, Wire::Chat, quirks.images) {
        match turn {
            WireTurn::User { answers, content } => user(answers, content, quirks, &mut messages),
            WireTurn::Model(parts) => {
                messages.push(ChatTurn::Model(Box::new(spoken(parts, quirks))))
            }
        }
    }
    let options = || json!({ "include_usage": true });
    let tools = request.tools.iter().map(|tool| {
        json!({ "type": "function", "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": schema(&tool.input_schema),
        } })
    });
    let body = ChatRequest {
        model,
        stream: true,
        stream_options: quirks.stream_usage.then(options),
        prompt_cache_key: request.cache_key.as_deref().filter(|_| quirks.cache_key),
        max_tokens: profile.output,
        tools: tools.collect(),
        tool_choice: (!request.tools.is_empty() && !request.may_call).then_some("none"),
        messages,
    };
    serde_json::to_vec(&body).expect("it consists of strings, numbers and JSON")
}

fn user(
    answers: Vec<CallAnswer<'_>>,
    content: Vec<ContentPart<'_>>,
    quirks: &Quirks,
    messages: &mut Vec<ChatTurn<'_>>,
) {
    let mut pictures = Vec::new();
    for answer in answers {
        let mut texts = Vec::new();
        for piece in answer.content {
            match piece {
                ContentPart::Text(text) => texts.push(text),
                ContentPart::Image { .. } => {
                    let origin = format!("picture from `{}`:", answer.name);
                    pictures.extend([ContentPart::Text(origin.into()), piece]);
                }
            }
        }
        if texts.is_empty() {
            texts.push("(a picture, shown below)".into());
        }
        // The API has no field for failures.
        let mark = if answer.is_error { "error: " } else { "" };
        let text = format!("{mark}{}", texts.join("\n"));
        let mut message = json!({ "role": "tool", "tool_call_id": answer.id, "content": text });
        if quirks.tool_names {
            message["name"] = answer.name.into();
        }
        messages.push(ChatTurn::Plain(message));
    }
    pictures.extend(content);
    if !pictures.is_empty() {
        let content = said(&pictures);
        let message = json!({ "role": "user", "content": content });
        messages.push(ChatTurn::Plain(message));
    }
}

/// Returns a plain string if there are no images: some servers accept nothing else.
fn said<'p>(pieces: &'p [ContentPart<'_>]) -> Value {
    let text = |piece: &'p ContentPart<'_>| match piece {
        ContentPart::Text(text) => Some(&**text),
        ContentPart::Image { .. } => None,
    };
    if let Some(texts) = pieces.iter().map(text).collect::<Option<Vec<&str>>>() {
        return texts.join("\n\n").into();
    }
    let parts = pieces.iter().map(|piece| match piece {
        ContentPart::Text(text) => json!({ "type": "text", "text": text }),
        ContentPart::Image { mime_type, data } => {
            let url = format!("data:{mime_type};base64,{data}");
            json!({ "type": "image_url", "image_url": { "url": url } })
        }
    });
    parts.collect()
}

fn spoken<'a>(parts: Vec<AssistantPart<'a>>, quirks: &Quirks) -> AssistantTurn<'a> {
    let mut message = AssistantTurn {
        role: "assistant",
        content: None,
        echo: Reasoning::default(),
        tool_calls: Vec::new(),
    };
    for part in parts {
        match part {
            AssistantPart::Text(text) => message.content.get_or_insert_default().push_str(text),
            AssistantPart::Opaque(part) => {
                // Only the field that this profile wants is sent; another profile may have kept others.
                let kept = serde_json::from_str::<Reasoning>(part).unwrap_or_default();
                let echo = &mut message.echo;
                match quirks.echo {
                    None => {}
                    Some(Echo::ReasoningContent) => echo.reasoning_content = kept.reasoning_content,
                    Some(Echo::Reasoning) => echo.reasoning = kept.reasoning,
                    Some(Echo::ReasoningDetails) => echo.reasoning_details = kept.reasoning_details,
                }
            }
            AssistantPart::Call { id, call } => message.tool_calls.push(ToolCallEntry {
                id,
                r#type: "function",
                function: json!({ "name": call.name, "arguments": arguments(&call.arguments) }),
                extra_content: signature(call, quirks, message.tool_calls.is_empty()),
            }),
        }
    }
    message
}

/// Returns what must be sent back with a call. Of parallel calls only the first has a signature.
fn signature(call: &ToolCall, quirks: &Quirks, first: bool) -> Option<Box<RawValue>> {
    if !quirks.signatures {
        return None;
    }
    if let Some(opaque) = &call.opaque {
        return RawValue::from_string(opaque.clone()).ok();
    }
    let foreign = quirks.foreign_signature.as_ref().filter(|_| first)?;
    serde_json::value::to_raw_value(&json!({ "google": { "thought_signature": foreign } })).ok()
}
