//! A scanner that reads code line by line and keeps the state of comments, strings and elements
//! that span lines.

use super::languages::{Language, Syntax};
use super::{Class, Token};

/// How far to look for the end of a character literal such as `'\u{10ffff}'`, in bytes.
const CHARACTER: usize = 12;

/// Named constants of most languages.
const CONSTANTS: &str =
    "true false null nil none undefined NaN True False None Nothing TRUE FALSE NULL";

/// Additional constants of configuration files.
const SETTINGS: &str = "yes no on off Yes No On Off";

pub(super) struct Scanner {
    language: &'static Language,
    /// The comment or string that continues on the next line: its terminator and class.
    open: Option<(&'static str, Class)>,
    /// Whether the current position is inside the tag of an element.
    in_tag: bool,
}

/// The line being scanned.
struct LineScanner<'a> {
    text: &'a str,
    /// The length of the leading white space.
    blank: usize,
    /// The current offset.
    at: usize,
    /// Whether an unterminated weak quote was seen. Later weak quotes are skipped, because
    /// searching the rest of the line for each of them would be quadratic.
    unclosed: bool,
    tokens: Vec<Token<'a>>,
}

impl<'a> LineScanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Consumes `bytes` as one class.
    fn take(&mut self, bytes: usize, class: Class) {
        let text = &self.rest()[..bytes];
        let start = self.at;
        self.at += bytes;
        match self.tokens.last_mut() {
            Some(last) if last.class == class => {
                let begin = start - last.text.len();
                last.text = &self.text[begin..self.at];
            }
            _ if text.is_empty() => {}
            _ => self.tokens.push(Token { class, text }),
        }
    }

    /// Reports whether only white space precedes the current offset.
    fn is_first(&self) -> bool {
        self.at <= self.blank
    }

    /// Reports whether the current offset follows white space or starts the line.
    fn is_apart(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        before.is_none_or(char::is_whitespace)
    }
}

impl Scanner {
    pub(super) fn new(language: &'static Language) -> Self {
        Self {
            language,
            open: None,
            in_tag: false,
        }
    }

    /// Scans the next line.
    pub(super) fn line<'a>(&mut self, text: &'a str) -> Vec<Token<'a>> {
        let mut line = LineScanner {
            text,
            blank: text.len() - text.trim_start().len(),
            at: 0,
            unclosed: false,
            tokens: Vec::new(),
        };
        if let Some(class) = self.whole_line(text) {
            line.take(text.len(), class);
        }
        while !line.rest().is_empty() {
            self.step(&mut line);
        }
        line.tokens
    }

    /// Classifies a line by its first character.
    fn whole_line(&self, text: &str) -> Option<Class> {
        if self.open.is_some() {
            return None;
        }
        match self.language.syntax {
            Syntax::Diff => Some(match text.as_bytes().first() {
                Some(b'+') => Class::Added,
                Some(b'-') => Class::Removed,
                Some(b'@') => Class::Heading,
                Some(b' ') | None => Class::Plain,
                Some(_) => Class::Comment,
            }),
            Syntax::Prose if text.starts_with('#') => Some(Class::Heading),
            // A section header such as `[section]`; a JSON array does not match.
            Syntax::Settings if text.starts_with('[') && text.trim_end().ends_with(']') => {
                let name = |c: char| c.is_alphanumeric() || "[]._- \"".contains(c);
                let named = text.contains(char::is_alphabetic) && text.chars().all(name);
                named.then_some(Class::Heading)
            }
            _ => None,
        }
    }

    /// Consumes the next token, which has at least one byte.
    fn step(&mut self, line: &mut LineScanner<'_>) {
        let rest = line.rest();
        if let Some((end, class)) = self.open {
            return self.span(line, end, class, 0);
        }
        let language = self.language;
        if let Some((start, end)) = opening(rest, language.blocks.iter().copied()) {
            return self.span(line, end, Class::Comment, start.len());
        }
        let comment = starting(rest, language.comments);
        // `#` and `;` inside a word do not start a comment: `$#`, `a;b`, `&amp;`.
        if comment.is_some_and(|mark| mark.len() > 1 || line.is_apart()) {
            return line.take(rest.len(), Class::Comment);
        }
        if language.syntax == Syntax::Markup {
            return self.markup(line);
        }
        let long = language.long_quotes.iter().map(|quote| (*quote, *quote));
        if let Some((start, end)) = opening(rest, long) {
            return self.span(line, end, Class::String, start.len());
        }
        if let Some(quote) = starting(rest, language.quotes) {
            return quoted(line, quote, language.syntax);
        }
        if language.characters && rest.starts_with('\'') {
            return character(line);
        }
        word(line, language);
    }

    /// Consumes a comment or string that may span lines, whose opening is `skip` bytes long.
    fn span(&mut self, line: &mut LineScanner<'_>, end: &'static str, class: Class, skip: usize) {
        let rest = line.rest();
        let escapes = class == Class::String;
        match closing(&rest[skip..], end, escapes) {
            Some(length) => {
                self.open = None;
                line.take(skip + length, class);
            }
            None => {
                self.open = Some((end, class));
                line.take(rest.len(), class);
            }
        }
    }

    /// Consumes a tag name, an attribute, or the text between elements.
    fn markup(&mut self, line: &mut LineScanner<'_>) {
        let rest = line.rest();
        if !self.in_tag {
            let text = rest.find(['<', '&']).unwrap_or(rest.len());
            if text > 0 {
                return line.take(text, Class::Plain);
            }
            if let Some(reference) = rest.strip_prefix('&') {
                let name = run(reference, |c| c.is_ascii_alphanumeric() || c == '#');
                let whole = name > 0 && reference[name..].starts_with(';');
                let class = if whole { Class::Constant } else { Class::Plain };
                return line.take(if whole { name + 2 } else { 1 }, class);
            }
            // Looks at two characters at most: looking further would be quadratic on a line of `<`.
            let mark = rest.bytes().take(2).take_while(|b| b"</!?".contains(b));
            let mark = mark.count();
            let name = run(&rest[mark..], |c| c.is_alphanumeric() || "-_:.".contains(c));
            self.in_tag = name > 0;
            line.take(mark, Class::Plain);
            return line.take(name, Class::Tag);
        }
        if let Some(quote) = starting(rest, self.language.quotes) {
            return self.span(line, quote, Class::String, 1);
        }
        let name = run(rest, |c| c.is_alphanumeric() || "-_:.@#".contains(c));
        if name > 0 {
            return line.take(name, Class::Property);
        }
        self.in_tag = !rest.starts_with('>');
        line.take(rest.chars().next().map_or(1, char::len_utf8), Class::Plain);
    }
}

/// Returns the first mark that starts the text.
fn starting(text: &str, marks: &'static [&'static str]) -> Option<&'static str> {
    marks.iter().copied().find(|mark| text.starts_with(mark))
}

/// Returns the first pair whose opening starts the text.
fn opening(
    text: &str,
    mut pairs: impl Iterator<Item = (&'static str, &'static str)>,
) -> Option<(&'static str, &'static str)> {
    pairs.find(|(start, _)| text.starts_with(start))
}

/// Returns the offset after the terminator. A backslash escapes the next character.
fn closing(text: &str, end: &str, escapes: bool) -> Option<usize> {
    if !escapes {
        return text.find(end).map(|at| at + end.len());
    }
    let mut at = 0;
    loop {
        let found = at + text[at..].find(['\\', end.chars().next()?])?;
        if text[found..].starts_with('\\') {
            let escaped = text[found + 1..].chars().next()?;
            at = found + 1 + escaped.len_utf8();
        } else if text[found..].starts_with(end) {
            return Some(found + end.len());
        } else {
            at = found + 1;
        }
    }
}

/// Consumes a string literal within a line, up to the end of the line if it is unterminated. A
/// quoted key is a property.
fn quoted(line: &mut LineScanner<'_>, quote: &str, syntax: Syntax) {
    let rest = line.rest();
    // An apostrophe in prose terminates nothing.
    let weak = quote == "'" || syntax == Syntax::Prose;
    if weak && line.unclosed {
        return line.take(quote.len(), Class::Plain);
    }
    let Some(length) = closing(&rest[quote.len()..], quote, true) else {
        line.unclosed = weak;
        return match weak {
            true => line.take(quote.len(), Class::Plain),
            false => line.take(rest.len(), Class::String),
        };
    };
    let length = quote.len() + length;
    let key = syntax == Syntax::Settings && rest[length..].trim_start().starts_with(':');
    line.take(length, if key { Class::Property } else { Class::String });
}

/// Consumes a character literal such as `'x'` or `'\n'`; any other `'` is something else, such as a
/// lifetime.
fn character(line: &mut LineScanner<'_>) {
    let rest = line.rest();
    let near = &rest[1..rest.floor_char_boundary(CHARACTER).max(1)];
    let one = near.chars().next().map_or(0, char::len_utf8);
    let end = match near.starts_with('\\') {
        true => closing(near, "'", true),
        false => near[one..].starts_with('\'').then_some(one + 1),
    };
    match end {
        Some(length) => line.take(1 + length, Class::String),
        None => line.take(1, Class::Plain),
    }
}

/// Consumes a word, a number, white space, or a single other character.
fn word(line: &mut LineScanner<'_>, language: &Language) {
    let rest = line.rest();
    let Some(first) = rest.chars().next() else {
        return;
    };
    if first.is_ascii_digit() {
        return line.take(number(rest), Class::Number);
    }
    let settings = language.syntax == Syntax::Settings;
    let begins = first.is_alphanumeric() || "_$@#".contains(first);
    if !begins || language.syntax == Syntax::Prose {
        let other = |c: char| c.is_whitespace();
        let length = run(rest, other).max(first.len_utf8());
        return line.take(length, Class::Plain);
    }
    let inner = |c: char| c.is_alphanumeric() || c == '_' || (settings && "-.".contains(c));
    let length = first.len_utf8() + run(&rest[first.len_utf8()..], inner);
    let (word, after) = rest.split_at(length);
    // No keyword is shorter or longer.
    let likely = (2..=16).contains(&word.len());
    let is_in = |words: &str| likely && words.split(' ').any(|known| known == word);
    // SQL keywords are often written in capitals.
    let shouted = likely && word.bytes().all(|b| b.is_ascii_uppercase());
    let shouted = shouted && language.comments == ["--"];
    let class = if is_in(language.keywords) || shouted && is_in_lower(language.keywords, word) {
        Class::Keyword
    } else if is_in(CONSTANTS) || settings && is_in(SETTINGS) {
        Class::Constant
    } else if settings {
        let key = after.trim_start().starts_with([':', '=']) && line.is_first();
        if key { Class::Property } else { Class::Plain }
    } else if after.starts_with('(') || after.starts_with("!(") {
        Class::Function
    } else if first.is_uppercase() && word.contains(char::is_lowercase) {
        Class::Type
    } else {
        Class::Plain
    };
    line.take(length, class);
}

/// Returns the length of a number: `0x1f`, `1_000u32`, `1.5e3`. Of `1..5` it takes only the `1`.
fn number(text: &str) -> usize {
    let digits = |text: &str| run(text, |c| c.is_ascii_alphanumeric() || c == '_');
    let mut end = digits(text);
    while let Some(more) = text[end..].strip_prefix('.')
        && more.starts_with(|c: char| c.is_ascii_digit())
    {
        end += 1 + digits(more);
    }
    end
}

fn is_in_lower(words: &str, word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    words.split(' ').any(|known| known == word)
}

/// Returns the length of the prefix whose characters all match.
fn run(text: &str, of: impl Fn(char) -> bool) -> usize {
    text.find(|c| !of(c)).unwrap_or(text.len())
}
