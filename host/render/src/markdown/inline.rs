//! Text within a block, with every character that means something to Markdown made to mean itself.

use crate::filter::clean;
use crate::view::{Address, Inline, Span};
use std::borrow::Cow;

/// Where text stands, which decides what a line feed becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a paragraph: a line break.
    Lines,
    /// Where there is one line only: a space.
    Line,
    /// In a headline.
    Heading,
    /// In a cell of a table.
    Cell,
}

/// A plain string as text.
pub(super) fn escaped(text: &str, place: Place) -> String {
    inline(&Inline::plain(text), place)
}

/// Text with its styles.
pub(super) fn inline(inline: &Inline, place: Place) -> String {
    let spans: Vec<(Cow<'_, str>, &Span)> = inline
        .spans
        .iter()
        .map(|span| (clean(&span.text), span))
        .filter(|(text, _)| !text.is_empty())
        .collect();
    // A cell begins after a bar, where nothing begins a block.
    let at = if place == Place::Cell {
        At::Middle
    } else {
        At::Start
    };
    let mut out = Line::new(place, at);
    for (n, (text, span)) in spans.iter().enumerate() {
        let next = spans
            .get(n + 1)
            .map(|(text, span)| (text.as_ref(), is_marked(span)));
        out.span(text, span, next);
    }
    out.out
}

fn is_marked(span: &Span) -> bool {
    let style = span.style;
    style.bold || style.italic || style.strike || style.code || span.link.is_some()
}

struct Line {
    out: String,
    place: Place,
    /// Where on the line the next character stands; at the start more characters have a meaning.
    at: At,
    /// A space, or so many line feeds, that are written when something follows.
    space: bool,
    feeds: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Start,
    /// After digits that began the line: `12.` begins a list as much as `-` does.
    Digits,
    Middle,
}

impl Line {
    fn new(place: Place, at: At) -> Self {
        Self {
            out: String::new(),
            place,
            at,
            space: false,
            feeds: 0,
        }
    }

    fn span(&mut self, text: &str, span: &Span, next: Option<(&str, bool)>) {
        let style = span.style;
        let words = text.trim();
        if words.is_empty() {
            return self.text(text);
        }
        if let Some(address) = &span.link {
            // A bracket cannot be escaped within code, and would end the link's words.
            let inner = if style.code && !words.contains(['[', ']']) {
                code(words, self.place)
            } else {
                plain(words)
            };
            let link = if words == address.as_str() {
                format!("<{words}>")
            } else {
                link(&inner, address)
            };
            return self.marked(text, &link);
        }
        if style.code {
            let code = code(words, self.place);
            // Runs of backticks side by side would be one run.
            self.space |= self.out.ends_with('`');
            return self.marked(text, &code);
        }
        let mark = match (style.bold, style.italic, style.strike) {
            (true, true, _) => "***",
            (true, false, _) => "**",
            (false, true, _) => "*",
            (false, false, true) => "~~",
            (false, false, false) => "",
        };
        if mark.is_empty() || words.contains('\n') || !self.can_mark(text, next) {
            return self.text(text);
        }
        self.marked(text, &format!("{mark}{}{mark}", plain(words)));
    }

    /// Writes something in place of a span's words; white space at the edges stays outside.
    fn marked(&mut self, text: &str, mark: &str) {
        let start = text.len() - text.trim_start().len();
        self.text(&text[..start]);
        self.gap();
        self.out.push_str(mark);
        self.at = At::Middle;
        self.text(&text[text.trim_end().len()..]);
    }

    /// Marks open after and close before white space or the block's edge, or a full stop and the
    /// like; in the middle of words what they do depends on too much.
    fn can_mark(&self, text: &str, next: Option<(&str, bool)>) -> bool {
        let before = self.out.is_empty()
            || self.space
            || self.feeds > 0
            || text.starts_with(char::is_whitespace);
        let after = match next {
            None => true,
            Some((next, marked)) => {
                text.ends_with(char::is_whitespace)
                    || next.starts_with(char::is_whitespace)
                    || (!marked && next.starts_with(['.', ',', ';', ':', '?', ')']))
            }
        };
        before && after
    }

    fn text(&mut self, text: &str) {
        for (n, c) in text.char_indices() {
            match c {
                '\n' if self.place == Place::Lines => self.feeds += 1,
                c if c.is_whitespace() => self.space = true,
                _ => {
                    self.gap();
                    let previous = self.out.chars().next_back();
                    let rest = &text[n + c.len_utf8()..];
                    if needs_escape(c, previous, rest, self.at, self.place) {
                        self.out.push('\\');
                    }
                    self.out.push(c);
                    self.at = match self.at {
                        At::Start | At::Digits if c.is_ascii_digit() => At::Digits,
                        _ => At::Middle,
                    };
                }
            }
        }
    }

    /// The white space before what comes next: none where nothing stands before it.
    fn gap(&mut self) {
        let (feeds, space) = (
            std::mem::take(&mut self.feeds),
            std::mem::take(&mut self.space),
        );
        if self.out.is_empty() {
            return;
        }
        match feeds {
            0 if !space => return,
            0 => {
                self.out.push(' ');
                self.at = At::Middle;
                return;
            }
            // A backslash and a line feed is a line break; a blank line ends the paragraph.
            1 => self.out.push_str("\\\n"),
            _ => self.out.push_str("\n\n"),
        }
        self.at = At::Start;
    }
}

/// Text that does not begin a line, as in a link or between marks.
fn plain(text: &str) -> String {
    let mut line = Line::new(Place::Line, At::Middle);
    line.text(text);
    line.out
}

fn needs_escape(c: char, previous: Option<char>, rest: &str, at: At, place: Place) -> bool {
    match c {
        '\\' | '`' | '*' | '[' | ']' | '<' | '~' | '|' => true,
        '&' => may_be_reference(rest),
        // Within a word it means nothing.
        '_' => {
            let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            !(word(previous) && word(rest.chars().next()))
        }
        '#' => at == At::Start || place == Place::Heading,
        '>' | '+' | '-' | '=' | ':' => at == At::Start,
        '.' | ')' => at == At::Digits,
        // Before a bracket, also one that the next span begins with, it would be a picture.
        '!' => rest.is_empty() || rest.starts_with('['),
        _ => false,
    }
}

/// Whether `&` with this behind it is `&amp;` or the like, or would be with what comes next.
fn may_be_reference(rest: &str) -> bool {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '#');
    end.is_none_or(|end| rest[end..].starts_with(';'))
}

/// Text as code: between more backticks than are in it.
pub(super) fn code(text: &str, place: Place) -> String {
    let text = crate::filter::clean_line(text);
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    let text = if place == Place::Cell {
        text.replace('|', "\\|")
    } else {
        text.to_owned()
    };
    // A backslash before the bar cannot be told from an escape in a table.
    if place == Place::Cell && text.contains("\\\\|") {
        return escaped(&text.replace("\\|", "|"), place);
    }
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// A link with words that are escaped already.
pub(super) fn link(words: &str, address: &Address) -> String {
    let mut target = address.as_str().to_owned();
    // `&copy;` in an address would be read as a sign.
    if target.contains(';') {
        target = target.replace('&', "&amp;");
    }
    if target.contains(['(', ')', '*', '_']) {
        format!("[{words}](<{target}>)")
    } else {
        format!("[{words}]({target})")
    }
}
