//! Splits a prompt into tokens: words, numbers, days, addresses, quotations.
//!
//! A token keeps its position, so that a value is exactly what the person wrote. The number of
//! tokens is limited to [`MAX_TOKENS`] and one more.

use super::day::Day;
use super::words;

/// The most tokens of a prompt. A longer one is not a request to one tool.
pub(super) const MAX_TOKENS: usize = 120;

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    /// Where it starts in the prompt, in bytes.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// What it is.
    pub(super) kind: Kind,
    /// Its text in lower case.
    pub(super) lower: String,
    /// Its stem.
    pub(super) stem: String,
    /// Whether it starts with a capital, in a prompt that is not all capitals.
    pub(super) capital: bool,
}

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Word,
    Number(f64),
    Day(Day),
    /// Between quotation marks; `start` and `end` leave them out.
    Quoted,
    Email,
    Url,
    Mark,
}

impl Token {
    /// Reports whether it is a content word, which a tool must explain to be called.
    pub(super) fn is_content(&self) -> bool {
        match self.kind {
            Kind::Mark => false,
            Kind::Word => !words::is_stop(&self.lower) && !words::is_time(&self.lower),
            _ => true,
        }
    }

    /// Reports whether it is a stop word.
    pub(super) fn is_stop(&self) -> bool {
        self.kind == Kind::Word && words::is_stop(&self.lower)
    }

    /// Reports whether it could be part of a proper name.
    pub(super) fn is_name(&self) -> bool {
        self.kind == Kind::Word && self.capital && self.is_content()
    }

    /// Returns the number it names, in digits or as a word.
    pub(super) fn number(&self) -> Option<f64> {
        match self.kind {
            Kind::Number(number) => Some(number),
            Kind::Word => words::number(&self.lower),
            _ => None,
        }
    }
}

/// Splits a text into at most [`MAX_TOKENS`] tokens and one more, by which a caller sees that there
/// are too many.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let uses_capitals = text.chars().any(char::is_lowercase);
    let mut found = Vec::new();
    let mut at = 0;
    while found.len() <= MAX_TOKENS
        && let Some(first) = text[at..].chars().next()
    {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (start, end, next, kind) = token(text, at, first);
        let written = &text[start..end];
        let lower = written.to_lowercase();
        found.push(Token {
            start,
            end,
            stem: words::stem(&lower),
            capital: uses_capitals && written.chars().next().is_some_and(char::is_uppercase),
            lower,
            kind,
        });
        at = next;
    }
    found
}

/// Returns the token at a position: its start, its end, where the next may start, and its kind.
fn token(text: &str, at: usize, first: char) -> (usize, usize, usize, Kind) {
    if let Some((start, end, next)) = quoted(text, at, first) {
        return (start, end, next, Kind::Quoted);
    }
    let chunk = chunk(&text[at..]);
    let whole = |kind| (at, at + chunk.len(), at + chunk.len(), kind);
    if let Some(day) = Day::read(chunk) {
        return whole(Kind::Day(day));
    }
    if is_url(chunk) {
        return whole(Kind::Url);
    }
    if is_email(chunk) {
        return whole(Kind::Email);
    }
    let end = at + length(&text[at..], first);
    if end == at {
        let end = at + first.len_utf8();
        return (at, end, end, Kind::Mark);
    }
    let kind = match text[at..end].parse() {
        Ok(number) if first.is_ascii_digit() => Kind::Number(number),
        _ => Kind::Word,
    };
    (at, end, end, kind)
}

/// Returns the length of the number or word at the start of a text. A number may have a decimal
/// point but no letters: `10-day` and `3d` are several tokens.
fn length(text: &str, first: char) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if first.is_ascii_digit() {
        let mut end = 0;
        while is_digit(end) || (bytes.get(end) == Some(&b'.') && is_digit(end + 1)) {
            end += 1;
        }
        // `1.2.3` is a word of its own, and `4th` a day of a month.
        return end;
    }
    let mut end = 0;
    for c in text.chars() {
        let inside = matches!(c, '\'' | '’')
            && text[end + c.len_utf8()..]
                .chars()
                .next()
                .is_some_and(char::is_alphabetic);
        if !(c.is_alphanumeric() || (end > 0 && inside)) {
            break;
        }
        end += c.len_utf8();
    }
    end
}

fn quoted(text: &str, at: usize, first: char) -> Option<(usize, usize, usize)> {
    let close = match first {
        '"' => '"',
        '“' | '„' => '”',
        '«' => '»',
        '`' => '`',
        // An apostrophe opens only where a word cannot go on.
        '\'' => '\'',
        '‘' => '’',
        _ => return None,
    };
    let start = at + first.len_utf8();
    let inner = &text[start..];
    let end = inner.char_indices().find(|(at, c)| {
        let after = inner[at + c.len_utf8()..].chars().next();
        *c == close && (close == '"' || !after.is_some_and(char::is_alphanumeric))
    })?;
    let end = start + end.0;
    let is_filled = !text[start..end].trim().is_empty();
    is_filled.then_some((start, end, end + close.len_utf8()))
}

/// Returns the text up to the next space, without trailing punctuation.
fn chunk(text: &str) -> &str {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"', '\'', '>'])
}

/// Reports whether a word is a web address.
pub(super) fn is_url(word: &str) -> bool {
    let rest = ["http://", "https://"]
        .iter()
        .find_map(|scheme| word.strip_prefix(scheme));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric()))
        && !word.contains(char::is_whitespace)
}

/// Reports whether a word is an email address.
pub(super) fn is_email(word: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "._%+-".contains(c))
    };
    word.split_once('@').is_some_and(|(name, host)| {
        is_part(name) && is_part(host) && host.contains('.') && !host.contains("..")
    }) && word.ends_with(|c: char| c.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(text: &str) -> Vec<String> {
        let shown = |token: &Token| {
            let kind = match token.kind {
                Kind::Day(_) => "Day".to_owned(),
                ref kind => format!("{kind:?}"),
            };
            format!("{kind}:{}", &text[token.start..token.end])
        };
        tokens(text).iter().map(shown).collect()
    }

    #[test]
    fn numbers_days_addresses_and_quotations_are_told_from_words() {
        assert_eq!(
            shown("What's a 10-day plan, by 2026-05-04?"),
            [
                "Word:What's",
                "Word:a",
                "Number(10.0):10",
                "Mark:-",
                "Word:day",
                "Word:plan",
                "Mark:,",
                "Word:by",
                "Day:2026-05-04",
                "Mark:?"
            ]
        );
        assert_eq!(
            shown("mail ada@example.com https://example.com/a?b=c."),
            [
                "Word:mail",
                "Email:ada@example.com",
                "Url:https://example.com/a?b=c",
                "Mark:."
            ]
        );
        assert_eq!(
            shown("say 'it is' or “that”, don't"),
            [
                "Word:say",
                "Quoted:it is",
                "Word:or",
                "Quoted:that",
                "Mark:,",
                "Word:don't"
            ]
        );
    }

    #[test]
    fn a_prompt_in_capitals_only_has_no_names() {
        assert!(tokens("RAIN IN OSLO").iter().all(|token| !token.capital));
        assert!(tokens("rain in Oslo")[2].is_name());
    }

    proptest! {
        #[test]
        fn tokens_stand_in_order_and_within_any_text(text in "\\PC{0,300}") {
            let found = tokens(&text);
            prop_assert!(found.len() <= MAX_TOKENS + 1);
            let mut at = 0;
            for token in found {
                prop_assert!(token.start >= at && token.end > token.start);
                prop_assert!(text.get(token.start..token.end).is_some());
                at = token.end;
            }
        }
    }
}
