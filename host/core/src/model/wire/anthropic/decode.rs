//! Decodes answers of the Messages API.

use crate::model::http::sse::Event;
use crate::model::wire::budget::{Budget, room};
use crate::model::wire::error::{cut_off, error_in_stream, garbled};
use crate::model::wire::{Decoded, Reader, Wire, count, finished};
use crate::model::{Delta, Finished, ModelPart, Reason, Tokens, ToolCall};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct MessageEvent<'a> {
    #[serde(rename = "type", default)]
    kind: &'a str,
    #[serde(default)]
    index: u64,
    message: Option<Value>,
    #[serde(borrow)]
    content_block: Option<&'a RawValue>,
    delta: Option<BlockDelta>,
    usage: Option<Value>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct BlockDelta {
    #[serde(rename = "type")]
    kind: String,
    text: String,
    partial_json: String,
    thinking: String,
    signature: String,
    stop_reason: Option<String>,
}

#[derive(Deserialize)]
struct MessageBody<'a> {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(borrow)]
    content: Option<Vec<&'a RawValue>>,
    stop_reason: Option<String>,
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct ContentBlock<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    text: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    name: String,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
    #[serde(default)]
    thinking: String,
    #[serde(default)]
    signature: String,
}

/// One block of the answer.
#[derive(Debug)]
enum Block {
    Text(String),
    /// A call, and whether its arguments are still the placeholder of an opened block.
    Call(ToolCall, bool),
    Thinking {
        thinking: String,
        signature: String,
    },
    /// A block that is sent back unchanged.
    Kept(String),
    /// A block of an unknown type.
    Other,
}

/// The decoder of one answer.
#[derive(Debug, Default)]
pub(in crate::model::wire) struct MessagesReader {
    budget: Budget,
    blocks: Vec<(u64, Block)>,
    reason: Option<Reason>,
    usage: Tokens,
}

impl Reader for MessagesReader {
    fn event(&mut self, event: &Event, out: &mut Vec<Delta>) -> Decoded<bool> {
        let no_event = |_| garbled("the answer is not a message");
        let said: MessageEvent<'_> = serde_json::from_str(&event.data).map_err(no_event)?;
        let kind = if said.kind.is_empty() {
            event.name.as_str()
        } else {
            said.kind
        };
        match kind {
            "message_start" => {
                let message = said.message.unwrap_or_default();
                self.count(message.get("usage"));
            }
            "content_block_start" => {
                if let Some(block) = said.content_block {
                    self.open(said.index, block.get(), false, out)?;
                }
            }
            "content_block_delta" => {
                if let Some(delta) = said.delta {
                    self.change(said.index, delta, out)?;
                }
            }
            "message_delta" => {
                let stop = said.delta.and_then(|delta| delta.stop_reason);
                self.stop(stop.as_deref());
                self.count(said.usage.as_ref());
            }
            "message_stop" => return Ok(true),
            "error" => return Err(error_in_stream(&event.data)),
            // `ping`, `content_block_stop`, and future events.
            _ => {}
        }
        Ok(false)
    }

    fn whole(&mut self, body: &str, out: &mut Vec<Delta>) -> Decoded {
        let no_message = |_| garbled("the answer is not a message");
        let whole: MessageBody<'_> = serde_json::from_str(body).map_err(no_message)?;
        if whole.kind == "error" || whole.content.is_none() {
            return Err(error_in_stream(body));
        }
        for (at, block) in (0..).zip(whole.content.into_iter().flatten()) {
            self.open(at, block.get(), true, out)?;
        }
        self.count(whole.usage.as_ref());
        self.stop(Some(whole.stop_reason.as_deref().unwrap_or("end_turn")));
        Ok(())
    }

    fn finish(&mut self, _: &mut Vec<Delta>) -> Decoded<Finished> {
        let reason = self.reason.ok_or_else(cut_off)?;
        let mut parts = Vec::new();
        for (_, block) in std::mem::take(&mut self.blocks) {
            match block {
                Block::Text(text) if text.is_empty() => {}
                Block::Text(text) => parts.push(ModelPart::Text { text }),
                Block::Call(call, _) => parts.push(ModelPart::Call(call)),
                Block::Kept(part) => parts.push(Wire::Anthropic.opaque(part)),
                // Thinking that was cut off has no signature, and the provider refuses it.
                Block::Thinking { signature, .. } if signature.is_empty() => {}
                Block::Thinking {
                    thinking,
                    signature,
                } => {
                    let block = json!({
                        "type": "thinking",
                        "thinking": thinking,
                        "signature": signature,
                    });
                    parts.push(Wire::Anthropic.opaque(block.to_string()));
                }
                Block::Other => {}
            }
        }
        Ok(finished(parts, reason, self.usage))
    }
}

impl MessagesReader {
    /// Starts a block. One that is complete keeps its bytes.
    fn open(&mut self, at: u64, raw: &str, whole: bool, out: &mut Vec<Delta>) -> Decoded {
        room(self.blocks.len())?;
        let no_block = |_| garbled("a part of the answer is not a content block");
        let opened: ContentBlock<'_> = serde_json::from_str(raw).map_err(no_block)?;
        self.budget.spend(raw.len())?;
        let block = match opened.kind.as_str() {
            "text" => {
                if !opened.text.is_empty() {
                    out.push(Delta::Text(opened.text.clone()));
                }
                Block::Text(opened.text)
            }
            "tool_use" => {
                self.budget.call()?;
                out.push(Delta::Calling(opened.name.clone()));
                let mut arguments = String::new();
                let input = opened.input.map_or("{}", RawValue::get);
                self.budget.append_arguments(&mut arguments, input)?;
                Block::Call(ToolCall::new(opened.id, opened.name, arguments), true)
            }
            "thinking" if !whole => Block::Thinking {
                thinking: opened.thinking,
                signature: opened.signature,
            },
            "thinking" | "redacted_thinking" => Block::Kept(raw.to_owned()),
            _ => Block::Other,
        };
        self.blocks.push((at, block));
        Ok(())
    }

    fn change(&mut self, at: u64, delta: BlockDelta, out: &mut Vec<Delta>) -> Decoded {
        let budget = &mut self.budget;
        let open = self.blocks.iter_mut().rev().find(|(index, _)| *index == at);
        match (open.map(|(_, block)| block), delta.kind.as_str()) {
            (Some(Block::Text(text)), "text_delta") => {
                budget.append(text, &delta.text)?;
                out.push(Delta::Text(delta.text));
            }
            (Some(Block::Call(call, fresh)), "input_json_delta")
                if !delta.partial_json.is_empty() =>
            {
                // The input of an opened block is a placeholder.
                if std::mem::take(fresh) {
                    call.arguments.clear();
                }
                budget.append_arguments(&mut call.arguments, &delta.partial_json)?;
            }
            (Some(Block::Thinking { thinking, .. }), "thinking_delta") => {
                budget.append(thinking, &delta.thinking)?;
                out.push(Delta::Reasoning(delta.thinking));
            }
            (Some(Block::Thinking { signature, .. }), "signature_delta") => {
                budget.append(signature, &delta.signature)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn stop(&mut self, reason: Option<&str>) {
        self.reason = match reason {
            None => self.reason,
            Some("max_tokens" | "model_context_window_exceeded") => Some(Reason::Length),
            Some("refusal") => Some(Reason::Filtered),
            Some(_) => Some(Reason::Stop),
        };
    }

    /// Updates the counts, which are cumulative; absent ones have not changed.
    fn count(&mut self, usage: Option<&Value>) {
        let Some(usage) = usage else { return };
        let read = count(usage, "/cache_read_input_tokens");
        let write = count(usage, "/cache_creation_input_tokens");
        let input = count(usage, "/input_tokens");
        if input + read + write > 0 {
            self.usage.input = input.saturating_add(read).saturating_add(write);
            self.usage.cache_read = read;
            self.usage.cache_write = write;
        }
        self.usage.output = self.usage.output.max(count(usage, "/output_tokens"));
    }
}
