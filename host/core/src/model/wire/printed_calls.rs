//! Recognises calls that a local model printed as text.
//!
//! Small models write `{"name": .., "arguments": ..}` bare, in a fence, or between `<tool_call>`
//! tags. [`PrintedCalls`] buffers text from where such a call may start, and releases it as soon as
//! it turns out to be ordinary text. Only names of offered tools count, and only profiles with the
//! quirk `leaked-calls` use this.
//!
//! Text that the model quotes is no call. Bare JSON and a fence count only as the whole answer: after
//! words they are an example. Tags count after words too, but not inside a code block. And no call
//! counts that the model could have copied from what it was sent, whatever its spacing.
//!
//! Invariant: released text plus recognised calls equals the input, in order.

use crate::model::{Message, Part, Request};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;

/// The most text that is buffered, in bytes.
const HELD: usize = 256 << 10;
/// Within how many bytes a call must be recognisable.
const HEAD: usize = 128;
/// How many bytes can stand between the name and the arguments of a quoted call.
const NEAR: usize = 64;

/// The recogniser.
#[derive(Debug)]
pub(super) struct PrintedCalls {
    tools: BTreeSet<String>,
    /// What the model was sent.
    request: Request,
    held: String,
    /// Whether anything but white space was released.
    has_words: bool,
    /// The released part of the current line, up to [`HEAD`] bytes.
    line: String,
    /// The marker that closes the code block around the current line, if there is one.
    block: Option<String>,
}

/// A printed call: the tool's name and its arguments as JSON text.
pub(super) type PrintedCall = (String, String);

#[derive(Deserialize)]
struct Printed<'a> {
    name: Option<String>,
    #[serde(borrow, alias = "parameters", alias = "input")]
    arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    function: Option<Box<Printed<'a>>>,
}

impl PrintedCalls {
    pub(super) fn new(request: &Request) -> Self {
        let tools = request.tools.iter().map(|tool| tool.name.clone());
        Self {
            tools: tools.collect(),
            request: request.clone(),
            held: String::new(),
            has_words: false,
            line: String::new(),
            block: None,
        }
    }

    /// Adds text and returns what is certainly not part of a call.
    pub(super) fn push(&mut self, text: &str) -> String {
        self.held.push_str(text);
        let held = std::mem::take(&mut self.held);
        let mut free = held.len();
        for (at, char) in held.char_indices() {
            if self.opens(char) && held.len() - at <= HELD && may_be_call(&held[at..]) {
                free = at;
                break;
            }
            self.release(char);
        }
        held[free..].clone_into(&mut self.held);
        held[..free].to_owned()
    }

    /// Reports whether a call can start with this character.
    fn opens(&self, char: char) -> bool {
        match char {
            '{' | '[' | '`' => !self.has_words,
            // Four spaces or a tab make a code block.
            '<' => {
                self.block.is_none() && self.line.len() < 4 && self.line.bytes().all(|b| b == b' ')
            }
            _ => false,
        }
    }

    /// Notes a character that is ordinary text.
    fn release(&mut self, char: char) {
        self.has_words |= !char.is_whitespace();
        if char != '\n' {
            if self.line.len() < HEAD {
                self.line.push(char);
            }
            return;
        }
        let line = std::mem::take(&mut self.line);
        let line = line.trim_start_matches([' ', '>', '\t']);
        let marker: String = match line.chars().next() {
            Some(first @ ('`' | '~')) => line.chars().take_while(|c| *c == first).collect(),
            _ => return,
        };
        match &self.block {
            Some(open) if marker.starts_with(open) && marker == line.trim_end() => {
                self.block = None;
            }
            None if marker.len() >= 3 => self.block = Some(marker),
            _ => {}
        }
    }

    /// Gives what was held back: as calls, if that is wanted and it is nothing else, or as text.
    pub(super) fn end(&mut self, wanted: bool) -> (String, Vec<PrintedCall>) {
        let held = std::mem::take(&mut self.held);
        match self.calls(&held).filter(|_| wanted) {
            Some(calls) if !calls.is_empty() && !self.is_quoted(&calls) => (String::new(), calls),
            _ => (held, Vec::new()),
        }
    }

    /// Reports whether the model was sent the text of one of the calls. Spacing and escapes are not
    /// compared, because a model changes them when it quotes.
    fn is_quoted(&self, calls: &[PrintedCall]) -> bool {
        let Request {
            system,
            messages,
            tools,
            ..
        } = &self.request;
        let mut sent = essence(system);
        for tool in tools {
            sent.push_str(&essence(&tool.description));
            sent.push_str(&essence(&tool.input_schema.to_string()));
        }
        let read = messages.iter().flat_map(|message| match message {
            Message::Person { content } => content.iter().collect(),
            Message::Results { results } => {
                results.iter().flat_map(|result| &result.content).collect()
            }
            Message::Model { .. } => Vec::new(),
        });
        for part in read {
            if let Part::Text { text } = part {
                sent.push_str(&essence(text));
            }
        }
        calls.iter().any(|(name, arguments)| {
            let (name, arguments) = (format!("\"name\":\"{name}\""), essence(arguments));
            let mut names = sent.match_indices(&name);
            names.any(|(at, _)| {
                let reach = arguments.len() + NEAR;
                let from = sent.floor_char_boundary(at.saturating_sub(reach));
                let upto = sent.ceil_char_boundary(at + name.len() + reach);
                sent[from..upto].contains(&arguments)
            })
        })
    }

    /// The calls that the text is, if it is nothing else.
    fn calls(&self, text: &str) -> Option<Vec<PrintedCall>> {
        let mut calls = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let close = match rest {
                _ if rest.starts_with("```") => "```",
                _ if rest.starts_with("<tool_call>") => "</tool_call>",
                _ => "",
            };
            let json = body(rest)?.trim_start();
            let after = self.values(json, &mut calls)?.trim_start();
            rest = match after.strip_prefix(close) {
                Some(after) => after.trim_start(),
                // Small models forget to close what they opened.
                None if after.is_empty() => "",
                None => return None,
            };
        }
        Some(calls)
    }

    /// Parses the JSON values at the start of a text and returns the rest.
    fn values<'t>(&self, json: &'t str, calls: &mut Vec<PrintedCall>) -> Option<&'t str> {
        let mut stream = serde_json::Deserializer::from_str(json).into_iter::<&RawValue>();
        let mut upto = 0;
        while json[upto..].trim_start().starts_with(['{', '[']) {
            let value = stream.next()?.ok()?.get();
            upto = stream.byte_offset();
            if value.starts_with('[') {
                for printed in serde_json::from_str::<Vec<Printed<'_>>>(value).ok()? {
                    calls.push(self.call(&printed)?);
                }
            } else {
                calls.push(self.call(&serde_json::from_str(value).ok()?)?);
            }
        }
        // Without a value the caller would never make progress.
        (upto > 0).then(|| &json[upto..])
    }

    fn call(&self, printed: &Printed<'_>) -> Option<PrintedCall> {
        if let Some(function) = &printed.function {
            return self.call(function);
        }
        let name = printed.name.as_ref();
        let name = name.filter(|name| self.tools.contains(*name))?;
        let arguments = printed.arguments.map_or("{}", RawValue::get);
        // Arguments may be a string that contains JSON, as on the wire.
        let arguments = serde_json::from_str(arguments).unwrap_or_else(|_| arguments.to_owned());
        Some((name.clone(), arguments))
    }
}

/// Returns JSON without white space and escapes, however often it was put into a string, and with
/// straight double quotes.
fn essence(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut escapes = false;
    for c in text.chars() {
        match c {
            '\\' => escapes = true,
            'n' | 'r' | 't' if escapes => escapes = false,
            c if c.is_whitespace() => escapes = false,
            c => {
                escapes = false;
                out.push(if matches!(c, '\'' | '“' | '”') {
                    '"'
                } else {
                    c
                });
            }
        }
    }
    out
}

/// Reports whether a text can still become a call: a brace, a fence or a tag, then a key of a call.
fn may_be_call(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(HEAD)];
    let Some(json) = body(text) else {
        // The fence or tag itself is incomplete.
        return ["```", "<tool_call>"].iter().any(|o| o.starts_with(text))
            || (text.starts_with("```") && !text.contains('\n') && text.len() < 24);
    };
    let head = json.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '['));
    let keys = [
        "\"name\"",
        "\"function\"",
        "\"type\"",
        "\"arguments\"",
        "\"id\"",
    ];
    let key = |key: &&str| head.starts_with(key) || (key.starts_with(head) && text.len() < HEAD);
    keys.iter().any(key)
}

/// Returns the text after a fence or a tag, or the text itself if it starts with neither.
fn body(text: &str) -> Option<&str> {
    if let Some(fenced) = text.strip_prefix("```") {
        let (language, body) = fenced.split_once('\n')?;
        let known = ["", "json", "tool_call", "tool_code", "xml"].contains(&language.trim());
        // A fence of another language is ordinary code, which does not start like a call.
        return Some(if known { body } else { "-" });
    }
    if let Some(tagged) = text.strip_prefix("<tool_call>") {
        return Some(tagged);
    }
    (!text.starts_with(['`', '<'])).then_some(text)
}
