//! The filter for every string that comes from a plugin or a model.
//!
//! [`clean`] removes what a terminal would interpret (escape sequences, control characters) and
//! characters that reorder, hide or smuggle text. Its output may be shown in a terminal, on a page
//! and in an approval prompt. [`clean_line`] and [`line()`] give a single line; [`exact`] and
//! [`visible()`] show a value and a text to a person who decides about it and must see every character.
//!
//! Invariant: the output contains no forbidden character ([`is_forbidden`]), is never longer than
//! the input, and is unchanged by filtering it again. Styles are removed as well: the colours of a
//! log are parsed separately and written by the surface. A surface escapes the output for HTML or
//! Markdown afterwards.

mod visible;

pub use visible::visible;

use serde_json::Value;
use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;
use unicode_width::UnicodeWidthChar;

/// The maximum number of consecutive zero-width characters: enough for every script, too few to
/// draw over the lines above.
const MAX_MARKS: usize = 8;

/// Removes everything that could do harm. Line feeds and tabs are kept. A carriage return, alone or
/// before a line feed, and Unicode's line and paragraph separators become line feeds.
#[must_use]
pub fn clean(text: &str) -> Cow<'_, str> {
    if text.bytes().all(is_plain) || !text.chars().any(is_suspicious) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut last = None;
    let mut marks = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let kept = match c {
            ' '..='~' | '\n' | '\t' => Some(c),
            '\r' => {
                chars.next_if_eq(&'\n');
                Some('\n')
            }
            '\u{2028}' | '\u{2029}' => Some('\n'),
            '\u{1b}' => {
                escape(&mut chars);
                None
            }
            '\u{9b}' => {
                control_sequence(&mut chars);
                None
            }
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => {
                control_string(&mut chars);
                None
            }
            // Joiners belong between emoji and between letters of several scripts. Between ASCII
            // letters they only make two different words look alike.
            '\u{200c}' | '\u{200d}' => {
                let joins = last.is_some_and(|last: char| !last.is_ascii())
                    && chars.peek().is_some_and(|next| is_base(*next));
                joins.then_some(c)
            }
            // A single selector chooses a shape; several can carry hidden bytes.
            '\u{fe0e}' | '\u{fe0f}' => last.is_some_and(has_shapes).then_some(c),
            c => (!is_forbidden(c)).then_some(c),
        };
        let Some(c) = kept else { continue };
        marks = if is_mark(c) { marks + 1 } else { 0 };
        if marks <= MAX_MARKS {
            out.push(c);
            last = Some(c);
        }
    }
    Cow::Owned(out)
}

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

/// Reports whether [`clean`] always removes a character.
#[must_use]
pub fn is_forbidden(c: char) -> bool {
    match c {
        ' '..='~' | '\n' | '\t' => false,
        // Controls: C0, DEL, C1.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // Characters that reorder text: marks, embeddings, overrides, isolates.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' => {
            true
        }
        // Invisible line breaks.
        '\u{2028}' | '\u{2029}' => true,
        // Invisible characters. The joiners U+200C and U+200D are kept where they join.
        '\u{ad}' | '\u{34f}' | '\u{70f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => {
            true
        }
        '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{3164}' => true,
        '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' => true,
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => true,
        // Variation selectors can carry hidden bytes; the two that choose between text and emoji
        // are kept.
        '\u{fe00}'..='\u{fe0d}' => true,
        // Tag characters and the rest of the plane of invisible characters.
        '\u{e0000}'..='\u{e0fff}' => true,
        // Noncharacters.
        '\u{fdd0}'..='\u{fdef}' => true,
        c => u32::from(c) & 0xfffe == 0xfffe,
    }
}

/// Reports whether a byte is ordinary text, as a fast path.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

/// Reports whether [`clean`] has to examine the text because of this character.
fn is_suspicious(c: char) -> bool {
    is_forbidden(c) || is_mark(c)
}

/// Reports whether a character has no width: a combining mark, joiner or selector.
fn is_mark(c: char) -> bool {
    c > '~' && c.width() == Some(0)
}

/// Reports whether a character is visible and not ASCII.
fn is_base(c: char) -> bool {
    !c.is_ascii() && !is_forbidden(c) && !is_mark(c)
}

/// Reports whether a character has a text and an emoji form: symbols, digits, `#` and `*`.
fn has_shapes(c: char) -> bool {
    matches!(c, '0'..='9' | '#' | '*') || is_base(c)
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

/// Skips an escape sequence of any type, after ESC.
fn escape(chars: &mut Peekable<Chars<'_>>) {
    match chars.peek() {
        Some('[') => {
            chars.next();
            control_sequence(chars);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            chars.next();
            control_string(chars);
        }
        _ => {
            while chars.next_if(|c| matches!(c, ' '..='/')).is_some() {}
            chars.next_if(|c| matches!(c, '0'..='~'));
        }
    }
}

/// Skips the parameters, intermediates and final byte of a control sequence.
fn control_sequence(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    chars.next_if(|c| matches!(c, '@'..='~'));
}

/// Skips a control string up to its terminator or the end of the line: an unterminated string must
/// not swallow everything after it.
fn control_string(chars: &mut Peekable<Chars<'_>>) {
    while let Some(c) = chars.next_if(|c| !matches!(c, '\n' | '\r' | '\u{1b}')) {
        if matches!(c, '\u{7}' | '\u{18}' | '\u{1a}' | '\u{9c}') {
            return;
        }
    }
    // String terminator; any other escape starts a new sequence.
    let mut ahead = chars.clone();
    if ahead.next() == Some('\u{1b}') && ahead.next() == Some('\\') {
        *chars = ahead;
    }
}

#[cfg(test)]
mod tests;
