//! The one filter for every string that came from a plugin or a model.
//!
//! [`clean`] removes what a terminal would obey (escape sequences, control characters) and what is
//! there to reorder, hide or smuggle text. What it lets through may be shown in a terminal, on a
//! page and in a prompt for approval. [`clean_line`] and [`line()`] do the same on one line;
//! [`exact`] is for somebody who decides about a value and must see what is in it.
//!
//! Invariant: no character of the output is forbidden ([`is_forbidden`]), it is never longer than
//! the input, and filtering twice is filtering once. No style gets through either: the colours of a
//! log are read apart and written anew by the surface. Escaping for HTML or Markdown is the
//! surface's, after this.

use serde_json::Value;
use std::borrow::Cow;
use std::iter::Peekable;
use std::str::Chars;
use unicode_width::UnicodeWidthChar;

/// How many characters without width may follow one another: enough for every script, too few to
/// draw over the lines above.
const MAX_MARKS: usize = 8;

/// The text without what could do harm. Line feeds and tabs stay; a carriage return, alone or
/// before a line feed, and Unicode's separators of lines and paragraphs become line feeds.
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
            // Emoji are joined with them and several scripts need them; between letters of ours
            // they only make two words that look alike.
            '\u{200c}' | '\u{200d}' => {
                let joins = last.is_some_and(|last: char| !last.is_ascii())
                    && chars.peek().is_some_and(|next| is_base(*next));
                joins.then_some(c)
            }
            // One says which shape a character has; more of them carry bytes nobody sees.
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

/// The text as [`clean`] leaves it, on one line: a line feed or a tab becomes a space.
#[must_use]
pub fn clean_line(text: &str) -> Cow<'_, str> {
    match clean(text) {
        line if line.contains(['\n', '\t']) => Cow::Owned(line.replace(['\n', '\t'], " ")),
        line => line,
    }
}

/// The text on one line of at most `most` characters, with single spaces between its words.
#[must_use]
pub fn line(text: &str, most: usize) -> String {
    let mut out = String::new();
    for word in clean(text).split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    match out.char_indices().nth(most) {
        None => out,
        Some(_) => {
            let kept: String = out.chars().take(most.saturating_sub(1)).collect();
            // A cut can leave a joiner or a selector at the end, where it means nothing.
            format!("{}…", clean(kept.trim_end()))
        }
    }
}

/// JSON as it is, for somebody who decides about it: what [`clean`] would remove is written as
/// an escape, so that it can be seen.
#[must_use]
pub fn exact(value: &Value) -> String {
    escaped(&format!("{value:#}"))
}

/// JSON on one line, for a program that may well write it to a terminal.
#[must_use]
pub fn json_line(value: &Value) -> String {
    escaped(&value.to_string())
}

/// Whether a character never gets through.
#[must_use]
pub fn is_forbidden(c: char) -> bool {
    match c {
        ' '..='~' | '\n' | '\t' => false,
        // Controls: C0, DEL, C1.
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        // What reorders: marks, embeddings, overrides, isolates.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}' => {
            true
        }
        // What breaks lines where nobody sees it.
        '\u{2028}' | '\u{2029}' => true,
        // What cannot be seen. The joiners U+200C and U+200D stay where they join.
        '\u{ad}' | '\u{34f}' | '\u{70f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' => {
            true
        }
        '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{3164}' => true,
        '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' => true,
        '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' => true,
        // Variation selectors carry hidden bytes; the two that choose between text and emoji stay.
        '\u{fe00}'..='\u{fe0d}' => true,
        // Tags, and everything else on the plane that has nothing to see.
        '\u{e0000}'..='\u{e0fff}' => true,
        // Not characters at all.
        '\u{fdd0}'..='\u{fdef}' => true,
        c => u32::from(c) & 0xfffe == 0xfffe,
    }
}

/// What ordinary text is made of; a quick look before a closer one.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

/// Whether [`clean`] must look closer because of this character.
fn is_suspicious(c: char) -> bool {
    is_forbidden(c) || is_mark(c)
}

/// Without width: combining marks, joiners, selectors.
fn is_mark(c: char) -> bool {
    c > '~' && c.width() == Some(0)
}

/// Something to see, of a script other than ours.
fn is_base(c: char) -> bool {
    !c.is_ascii() && !is_forbidden(c) && !is_mark(c)
}

/// Whether a character comes as text and as an emoji: symbols, and the keys of a telephone.
fn has_shapes(c: char) -> bool {
    matches!(c, '0'..='9' | '#' | '*') || is_base(c)
}

/// JSON text in which only visible characters stand for themselves. It reads back the same.
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

/// After ESC: a sequence of any of the kinds there are.
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

/// Parameters, intermediates and one final letter.
fn control_sequence(chars: &mut Peekable<Chars<'_>>) {
    while chars.next_if(|c| matches!(c, ' '..='?')).is_some() {}
    chars.next_if(|c| matches!(c, '@'..='~'));
}

/// Up to its terminator, or to the end of the line: one that is never closed must not swallow
/// everything after it.
fn control_string(chars: &mut Peekable<Chars<'_>>) {
    while let Some(c) = chars.next_if(|c| !matches!(c, '\n' | '\r' | '\u{1b}')) {
        if matches!(c, '\u{7}' | '\u{18}' | '\u{1a}' | '\u{9c}') {
            return;
        }
    }
    // What closes it; any other escape begins a sequence of its own.
    let mut ahead = chars.clone();
    if ahead.next() == Some('\u{1b}') && ahead.next() == Some('\\') {
        *chars = ahead;
    }
}

#[cfg(test)]
mod tests;
