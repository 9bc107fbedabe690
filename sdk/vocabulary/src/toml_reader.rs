//! A strict reader of TOML documents that people write by hand.
//!
//! A [`Table`] is opened with the list of its keys, and a key that is not on the list is an error:
//! a misspelt restriction must not be a restriction ignored. Errors are [`TomlError`]s with a byte
//! range; [`position`] turns its start into line and column. Reading by hand instead of through
//! serde gives each error its own sentence at an exact place.

use crate::escape::escape_short;
use std::fmt;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The number of characters of a value that an error message quotes.
const MAX_QUOTED: usize = 60;

/// A value with its position.
pub type Value<'t> = Spanned<DeValue<'t>>;

/// What was read, or the first mistake.
pub type Checked<T> = Result<T, TomlError>;

/// What is wrong with a part of a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TomlError {
    /// The part, in bytes.
    pub at: Range<usize>,
    /// What is wrong and what would be right, on one line.
    pub message: String,
}

impl TomlError {
    /// An error at a range of bytes.
    pub fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { at, message }
    }
}

/// Returns the line and column of a byte, both counted from 1, columns in characters.
#[must_use]
pub fn position(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at)];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    let head = before[start..].trim_start_matches('\u{feff}');
    (line, head.chars().count() + 1)
}

/// Parses a document.
///
/// # Errors
/// When the text is not TOML.
pub fn parse(text: &str) -> Checked<Spanned<DeTable<'_>>> {
    DeTable::parse(text).map_err(|error| {
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        let message = format!("not TOML: {}", escape_short(&message, 200));
        TomlError::new(error.span().unwrap_or_default(), message)
    })
}

/// A table all of whose keys are known, such as `[plugin]` or one `[[net]]`.
#[derive(Debug)]
pub struct Table<'t> {
    title: &'static str,
    at: Range<usize>,
    entries: &'t DeTable<'t>,
}

/// A string without hidden characters.
#[derive(Debug, Clone)]
pub struct Text<'t> {
    /// The string.
    pub value: &'t str,
    at: Range<usize>,
}

impl<'t> Table<'t> {
    /// Opens the document itself. `title` names it in errors.
    ///
    /// # Errors
    /// At the first key that is not `known`.
    pub fn document(
        title: &'static str,
        document: &'t Spanned<DeTable<'t>>,
        known: &[&str],
    ) -> Checked<Self> {
        Self::with_keys(title, document.span(), document.get_ref(), known)
    }

    /// Opens a value as a table.
    ///
    /// # Errors
    /// When the value is not a table, and at the first key that is not `known`.
    pub fn open(title: &'static str, value: &'t Value<'t>, known: &[&str]) -> Checked<Self> {
        let DeValue::Table(entries) = value.get_ref() else {
            return Err(wrong_type(title, "a table", value));
        };
        Self::with_keys(title, value.span(), entries, known)
    }

    fn with_keys(
        title: &'static str,
        at: Range<usize>,
        entries: &'t DeTable<'t>,
        known: &[&str],
    ) -> Checked<Self> {
        let keys = entries.keys();
        let unknown = keys.filter(|key| !known.contains(&key.get_ref().as_ref()));
        if let Some(key) = unknown.min_by_key(|key| key.span().start) {
            let (name, known) = (quoted(key.get_ref()), listed(known.iter().copied()));
            let message = format!("unknown key `{name}` in {title}; it may have {known}");
            return Err(TomlError::new(key.span(), message));
        }
        Ok(Self { title, at, entries })
    }

    /// Returns the byte range of the table; for one below a header, that of the header.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.at.clone()
    }

    /// Returns the keys and values.
    #[must_use]
    pub fn entries(&self) -> &'t DeTable<'t> {
        self.entries
    }

    /// Returns the value under `key`.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&'t Value<'t>> {
        let entry = self.entries.iter().find(|(name, _)| name.get_ref() == key);
        entry.map(|(_, value)| value)
    }

    /// Returns the value under `key`, which must be present. `example` is TOML.
    ///
    /// # Errors
    /// When the key is missing.
    pub fn require_value(&self, key: &str, example: &str) -> Checked<&'t Value<'t>> {
        let message = || format!("{} lacks `{key}`; add {key} = {example}", self.title);
        self.value(key).ok_or_else(|| self.error(message()))
    }

    /// Returns the table under `key`.
    ///
    /// # Errors
    /// Those of [`Table::open`].
    pub fn table(&self, key: &str, title: &'static str, known: &[&str]) -> Checked<Option<Self>> {
        let table = self.value(key).map(|value| Self::open(title, value, known));
        table.transpose()
    }

    /// Returns the tables under `key`, written with the header `title` above each.
    ///
    /// # Errors
    /// When the value is not a list of tables or has more than `max`; those of [`Table::open`].
    pub fn tables(
        &self,
        key: &str,
        title: &'static str,
        known: &[&str],
        max: usize,
    ) -> Checked<Vec<Self>> {
        let Some(value) = self.value(key) else {
            return Ok(Vec::new());
        };
        let DeValue::Array(values) = value.get_ref() else {
            let message = format!("`{key}` is a list of tables: write {title} above each entry");
            return Err(TomlError::new(value.span(), message));
        };
        if let Some(beyond) = values.get(max) {
            let message = format!("more than {max} {title} entries; list fewer");
            return Err(TomlError::new(beyond.span(), message));
        }
        let tables = values.iter().map(|value| Self::open(title, value, known));
        tables.collect()
    }

    /// Returns the string under `key`.
    ///
    /// # Errors
    /// Those of [`Text::read`].
    pub fn text(&self, key: &str) -> Checked<Option<Text<'t>>> {
        let value = self.value(key);
        value.map(|value| Text::read(key, value)).transpose()
    }

    /// Returns the string under `key`, which must be present.
    ///
    /// # Errors
    /// When the key is missing; those of [`Text::read`].
    pub fn require_text(&self, key: &str, example: &str) -> Checked<Text<'t>> {
        Text::read(key, self.require_value(key, &format!("\"{example}\""))?)
    }

    /// Returns the boolean under `key`.
    ///
    /// # Errors
    /// When the value is not a boolean.
    pub fn flag(&self, key: &str) -> Checked<Option<bool>> {
        match self.value(key).map(|value| (value, value.get_ref())) {
            None => Ok(None),
            Some((_, DeValue::Boolean(flag))) => Ok(Some(*flag)),
            Some((value, _)) => Err(wrong_type(key, "`true` or `false`", value)),
        }
    }

    /// Returns the strings under `key` with the byte range of the list.
    ///
    /// # Errors
    /// When the value is not a list, has more than `max` entries or one of them twice; those of
    /// [`Text::read`].
    pub fn texts(&self, key: &str, max: usize) -> Checked<Option<TextList<'t>>> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        let DeValue::Array(values) = value.get_ref() else {
            return Err(wrong_type(key, "a list of strings", value));
        };
        if let Some(beyond) = values.get(max) {
            let message = format!("more than {max} entries in `{key}`; list fewer");
            return Err(TomlError::new(beyond.span(), message));
        }
        let mut texts: Vec<Text<'t>> = Vec::new();
        for value in values.iter() {
            let text = Text::read(key, value)?;
            if texts.iter().any(|other| other.value == text.value) {
                return Err(text.refused(format_args!("stands twice in `{key}`; remove one")));
            }
            texts.push(text);
        }
        Ok(Some((value.span(), texts)))
    }

    /// Returns the string under `key` as a sentence for a person, see [`Text::sentence`].
    ///
    /// # Errors
    /// Those of [`Text::read`] and [`Text::sentence`].
    pub fn sentence(&self, key: &str, max_chars: usize) -> Checked<Option<String>> {
        let text = self.text(key)?;
        text.map(|text| text.sentence(key, max_chars)).transpose()
    }

    /// Makes an error about the value under `key`, or the table if there is none.
    pub fn error_at(&self, key: &str, message: impl Into<String>) -> TomlError {
        let at = self.value(key).map_or_else(|| self.span(), Value::span);
        TomlError::new(at, message)
    }

    /// Makes an error about the table as a whole.
    pub fn error(&self, message: impl Into<String>) -> TomlError {
        TomlError::new(self.span(), message)
    }
}

/// A list of strings and its byte range.
pub type TextList<'t> = (Range<usize>, Vec<Text<'t>>);

impl<'t> Text<'t> {
    /// Reads a value as a string.
    ///
    /// # Errors
    /// When the value is not a string, or contains [hidden](is_hidden) characters.
    pub fn read(key: &str, value: &'t Value<'t>) -> Checked<Self> {
        let text = string(key, value)?;
        if let Some(hidden) = text.chars().find(|&c| is_hidden(c)) {
            let message = format!(
                "`{key}` contains the invisible character U+{:04X}; write one line of visible text",
                u32::from(hidden)
            );
            return Err(TomlError::new(value.span(), message));
        }
        let at = value.span();
        Ok(Self { value: text, at })
    }

    /// Returns the string for use in a message, escaped and cut.
    #[must_use]
    pub fn quoted(&self) -> String {
        quoted(self.value)
    }

    /// Returns the byte range of the value.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.at.clone()
    }

    /// Makes an error about this string.
    pub fn error(&self, message: impl Into<String>) -> TomlError {
        TomlError::new(self.span(), message)
    }

    /// Makes an error that begins with this string, quoted.
    pub fn refused(&self, why: impl fmt::Display) -> TomlError {
        self.error(format!("`{}` {why}", self.quoted()))
    }

    /// Returns the string as a sentence for a person.
    ///
    /// # Errors
    /// When the string is blank, or longer than `max_chars` characters.
    pub fn sentence(&self, key: &str, max_chars: usize) -> Checked<String> {
        if self.value.trim().is_empty() {
            return Err(self.error(format!("`{key}` is empty; say it in a few words")));
        }
        let length = self.value.chars().count();
        if length > max_chars {
            return Err(self.error(format!(
                "`{key}` has {length} characters; it may have at most {max_chars}"
            )));
        }
        Ok(self.value.trim().to_owned())
    }

    /// Returns the case of a closed set that the string names.
    ///
    /// # Errors
    /// When the string names none of the `cases`.
    pub fn one_of<T: Copy>(&self, key: &str, cases: &[(&str, T)]) -> Checked<T> {
        find_word(cases, self.value).ok_or_else(|| {
            let words = listed(cases.iter().map(|(word, _)| *word));
            self.refused(format_args!(
                "is not a value of `{key}`; write one of {words}"
            ))
        })
    }
}

/// Reads a value as a string, hidden characters included.
///
/// # Errors
/// When the value is not a string.
pub fn string<'t>(key: &str, value: &'t Value<'t>) -> Checked<&'t str> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        _ => Err(wrong_type(key, "a string", value)),
    }
}

/// Returns the case of a closed set that `word` names.
#[must_use]
pub fn find_word<T: Copy>(cases: &[(&str, T)], word: &str) -> Option<T> {
    let case = cases.iter().find(|(known, _)| *known == word);
    case.map(|&(_, case)| case)
}

/// Returns the word of a case; empty if the set lacks it.
pub(crate) fn word_of<T: PartialEq>(cases: &[(&'static str, T)], case: T) -> &'static str {
    let word = cases.iter().find(|(_, known)| *known == case);
    word.map_or("", |(word, _)| word)
}

/// Joins words for a message, each in backticks.
pub fn listed<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let words: Vec<_> = words.into_iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

/// Returns text from a document for use in a message, escaped and cut.
#[must_use]
pub fn quoted(text: &str) -> String {
    escape_short(text, MAX_QUOTED)
}

/// Reports whether a character is invisible, or changes how its neighbours are displayed: controls,
/// line and paragraph separators, bidirectional controls, invisible marks and tags.
///
/// The two joiners do not count: Persian and emoji need them.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn wrong_type(name: &str, expected: &str, value: &Value<'_>) -> TomlError {
    let found = value.get_ref().type_str();
    let message = format!("`{name}` must be {expected}, not a value of type {found}");
    TomlError::new(value.span(), message)
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn positions_are_counted_in_lines_and_characters() {
        assert_eq!(position("", 0), (1, 1));
        assert_eq!(position("ab\ncd", 4), (2, 2));
        assert_eq!(position("ab\r\ncd", 5), (2, 2));
        assert_eq!(position("é = 1", 3), (1, 3));
        assert_eq!(position("ab\n", 3), (2, 1));
        assert_eq!(position("ab", 99), (1, 3));
        assert_eq!(position("é", 1), (1, 1));
        assert_eq!(position("\u{feff}ab", 4), (1, 2));
    }
}
