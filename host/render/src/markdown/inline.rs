//! Escapes text within a block, so that no character has a meaning in Markdown.

use crate::filter::clean;
use crate::view::{Address, Inline, Span};
use std::borrow::Cow;

/// The context of inline text, which determines how a line feed is rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// A paragraph: a line feed is a line break.
    Lines,
    /// A single line: a line feed is a space.
    Line,
    /// A heading.
    Heading,
    /// A table cell.
    Cell,
}

/// Escapes a plain string.
pub(super) fn escaped(text: &str, context: Context) -> String {
    inline(&Inline::plain(text), context)
}

/// Renders text with its styles.
pub(super) fn inline(inline: &Inline, context: Context) -> String {
    let spans: Vec<(Cow<'_, str>, &Span, Option<String>)> = inline
        .spans_and_link_ends()
        .into_iter()
        .map(|(span, end)| (clean(&span.text), span, end.and_then(|end| end.host())))
        .filter(|(text, ..)| !text.is_empty())
        .collect();
    // A cell starts after a bar, where no block can begin.
    let at = match context {
        Context::Cell => Position::Middle,
        _ => Position::Start,
    };
    let mut out = InlineWriter::new(context, at);
    for (n, (text, span, host)) in spans.iter().enumerate() {
        let next = spans.get(n + 1);
        out.span(
            text,
            span,
            next.map(|(text, span, _)| (text.as_ref(), is_marked(span))),
        );
        // Rendered Markdown shows the text of a link alone.
        if let Some(host) = host {
            out.text(host);
        }
    }
    out.out
}

fn is_marked(span: &Span) -> bool {
    let style = span.style;
    style.bold || style.italic || style.strike || style.code || span.link.is_some()
}

struct InlineWriter {
    out: String,
    context: Context,
    /// The position in the current line: at its start, more characters have a meaning.
    at: Position,
    /// Pending white space, written before the next character: a space or a number of line feeds.
    space: bool,
    feeds: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Start,
    /// After digits at the start of the line: like `-`, `12.` starts a list.
    Digits,
    Middle,
}

impl InlineWriter {
    fn new(context: Context, at: Position) -> Self {
        Self {
            out: String::new(),
            context,
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
            // A bracket cannot be escaped within code, and would end the link text.
            let inner = match style.code && !words.contains(['[', ']']) {
                true => code(words, self.context),
                false => plain(words),
            };
            let link = match words == address.as_str() {
                true => format!("<{words}>"),
                false => link(&inner, address),
            };
            return self.marked(text, &link);
        }
        if style.code {
            let code = code(words, self.context);
            // Adjacent runs of backticks would merge.
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

    /// Writes `mark` instead of a span's text, and keeps the white space around it outside.
    fn marked(&mut self, text: &str, mark: &str) {
        let start = text.len() - text.trim_start().len();
        self.text(&text[..start]);
        self.gap();
        self.out.push_str(mark);
        self.at = Position::Middle;
        self.text(&text[text.trim_end().len()..]);
    }

    /// Reports whether emphasis markers are unambiguous here: they must follow white space or the
    /// start of the block, and precede white space, its end, or punctuation.
    fn can_mark(&self, text: &str, next: Option<(&str, bool)>) -> bool {
        let before = self.out.is_empty()
            || self.space
            || self.feeds > 0
            || text.starts_with(char::is_whitespace);
        before
            && next.is_none_or(|(next, marked)| {
                text.ends_with(char::is_whitespace)
                    || next.starts_with(char::is_whitespace)
                    || (!marked && next.starts_with(['.', ',', ';', ':', '?', ')']))
            })
    }

    fn text(&mut self, text: &str) {
        for (n, c) in text.char_indices() {
            match c {
                '\n' if self.context == Context::Lines => self.feeds += 1,
                c if c.is_whitespace() => self.space = true,
                _ => {
                    self.gap();
                    let previous = self.out.chars().next_back();
                    let rest = &text[n + c.len_utf8()..];
                    if needs_escape(c, previous, rest, self.at, self.context) {
                        self.out.push('\\');
                    }
                    self.out.push(c);
                    self.at = match self.at {
                        Position::Start | Position::Digits if c.is_ascii_digit() => {
                            Position::Digits
                        }
                        _ => Position::Middle,
                    };
                }
            }
        }
    }

    /// Writes the pending white space, except at the start of the block.
    fn gap(&mut self) {
        let feeds = std::mem::take(&mut self.feeds);
        let space = std::mem::take(&mut self.space);
        let (gap, at) = match feeds {
            _ if self.out.is_empty() => return,
            0 if !space => return,
            0 => (" ", Position::Middle),
            // A backslash and a line feed is a line break; a blank line ends the paragraph.
            1 => ("\\\n", Position::Start),
            _ => ("\n\n", Position::Start),
        };
        self.out.push_str(gap);
        self.at = at;
    }
}

/// Escapes text that does not start a line, as in a link or between markers.
fn plain(text: &str) -> String {
    let mut line = InlineWriter::new(Context::Line, Position::Middle);
    line.text(text);
    line.out
}

fn needs_escape(c: char, before: Option<char>, rest: &str, at: Position, context: Context) -> bool {
    match c {
        '\\' | '`' | '*' | '[' | ']' | '<' | '~' | '|' => true,
        '&' => may_be_reference(rest),
        // An underscore within a word has no meaning.
        '_' => {
            let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            !(word(before) && word(rest.chars().next()))
        }
        '#' => at == Position::Start || context == Context::Heading,
        '>' | '+' | '-' | '=' | ':' => at == Position::Start,
        '.' | ')' => at == Position::Digits,
        '$' => may_open_formula(rest),
        // Before a bracket, which the next span may start with, it would begin an image.
        '!' => rest.is_empty() || rest.starts_with('['),
        _ => false,
    }
}

/// Reports whether a dollar followed by `rest` could begin a formula where Markdown has them.
fn may_open_formula(rest: &str) -> bool {
    let Some((inner, after)) = rest.split_once('$') else {
        return false;
    };
    let is_tight = !inner.starts_with(char::is_whitespace) && !inner.ends_with(char::is_whitespace);
    is_tight && !after.starts_with(|c: char| c.is_ascii_digit())
}

/// Reports whether `&` followed by `rest` is a character reference such as `&amp;`, or could become
/// one together with the next span.
fn may_be_reference(rest: &str) -> bool {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '#');
    end.is_none_or(|end| rest[end..].starts_with(';'))
}

/// Renders text as code, enclosed in more backticks than it contains.
pub(super) fn code(text: &str, context: Context) -> String {
    let text = crate::filter::clean_line(text);
    let text = text.trim();
    if text.is_empty() {
        return String::new();
    }
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(longest + 1);
    let ticked = text.starts_with('`') || text.ends_with('`');
    let pad = if ticked { " " } else { "" };
    let text = match context {
        // In a table, a backslash before a bar cannot be distinguished from an escape.
        Context::Cell if text.contains("\\|") => return escaped(text, context),
        Context::Cell => text.replace('|', "\\|"),
        _ => text.to_owned(),
    };
    format!("{ticks}{pad}{text}{pad}{ticks}")
}

/// Renders a link whose text is already escaped.
pub(super) fn link(words: &str, address: &Address) -> String {
    let mut target = address.as_str().to_owned();
    // `&copy;` in an address would be parsed as a character reference.
    if target.contains(';') {
        target = target.replace('&', "&amp;");
    }
    if target.contains(['(', ')', '*', '_']) {
        format!("[{words}](<{target}>)")
    } else {
        format!("[{words}]({target})")
    }
}
