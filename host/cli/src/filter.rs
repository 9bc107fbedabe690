//! Text from a plugin, made fit for a terminal.
//!
//! Whatever a plugin wrote (results, fallbacks, descriptions, questions, names) passes [`clean`],
//! [`line`] or [`exact`] before it reaches a terminal, whose language it must not speak: no
//! escape sequence, no control character, nothing that reorders or hides what stands beside it.
//!
//! Invariant: [`clean`] keeps `\n`, `\t` and visible characters, and is idempotent.

use serde_json::Value;
use std::iter::Peekable;
use std::str::Chars;

/// More marks than this on one letter only serve to draw over the neighbouring lines.
const MARKS: usize = 8;

/// The text without anything a terminal would obey. Carriage returns and the separators of lines
/// and paragraphs become line feeds.
pub(crate) fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut last = None;
    let mut marks = 0;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let kept = match c {
            '\n' | '\t' => Some(c),
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
            // Emoji are joined with them and several scripts need them, but between letters of
            // ours they only make two words that look alike.
            '\u{200c}' | '\u{200d}' => {
                let joins = last.is_some_and(is_joinable)
                    && chars
                        .peek()
                        .is_some_and(|next| is_joinable(*next) && is_visible(*next));
                joins.then_some(c)
            }
            // One says which shape a character has; more of them carry bytes nobody sees.
            '\u{fe00}'..='\u{fe0f}' => last.is_some_and(is_visible).then_some(c),
            c if is_hidden(c) => None,
            c => Some(c),
        };
        let Some(c) = kept else { continue };
        if is_mark(c) {
            marks += 1;
        } else if is_visible(c) {
            marks = 0;
        }
        if marks <= MARKS || !is_mark(c) {
            out.push(c);
            last = Some(c);
        }
    }
    out
}

/// The text on one line of at most `most` characters.
pub(crate) fn line(text: &str, most: usize) -> String {
    let text = clean(text);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(most) {
        None => text,
        Some(_) => {
            let kept: String = text.chars().take(most.saturating_sub(1)).collect();
            format!("{}…", kept.trim_end())
        }
    }
}

/// JSON as it is, for somebody who decides about it: what [`clean`] would remove is written as
/// an escape, so that it can be seen.
pub(crate) fn exact(value: &Value) -> String {
    escaped(&format!("{value:#}"))
}

/// JSON on one line, for a program that may well write it to a terminal.
pub(crate) fn json_line(value: &Value) -> String {
    escaped(&value.to_string())
}

/// JSON text in which only visible characters stand for themselves. It reads back the same.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c == '\n' || (is_visible(c) && !is_mark(c)) {
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
        if matches!(c, '\u{7}' | '\u{9c}') {
            return;
        }
    }
    // What closes it; any other escape begins a sequence of its own.
    let mut ahead = chars.clone();
    if ahead.next() == Some('\u{1b}') && ahead.next() == Some('\\') {
        *chars = ahead;
    }
}

/// Characters that show nothing: controls, and those that format, reorder, tag or fill.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{115f}' | '\u{1160}'
            | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

fn is_visible(c: char) -> bool {
    !is_hidden(c) && !matches!(c, '\u{fe00}'..='\u{fe0f}')
}

/// Whether a joiner beside it means something.
fn is_joinable(c: char) -> bool {
    !c.is_ascii() && !is_hidden(c) && !is_mark(c)
}

fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn nothing_a_terminal_obeys_is_left() {
        for (text, expected) in [
            ("plain äöü 你好\n\tnext", "plain äöü 你好\n\tnext"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("a\u{1b}[2J\u{1b}[Hb", "ab"),
            ("a\u{1b}]0;title\u{7}b", "ab"),
            (
                "a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\b",
                "alinkb",
            ),
            ("a\u{1b}]52;c;AAAA\u{9c}b", "ab"),
            ("a\u{1b}P1$r\u{1b}\\b", "ab"),
            ("a\u{1b}_apc\u{1b}\\b", "ab"),
            ("a\u{9b}31mb", "ab"),
            ("a\u{9d}0;t\u{7}b", "ab"),
            ("a\u{1b}(0b\u{1b}cd", "abd"),
            ("\u{1b}", ""),
            ("\u{1b}[", ""),
            ("a\u{1b}]never closed\nb", "a\nb"),
            ("a\u{1b}]x\u{1b}[31mb", "ab"),
            ("a\u{8}\u{7}\u{0}\u{7f}\u{c}b", "ab"),
            ("safe\rrm -rf", "safe\nrm -rf"),
            ("a\r\nb\r\r\nc", "a\nb\n\nc"),
            ("a\u{2028}b\u{2029}c\u{85}d", "a\nb\ncd"),
            ("\u{202e}txt.exe\u{202c}\u{2066}x\u{2069}", "txt.exex"),
            ("a\u{200e}\u{200f}\u{61c}b", "ab"),
            ("a\u{e0041}\u{e007f}\u{e0100}b", "ab"),
            ("a\u{200b}\u{feff}\u{2060}\u{ad}b", "ab"),
        ] {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }

    #[test]
    fn joiners_stay_where_they_join() {
        let family = "👨\u{200d}👩\u{200d}👧";
        assert_eq!(clean(family), family);
        assert_eq!(clean("❤\u{fe0f}\u{200d}🔥"), "❤\u{fe0f}\u{200d}🔥");
        let persian = "می\u{200c}خواهم";
        assert_eq!(clean(persian), persian);
        assert_eq!(clean("pay\u{200d}pal\u{200c}"), "paypal");
        assert_eq!(clean("a\u{fe0f}\u{fe0f}\u{fe0e}"), "a\u{fe0f}");
    }

    #[test]
    fn a_letter_has_at_most_eight_marks() {
        let zalgo = format!("a{}b", "\u{301}".repeat(50));
        assert_eq!(clean(&zalgo), format!("a{}b", "\u{301}".repeat(8)));
    }

    #[test]
    fn a_line_is_one_line_and_no_longer_than_said() {
        assert_eq!(line("a\n  b\tc", 10), "a b c");
        assert_eq!(line("abcdef", 6), "abcdef");
        assert_eq!(line("abcdefg", 6), "abcde…");
    }

    #[test]
    fn what_is_decided_about_is_escaped_and_not_cleaned() {
        let value = json!("a\u{202e}b\u{e0041}\u{1b}[1mc\u{fe0f}é");
        let shown = exact(&value);
        assert_eq!(shown, r#""a\u202eb\udb40\udc41\u001b[1mc\ufe0fé""#);
        let read: Value = serde_json::from_str(&shown).expect("is still JSON");
        assert_eq!(read, value);
    }

    /// Mostly what the filter is about.
    fn hostile() -> impl Strategy<Value = String> {
        let odd = prop::sample::select(vec![
            "\u{1b}",
            "[",
            "]",
            "\\",
            ";",
            "m",
            "\u{7}",
            "\u{9b}",
            "\u{9c}",
            "\u{9d}",
            "\r",
            "\n",
            "\u{200d}",
            "\u{200c}",
            "\u{fe0f}",
            "\u{301}",
            "👩",
            "a",
            "ä",
            "\u{202e}",
            "\u{e0041}",
            "\u{85}",
            "P",
            " ",
            "0",
        ]);
        let pieces = prop_oneof![4 => odd.prop_map(str::to_owned), 1 => any::<char>().prop_map(String::from)];
        prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn filtering_twice_is_filtering_once(text in hostile()) {
            let once = clean(&text);
            prop_assert_eq!(clean(&once), once);
        }

        #[test]
        fn no_control_or_hidden_character_is_left(text in hostile()) {
            for c in clean(&text).chars() {
                prop_assert!(!c.is_control() || c == '\n' || c == '\t', "{:?}", c);
                prop_assert!(!is_hidden(c) || matches!(c, '\n' | '\t' | '\u{200c}' | '\u{200d}'), "{:?}", c);
            }
            prop_assert!(!line(&text, 20).contains(['\n', '\t']));
            prop_assert!(line(&text, 20).chars().count() <= 20);
        }

        #[test]
        fn ordinary_text_is_left_alone(text in "[ -~äöüßéλжあ你\n\t]{0,40}") {
            prop_assert_eq!(clean(&text), text);
        }

        #[test]
        fn exact_json_reads_back_as_it_was(text in hostile()) {
            let value = json!({ "a": text });
            let read: Value = serde_json::from_str(&exact(&value)).expect("is JSON");
            prop_assert_eq!(&read, &value);
            let line = json_line(&value);
            prop_assert!(!line.contains(char::is_control));
            let read: Value = serde_json::from_str(&line).expect("is JSON");
            prop_assert_eq!(read, value);
        }
    }
}
