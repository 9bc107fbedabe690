//! The conversation, in a shape that every wire format can encode.
//!
//! [`turns`] returns turns that strictly alternate, starting with the user. The turn after a call
//! starts with its result, and each call has an id that is unique in the request.
//!
//! Invariant: the turns of a prefix are a prefix of the turns, so that the provider's cache stays
//! valid. For the same reason new ids depend only on positions.

use super::Wire;
use crate::model::{Message, ModelPart, Part, Request, ToolCall, ToolResult};
use std::borrow::Cow;
use std::collections::HashSet;

/// One turn.
#[derive(Debug, PartialEq)]
pub(super) enum WireTurn<'a> {
    /// Results first, then the prompt. Never both empty.
    User {
        answers: Vec<CallAnswer<'a>>,
        content: Vec<ContentPart<'a>>,
    },
    /// An answer of the model. Never empty, and never only opaque parts.
    Model(Vec<AssistantPart<'a>>),
}

/// A part of an answer.
#[derive(Debug, PartialEq)]
pub(super) enum AssistantPart<'a> {
    Text(&'a str),
    /// JSON text of this wire format.
    Opaque(&'a str),
    Call {
        id: String,
        call: &'a ToolCall,
    },
}

/// The result of a call.
#[derive(Debug, PartialEq)]
pub(super) struct CallAnswer<'a> {
    pub(super) id: String,
    pub(super) name: &'a str,
    /// Never empty.
    pub(super) content: Vec<ContentPart<'a>>,
    pub(super) is_error: bool,
}

/// Text that is not only white space, or an image.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ContentPart<'a> {
    Text(Cow<'a, str>),
    Image { mime_type: &'a str, data: &'a str },
}

/// Stands for an empty result, which some servers refuse.
const EMPTY: &str = "(empty result)";
const UNANSWERED: &str = "no result of this call was recorded";
const BEGINNING: &str = "(what came before was left out)";

/// Shapes the conversation of a request for a wire format.
pub(super) fn turns(request: &Request, wire: Wire, images: bool) -> Vec<WireTurn<'_>> {
    let mut turns = Vec::new();
    let mut ids = Ids::default();
    let mut messages = request.messages.iter().peekable();
    while let Some(message) = messages.next() {
        match message {
            Message::Person { content } => {
                add_user(&mut turns, Vec::new(), pieces(content, images))
            }
            Message::Model { parts } => {
                let parts = spoken(parts, wire, &mut ids);
                let mut results = Vec::new();
                while let Some(Message::Results { results: more }) =
                    messages.next_if(|next| matches!(next, Message::Results { .. }))
                {
                    results.extend(more);
                }
                let answers = answers(&parts, results, images);
                add_model(&mut turns, parts);
                add_user(&mut turns, answers, Vec::new());
            }
            // No wire format accepts results without a call.
            Message::Results { .. } => {}
        }
    }
    if !matches!(turns.first(), Some(WireTurn::User { .. })) {
        let content = vec![ContentPart::Text(BEGINNING.into())];
        let answers = Vec::new();
        turns.insert(0, WireTurn::User { answers, content });
    }
    turns
}

fn add_user<'a>(
    turns: &mut Vec<WireTurn<'a>>,
    answers: Vec<CallAnswer<'a>>,
    content: Vec<ContentPart<'a>>,
) {
    match turns.last_mut() {
        _ if answers.is_empty() && content.is_empty() => {}
        Some(WireTurn::User { content: said, .. }) if answers.is_empty() => said.extend(content),
        _ => turns.push(WireTurn::User { answers, content }),
    }
}

fn add_model<'a>(turns: &mut Vec<WireTurn<'a>>, parts: Vec<AssistantPart<'a>>) {
    match turns.last_mut() {
        _ if parts.is_empty() => {}
        Some(WireTurn::Model(said)) => said.extend(parts),
        _ => turns.push(WireTurn::Model(parts)),
    }
}

fn spoken<'a>(parts: &'a [ModelPart], wire: Wire, ids: &mut Ids) -> Vec<AssistantPart<'a>> {
    let mut spoken = Vec::new();
    for part in parts {
        match part {
            ModelPart::Text { text } if text.trim().is_empty() => {}
            ModelPart::Text { text } => spoken.push(AssistantPart::Text(text)),
            ModelPart::Opaque { wire: from, part } if from == wire.name() => {
                spoken.push(AssistantPart::Opaque(part));
            }
            ModelPart::Opaque { .. } => {}
            ModelPart::Call(call) => {
                let id = ids.unique(&call.id);
                spoken.push(AssistantPart::Call { id, call });
            }
        }
    }
    // Providers refuse reasoning that is not followed by the part it led to.
    while let Some(AssistantPart::Opaque(_)) = spoken.last() {
        spoken.pop();
    }
    spoken
}

fn answers<'a>(
    parts: &[AssistantPart<'a>],
    mut results: Vec<&'a ToolResult>,
    images: bool,
) -> Vec<CallAnswer<'a>> {
    let calls = parts.iter().filter_map(|part| match part {
        AssistantPart::Call { id, call } => Some((id.clone(), *call)),
        AssistantPart::Text(_) | AssistantPart::Opaque(_) => None,
    });
    // A model's ids may repeat: each call takes the first remaining result with its id.
    calls
        .map(|(id, call)| {
            let found = results.iter().position(|result| result.call == call.id);
            let result = found.map(|at| results.remove(at));
            let mut content = result.map_or_else(
                || vec![ContentPart::Text(UNANSWERED.into())],
                |result| pieces(&result.content, images),
            );
            if content.is_empty() {
                content.push(ContentPart::Text(EMPTY.into()));
            }
            CallAnswer {
                id,
                name: &call.name,
                content,
                is_error: result.is_none_or(|result| result.is_error),
            }
        })
        .collect()
}

fn pieces(content: &[Part], images: bool) -> Vec<ContentPart<'_>> {
    let pieces = content.iter().filter_map(|part| match part {
        Part::Text { text } if text.trim().is_empty() => None,
        Part::Text { text } => Some(ContentPart::Text(text.into())),
        Part::Image { mime_type, data } if images => Some(ContentPart::Image { mime_type, data }),
        Part::Image { mime_type, .. } => {
            let text = format!("(a picture, {mime_type}, left out: this model takes none)");
            Some(ContentPart::Text(text.into()))
        }
    });
    pieces.collect()
}

/// Returns arguments that every provider accepts: the text of a JSON object.
pub(super) fn arguments(written: &str) -> Cow<'_, str> {
    let written = written.trim();
    if written.is_empty() {
        return "{}".into();
    }
    let object: Result<serde_json::Map<String, serde_json::Value>, _> =
        serde_json::from_str(written);
    match object {
        Ok(_) => written.into(),
        // The model should see what it wrote beside the failure.
        Err(_) => serde_json::json!({ "arguments": written })
            .to_string()
            .into(),
    }
}

/// The ids used so far.
#[derive(Debug, Default)]
struct Ids(HashSet<String>, usize);

impl Ids {
    fn unique(&mut self, id: &str) -> String {
        self.1 += 1;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let fits = (1..=64).contains(&id.len()) && id.bytes().all(plain);
        if fits && self.0.insert(id.to_owned()) {
            return id.to_owned();
        }
        let id = (self.1..)
            .map(|n| format!("call_{n}"))
            .find(|id| !self.0.contains(id))
            .expect("there is always a higher number");
        self.0.insert(id.clone());
        id
    }
}
