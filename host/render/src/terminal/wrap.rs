//! Wraps text.
//!
//! Lines break at spaces, and next to characters that are two columns wide, because scripts with
//! such characters have no spaces. A word that is too long by itself is broken between grapheme
//! clusters, so that a joined emoji or a letter with its marks stays whole.
//!
//! Invariant: no line exceeds the width, if the width is at least 2.

use super::line::{Line, Lines, width};
use crate::filter::clean;
use crate::view::{Address, Style};
use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;

/// The distance between tab stops.
const TAB: usize = 4;

/// The treatment of white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrap {
    /// Breaks at words. Spaces at a break are dropped.
    Words,
    /// Breaks where the line is full. All spaces are kept.
    Exact,
}

/// Wraps text of one style. A line feed ends a line; empty text is one empty line.
pub(super) fn wrap_text<'v>(text: &str, style: Style, columns: usize, how: Wrap) -> Lines<'v> {
    let mut writer = Wrapper::new(columns, how);
    writer.write(&clean(text), style, None);
    writer.finish()
}

/// A part of a word with one style.
struct WordPart<'v> {
    text: String,
    width: usize,
    style: Style,
    link: Option<&'v Address>,
}

/// Receives text piece by piece and wraps it.
pub(super) struct Wrapper<'v> {
    columns: usize,
    how: Wrap,
    lines: Lines<'v>,
    line: Line<'v>,
    /// Pending spaces, written if a word follows on the same line.
    spaces: (usize, Style, Option<&'v Address>),
    /// The current word; it may have several styles.
    word: Vec<WordPart<'v>>,
    word_width: usize,
    /// The indentation of continuation lines.
    hang: usize,
    /// Whether the current line of the text is still empty: leading spaces are then kept.
    fresh: bool,
}

impl<'v> Wrapper<'v> {
    pub(super) fn new(columns: usize, how: Wrap) -> Self {
        Self {
            columns: columns.max(2),
            how,
            lines: Vec::new(),
            line: Line::default(),
            spaces: (0, Style::default(), None),
            word: Vec::new(),
            word_width: 0,
            hang: 0,
            fresh: true,
        }
    }

    /// Continues a line that already has a prefix; continuation lines are indented by `hang`
    /// columns.
    pub(super) fn after(head: Line<'v>, hang: usize, columns: usize) -> Self {
        Self {
            line: head,
            hang: hang.min(columns / 2),
            fresh: false,
            ..Self::new(columns, Wrap::Words)
        }
    }

    /// Receives filtered text.
    pub(super) fn write(&mut self, text: &str, style: Style, link: Option<&'v Address>) {
        for (n, part) in text.split('\n').enumerate() {
            if n > 0 {
                self.end_line();
            }
            self.write_line(part, style, link);
        }
    }

    fn write_line(&mut self, text: &str, style: Style, link: Option<&'v Address>) {
        let text = self.without_tabs(text);
        if self.how == Wrap::Exact {
            return self.fill(&text, style, link);
        }
        let mut rest = &*text;
        while !rest.is_empty() {
            rest = self.write_full_lines(rest, style, link);
            let (word, after) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
            if !self.word.is_empty() || after.is_empty() || !word.is_ascii() {
                self.take(word, style, link);
            } else if !word.is_empty() {
                // Fast path: most words are complete, plain ASCII.
                self.make_room(word.len());
                self.put(word, word.len(), style, link);
            }
            rest = after.trim_start_matches(' ');
            let spaces = after.len() - rest.len();
            if spaces > 0 {
                self.place();
                self.spaces = (self.spaces.0 + spaces, style, link);
            }
        }
    }

    /// Fast path for long plain text: writes full lines directly and returns the rest.
    fn write_full_lines<'t>(
        &mut self,
        mut text: &'t str,
        style: Style,
        link: Option<&'v Address>,
    ) -> &'t str {
        while self.line.width() <= self.hang && self.spaces.0 == 0 && self.word.is_empty() {
            let room = self.columns - self.line.width();
            let Some(window) = text.as_bytes().get(..=room) else {
                break;
            };
            let Some(end) = window.iter().rposition(|byte| *byte == b' ') else {
                break;
            };
            let line = text[..end].trim_end_matches(' ');
            if line.is_empty() || line.starts_with(' ') || !window.is_ascii() {
                break;
            }
            self.line.push_clean(line, line.len(), style, link);
            self.break_line();
            self.fresh = false;
            text = text[end..].trim_start_matches(' ');
        }
        text
    }

    /// Replaces tabs by spaces up to the next tab stop.
    fn without_tabs<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if !text.contains('\t') {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len() + TAB);
        let mut at = self.line.width() + self.spaces.0 + self.word_width;
        for (n, part) in text.split('\t').enumerate() {
            if n > 0 {
                let gap = TAB - at % TAB;
                out.push_str(&"    "[..gap]);
                at += gap;
            }
            out.push_str(part);
            at += width(part);
        }
        Cow::Owned(out)
    }

    /// Adds characters to the current word; a wide character may be separated from its neighbours.
    fn take(&mut self, word: &str, style: Style, link: Option<&'v Address>) {
        if word.is_ascii() {
            self.grow(word, word.len(), style, link);
            return;
        }
        let mut clusters = word.graphemes(true).peekable();
        while let Some(cluster) = clusters.next() {
            let width = width(cluster);
            if width != 2 || must_follow(cluster) {
                self.grow(cluster, width, style, link);
                continue;
            }
            self.place();
            match clusters.peek() {
                // The next character may start a line, so this one can be written at once.
                Some(next) if !must_follow(next) => {
                    self.make_room(width);
                    self.put(cluster, width, style, link);
                }
                _ => self.grow(cluster, width, style, link),
            }
        }
    }

    fn grow(&mut self, text: &str, width: usize, style: Style, link: Option<&'v Address>) {
        if text.is_empty() {
            return;
        }
        self.word_width += width;
        match self.word.last_mut() {
            Some(last) if last.style == style && last.link == link => {
                last.text.push_str(text);
                last.width += width;
            }
            _ => self.word.push(WordPart {
                text: text.to_owned(),
                width,
                style,
                link,
            }),
        }
    }

    /// Writes the current word to this line or the next.
    fn place(&mut self) {
        if self.word.is_empty() {
            return;
        }
        self.make_room(self.word_width);
        self.word_width = 0;
        for part in std::mem::take(&mut self.word) {
            self.put(&part.text, part.width, part.style, part.link);
        }
    }

    /// Writes the pending spaces, or starts a new line if the word does not fit after them.
    fn make_room(&mut self, width: usize) {
        let (spaces, style, link) = std::mem::take(&mut self.spaces);
        // Limits the indentation, so that it leaves room for the text.
        let most = if self.fresh { self.columns / 2 } else { spaces };
        let spaces = spaces.min(most);
        if self.line.width() + spaces + width <= self.columns {
            let text = " ".repeat(spaces);
            self.line.push_clean(&text, spaces, style, link);
        } else if !self.fresh {
            self.break_line();
        }
        self.fresh = false;
    }

    fn put(&mut self, text: &str, width: usize, style: Style, link: Option<&'v Address>) {
        if self.line.width() + width <= self.columns {
            self.line.push_clean(text, width, style, link);
        } else {
            self.fill(text, style, link);
        }
    }

    /// Writes characters until the line is full, and continues on the next.
    fn fill(&mut self, text: &str, style: Style, link: Option<&'v Address>) {
        if text.is_ascii() {
            let mut rest = text;
            while !rest.is_empty() {
                if self.line.width() >= self.columns {
                    self.break_line();
                }
                let end = rest.len().min(self.columns - self.line.width());
                self.line.push_clean(&rest[..end], end, style, link);
                rest = &rest[end..];
            }
            return;
        }
        for cluster in text.graphemes(true) {
            let width = width(cluster);
            if self.line.width() + width > self.columns {
                self.break_line();
            }
            // A cluster can be wider than a narrow column.
            match width <= self.columns {
                true => self.line.push_clean(cluster, width, style, link),
                false => self.line.push_clean("?", 1, style, link),
            }
        }
    }

    fn break_line(&mut self) {
        self.lines.push(std::mem::take(&mut self.line));
        self.line.pad(self.hang);
    }

    fn end_line(&mut self) {
        self.place();
        self.spaces = Default::default();
        self.break_line();
        self.fresh = true;
    }

    /// Returns the wrapped lines.
    pub(super) fn finish(mut self) -> Lines<'v> {
        self.end_line();
        self.lines
    }
}

/// Reports whether a line must not start with this character.
fn must_follow(cluster: &str) -> bool {
    "、。，．！？：；）」』】》ー々ょゃゅっョャュッ".contains(cluster)
}

#[cfg(test)]
mod tests;
