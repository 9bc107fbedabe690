//! Two drawings beside each other: what was expected, and what there is.
//!
//! Both are drawn as text and compared line by line. A wide terminal has them side by side, a narrow one
//! has the lines that differ under each other, as a patch does.

use crate::terminal::{Colour, Terminal};
use crate::view::View;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_width::UnicodeWidthStr as _;

/// The least columns for two drawings beside each other.
const SIDE_BY_SIDE: usize = 100;

/// How many equal lines are shown around lines that differ.
const CONTEXT: usize = 3;

/// The most lines of the comparison.
const MAX_LINES: usize = 2_000;

/// The most lines of one drawing that are compared.
const MAX_COMPARED: usize = 10_000;

/// Draws the expected views and the actual ones, so that their differences can be seen; `None` if they
/// look the same.
#[must_use]
pub fn comparison(terminal: &Terminal, expected: &[View], actual: &[View]) -> Option<String> {
    let width = terminal
        .width
        .clamp(Terminal::MIN_WIDTH, Terminal::MAX_WIDTH);
    let is_wide = width >= SIDE_BY_SIDE;
    // A mark and a space before each line, and a rule with spaces between two drawings.
    let column = match is_wide {
        true => (width - 7) / 2,
        false => width - 2,
    };
    let drawn = Terminal {
        width: column,
        colour: Colour::None,
        links: false,
        pictures: false,
        ..terminal.clone()
    };
    let [old, new] = [expected, actual].map(|views| lines(&drawn, views));
    if old == new {
        return None;
    }
    let table = Rows {
        column,
        is_wide,
        rule: if terminal.unicode { "│" } else { "|" },
        colours: terminal.colour != Colour::None && !terminal.plain,
    };
    let ops = capture_diff_slices(Algorithm::Myers, &old, &new);
    let mut rows = Vec::new();
    if is_wide {
        rows.push(table.row(' ', "expected", ' ', "actual"));
    }
    let last = ops.len().saturating_sub(1);
    for (n, op) in ops.iter().enumerate() {
        let (before, after) = (&old[op.old_range()], &new[op.new_range()]);
        match op {
            DiffOp::Equal { .. } => {
                let head = if n == 0 { 0 } else { CONTEXT };
                let tail = if n == last { 0 } else { CONTEXT };
                if before.len() <= head + tail + 1 {
                    rows.extend(before.iter().map(|line| table.equal(line)));
                    continue;
                }
                let hidden = before.len() - head - tail;
                rows.extend(before[..head].iter().map(|line| table.equal(line)));
                rows.push(format!("  ({hidden} equal lines)"));
                let from = before.len() - tail;
                rows.extend(before[from..].iter().map(|line| table.equal(line)));
            }
            _ => rows.extend(table.changed(before, after)),
        }
    }
    if rows.len() > MAX_LINES {
        let hidden = rows.len() - MAX_LINES;
        rows.truncate(MAX_LINES);
        rows.push(format!("  ({hidden} more lines)"));
    }
    Some(
        rows.into_iter()
            .map(|row| format!("{}\n", row.trim_end()))
            .collect(),
    )
}

/// Returns the lines of views, with an empty line between two of them.
fn lines(terminal: &Terminal, views: &[View]) -> Vec<String> {
    let mut lines = Vec::new();
    for view in views.iter().filter(|view| !view.is_hidden()) {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        let text = terminal.draw(view).text;
        lines.extend(text.lines().map(|line| line.trim_end().to_owned()));
        if lines.len() > MAX_COMPARED {
            lines.truncate(MAX_COMPARED);
            break;
        }
    }
    lines
}

/// Writes the lines of a comparison.
struct Rows {
    column: usize,
    is_wide: bool,
    rule: &'static str,
    colours: bool,
}

impl Rows {
    fn equal(&self, line: &str) -> String {
        match self.is_wide {
            true => self.row(' ', line, ' ', line),
            false => format!("  {line}"),
        }
    }

    fn changed(&self, old: &[String], new: &[String]) -> Vec<String> {
        if !self.is_wide {
            let removed = old.iter().map(|line| self.marked('-', line));
            return removed
                .chain(new.iter().map(|line| self.marked('+', line)))
                .collect();
        }
        let row = |n: usize| {
            let (left, right) = (old.get(n), new.get(n));
            let mark = |line: Option<&String>, mark| if line.is_some() { mark } else { ' ' };
            let empty = String::new();
            self.row(
                mark(left, '-'),
                left.unwrap_or(&empty),
                mark(right, '+'),
                right.unwrap_or(&empty),
            )
        };
        (0..old.len().max(new.len())).map(row).collect()
    }

    fn row(&self, left_mark: char, left: &str, right_mark: char, right: &str) -> String {
        let room = self.column.saturating_sub(left.width());
        let left = self.marked(left_mark, left);
        let right = self.marked(right_mark, right);
        format!("{left}{} {} {right}", " ".repeat(room), self.rule)
    }

    fn marked(&self, mark: char, line: &str) -> String {
        let code = match mark {
            '-' if self.colours => "31",
            '+' if self.colours => "32",
            _ => return format!("{mark} {line}"),
        };
        format!("\u{1b}[{code}m{mark} {line}\u{1b}[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<View> {
        texts.iter().map(|text| View::text(*text)).collect()
    }

    fn drawn(width: usize, old: &[&str], new: &[&str]) -> Option<String> {
        comparison(&Terminal::new(width), &texts(old), &texts(new))
    }

    #[test]
    fn what_looks_the_same_is_not_compared() {
        assert_eq!(drawn(80, &["a", "b"], &["a", "b"]), None);
    }

    #[test]
    fn a_narrow_terminal_has_the_lines_under_each_other() {
        let text = drawn(40, &["same", "old"], &["same", "new", "more"]).expect("differs");
        assert_eq!(text, "  same\n\n- old\n+ new\n+\n+ more\n");
    }

    #[test]
    fn a_wide_terminal_has_them_side_by_side_and_no_row_is_too_wide() {
        let long = "ä日本".repeat(60);
        for width in [SIDE_BY_SIDE, 101, 120, 400] {
            let text = drawn(width, &["same", &long], &["same", "new"]).expect("differs");
            assert!(
                text.lines().all(|line| line.width() <= width),
                "{width}: {text}"
            );
            let bars = text
                .lines()
                .map(|line| line.split('│').next().map(str::width));
            let bars: Vec<_> = bars.collect();
            assert!(bars.windows(2).all(|pair| pair[0] == pair[1]), "{text}");
        }
        let text = drawn(100, &["old"], &["new"]).expect("differs");
        let row = text.lines().nth(1).expect("a row");
        assert!(
            row.starts_with("- old ") && row.ends_with("│ + new"),
            "{row}"
        );
    }

    #[test]
    fn equal_lines_far_from_a_difference_are_counted() {
        let mut lines = vec!["x"; 40];
        let old = lines.clone();
        lines.push("y");
        let text = drawn(40, &old, &lines).expect("differs");
        assert!(text.starts_with("  (76 equal lines)\n"), "{text}");
    }
}
