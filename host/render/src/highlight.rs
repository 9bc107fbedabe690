//! Code, coloured: for each line, runs of text with what they are.
//!
//! One small reader goes over the code once, and a table says what the words, quotes and comments of a
//! language are (`languages.rs`). It knows less than a grammar would. But grammars are regular
//! expressions that go back and try again: two kilobytes of spaces kept one busy for two seconds, and
//! code is a stranger's. Surfaces have a colour for each [`Class`].
//!
//! Invariant: the work is linear in the code, and the pieces of a line make up the line.

mod languages;
mod reader;

use std::cell::Cell;

/// How much code is coloured. A page has an element for each piece, which is many times its text.
pub const MAX_BYTES: usize = 64 * 1024;

/// How many bytes of code are still coloured in one drawing; what comes after is plain.
#[derive(Debug)]
pub(crate) struct Budget(Cell<usize>);

impl Budget {
    /// Enough for one drawing.
    pub(crate) fn of_a_drawing() -> Self {
        Self(Cell::new(MAX_BYTES))
    }

    /// The lines of some code, coloured if there is enough left for all of it. Nothing is taken for code
    /// that is plain anyway.
    pub(crate) fn lines<'a>(&self, code: &'a str, language: Option<&str>) -> Vec<Vec<Piece<'a>>> {
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

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Nothing in particular.
    Plain,
    /// A comment.
    Comment,
    /// A word of the language.
    Keyword,
    /// Text in quotes.
    String,
    /// A number.
    Number,
    /// A value with a name of its own: `true`, `null`, an escape.
    Constant,
    /// The name of a function.
    Function,
    /// The name of a type.
    Type,
    /// The name of a member, an attribute, a key.
    Property,
    /// The name of an element in markup.
    Tag,
    /// Punctuation and operators.
    Punctuation,
    /// A headline in markup, or the head of a hunk.
    Heading,
    /// A line that is new.
    Added,
    /// A line that is gone.
    Removed,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 14] = [
        Self::Plain,
        Self::Comment,
        Self::Keyword,
        Self::String,
        Self::Number,
        Self::Constant,
        Self::Function,
        Self::Type,
        Self::Property,
        Self::Tag,
        Self::Punctuation,
        Self::Heading,
        Self::Added,
        Self::Removed,
    ];
}

/// A run of characters of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// What it is.
    pub class: Class,
    /// The characters.
    pub text: &'a str,
}

/// The lines of some code, without their line feeds, each in pieces.
///
/// The language is a name (`rust`) or the end of a file's name (`rs`). Without one, or with one
/// that nobody knows, every line is one plain piece.
#[must_use]
pub fn lines<'a>(code: &'a str, language: Option<&str>) -> Vec<Vec<Piece<'a>>> {
    let language = language.filter(|_| code.len() <= MAX_BYTES);
    let Some(language) = language.and_then(languages::find) else {
        let plain = |text| Piece {
            class: Class::Plain,
            text,
        };
        return code.lines().map(|line| vec![plain(line)]).collect();
    };
    let mut reader = reader::Reader::new(language);
    code.lines().map(|line| reader.line(line)).collect()
}

#[cfg(test)]
mod tests;
