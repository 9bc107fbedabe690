//! The model of the calls: it calls the tool that the prompt names, with the input that follows, and says
//! nothing. What it is sent of the result is what a language model would read.

use super::{Dev, Inner};
use footlight::model::{
    Finished, Message, Model, ModelPart, Part, Request, Step, ToolCall, ToolResult,
};
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::json;
use serde_json::{Map, Value};
use std::sync::{Arc, Weak};

/// How many bytes a token has, on average. Session compaction estimates by the same number.
const BYTES_PER_TOKEN: usize = 4;

/// How many characters of a result are kept.
const MAX_READ: usize = 64 << 10;

/// What a language model would read of a result.
#[derive(Clone, Default)]
pub(super) struct Reading {
    /// The text, of which a long one is cut here.
    pub(super) text: String,
    /// The estimated size of the whole in tokens, without images.
    pub(super) tokens: usize,
    /// How many images there are.
    pub(super) images: usize,
    pub(super) is_error: bool,
}

/// Estimates how many tokens so many bytes are.
pub(super) fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// Returns the prompt that calls a tool.
pub(super) fn prompt(plugin: &str, tool: &str, input: &Map<String, Value>) -> String {
    let input = json::canonical(&Value::Object(input.clone()));
    format!("{plugin}.{tool} {input}")
}

/// Returns the call that a prompt asks for.
fn call_of(prompt: &str) -> Option<ToolCall> {
    let (name, input) = prompt.split_once(' ')?;
    let name: FunctionName = name.parse().ok()?;
    Some(ToolCall::new("", name.wire(), input))
}

/// The model.
pub(super) struct Caller(Weak<Inner>);

impl Caller {
    pub(super) fn new(dev: &Dev) -> Self {
        Self(Arc::downgrade(&dev.0))
    }

    fn read(&self, results: &[ToolResult]) {
        let Some(dev) = self.0.upgrade().map(Dev) else {
            return;
        };
        let mut reading = Reading::default();
        let mut bytes = 0;
        for result in results {
            reading.is_error |= result.is_error;
            for part in &result.content {
                match part {
                    Part::Text { text } => {
                        bytes += text.len();
                        let room = MAX_READ.saturating_sub(reading.text.len());
                        let end = text.floor_char_boundary(room);
                        reading.text.push_str(&text[..end]);
                    }
                    _ => reading.images += 1,
                }
            }
        }
        reading.tokens = tokens(bytes);
        dev.change(|state| {
            if let Some(call) = &mut state.call {
                call.reads = Some(reading);
            }
        });
    }
}

impl Model for Caller {
    fn name(&self) -> &str {
        "dev"
    }

    fn step(&self, request: Request) -> Step {
        let said = match request.messages.last() {
            Some(Message::Results { results }) => {
                self.read(results);
                None
            }
            // The words of a turn that was cancelled early stand in the same message, before these.
            Some(Message::Person { content }) => content.last(),
            _ => None,
        };
        let call = match said {
            Some(Part::Text { text }) if request.may_call => call_of(text),
            _ => None,
        };
        let parts = call.map(ModelPart::Call).into_iter().collect();
        Step::finished(Finished::new(parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_prompt_is_the_call_that_it_was_made_of() {
        let input = json!({ "text": "two words, \"quoted\"", "days": 3 });
        let input = input.as_object().expect("an object");
        let call = call_of(&prompt("my_plugin", "add", input)).expect("a call");
        assert_eq!(call.name, "my_plugin__add");
        let read: Value = serde_json::from_str(&call.arguments).expect("JSON");
        assert_eq!(read.as_object(), Some(input));
        for words in ["", "hello", "hello there", "what is weather.forecast?"] {
            assert!(call_of(words).is_none(), "{words}");
        }
    }
}
