//! The frame of the card, which nothing else can draw.

use super::rows::{Row, Section, rows};
use crate::terminal::line::{Line, Lines, over};
use crate::terminal::{BOLD, Colour, Drawing, MUTED, PLAIN, Terminal, emit, tone};
use crate::view::{Style, Tone};
use std::borrow::Cow;
use unicode_width::UnicodeWidthChar;

/// The beginning of a row in ASCII.
const ASCII: &str = "!#";

impl Terminal {
    /// Returns the columns beside the frame. The last column of the screen stays empty: terminals
    /// differ in what they do once it is written to.
    pub(super) fn card_columns(&self) -> usize {
        let width = self.width.clamp(Self::MIN_WIDTH, Self::MAX_WIDTH);
        let frame = if self.unicode { 1 } else { ASCII.len() };
        width - frame - 2
    }

    /// Frames a statement of the host, so that a plugin cannot imitate it.
    #[must_use]
    pub fn host_note(&self, text: &str) -> String {
        let frame = if self.unicode { "┃" } else { ASCII };
        let text = without_card_frame(text, ' ');
        let rows = rows(&text, self.card_columns()).into_iter();
        rows.map(|row| format!("{frame} {row}\n")).collect()
    }

    pub(super) fn card_drawing(
        &self,
        is_critical: bool,
        sections: &[(Section, Vec<Row>)],
        options: &[String],
        prompt: &[String],
    ) -> Drawing {
        let (tone, title) = match is_critical {
            true => (tone(Tone::Danger), "APPROVAL NEEDED, critical "),
            false => (tone(Tone::Warning), "APPROVAL NEEDED "),
        };
        let (top, side, bottom, dash, more) = match self.unicode {
            true => ("┏", "┃", "┗", "━", "⋮"),
            false => (ASCII, ASCII, ASCII, "=", ":"),
        };
        let framed = |frame: &str, text: &str, style: Style| {
            let mut line = Line::mark(frame, tone);
            line.push(&without_card_frame(text, ' '), style);
            line
        };
        let mut first = Line::of(top, tone);
        first.push(&format!("{dash} "), tone);
        first.push(title, Style { bold: true, ..tone });
        let rest = (self.card_columns() + 2).saturating_sub(first.width());
        first.repeat(dash, rest, tone);
        let mut lines: Lines<'_> = vec![first];
        for (section, rows) in sections {
            for (n, row) in rows.iter().enumerate() {
                let (label, mark) = section.margin(n, row, more);
                let mut line = framed(side, &label, MUTED);
                line.push(&mark, PLAIN);
                let text = without_card_frame(&row.text, ' ');
                line.push(&text, over(row.style(), section.style()));
                lines.push(line);
            }
        }
        lines.extend(options.iter().map(|option| framed(side, option, PLAIN)));
        let last = prompt.len().saturating_sub(1);
        lines.extend(prompt.iter().enumerate().map(|(n, text)| {
            let frame = if n == last { bottom } else { side };
            framed(frame, text, BOLD)
        }));
        let lines: Lines<'_> = lines.into_iter().map(Line::trimmed).collect();
        let terminal = Terminal {
            colour: if self.plain {
                Colour::None
            } else {
                self.colour
            },
            ..self.clone()
        };
        Drawing {
            text: emit::string(&lines, &terminal),
            actions: Vec::new(),
            pictures: Vec::new(),
            is_cut: false,
            widths: lines.iter().map(Line::width).collect(),
        }
    }
}

/// Replaces what only the frame of an approval card may contain: heavy lines by light ones, and the characters `!#`
/// of terminals without Unicode. Both are replaced on every terminal: whether one shows Unicode is a guess, and a row
/// with the other frame deceives all the same. Everything else that is written to a terminal passes through this, so
/// that no row can look like one of a card. `after` is the character that was written last. The width of the text
/// stays the same.
///
/// A line with words cannot begin with a block, a bar or a double line either, which resemble the frame.
/// Pictures and charts are drawn with these, so they stay everywhere else.
///
/// ```
/// use footlight_render::terminal::without_card_frame;
///
/// assert_eq!(without_card_frame("┃ what  nothing", '\n'), "│ what  nothing");
/// assert_eq!(without_card_frame("▌ what  nothing", '\n'), "│ what  nothing");
/// assert_eq!(without_card_frame("▌▀▄\n", '\n'), "▌▀▄\n");
/// assert_eq!(without_card_frame("!# what", '\n'), "!: what");
/// ```
#[must_use]
pub fn without_card_frame(text: &str, after: char) -> Cow<'_, str> {
    let is_framed = |c| light(c) != c || resembles_frame(c) || is_hash(c);
    if !text.contains(is_framed) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut last) = (text, after);
    while let Some(c) = rest.chars().next() {
        let sequence = control_sequence(rest);
        if sequence > 0 {
            // Colours do not move the cursor.
            out.push_str(&rest[..sequence]);
            rest = &rest[sequence..];
            continue;
        }
        let begins_line = matches!(last, '\n' | '\r');
        out.push(match c {
            '\u{ff5c}' if begins_line && has_words(rest) => '\u{30fb}',
            c if begins_line && resembles_frame(c) && has_words(rest) => '│',
            c if is_hash(c) && is_exclamation(last) => colon(c),
            c => light(c),
        });
        // Marks and joiners stand between no two characters that a person sees.
        if c.is_control() || c.width().unwrap_or(0) > 0 {
            last = c;
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

/// Reports whether a character is or resembles the first one of the frame in ASCII.
fn is_exclamation(c: char) -> bool {
    matches!(
        c,
        '!' | '\u{1c3}'
            | '\u{203c}'
            | '\u{2755}'
            | '\u{2757}'
            | '\u{2762}'
            | '\u{fe57}'
            | '\u{ff01}'
    )
}

/// Reports whether a character is or resembles the second one of the frame in ASCII.
fn is_hash(c: char) -> bool {
    matches!(
        c,
        '#' | '\u{266f}' | '\u{2317}' | '\u{22d5}' | '\u{fe5f}' | '\u{ff03}'
    )
}

/// Returns a colon of the width of a character that resembles `#`.
fn colon(hash: char) -> char {
    match hash.width() {
        Some(2) => '\u{ff1a}',
        _ => ':',
    }
}

/// Reports whether the first line of a text has letters, or may have: its end is not known yet.
fn has_words(text: &str) -> bool {
    let Some((line, _)) = text.split_once('\n') else {
        return true;
    };
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let sequence = control_sequence(rest);
        if sequence == 0 && c.is_alphanumeric() {
            return true;
        }
        rest = &rest[sequence.max(c.len_utf8())..];
    }
    false
}

/// Returns the length in bytes of a colour or another sequence (CSI) at the beginning of a text, and 0 if there is none.
#[must_use]
pub fn control_sequence(text: &str) -> usize {
    let Some(parameters) = text.strip_prefix("\u{1b}[") else {
        return 0;
    };
    let end = parameters.find(|c| matches!(c, '@'..='~'));
    end.map_or(0, |end| "\u{1b}[".len() + end + 1)
}

/// Reports whether a character looks like a part of the frame: double lines, blocks, bars and pieces of
/// tall brackets.
fn resembles_frame(c: char) -> bool {
    matches!(
        c,
        '\u{2550}'..='\u{256c}'
            | '\u{2580}'..='\u{259f}'
            | '\u{2758}'..='\u{275a}'
            | '\u{239c}'..='\u{23ae}'
            | '\u{ff5c}'
    )
}

/// Returns the light line that resembles a heavy one; any other character as it is.
fn light(c: char) -> char {
    match c {
        '━' | '┅' | '┉' | '╍' | '╸' | '╺' | '╼' | '╾' => '─',
        '┃' | '┇' | '┋' | '╏' | '╹' | '╻' | '╽' | '╿' => '│',
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┬' | '┴' | '┼' => c,
        '\u{250c}'..='\u{254b}' => '┼',
        c => c,
    }
}
