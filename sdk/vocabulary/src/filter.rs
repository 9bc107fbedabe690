//! The filter for text of plugins and models.
//!
//! [`clean`] removes what a terminal would interpret (escape sequences, control characters) and
//! characters that reorder, hide or smuggle text. Its output may be shown in a terminal, on a page
//! and in an approval prompt, and it may be sent to a model: the model reads what a person sees.
//! [`clean_value`] filters JSON, keys included.
//!
//! Private use characters are kept: they are drawn, as an icon or as a box, and mean nothing to a
//! model.
//!
//! Invariant: the output of [`clean`] contains no forbidden character ([`is_forbidden`]), is never
//! longer than the input, and is unchanged by filtering it again.

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
    if is_plain(text) || !text.chars().any(is_suspicious) {
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
            // Joiners belong between emoji and between letters of some scripts. Elsewhere they only
            // make different words look alike, or carry hidden bits.
            '\u{200c}' | '\u{200d}' => {
                let joins = last.is_some_and(can_join)
                    && chars
                        .peek()
                        .is_some_and(|next| can_join(*next) && !is_mark(*next));
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

/// Filters every string of a JSON value, keys included. Of keys that become equal, the first is kept.
#[must_use]
pub fn clean_value(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(clean(text).into_owned()),
        Value::Array(values) => values.iter().map(clean_value).collect(),
        Value::Object(members) => {
            let mut out = serde_json::Map::with_capacity(members.len());
            for (key, value) in members {
                out.entry(clean(key)).or_insert_with(|| clean_value(value));
            }
            Value::Object(out)
        }
        other => other.clone(),
    }
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

/// Reports whether a text is printable ASCII, line feeds and tabs: the fast path of [`clean`].
///
/// The bytes of a block are all looked at, because a loop without an early exit is compiled to vector
/// instructions.
fn is_plain(text: &str) -> bool {
    let mut blocks = text.as_bytes().chunks(64);
    blocks.all(|block| {
        block.iter().fold(true, |plain, byte| {
            plain & matches!(byte, b' '..=b'~' | b'\n' | b'\t')
        })
    })
}

/// Reports whether [`clean`] may remove a character, depending on its neighbours or always.
#[must_use]
pub fn is_suspicious(c: char) -> bool {
    is_forbidden(c) || is_mark(c)
}

/// Reports whether a character has no width: a combining mark, joiner or selector.
#[must_use]
pub fn is_mark(c: char) -> bool {
    c > '~' && c.width() == Some(0)
}

/// Reports whether a joiner may stand beside a character: an emoji, or a letter or mark of a script
/// that writes with joiners.
fn can_join(c: char) -> bool {
    let is_script = matches!(c,
        // Arabic and its neighbours; the scripts of India; Tibetan, Myanmar; Khmer, Mongolian.
        '\u{600}'..='\u{dff}' | '\u{f00}'..='\u{109f}' | '\u{1780}'..='\u{18af}'
        | '\u{1900}'..='\u{1cff}' | '\u{a800}'..='\u{abff}' | '\u{fb50}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefc}' | '\u{10a00}'..='\u{11fff}' | '\u{1e900}'..='\u{1e95f}');
    (is_script || is_emoji(c) || c == '\u{fe0f}') && !is_forbidden(c)
}

/// Reports whether a character is in a block of emoji and symbols.
fn is_emoji(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Reports whether a character has a text and an emoji form.
fn has_shapes(c: char) -> bool {
    let is_other = matches!(
        c,
        '0'..='9'
            | '#'
            | '*'
            | '©'
            | '®'
            | '‼'
            | '⁉'
            | '™'
            | 'ℹ'
            | '\u{3030}'
            | '\u{303d}'
            | '\u{3297}'
            | '\u{3299}'
    );
    is_other || is_emoji(c)
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
