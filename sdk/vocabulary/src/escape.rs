//! Untrusted text within messages: shortened, with the characters escaped that could deceive a reader.

/// Returns `text` for use in a message: invisible and control characters escaped, cut after
/// `max_chars` characters with `…` as the mark.
///
/// Text of plugins, models and files can contain terminal escapes and bidirectional controls, and
/// can be megabytes long. Quotes and backslashes stay: escaping them would only add noise.
///
/// ```
/// use footlight_vocabulary::escape::escape_short;
///
/// assert_eq!(escape_short("red\u{1b}[31m", 40), r"red\u{1b}[31m");
/// assert_eq!(escape_short("weather", 3), "wea…");
/// ```
#[must_use]
pub fn escape_short(text: &str, max_chars: usize) -> String {
    let mut chars = text.chars();
    let mut out = String::new();
    for c in chars.by_ref().take(max_chars) {
        match c {
            '"' | '\'' | '\\' => out.push(c),
            _ => out.extend(c.escape_debug()),
        }
    }
    if chars.next().is_some() {
        out.push('…');
    }
    out
}

/// Cuts a text to at most `most` bytes, between characters.
#[must_use]
pub fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
