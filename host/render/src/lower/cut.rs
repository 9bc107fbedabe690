//! Truncates text and JSON, with an exact count of the remainder.

pub(super) use footlight_vocabulary::json::inner;

use crate::view::{Cut, Unit};
use footlight_vocabulary::json::nested_within;
use serde_json::Value;
use std::fmt::Write;

/// Returns the beginning of a text, limited in lines and bytes.
///
/// Whole lines are omitted and counted where possible. If a single line exceeds the limit, it is
/// cut between characters.
pub(super) fn text(text: &str, lines: usize, bytes: usize) -> (&str, Option<Cut>) {
    let end = match text.match_indices('\n').nth(lines.saturating_sub(1)) {
        Some((at, _)) if at + 1 < text.len() => at,
        _ => text.len(),
    };
    let before = |feed: usize| {
        let left = text[feed + 1..].lines().count();
        (&text[..feed], Cut::of(left, Unit::Lines))
    };
    if end <= bytes {
        return if end == text.len() {
            (text, None)
        } else {
            before(end)
        };
    }
    let (head, rest) = text.split_at(text.floor_char_boundary(bytes));
    match head.rfind('\n') {
        Some(at) if at > bytes / 2 => before(at),
        _ => (head, Cut::of(rest.chars().count(), Unit::Characters)),
    }
}

/// Shortens a name (a key, header, label or path) to [`MAX_NAME`](super::MAX_NAME) characters.
pub(super) fn name(text: &str) -> String {
    short(text, super::MAX_NAME)
}

/// Shortens a text for a small space and appends how much is missing.
pub(super) fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => with_cut(&text[..end], text[end..].chars().count() as u64),
    }
}

/// Appends the number of characters left out.
fn with_cut(text: &str, count: u64) -> String {
    let unit = Unit::Characters;
    format!("{text}… ({})", Cut { count, unit })
}

/// The maximum depth of JSON that is serialised: the serialiser is recursive.
const MAX_NESTING: usize = 128;

/// Serialises JSON on one line, shortened if it is long.
pub(super) fn compact(value: &Value, most: usize) -> String {
    if !nested_within(value, MAX_NESTING) {
        return "… (nested too deep)".to_owned();
    }
    let mut out = BoundedWriter::new(most);
    // `Display` without `#` writes compact JSON; writing to a string never fails.
    let _ = write!(out, "{value}");
    match out.left {
        0 => out.text,
        left => with_cut(&out.text, left),
    }
}

/// Serialises indented JSON, truncated to whole lines. `None` if it is nested too deeply.
pub(super) fn pretty(value: &Value, bytes: usize) -> Option<(String, Option<Cut>)> {
    if !nested_within(value, MAX_NESTING) {
        return None;
    }
    let mut out = BoundedWriter::new(bytes);
    let _ = write!(out, "{value:#}");
    if out.left == 0 {
        return Some((out.text, None));
    }
    // The last line is most likely incomplete, so it is dropped unless it is the only one.
    let (count, unit) = match out.text.rfind('\n') {
        Some(at) => {
            out.text.truncate(at);
            (out.lines + 1, Unit::Lines)
        }
        None => (out.left, Unit::Characters),
    };
    Some((out.text, Some(Cut { count, unit })))
}

/// Keeps the first characters and counts the rest.
#[derive(Default)]
struct BoundedWriter {
    text: String,
    room: usize,
    left: u64,
    lines: u64,
}

impl BoundedWriter {
    fn new(room: usize) -> Self {
        Self {
            room,
            ..Self::default()
        }
    }
}

impl Write for BoundedWriter {
    fn write_str(&mut self, piece: &str) -> std::fmt::Result {
        let room = if self.left > 0 { 0 } else { self.room };
        let (kept, rest) = piece.split_at(piece.floor_char_boundary(room));
        self.text.push_str(kept);
        self.room -= kept.len();
        self.left += rest.chars().count() as u64;
        self.lines += rest.matches('\n').count() as u64;
        Ok(())
    }
}

/// Counts the descendants of a value, at all depths.
pub(super) fn values_below(value: &Value) -> usize {
    let mut count = 0;
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        let pending = stack.len();
        stack.extend(inner(value));
        count += stack.len() - pending;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn whole_lines_are_omitted_where_possible() {
        assert_eq!(text("a\nb\nc\n", 2, 100), ("a\nb", Cut::of(1, Unit::Lines)));
        assert_eq!(text("a\nb\n", 2, 100), ("a\nb\n", None));
        assert_eq!(
            text("aaaa\nbbbb\ncccc", 9, 6),
            ("aaaa", Cut::of(2, Unit::Lines))
        );
        assert_eq!(text("ååååå", 9, 5), ("åå", Cut::of(3, Unit::Characters)));
        assert_eq!(short("ååååå", 2), "åå… (3 more characters)");
    }

    #[test]
    fn json_is_written_up_to_a_limit_and_the_rest_counted() {
        let (shown, cut) = pretty(&json!([1, 2, 3]), 9).expect("shallow");
        assert_eq!((shown.as_str(), cut), ("[\n  1,", Cut::of(3, Unit::Lines)));
        assert_eq!(compact(&json!([1, 2, 3]), 3), "[1,… (4 more characters)");
    }

    #[test]
    fn deeply_nested_json_is_not_serialised() {
        let mut deep = json!(1);
        for _ in 0..200 {
            deep = json!([deep]);
        }
        assert_eq!(pretty(&deep, 100), None);
        assert_eq!(compact(&deep, 100), "… (nested too deep)");
        assert_eq!(values_below(&deep), 200);
    }

    proptest! {
        #[test]
        fn what_is_shown_and_what_is_counted_make_the_whole(
            whole in "[aå\n]{0,80}", lines in 1..10_usize, bytes in 1..60_usize,
        ) {
            let (shown, cut) = text(&whole, lines, bytes);
            prop_assert!(whole.starts_with(shown) && shown.len() <= bytes.max(whole.len().min(bytes)));
            match cut {
                None => prop_assert_eq!(shown, &whole),
                Some(Cut { count, unit: Unit::Lines }) => {
                    let rest = &whole[shown.len() + 1..];
                    prop_assert_eq!(count as usize, rest.lines().count());
                }
                Some(Cut { count, .. }) => {
                    prop_assert_eq!(count as usize, whole[shown.len()..].chars().count());
                }
            }
        }
    }
}
