//! Wraps what is written to a terminal, so that no text of a plugin begins a row.
//!
//! A terminal continues a row that is too long at its first column, where the rows of the host's own cards begin.
//! Text that is wrapped here continues behind a mark instead, so that it cannot imitate them whatever its length.

use footlight_render::terminal::control_sequence;
use std::borrow::Cow;
use unicode_width::UnicodeWidthChar;

/// The mark of a row that continues a question.
pub(crate) const QUOTED: &str = "  | ";

/// The mark of a row that continues an entry of a list or a note.
pub(crate) const INDENTED: &str = "    ";

/// The columns of a tab stop.
const TAB: usize = 8;

/// Wraps text behind `column`, the columns that are written to the row already, and advances it. Rows break after a
/// space, or where they are full.
pub(crate) fn wrapped<'t>(
    text: &'t str,
    column: &mut usize,
    width: usize,
    mark: &str,
) -> Cow<'t, str> {
    let width = width.max(mark.len() + 2);
    let mut out = String::with_capacity(text.len());
    // Where the row can break, and the column there.
    let mut gap: Option<(usize, usize)> = None;
    let mut is_wrapped = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let sequence = control_sequence(rest);
        if sequence > 0 {
            out.push_str(&rest[..sequence]);
            rest = &rest[sequence..];
            continue;
        }
        rest = &rest[c.len_utf8()..];
        if c == '\n' {
            out.push(c);
            (*column, gap) = (0, None);
            continue;
        }
        let columns = most_columns(c);
        if *column + columns > width {
            let fits =
                |(_, before): &(usize, usize)| mark.len() + *column - before + columns <= width;
            let (at, before) = gap.take().filter(fits).unwrap_or((out.len(), *column));
            out.insert_str(at, &format!("\n{mark}"));
            *column = mark.len() + (*column - before);
            is_wrapped = true;
        }
        out.push(c);
        *column += columns;
        if c == ' ' && *column > mark.len() {
            gap = Some((out.len(), *column));
        }
    }
    match is_wrapped {
        true => Cow::Owned(out),
        false => Cow::Borrowed(text),
    }
}

/// Returns the columns that any terminal draws a character in, at most.
fn most_columns(c: char) -> usize {
    match c {
        '\t' => TAB,
        // It makes the character before it an emoji, which may be wider than the character. A medial letter of Hangul
        // without a first one is drawn by itself.
        '\u{fe0f}' => 1,
        '\u{1160}'..='\u{11ff}' => 2,
        c => c.width().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(column: usize, width: usize, text: &str) -> String {
        let mut column = column;
        wrapped(text, &mut column, width, QUOTED).into_owned()
    }

    #[test]
    fn rows_break_at_words_and_long_words_where_the_row_is_full() {
        for (column, text, expected) in [
            (0, "one two", "one two"),
            (0, "one two three", "one two \n  | three"),
            (2, "one two three", "one two \n  | three"),
            (0, "0123456789abcdef", "0123456789\n  | abcdef"),
            (0, "a\nb", "a\nb"),
            (8, "日本語", "日\n  | 本語"),
            (9, "日本語", "\n  | 日本語"),
            (
                0,
                "\u{1b}[1m0123456789\u{1b}[0m",
                "\u{1b}[1m0123456789\u{1b}[0m",
            ),
        ] {
            assert_eq!(at(column, 10, text), expected, "{text} from {column}");
        }
    }

    #[test]
    fn text_that_comes_in_pieces_is_wrapped_like_one() {
        let mut column = 0;
        let pieces = ["0123456", "78", "9abc", "\nnext"];
        let written = pieces.map(|piece| wrapped(piece, &mut column, 10, QUOTED).into_owned());
        assert_eq!(written.concat(), "0123456789\n  | abc\nnext");
        assert_eq!(column, "next".len());
    }

    proptest! {
        #[test]
        fn no_row_is_too_wide_and_nothing_is_lost(
            text in "[a-z 日é\u{301}❤\u{fe0f}🎭]{0,300}", width in 6_usize..100, before in 0_usize..6,
        ) {
            let shown = at(before, width, &text);
            for (n, row) in shown.split('\n').enumerate() {
                let columns: usize = row.chars().map(most_columns).sum();
                let before = if n == 0 { before } else { 0 };
                prop_assert!(before + columns <= width, "{row}");
                prop_assert!(n == 0 || row.starts_with(QUOTED), "{row}");
            }
            let joined = shown.replace(&format!("\n{QUOTED}"), "");
            prop_assert_eq!(joined, text);
        }
    }
}
