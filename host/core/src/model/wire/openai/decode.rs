//! Decodes answers of the Responses API.
//!
//! Invariant: a completed item counts as the provider sent it, not as the sum of its deltas.

use crate::model::http::sse::Event;
use crate::model::wire::budget::{Budget, room};
use crate::model::wire::error::{cut_off, error_in_stream, garbled};
use crate::model::wire::{Decoded, Reader, Wire, count, finished};
use crate::model::{Delta, Finished, ModelPart, Reason, Tokens, ToolCall};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct ResponseEvent<'a> {
    #[serde(rename = "type", default)]
    kind: &'a str,
    #[serde(default)]
    output_index: u64,
    delta: Option<String>,
    #[serde(borrow)]
    item: Option<&'a RawValue>,
    #[serde(borrow)]
    response: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct ResponseBody<'a> {
    status: Option<String>,
    #[serde(borrow)]
    output: Option<Vec<&'a RawValue>>,
    usage: Option<Value>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    incomplete_details: Option<Value>,
}

#[derive(Deserialize)]
struct OutputItem {
    #[serde(rename = "type")]
    kind: String,
    call_id: Option<String>,
    name: Option<String>,
    arguments: Option<String>,
    content: Option<Value>,
    encrypted_content: Option<IgnoredAny>,
}

const NO_RESPONSE: &str = "the answer is not a response";

/// One item of the answer.
#[derive(Debug)]
enum OutputPart {
    Text(String),
    Call(ToolCall),
    Reasoning(String),
}

/// The decoder of one answer.
#[derive(Debug, Default)]
pub(in crate::model::wire) struct ResponsesReader {
    budget: Budget,
    /// Keyed by their position in the answer.
    parts: BTreeMap<u64, OutputPart>,
    reason: Option<Reason>,
    usage: Tokens,
}

impl Reader for ResponsesReader {
    fn event(&mut self, event: &Event, out: &mut Vec<Delta>) -> Decoded<bool> {
        if event.data.trim() == "[DONE]" {
            return Ok(true);
        }
        let no_event = |_| garbled(NO_RESPONSE);
        let said: ResponseEvent<'_> = serde_json::from_str(&event.data).map_err(no_event)?;
        let kind = if said.kind.is_empty() {
            event.name.as_str()
        } else {
            said.kind
        };
        let at = said.output_index;
        match kind {
            "response.output_item.added" => {
                if let Some(item) = said.item {
                    self.open(at, item.get(), out)?;
                }
            }
            "response.output_text.delta" | "response.refusal.delta" => {
                self.text(at, &said.delta.unwrap_or_default(), out)?;
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                out.extend(said.delta.map(Delta::Reasoning));
            }
            "response.function_call_arguments.delta" => {
                if let Some(OutputPart::Call(call)) = self.parts.get_mut(&at) {
                    let more = said.delta.unwrap_or_default();
                    self.budget.append_arguments(&mut call.arguments, &more)?;
                }
            }
            "response.output_item.done" => {
                if let Some(item) = said.item {
                    self.done(at, item.get(), out)?;
                }
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.done" => {
                let response = said.response.map_or("{}", RawValue::get);
                self.response(response, out)?;
                return Ok(true);
            }
            "error" => return Err(error_in_stream(&event.data)),
            // There are many more events.
            _ => {}
        }
        Ok(false)
    }

    fn whole(&mut self, body: &str, out: &mut Vec<Delta>) -> Decoded {
        if self.response(body, out)? {
            return Ok(());
        }
        Err(garbled(NO_RESPONSE))
    }

    fn finish(&mut self, _: &mut Vec<Delta>) -> Decoded<Finished> {
        let reason = self.reason.ok_or_else(cut_off)?;
        let parts = std::mem::take(&mut self.parts).into_values();
        let parts: Vec<ModelPart> = parts
            .map(|part| match part {
                OutputPart::Text(text) => ModelPart::Text { text },
                OutputPart::Call(call) => ModelPart::Call(call),
                OutputPart::Reasoning(part) => Wire::OpenAi.opaque(part),
            })
            .collect();
        Ok(finished(parts, reason, self.usage))
    }
}

impl ResponsesReader {
    /// Decodes a response object: the whole body of a server that does not stream, or the last event
    /// of one that does. Reports whether it has an output.
    fn response(&mut self, body: &str, out: &mut Vec<Delta>) -> Decoded<bool> {
        let no_response = |_| {
            if body.starts_with('[') {
                error_in_stream(body)
            } else {
                garbled(NO_RESPONSE)
            }
        };
        let response: ResponseBody<'_> = serde_json::from_str(body).map_err(no_response)?;
        if response.error.is_some() {
            return Err(error_in_stream(body));
        }
        let has_output = response.output.is_some();
        // Streamed items are known already, and may have other positions here.
        let items = response.output.filter(|_| self.parts.is_empty());
        for (at, item) in (0..).zip(items.into_iter().flatten()) {
            self.done(at, item.get(), out)?;
        }
        if let Some(usage) = response.usage.filter(Value::is_object) {
            self.usage = Tokens {
                input: count(&usage, "/input_tokens"),
                cache_read: count(&usage, "/input_tokens_details/cached_tokens"),
                cache_write: 0,
                output: count(&usage, "/output_tokens"),
                reasoning: count(&usage, "/output_tokens_details/reasoning_tokens"),
            };
        }
        let why = response.incomplete_details.unwrap_or_default();
        self.reason = match response.status.as_deref() {
            Some("failed" | "cancelled") => return Err(cut_off()),
            Some("incomplete") if why["reason"] == "content_filter" => Some(Reason::Filtered),
            Some("incomplete") => Some(Reason::Length),
            _ => Some(Reason::Stop),
        };
        Ok(has_output)
    }

    fn open(&mut self, at: u64, item: &str, out: &mut Vec<Delta>) -> Decoded {
        room(self.parts.len())?;
        let Ok(item) = serde_json::from_str::<OutputItem>(item) else {
            return Ok(());
        };
        if item.kind == "function_call" && !self.parts.contains_key(&at) {
            let call = self.call(item)?;
            out.push(Delta::Calling(call.name.clone()));
            self.parts.insert(at, OutputPart::Call(call));
        }
        Ok(())
    }

    fn call(&mut self, item: OutputItem) -> Decoded<ToolCall> {
        self.budget.call()?;
        let (id, name) = (
            item.call_id.unwrap_or_default(),
            item.name.unwrap_or_default(),
        );
        let mut call = ToolCall::new(id, name, "");
        self.budget.spend(call.id.len() + call.name.len())?;
        let written = item.arguments.unwrap_or_default();
        self.budget
            .append_arguments(&mut call.arguments, &written)?;
        Ok(call)
    }

    fn text(&mut self, at: u64, more: &str, out: &mut Vec<Delta>) -> Decoded {
        if more.is_empty() {
            return Ok(());
        }
        room(self.parts.len())?;
        let part = self.parts.entry(at);
        let part = part.or_insert_with(|| OutputPart::Text(String::new()));
        if let OutputPart::Text(text) = part {
            self.budget.append(text, more)?;
            out.push(Delta::Text(more.to_owned()));
        }
        Ok(())
    }

    /// Stores a completed item.
    fn done(&mut self, at: u64, raw: &str, out: &mut Vec<Delta>) -> Decoded {
        room(self.parts.len())?;
        let Ok(item) = serde_json::from_str::<OutputItem>(raw) else {
            return Ok(());
        };
        match item.kind.as_str() {
            // Without it the provider would look for an item that it has not stored.
            "reasoning" if item.encrypted_content.is_none() => {}
            "reasoning" => {
                self.budget.spend(raw.len())?;
                self.parts.insert(at, OutputPart::Reasoning(raw.to_owned()));
            }
            "message" => {
                let text = words(item.content.as_ref());
                let shown = match self.parts.get(&at) {
                    Some(OutputPart::Text(shown)) => shown.as_str(),
                    _ => "",
                };
                let rest = text.strip_prefix(shown).unwrap_or_default().to_owned();
                self.text(at, &rest, out)?;
                if !text.is_empty() {
                    self.parts.insert(at, OutputPart::Text(text));
                }
            }
            "function_call" => match self.parts.get_mut(&at) {
                Some(OutputPart::Call(call)) => {
                    let written = item.arguments.unwrap_or_default();
                    // Some servers send the arguments only as deltas.
                    if !written.is_empty() && written != call.arguments {
                        call.arguments.clear();
                        self.budget
                            .append_arguments(&mut call.arguments, &written)?;
                    }
                }
                _ => {
                    let call = self.call(item)?;
                    out.push(Delta::Calling(call.name.clone()));
                    self.parts.insert(at, OutputPart::Call(call));
                }
            },
            _ => {}
        }
        Ok(())
    }
}

/// Returns the text of a message, including a refusal.
fn words(content: Option<&Value>) -> String {
    let parts = content.and_then(Value::as_array).into_iter().flatten();
    let words = parts.filter_map(|part| part.get("text").or(part.get("refusal")));
    words.filter_map(Value::as_str).collect()
}
