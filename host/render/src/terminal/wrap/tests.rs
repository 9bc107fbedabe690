//! Tests of line breaking.

use super::*;
use proptest::prelude::*;

fn read(text: &str, columns: usize, how: Wrap) -> Vec<String> {
    let lines = wrap_text(text, Style::default(), columns, how);
    let text = |line: &Line<'_>| line.pieces().iter().map(|piece| piece.text()).collect();
    lines.iter().map(text).collect()
}

#[test]
fn lines_break_at_words_and_long_words_break_where_they_must() {
    assert_eq!(
        read("the quick brown fox", 10, Wrap::Words),
        ["the quick", "brown fox"]
    );
    assert_eq!(
        read("abcdefghijkl m", 5, Wrap::Words),
        ["abcde", "fghij", "kl m"]
    );
    assert_eq!(read("a\n\nb", 5, Wrap::Words), ["a", "", "b"]);
    assert_eq!(read("  in  dent", 20, Wrap::Words), ["  in  dent"]);
    assert_eq!(read("a\tb", 20, Wrap::Words), ["a   b"]);
    assert_eq!(read("a  b  ", 3, Wrap::Exact), ["a  ", "b  "]);
    assert_eq!(read("", 3, Wrap::Exact), [""]);
}

#[test]
fn wide_characters_break_anywhere_but_before_a_full_stop() {
    assert_eq!(
        read("今日は晴れです。", 6, Wrap::Words),
        ["今日は", "晴れで", "す。"]
    );
    assert_eq!(read("👨‍👩‍👧👨‍👩‍👧", 3, Wrap::Words), ["👨‍👩‍👧", "👨‍👩‍👧"]);
}

#[test]
fn a_word_of_two_styles_stays_together() {
    let bold = Style {
        bold: true,
        ..Style::default()
    };
    let mut writer = Wrapper::new(6, Wrap::Words);
    writer.write("one tw", Style::default(), None);
    writer.write("o three", bold, None);
    let widths: Vec<_> = writer.finish().iter().map(Line::width).collect();
    assert_eq!(widths, [3, 3, 5]);
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_width(
        text in "(\\PC|[a-z]{1,9}| |\n|\t|[一-龥]|\u{301}|👩\u{200d}👧|[ء-ي]){0,60}",
        columns in 2..40_usize, exact: bool,
    ) {
        let how = if exact { Wrap::Exact } else { Wrap::Words };
        for line in read(&text, columns, how) {
            prop_assert!(width(&line) <= columns, "{line:?}");
        }
    }

    #[test]
    fn no_word_is_lost(text in "[a-z一-龥 \n]{0,80}", columns in 2..40_usize) {
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(squeezed(&read(&text, columns, Wrap::Words).concat()), squeezed(&text));
    }
}
