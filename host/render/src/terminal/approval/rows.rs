//! The rows of a card: texts are wrapped at words, and share the rows of the screen.
//!
//! Columns are counted character by character. A terminal may draw several characters in fewer
//! columns than that, such as a joined emoji, but not in more.

use crate::terminal::{BOLD, PLAIN};
use crate::view::{Style, Tone};
use unicode_width::UnicodeWidthChar;

/// The columns of the labels.
pub(super) const LABELS: usize = 9;

/// The most rows of one section, so that the card stays short on any screen.
const MAX_ROWS: usize = 6;

/// The most rows of a list of lines, such as a change of a file.
const MAX_LISTED_ROWS: usize = 12;

/// The mark before quoted text.
const QUOTE: &str = "> ";

/// One kind of information.
#[derive(Debug)]
pub(super) struct Section {
    label: String,
    /// What is shown, and what is shown on demand.
    lines: Vec<String>,
    full: Vec<String>,
    is_quote: bool,
    /// Whether each line stays a row of its own where there is no room for all of them.
    is_list: bool,
    /// Whether the lines are a change of a file.
    is_diff: bool,
    is_bold: bool,
    /// The rows it gets however small the screen is, and at most.
    least: usize,
    most: usize,
}

/// A row of a section.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    pub(super) text: String,
    begin: RowBegin,
    /// What the line does in a change of a file.
    tone: Tone,
}

impl Row {
    /// Returns the colour of the row, which says nothing that its text does not say.
    pub(super) fn style(&self) -> Style {
        Style::toned(self.tone)
    }
}

/// What a row is to the one above.
#[derive(Debug, Clone, Copy, PartialEq)]
enum RowBegin {
    /// It begins a line.
    Line,
    /// It continues the row above.
    Continuation,
    /// It stands for rows that are left out. The words are the host's.
    Omission,
}

impl Section {
    pub(super) fn fact(label: &str, text: String) -> Self {
        Self {
            label: label.to_owned(),
            full: vec![text.clone()],
            lines: vec![text],
            is_quote: false,
            is_list: false,
            is_diff: false,
            is_bold: false,
            least: 1,
            most: MAX_ROWS,
        }
    }

    pub(super) fn quote(label: &str, lines: Vec<String>) -> Self {
        Self {
            full: lines.clone(),
            lines,
            is_quote: true,
            ..Self::fact(label, String::new())
        }
    }

    /// Returns lines of a plugin that belong below each other.
    pub(super) fn list(label: &str, lines: Vec<String>) -> Self {
        Self {
            is_list: true,
            is_diff: is_diff(&lines),
            most: MAX_LISTED_ROWS,
            ..Self::quote(label, lines)
        }
    }

    pub(super) fn with_full(mut self, full: Vec<String>) -> Self {
        self.full = full;
        self
    }

    pub(super) fn of_at_least(mut self, rows: usize) -> Self {
        self.least = rows;
        self
    }

    pub(super) fn uncut(mut self) -> Self {
        (self.least, self.most) = (usize::MAX, usize::MAX);
        self
    }

    pub(super) fn in_bold(mut self) -> Self {
        self.is_bold = true;
        self
    }

    pub(super) fn style(&self) -> Style {
        if self.is_bold { BOLD } else { PLAIN }
    }

    /// Returns what stands before a row: the label, and the mark of a quote or a continuation.
    pub(super) fn margin(&self, n: usize, row: &Row, more: &str) -> (String, String) {
        let label = if n == 0 { self.label.as_str() } else { "" };
        let mark = match (row.begin, self.is_quote) {
            (RowBegin::Continuation, _) => format!("{more} "),
            (RowBegin::Line, true) => QUOTE.to_owned(),
            // No line of a plugin begins without a mark.
            (RowBegin::Omission, _) | (RowBegin::Line, false) => String::new(),
        };
        // The mark of a continued fact stands in the column of the labels.
        let columns = match self.is_quote {
            true => LABELS,
            false => LABELS - mark.chars().count(),
        };
        (format!("{label:<columns$}"), mark)
    }

    fn columns(&self, columns: usize) -> usize {
        let mark = if self.is_quote { QUOTE.len() } else { 0 };
        columns.saturating_sub(LABELS + mark).max(2)
    }

    /// Returns all rows.
    pub(super) fn in_full(self, columns: usize) -> (Self, Vec<Row>) {
        let rows = self.wrapped(&self.full, self.columns(columns));
        (self, rows)
    }

    /// Wraps lines, each of which begins a row.
    fn wrapped(&self, lines: &[String], columns: usize) -> Vec<Row> {
        let wrapped = lines.iter().flat_map(|line| {
            let tone = if self.is_diff {
                tone_of(line)
            } else {
                Tone::Plain
            };
            let rows = rows(line, columns).into_iter().enumerate().map(row);
            rows.map(move |row| Row { tone, ..row })
        });
        wrapped.collect()
    }

    /// Returns at most this many rows. A text that is too long loses its middle: where it begins and
    /// where it ends both matter.
    fn within(&self, most: usize, columns: usize) -> Vec<Row> {
        let columns = self.columns(columns);
        let rows = self.wrapped(&self.lines, columns);
        if rows.len() <= most {
            return rows;
        }
        if self.is_list && most > 2 {
            return without_middle(rows, most);
        }
        let rows = shortened(&self.lines.join(" / "), most, columns);
        rows.into_iter().enumerate().map(row).collect()
    }
}

/// Wraps a text in at most this many rows, without its middle if it is longer.
pub(super) fn shortened(text: &str, most: usize, columns: usize) -> Vec<String> {
    let mut short = rows(text, columns);
    let text: Vec<char> = text.chars().collect();
    let mut kept = text.len().min(columns * most);
    while short.len() > most && kept > 0 {
        kept = kept.saturating_sub(3);
        let (head, tail) = (kept * 2 / 3, kept / 3);
        let before: String = text.iter().take(head).collect();
        let after: String = text.iter().skip(text.len() - tail).collect();
        let hidden = text.len() - head - tail;
        short = rows(
            &format!("{before}... {hidden} more (v) ...{after}"),
            columns,
        );
    }
    short
}

/// Gives each section its least number of rows, and then the rest of the room row by row, the first
/// section first.
pub(super) fn share(
    sections: impl Iterator<Item = Section>,
    room: usize,
    columns: usize,
) -> Vec<(Section, Vec<Row>)> {
    let sections: Vec<Section> = sections.collect();
    let wanted = |section: &Section| {
        let rows = section.wrapped(&section.lines, section.columns(columns));
        let rows = rows.len();
        rows.min(section.most)
    };
    let wanted: Vec<usize> = sections.iter().map(wanted).collect();
    let least = sections.iter().zip(&wanted);
    let mut rows: Vec<usize> = least
        .map(|(section, most)| section.least.min(*most))
        .collect();
    let mut left = room.saturating_sub(rows.iter().sum());
    while left > 0 && rows != wanted {
        for (rows, most) in rows.iter_mut().zip(&wanted) {
            if left > 0 && *rows < *most {
                *rows += 1;
                left -= 1;
            }
        }
    }
    let sections = sections.into_iter().zip(rows);
    let sections = sections.map(|(section, most)| {
        let rows = section.within(most, columns);
        (section, rows)
    });
    sections.collect()
}

/// Leaves out rows so that this many are left, one of which says how many are missing.
fn without_middle(mut rows: Vec<Row>, most: usize) -> Vec<Row> {
    let (head, tail) = (most * 2 / 3, most - most * 2 / 3 - 1);
    let hidden = rows.len() - head - tail;
    let omission = Row {
        text: format!("... {hidden} more rows (v) ..."),
        begin: RowBegin::Omission,
        tone: Tone::Plain,
    };
    rows.splice(head..head + hidden, [omission]);
    rows
}

/// Returns a row of a line: the first one begins it.
fn row((n, text): (usize, String)) -> Row {
    Row {
        text,
        begin: match n {
            0 => RowBegin::Line,
            _ => RowBegin::Continuation,
        },
        tone: Tone::Plain,
    }
}

/// Reports whether lines are a change of a file, as `diff -u` writes it.
fn is_diff(lines: &[String]) -> bool {
    let is_changed = |line: &String| line.starts_with(['+', '-']);
    let is_part = |line: &String| line.is_empty() || line.starts_with(['+', '-', ' ', '@', '\\']);
    lines.iter().any(is_changed) && lines.iter().all(is_part)
}

/// Returns the colour of a line of a change.
fn tone_of(line: &str) -> Tone {
    match line.as_bytes().first() {
        Some(b'+') => Tone::Success,
        Some(b'-') => Tone::Danger,
        Some(b'@') => Tone::Muted,
        _ => Tone::Plain,
    }
}

/// Wraps a line at spaces and after commas. What is longer than a row is broken.
pub(super) fn rows(line: &str, columns: usize) -> Vec<String> {
    let wide = |c: char| c.width().unwrap_or(0);
    let (mut rows, mut row, mut width) = (Vec::new(), String::new(), 0);
    for word in line.split_inclusive([' ', ',']) {
        let needed: usize = word.trim_end_matches(' ').chars().map(wide).sum();
        if width + needed > columns && width > 0 && needed <= columns {
            // The break stands for the space.
            row.truncate(row.trim_end_matches(' ').len());
            rows.push(std::mem::take(&mut row));
            width = 0;
        }
        for c in word.chars() {
            if width + wide(c) > columns {
                rows.push(std::mem::take(&mut row));
                width = 0;
                if c == ' ' {
                    continue;
                }
            }
            row.push(c);
            width += wide(c);
        }
    }
    rows.push(row);
    rows
}
