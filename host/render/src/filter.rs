//! The filter for every string that comes from a plugin or a model.
//!
//! [`clean`] is the vocabulary's filter. [`clean_line`] and [`line()`] give a single line; [`exact`]
//! and [`visible()`] show a value and a text to a person who decides about it and must see every
//! character. Styles are removed as well: the colours of a log are parsed separately and written by
//! the surface. A surface escapes the output for HTML or Markdown afterwards.

mod visible;

pub use footlight_vocabulary::filter::{clean, is_forbidden};
pub use visible::visible;
pub(crate) use visible::{visible_json, visible_line};

use footlight_vocabulary::filter::is_suspicious;
use serde_json::Value;
use std::borrow::Cow;

/// Filters the text like [`clean`] and puts it on one line: line feeds and tabs become spaces.
#[must_use]
pub fn clean_line(text: &str) -> Cow<'_, str> {
    match clean(text) {
        line if line.contains(['\n', '\t']) => Cow::Owned(line.replace(['\n', '\t'], " ")),
        line => line,
    }
}

/// Filters the text and shortens it to one line of at most `most` characters, with single spaces
/// between words.
#[must_use]
pub fn line(text: &str, most: usize) -> String {
    let text = clean(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().nth(most).is_none() {
        return line;
    }
    let kept: String = line.chars().take(most.saturating_sub(1)).collect();
    // Shortening can leave a joiner or a selector at the end, where it has no meaning.
    format!("{}…", clean(kept.trim_end()))
}

/// Formats JSON for a person who decides about it: characters that [`clean`] would remove are
/// escaped, so that they are visible.
#[must_use]
pub fn exact(value: &Value) -> String {
    escaped(&format!("{value:#}"))
}

/// Formats JSON on one line, for a program that may write it to a terminal.
#[must_use]
pub fn json_line(value: &Value) -> String {
    escaped(&value.to_string())
}

/// Escapes invisible characters in JSON text. The result parses to the same value.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || !is_suspicious(c) && c != '\t' {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

#[cfg(test)]
mod tests;
