//! Recognises calls that a local model printed as text.
//!
//! Small models write `{"name": .., "arguments": ..}` bare, in a fence, or between `<tool_call>`
//! tags. [`PrintedCalls`] buffers text from where such a call may start, and releases it as soon as
//! it turns out to be ordinary text. Only names of offered tools count, and only profiles with the
//! quirk `leaked-calls` use this.
//!
//! Invariant: released text plus recognised calls equals the input, in order.

use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;

/// The most text that is buffered, in bytes.
const HELD: usize = 256 << 10;
/// Within how many bytes a call must be recognisable.
const HEAD: usize = 128;

/// The recogniser.
#[derive(Debug)]
pub(super) struct PrintedCalls {
    tools: BTreeSet<String>,
    held: String,
    /// Whether only white space was released on this line so far.
    fresh: bool,
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
    pub(super) fn new(tools: BTreeSet<String>) -> Self {
        Self {
            tools,
            held: String::new(),
            fresh: true,
        }
    }

    /// Adds text and returns what is certainly not part of a call.
    pub(super) fn push(&mut self, text: &str) -> String {
        self.held.push_str(text);
        let mut free = self.held.len();
        for (at, char) in self.held.char_indices() {
            let opens = self.fresh && matches!(char, '{' | '[' | '`' | '<');
            if opens && self.held.len() - at <= HELD && may_be_call(&self.held[at..]) {
                free = at;
                break;
            }
            self.fresh = char == '\n' || (self.fresh && char.is_whitespace());
        }
        self.held.drain(..free).collect()
    }

    /// Gives what was held back: as calls, if that is wanted and it is nothing else, or as text.
    pub(super) fn end(&mut self, wanted: bool) -> (String, Vec<PrintedCall>) {
        let held = std::mem::take(&mut self.held);
        match self.calls(&held).filter(|_| wanted) {
            Some(calls) if !calls.is_empty() => (String::new(), calls),
            _ => (held, Vec::new()),
        }
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
