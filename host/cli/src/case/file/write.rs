//! Writes cases as TOML.

use super::{EXPECT, FAILURES, VERDICTS};
use crate::case::{Answer, Case, Exchange, Expected};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value};
use std::fmt::Write as _;

const HEAD: &str = "\
# Recorded by `footlight call --record` and replayed by `footlight test`.
# Everything can be edited; `footlight test --accept` rewrites what follows [expect].
";

impl Case {
    /// Writes the case as TOML.
    pub(crate) fn to_toml(&self) -> String {
        let mut out = HEAD.to_owned();
        let mut set = |key: &str, value: String| {
            let _ = writeln!(out, "{key} = {value}");
        };
        set("tool", quoted(&self.tool));
        set("input", members(&self.input));
        set("clock", quoted(&self.clock.to_string()));
        set("seed", self.seed.to_string());
        set("locale", quoted(&self.locale));
        set("timezone", quoted(&self.timezone));
        if !self.settings.is_empty() {
            set("settings", members(&self.settings));
        }
        for (key, names) in [("allow-net", &self.allow_net), ("secrets", &self.secrets)] {
            if !names.is_empty() {
                set(key, list(names));
            }
        }
        if !self.state.is_empty() {
            out.push_str("\n[state]\n");
            for (key, value) in &self.state {
                let _ = writeln!(out, "{} = {}", basic(key), quoted(&format!("{value:#}")));
            }
        }
        for answer in &self.answers {
            let line = match answer {
                Answer::Values(values) => format!("values = {}", members(values)),
                Answer::Skip => "reply = \"skip\"".to_owned(),
                Answer::Nobody => "reply = \"nobody\"".to_owned(),
            };
            let _ = write!(out, "\n[[answer]]\n{line}\n");
        }
        for decision in &self.verdicts {
            let found = VERDICTS
                .iter()
                .find(|(_, known)| *known == decision.verdict);
            let word = found.map_or("deny", |(word, _)| word);
            let _ = write!(out, "\n[[verdict]]\ndecision = \"{word}\"\n");
            if let Some(words) = &decision.words {
                let _ = writeln!(out, "words = {}", quoted(words));
            }
        }
        for exchange in &self.exchanges {
            write_exchange(&mut out, exchange);
        }
        let _ = write!(out, "\n{}", self.expect.to_toml());
        out
    }
}

fn write_exchange(out: &mut String, exchange: &Exchange) {
    let mut set = |key: &str, value: String| {
        let _ = writeln!(out, "{key} = {value}");
    };
    set("\n[[http]]\nmethod", quoted(&exchange.method));
    set("url", quoted(&exchange.url));
    if !exchange.headers.is_empty() {
        set("headers", header_lines(&exchange.headers));
    }
    if !exchange.body.is_empty() {
        let (key, value) = bytes("body", &exchange.body);
        set(&key, value);
    }
    match &exchange.answer {
        Ok(response) => {
            set("status", response.status.to_string());
            if !response.headers.is_empty() {
                set("response-headers", header_lines(&response.headers));
            }
            let (key, value) = bytes("response", &response.body);
            set(&key, value);
        }
        Err(failure) => {
            let found = FAILURES.iter().find(|(_, known)| known == failure);
            set(
                "error",
                quoted(found.map_or("unreachable", |(word, _)| word)),
            );
        }
    }
}

impl Expected {
    /// Writes the expectation as the last table of a file.
    pub(super) fn to_toml(&self) -> String {
        let record = format!("{:#}\n", Value::Array(self.record.clone()));
        let mut out = format!("{EXPECT}\nrecord = {}\n", quoted(&record));
        if let Some(state) = &self.state {
            let state = format!("{:#}\n", serde_json::json!(state));
            let _ = writeln!(out, "state = {}", quoted(&state));
        }
        out
    }
}

fn members(members: &Map<String, Value>) -> String {
    quoted(&Value::Object(members.clone()).to_string())
}

fn list(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| basic(text)).collect();
    format!("[{}]", texts.join(", "))
}

fn header_lines(headers: &[(String, String)]) -> String {
    let lines = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}"));
    list(&lines.collect::<Vec<_>>())
}

/// Returns the key and the value of bytes: text where they are text.
fn bytes(key: &str, bytes: &[u8]) -> (String, String) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (key.to_owned(), quoted(text)),
        Err(_) => {
            let encoded = BASE64_STANDARD.encode(bytes);
            (format!("{key}-base64"), format!("\"{encoded}\""))
        }
    }
}

/// Writes a string in the form that is easiest to read: literal, over several lines if it has them.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() || c == '\n' || c == '\t';
    if !text.chars().all(is_plain) || text.contains("'''") || text.ends_with('\'') {
        return basic(text);
    }
    match text.contains('\n') {
        true => format!("'''\n{text}'''"),
        false if text.contains('\'') || !text.contains(['"', '\\']) => basic(text),
        false => format!("'{text}'"),
    }
}

fn basic(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
