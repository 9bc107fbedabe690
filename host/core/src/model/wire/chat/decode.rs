//! Decodes answers of the Chat Completions API.

use super::Reasoning;
use crate::model::http::sse::Event;
use crate::model::providers::profile::{Echo, Quirks};
use crate::model::wire::budget::Budget;
use crate::model::wire::calls::{Calls, Fragment};
use crate::model::wire::details::Details;
use crate::model::wire::error::{cut_off, error_in_stream, garbled};
use crate::model::wire::printed_calls::PrintedCalls;
use crate::model::wire::{Decoded, Reader, Wire, count, finished};
use crate::model::{Delta, Finished, ModelPart, Reason, Request, Tokens, ToolCall};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

#[derive(Deserialize)]
struct ChatChunk<'a> {
    choices: Option<Vec<ChatChoice>>,
    usage: Option<Value>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ChatChoice {
    index: Option<Value>,
    delta: Option<ChatMessage>,
    message: Option<ChatMessage>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct ChatMessage {
    content: Option<Value>,
    refusal: Option<String>,
    reasoning_content: Option<String>,
    reasoning: Option<String>,
    reasoning_details: Option<Vec<Box<RawValue>>>,
    tool_calls: Option<Vec<ChatToolCall>>,
}

#[derive(Deserialize)]
struct ChatToolCall {
    index: Option<Value>,
    id: Option<String>,
    function: Option<ChatFunction>,
    extra_content: Option<Box<RawValue>>,
}

#[derive(Default, Deserialize)]
struct ChatFunction {
    name: Option<String>,
    arguments: Option<Box<RawValue>>,
}

const NO_COMPLETION: &str = "the answer is not a chat completion";

/// The decoder of one answer.
#[derive(Debug, Default)]
pub(in crate::model::wire) struct ChatReader {
    budget: Budget,
    text: String,
    calls: Calls,
    reasoning: String,
    details: Details,
    echo: Option<Echo>,
    signatures: bool,
    leaks: Option<Box<PrintedCalls>>,
    reason: Option<Reason>,
    usage: Tokens,
}

impl Reader for ChatReader {
    fn event(&mut self, event: &Event, out: &mut Vec<Delta>) -> Decoded<bool> {
        if event.data.trim() == "[DONE]" {
            self.reason.get_or_insert_default();
            return Ok(true);
        }
        self.chunk(&event.data, out)?;
        Ok(false)
    }

    fn whole(&mut self, body: &str, out: &mut Vec<Delta>) -> Decoded {
        if self.chunk(body, out)? {
            self.reason.get_or_insert_default();
            return Ok(());
        }
        Err(garbled(NO_COMPLETION))
    }

    fn finish(&mut self, out: &mut Vec<Delta>) -> Decoded<Finished> {
        let reason = self.reason.ok_or_else(cut_off)?;
        let mut printed_calls = Vec::new();
        if let Some(mut leaks) = self.leaks.take() {
            let (rest, calls) = leaks.end(self.calls.is_empty());
            printed_calls = calls;
            if !rest.is_empty() {
                self.text.push_str(&rest);
                out.push(Delta::Text(rest));
            }
        }
        let mut calls = self.calls.finish();
        for (name, arguments) in printed_calls {
            self.budget.call()?;
            out.push(Delta::Calling(name.clone()));
            calls.push(ToolCall::new("", name, arguments));
        }
        let text = std::mem::take(&mut self.text);
        let words = (!text.is_empty()).then_some(ModelPart::Text { text });
        let before = self.kept().into_iter().chain(words);
        let parts: Vec<_> = before
            .chain(calls.into_iter().map(ModelPart::Call))
            .collect();
        Ok(finished(parts, reason, self.usage))
    }
}

impl ChatReader {
    pub(in crate::model::wire) fn new(quirks: &Quirks, request: &Request) -> Self {
        let is_leaky = quirks.leaked_calls && request.may_call && !request.tools.is_empty();
        Self {
            echo: quirks.echo,
            signatures: quirks.signatures,
            leaks: is_leaky.then(|| Box::new(PrintedCalls::new(request))),
            ..Self::default()
        }
    }

    /// Decodes a chunk, or a whole body, and reports whether it has a choice.
    fn chunk(&mut self, body: &str, out: &mut Vec<Delta>) -> Decoded<bool> {
        // Some servers send errors as an array, others as a bare object.
        let chunk: ChatChunk<'_> = match serde_json::from_str(body) {
            Ok(chunk) => chunk,
            Err(_) if body.starts_with('[') => return Err(error_in_stream(body)),
            Err(_) => return Err(garbled(NO_COMPLETION)),
        };
        if chunk.error.is_some() {
            return Err(error_in_stream(body));
        }
        if let Some(usage) = chunk.usage {
            let counted = Tokens {
                input: count(&usage, "/prompt_tokens"),
                cache_read: count(&usage, "/prompt_tokens_details/cached_tokens"),
                cache_write: 0,
                output: count(&usage, "/completion_tokens"),
                reasoning: count(&usage, "/completion_tokens_details/reasoning_tokens"),
            };
            // Some servers send zeros after the counts.
            if counted != Tokens::default() {
                self.usage = counted;
            }
        }
        let first = |choice: &ChatChoice| choice.index.as_ref().is_none_or(|index| index == 0);
        let mut any = false;
        for choice in chunk.choices.into_iter().flatten().filter(first) {
            any = true;
            if let Some(said) = choice.delta.or(choice.message) {
                self.said(said, out)?;
            }
            match choice.finish_reason.as_deref() {
                None | Some("") => {}
                Some("length") => self.reason = Some(Reason::Length),
                Some("content_filter") => self.reason = Some(Reason::Filtered),
                Some("error") => return Err(cut_off()),
                Some(_) => self.reason = Some(Reason::Stop),
            }
        }
        Ok(any)
    }

    fn said(&mut self, said: ChatMessage, out: &mut Vec<Delta>) -> Decoded {
        let thought = said.reasoning_content.or(said.reasoning);
        let thought = thought.unwrap_or_default();
        if !thought.is_empty() {
            if matches!(self.echo, Some(Echo::ReasoningContent | Echo::Reasoning)) {
                self.budget.append(&mut self.reasoning, &thought)?;
            }
            out.push(Delta::Reasoning(thought));
        }
        if self.echo == Some(Echo::ReasoningDetails) {
            for detail in said.reasoning_details.into_iter().flatten() {
                self.details.add(detail, &mut self.budget)?;
            }
        }
        let words = said.content.map(words).unwrap_or_default();
        for text in [words, said.refusal.unwrap_or_default()] {
            self.words(&text, out)?;
        }
        for call in said.tool_calls.into_iter().flatten() {
            let function = call.function.unwrap_or_default();
            let arguments = function.arguments.as_deref().map(written);
            let opaque = call.extra_content.filter(|_| self.signatures);
            let piece = Fragment {
                index: call.index.and_then(|index| index.as_u64()),
                id: call.id.unwrap_or_default(),
                name: function.name.unwrap_or_default(),
                arguments: arguments.unwrap_or_default(),
                opaque: opaque.map(|raw| raw.get().to_owned()),
            };
            out.extend(self.calls.add(piece, &mut self.budget)?.map(Delta::Calling));
        }
        Ok(())
    }

    fn words(&mut self, text: &str, out: &mut Vec<Delta>) -> Decoded {
        self.budget.spend(text.len())?;
        let free = match &mut self.leaks {
            Some(leaks) => leaks.push(text),
            None => text.to_owned(),
        };
        if !free.is_empty() {
            self.text.push_str(&free);
            out.push(Delta::Text(free));
        }
        Ok(())
    }

    /// Returns the reasoning that this profile wants back.
    fn kept(&mut self) -> Option<ModelPart> {
        let raw = |text: &str| serde_json::value::to_raw_value(text).ok();
        let mut kept = Reasoning::default();
        match self.echo? {
            _ if self.reasoning.is_empty() && self.details.all().is_empty() => return None,
            Echo::ReasoningContent => kept.reasoning_content = raw(&self.reasoning),
            Echo::Reasoning => kept.reasoning = raw(&self.reasoning),
            Echo::ReasoningDetails => {
                kept.reasoning_details = serde_json::value::to_raw_value(self.details.all()).ok();
            }
        }
        Some(Wire::Chat.opaque(serde_json::to_string(&kept).ok()?))
    }
}

/// Returns the text of a string, or of an array of parts.
fn words(content: Value) -> String {
    match content {
        Value::String(text) => text,
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect()
        }
        _ => String::new(),
    }
}

/// Returns arguments as JSON text: a string that contains JSON, or from some servers the JSON itself.
fn written(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned())
}
