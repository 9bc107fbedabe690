//! Syntax highlighting: splits each line of code into classified tokens.
//!
//! A single-pass scanner works from a table of each language's keywords, quotes and comments
//! (`languages.rs`). It is less precise than a grammar. But grammars are regular expressions that
//! backtrack: two kilobytes of spaces kept one busy for two seconds, and the code is untrusted.
//! Each surface has a colour for each [`Class`].
//!
//! Invariant: the work is linear in the length of the code, and the tokens of a line add up to the
//! line.

mod languages;
mod scanner;

use std::cell::Cell;

/// The maximum amount of highlighted code, in bytes. A page has one element per token, which is
/// many times the size of the text.
const MAX_BYTES: usize = 64 * 1024;

/// The remaining bytes that are highlighted in one drawing; later code is plain.
#[derive(Debug)]
pub(crate) struct HighlightBudget(Cell<usize>);

impl HighlightBudget {
    /// Returns the budget of one drawing.
    pub(crate) fn for_drawing() -> Self {
        Self(Cell::new(MAX_BYTES))
    }

    /// Highlights code if the budget covers all of it, and returns its lines. Code in an unknown
    /// language takes nothing from the budget.
    pub(crate) fn lines<'a>(&self, code: &'a str, language: Option<&str>) -> Vec<Vec<Token<'a>>> {
        let known = language.filter(|language| languages::find(language).is_some());
        match self.0.get().checked_sub(code.len()) {
            Some(left) if known.is_some() => {
                self.0.set(left);
                lines(code, known)
            }
            _ => lines(code, None),
        }
    }
}

/// The class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    Plain,
    Comment,
    Keyword,
    String,
    Number,
    /// A named constant or an escape: `true`, `null`.
    Constant,
    Function,
    Type,
    /// The name of a member, attribute or key.
    Property,
    /// The name of a markup element.
    Tag,
    /// A heading in Markdown, or the header of a diff hunk.
    Heading,
    /// An added line of a diff.
    Added,
    /// A removed line of a diff.
    Removed,
}

/// A run of characters of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) class: Class,
    pub(crate) text: &'a str,
}

/// Splits code into lines, without their line feeds, and each line into tokens.
///
/// The language is a name (`rust`) or a file extension (`rs`). If it is absent or unknown, every
/// line is one plain token.
fn lines<'a>(code: &'a str, language: Option<&str>) -> Vec<Vec<Token<'a>>> {
    let language = language.filter(|_| code.len() <= MAX_BYTES);
    let Some(language) = language.and_then(languages::find) else {
        let plain = |text| Token {
            class: Class::Plain,
            text,
        };
        return code.lines().map(|line| vec![plain(line)]).collect();
    };
    let mut scanner = scanner::Scanner::new(language);
    code.lines().map(|line| scanner.line(line)).collect()
}

#[cfg(test)]
mod tests;
