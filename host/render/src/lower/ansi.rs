//! Converts the ANSI colours of a log line to styles.
//!
//! Only SGR sequences (`ESC [ … m`) are interpreted. Every other sequence stays in the text, and
//! [`clean`](crate::filter::clean) removes it on output.

use crate::view::{Ansi, Inline, Span, Style};

/// The maximum number of parameters of one sequence.
const MAX_NUMBERS: usize = 32;

/// Splits a line into styled spans.
pub(super) fn spans(line: &str) -> Inline {
    let mut inline = Inline::default();
    let mut style = Style::default();
    let mut rest = line;
    let mut text = String::new();
    while let Some(at) = rest.find(['\u{1b}', '\u{9b}']) {
        let (before, sequence) = rest.split_at(at);
        text.push_str(before);
        match parse_sgr(sequence) {
            Some((numbers, length)) => {
                let next = apply_sgr(style, &numbers);
                if next != style && !text.is_empty() {
                    let text = std::mem::take(&mut text);
                    inline.spans.push(Span::styled(text, style));
                }
                style = next;
                rest = &sequence[length..];
            }
            None => {
                let first = sequence.chars().next().map_or(1, char::len_utf8);
                text.push_str(&sequence[..first]);
                rest = &sequence[first..];
            }
        }
    }
    text.push_str(rest);
    if !text.is_empty() || inline.spans.is_empty() {
        inline.spans.push(Span::styled(text, style));
    }
    inline
}

/// Parses the SGR sequence at the start of the text; returns its parameters and its length.
fn parse_sgr(text: &str) -> Option<(Vec<u16>, usize)> {
    let body = text
        .strip_prefix("\u{1b}[")
        .or_else(|| text.strip_prefix('\u{9b}'))?;
    let end = body.find(|c: char| !matches!(c, '0'..='9' | ';' | ':'))?;
    if !body[end..].starts_with('m') {
        return None;
    }
    let numbers = body[..end].split([';', ':']).take(MAX_NUMBERS);
    let numbers = numbers.map(|number| number.parse().unwrap_or(0)).collect();
    Some((numbers, text.len() - body.len() + end + 1))
}

fn apply_sgr(mut style: Style, numbers: &[u16]) -> Style {
    let color = |number: u16| Some(Ansi::new(u8::try_from(number).unwrap_or(7)));
    let mut rest = numbers;
    while let [first, after @ ..] = rest {
        rest = after;
        match *first {
            0 => style = Style::default(),
            1 => style.bold = true,
            2 => style.dim = true,
            3 => style.italic = true,
            4 => style.underline = true,
            9 => style.strike = true,
            22 => (style.bold, style.dim) = (false, false),
            23 => style.italic = false,
            24 => style.underline = false,
            29 => style.strike = false,
            7 => (style.color, style.background) = (style.background, style.color),
            n @ 30..=37 => style.color = color(n - 30),
            n @ 40..=47 => style.background = color(n - 40),
            n @ 90..=97 => style.color = color(n - 90 + 8),
            n @ 100..=107 => style.background = color(n - 100 + 8),
            39 => style.color = None,
            49 => style.background = None,
            which @ (38 | 48) => {
                let (near, after) = extended_color(rest);
                rest = after;
                match which {
                    38 => style.color = near.or(style.color),
                    _ => style.background = near.or(style.background),
                }
            }
            _ => {}
        }
    }
    style
}

/// Maps an extended colour (256 colours or RGB) to the nearest of the sixteen ANSI colours, for
/// which every surface has readable shades in light and dark themes.
fn extended_color(numbers: &[u16]) -> (Option<Ansi>, &[u16]) {
    match numbers {
        [5, n @ 0..=15, rest @ ..] => (Some(Ansi::new(*n as u8)), rest),
        [5, n @ 16..=231, rest @ ..] => {
            let n = n - 16;
            let [r, g, b] = [n / 36, n / 6 % 6, n % 6].map(|level| level * 51);
            (Some(nearest(r, g, b)), rest)
        }
        [5, n @ 232..=255, rest @ ..] => {
            let grey = 8 + (n - 232) * 10;
            (Some(nearest(grey, grey, grey)), rest)
        }
        [2, r, g, b, rest @ ..] => (Some(nearest(*r, *g, *b)), rest),
        _ => (None, &[]),
    }
}

fn nearest(r: u16, g: u16, b: u16) -> Ansi {
    let strongest = r.max(g).max(b);
    if strongest < 60 {
        return Ansi::new(if strongest < 30 { 0 } else { 8 });
    }
    let strong = |part: u16| u8::from(u32::from(part) * 2 > u32::from(strongest));
    let hue = strong(r) | strong(g) << 1 | strong(b) << 2;
    Ansi::new(match (hue, strongest) {
        (7, ..=149) => 8,
        (hue, 192..) => hue + 8,
        (hue, _) => hue,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn colours_become_styles_and_other_sequences_stay_text() {
        let line =
            spans("ok \u{1b}[1;31mred\u{1b}[0m \u{1b}[2Jend\u{1b}[38;5;46mg\u{1b}[38;2;0;0;200mb");
        let read: Vec<_> = line
            .spans
            .iter()
            .map(|span| {
                (
                    span.text.as_str(),
                    span.style.bold,
                    span.style.color.map(Ansi::number),
                )
            })
            .collect();
        assert_eq!(
            read,
            [
                ("ok ", false, None),
                ("red", true, Some(1)),
                (" \u{1b}[2Jend", false, None),
                ("g", false, Some(10)),
                ("b", false, Some(12)),
            ]
        );
    }

    proptest! {
        #[test]
        fn no_text_is_lost_and_nothing_panics(line in "(\u{1b}\\[[0-9;:]{0,12}m|[a-z\u{1b}\\[;0-9]){0,20}") {
            let kept = spans(&line).to_text();
            prop_assert_eq!(crate::filter::clean(&kept).into_owned().replace('\u{1b}', ""),
                crate::filter::clean(&kept).into_owned());
            prop_assert!(kept.len() <= line.len());
        }
    }
}
