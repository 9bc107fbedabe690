//! Writes a script from recorded answers.
//!
//! Strings are written in double quotes with JSON's escapes, which YAML shares. An input that YAML
//! would parse differently is written as `arguments`, verbatim.

use crate::model::{Finished, Message, ModelPart, Reason, Request, Tokens, ToolCall};
use footlight_vocabulary::function::FunctionName;
use serde_json::{Map, Value};
use std::fmt::Write;

/// The longest input that is written as `input`, in bytes.
const LONGEST_INPUT: usize = 16 * 1024;

pub(super) fn write<'a>(recorded: impl IntoIterator<Item = (&'a Request, &'a Finished)>) -> String {
    let mut steps = String::new();
    for (request, finished) in recorded {
        step(&mut steps, request, finished);
    }
    match steps.as_str() {
        "" => "steps: []\n".to_owned(),
        steps => format!("steps:\n{steps}"),
    }
}

fn step(out: &mut String, request: &Request, finished: &Finished) {
    let turns = |message: &&Message| matches!(message, Message::Person { .. });
    let turn = request.messages.iter().filter(turns).count();
    line(out, 2, &format!("# turn {turn}"));
    let mut text = String::new();
    let mut calls = Vec::new();
    for part in &finished.parts {
        match part {
            ModelPart::Text { text: more } => text.push_str(more),
            ModelPart::Call(made) => calls.push(made),
            ModelPart::Opaque { .. } => {}
        }
    }
    // A step must not be empty, so the text is written even if it is.
    line(out, 2, &format!("- text: {}", quoted(&text)));
    if !calls.is_empty() {
        line(out, 4, "calls:");
        calls.iter().for_each(|made| call(out, made));
    }
    match finished.reason {
        Reason::Stop => {}
        Reason::Length => line(out, 4, "finish: length"),
        Reason::Filtered => line(out, 4, "finish: filtered"),
    }
    usage(out, finished.usage);
}

fn call(out: &mut String, made: &ToolCall) {
    let name = FunctionName::from_wire(&made.name);
    let name = name.map_or_else(|_| made.name.clone(), |name| name.to_string());
    line(out, 6, &format!("- tool: {}", quoted(&name)));
    match plain(&made.arguments) {
        Some(input) => line(out, 8, &format!("input: {input}")),
        None => line(out, 8, &format!("arguments: {}", quoted(&made.arguments))),
    }
}

fn usage(out: &mut String, usage: Tokens) {
    if usage == Tokens::default() {
        return;
    }
    let Tokens {
        input,
        cache_read,
        cache_write,
        output,
        reasoning,
    } = usage;
    let members = format!(
        "input: {input}, cache_read: {cache_read}, cache_write: {cache_write}, output: {output}, reasoning: {reasoning}"
    );
    line(out, 4, &format!("usage: {{ {members} }}"));
}

fn line(out: &mut String, indent: usize, text: &str) {
    writeln!(out, "{:indent$}{text}", "").expect("a string takes any text");
}

/// Returns arguments as an input in one line, if YAML parses it back to the same value.
fn plain(arguments: &str) -> Option<String> {
    if arguments.len() > LONGEST_INPUT {
        return None;
    }
    let input: Map<String, Value> = serde_json::from_str(arguments).ok()?;
    let written = escaped(&serde_json::to_string(&input).ok()?);
    let read: Map<String, Value> = serde_saphyr::from_str(&written).ok()?;
    (read == input).then_some(written)
}

fn quoted(text: &str) -> String {
    escaped(&Value::from(text).to_string())
}

/// Escapes the characters of JSON strings that YAML does not accept verbatim.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        let code = u32::from(c);
        match code {
            0x7f..=0x9f | 0x2028 | 0x2029 | 0xfeff | 0xfffe | 0xffff => {
                write!(out, "\\u{code:04x}").expect("a string takes any text");
            }
            _ => out.push(c),
        }
    }
    out
}
