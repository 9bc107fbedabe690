//! Code, coloured: for each line, runs of text with what they are.
//!
//! The grammars are `syntect`'s, with `two-face`'s set of languages and a regex engine in Rust.
//! Surfaces have a colour for each [`Class`]; no theme of a grammar is used.
//!
//! Invariant: the work is bounded by [`MAX_BYTES`] and [`MAX_LINE`], not by a clock, so that the
//! same code is always coloured the same; what is longer is plain. The pieces of a line make up
//! the line.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// How much code is coloured: some hundred kilobytes take a second in the slower grammars.
pub const MAX_BYTES: usize = 32 * 1024;

/// How long a line may be: the engine backtracks, and a long line gives it room.
pub const MAX_LINE: usize = 1_000;

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

    /// What a scope of a grammar says; nothing where it says nothing about colour.
    fn of(scope: &str) -> Option<Self> {
        // The first that fits wins, so the narrower stand before the wider.
        const TABLE: &[(&str, Class)] = &[
            ("comment", Class::Comment),
            ("punctuation.definition.comment", Class::Comment),
            ("punctuation.definition.string", Class::String),
            ("string", Class::String),
            ("constant.numeric", Class::Number),
            ("constant.character.escape", Class::Constant),
            ("constant", Class::Constant),
            ("keyword.operator", Class::Punctuation),
            ("keyword", Class::Keyword),
            ("storage.type.numeric", Class::Number),
            ("storage", Class::Keyword),
            ("variable.language", Class::Keyword),
            ("variable.function", Class::Function),
            ("entity.name.function", Class::Function),
            ("support.function", Class::Function),
            ("support.macro", Class::Function),
            ("entity.name.macro", Class::Function),
            ("entity.name.tag", Class::Tag),
            ("entity.name.section", Class::Heading),
            ("entity.name.type", Class::Type),
            ("entity.name", Class::Type),
            ("entity.other.attribute-name", Class::Property),
            ("support.type.property-name", Class::Property),
            ("meta.mapping.key", Class::Property),
            ("variable.other.member", Class::Property),
            ("support", Class::Type),
            ("markup.heading", Class::Heading),
            ("markup.inserted", Class::Added),
            ("markup.deleted", Class::Removed),
            ("meta.diff.range", Class::Heading),
            ("markup.raw", Class::String),
            ("punctuation", Class::Punctuation),
        ];
        let within = |prefix: &str| {
            scope
                .strip_prefix(prefix)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        TABLE
            .iter()
            .find(|(prefix, _)| within(prefix))
            .map(|(_, class)| *class)
    }
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
    let plain = || code.lines().map(plain_line).collect();
    if code.len() > MAX_BYTES {
        return plain();
    }
    let Some(syntax) = language.and_then(syntax) else {
        return plain();
    };
    let mut state = ParseState::new(syntax);
    let mut stack = ScopeStack::new();
    let mut out = Vec::new();
    for line in code.lines() {
        if line.len() > MAX_LINE {
            out.push(plain_line(line));
            continue;
        }
        // The grammars want the line feed, also on the last line.
        let fed = format!("{line}\n");
        let Ok(ops) = state.parse_line(&fed, &SYNTAXES) else {
            return plain();
        };
        let mut pieces = Vec::new();
        let mut start = 0;
        for (at, op) in ops {
            let at = at.min(line.len());
            push(
                &mut pieces,
                class_of(&stack),
                line.get(start..at).unwrap_or(""),
            );
            start = at.max(start);
            if stack.apply(&op).is_err() {
                return plain();
            }
        }
        push(
            &mut pieces,
            class_of(&stack),
            line.get(start..).unwrap_or(""),
        );
        out.push(pieces);
    }
    out
}

fn plain_line(line: &str) -> Vec<Piece<'_>> {
    vec![Piece {
        class: Class::Plain,
        text: line,
    }]
}

fn push<'a>(pieces: &mut Vec<Piece<'a>>, class: Class, text: &'a str) {
    if !text.is_empty() {
        pieces.push(Piece { class, text });
    }
}

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

fn syntax(language: &str) -> Option<&'static SyntaxReference> {
    let language = match language {
        "text" | "plain" | "txt" | "log" => return None,
        "shell" | "sh" | "zsh" => "bash",
        "jsonc" | "json5" => "json",
        "golang" => "go",
        language => language,
    };
    SYNTAXES
        .find_syntax_by_token(language)
        .filter(|syntax| syntax.name != "Plain Text")
}

/// The class of the innermost scope that has one.
fn class_of(stack: &ScopeStack) -> Class {
    stack
        .as_slice()
        .iter()
        .rev()
        .find_map(|scope| known(*scope))
        .unwrap_or(Class::Plain)
}

/// What is known of a scope. There are some thousands in all grammars together.
fn known(scope: Scope) -> Option<Class> {
    static KNOWN: LazyLock<Mutex<HashMap<Scope, Option<Class>>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known
        .entry(scope)
        .or_insert_with(|| Class::of(&scope.build_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn classes(code: &str, language: &str) -> Vec<(Class, String)> {
        let lines = lines(code, Some(language));
        lines
            .into_iter()
            .flatten()
            .map(|piece| (piece.class, piece.text.to_owned()))
            .collect()
    }

    #[test]
    fn words_of_a_language_are_told_from_text_and_numbers() {
        let rust = classes("fn main() { let x = 42; } // hi\nlet s = \"a\";", "rust");
        for (class, text) in [
            (Class::Keyword, "fn"),
            (Class::Function, "main"),
            (Class::Number, "42"),
            (Class::Comment, " hi"),
        ] {
            assert!(
                rust.iter().any(|piece| piece.0 == class && piece.1 == text),
                "{text}: {rust:?}"
            );
        }
        let diff = classes("@@ -1 +1 @@\n-old\n+new\n", "diff");
        assert!(
            diff.iter()
                .any(|piece| piece.0 == Class::Removed && piece.1.contains("old")),
            "{diff:?}"
        );
        for language in [
            "python",
            "json",
            "toml",
            "ts",
            "sql",
            "html",
            "yaml",
            "go",
            "bash",
            "dockerfile",
        ] {
            assert!(syntax(language).is_some(), "{language}");
        }
    }

    #[test]
    fn an_unknown_language_and_long_code_are_plain() {
        let plain = |code: &str, language| {
            lines(code, language)
                .into_iter()
                .flatten()
                .all(|piece| piece.class == Class::Plain)
        };
        assert!(plain("fn main() {}", None));
        assert!(plain("fn main() {}", Some("nobody knows")));
        assert!(plain(&"fn main() {}\n".repeat(10_000), Some("rust")));
        assert!(plain(&format!("fn {}", "x".repeat(MAX_LINE)), Some("rust")));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_pieces_make_up_the_lines(
            code in "([a-z\"'(){};/*<>#=å \\\\]{0,20}\r?\n?){0,6}",
            language in "(rust|html|js|md|yaml|php|x)",
        ) {
            let joined: Vec<String> = lines(&code, Some(&language))
                .iter()
                .map(|pieces| pieces.iter().map(|piece| piece.text).collect())
                .collect();
            let expected: Vec<&str> = code.lines().collect();
            prop_assert_eq!(joined, expected);
        }
    }
}
