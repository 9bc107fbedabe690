//! What was said, in the one shape that every wire can write down.
//!
//! [`turns`] gives turns that alternate strictly, beginning with the person's side. Each call is
//! response at the head of the turn that follows, in order, and has an id that stands once in the
//! whole request.
//!
//! Invariant: the turns of a prefix are a prefix of the turns, so that a provider's cache holds.
//! Ids are minted from positions for the same reason, never from chance or time.

use super::super::{Message, ModelPart, Part, Request, ToolCall, ToolResult};
use super::Wire;
use std::borrow::Cow;
use std::collections::HashSet;

/// One side's turn.
#[derive(Debug, PartialEq)]
pub(super) enum WireTurn<'a> {
    /// Results first, then what the person said. Never both empty.
    User {
        answers: Vec<CallAnswer<'a>>,
        content: Vec<ContentPart<'a>>,
    },
    /// What the model said. Never empty, and never only opaque.
    Model(Vec<AssistantPart<'a>>),
}

/// A part of what the model said.
#[derive(Debug, PartialEq)]
pub(super) enum AssistantPart<'a> {
    Text(&'a str),
    /// JSON text that belongs to this very wire.
    Opaque(&'a str),
    Call {
        id: String,
        call: &'a ToolCall,
    },
}

/// What a call came to.
#[derive(Debug, PartialEq)]
pub(super) struct CallAnswer<'a> {
    pub(super) id: String,
    pub(super) name: &'a str,
    /// Never empty.
    pub(super) content: Vec<ContentPart<'a>>,
    pub(super) is_error: bool,
}

/// Words that are more than white space, or a picture.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ContentPart<'a> {
    Text(Cow<'a, str>),
    Image { mime_type: &'a str, data: &'a str },
}

/// Some servers refuse a result without words.
const EMPTY: &str = "(empty result)";
const UNANSWERED: &str = "no result of this call was recorded";
const BEGINNING: &str = "(what came before was left out)";

/// Puts what was said into shape for a wire.
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
                let parts = assistant_parts(parts, wire, &mut ids);
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
            // Results without a call before them: nothing can be made of them.
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

fn assistant_parts<'a>(
    parts: &'a [ModelPart],
    wire: Wire,
    ids: &mut Ids,
) -> Vec<AssistantPart<'a>> {
    let mut assistant_parts = Vec::new();
    for part in parts {
        match part {
            ModelPart::Text { text } if text.trim().is_empty() => {}
            ModelPart::Text { text } => assistant_parts.push(AssistantPart::Text(text)),
            ModelPart::Opaque { wire: from, part } if from == wire.name() => {
                assistant_parts.push(AssistantPart::Opaque(part));
            }
            ModelPart::Opaque { .. } => {}
            ModelPart::Call(call) => {
                let id = ids.unique(&call.id);
                assistant_parts.push(AssistantPart::Call { id, call });
            }
        }
    }
    // Reasoning that led to nothing is refused: it wants the part it belongs to after it.
    while let Some(AssistantPart::Opaque(_)) = assistant_parts.last() {
        assistant_parts.pop();
    }
    assistant_parts
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
    // A model's own ids repeat: the first result that is left with that id is the one.
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

/// The arguments as every wire takes them: the text of a JSON object.
pub(super) fn arguments(written: &str) -> Cow<'_, str> {
    let written = written.trim();
    if written.is_empty() {
        return "{}".into();
    }
    let object: Result<serde_json::Map<String, serde_json::Value>, _> =
        serde_json::from_str(written);
    match object {
        Ok(_) => written.into(),
        // The model should see what it wrote, beside the failure it led to.
        Err(_) => serde_json::json!({ "arguments": written })
            .to_string()
            .into(),
    }
}

/// Ids given out so far.
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
