//! Tables and words of the file, with their positions.
//!
//! Reading by hand instead of through serde gives each error its own sentence at an exact place, and
//! no table can be opened without naming its keys.

use super::describe::one_line;
use super::error::ParseError;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub(super) type Parsed<T> = Result<T, ParseError>;
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// A table all of whose keys are known.
pub(super) struct Table<'t> {
    pub(super) title: &'static str,
    /// The byte range; for a table below a header, that of the header.
    pub(super) at: Range<usize>,
    pub(super) entries: &'t DeTable<'t>,
    /// The text of the file.
    pub(super) text: &'t str,
}

impl<'t> Table<'t> {
    pub(super) fn open(
        title: &'static str,
        at: Range<usize>,
        entries: &'t DeTable<'t>,
        text: &'t str,
        known: &[&str],
    ) -> Parsed<Self> {
        let unknown = entries
            .keys()
            .filter(|key| !known.contains(&key.get_ref().as_ref()))
            .min_by_key(|key| key.span().start);
        if let Some(key) = unknown {
            let (shown, known) = (one_line(key.get_ref(), 40), listed(known.iter().copied()));
            let message = match shown.as_str() {
                "level" | "ask" => format!("`{shown}` stands below {title}; move it to the top"),
                _ => format!("unknown key `{shown}` in {title}; it may have {known}"),
            };
            return Err(ParseError::new(key.span().start, message));
        }
        Ok(Self {
            title,
            at,
            entries,
            text,
        })
    }

    pub(super) fn value(&self, key: &str) -> Option<&'t Value<'t>> {
        let entry = self.entries.iter().find(|(name, _)| name.get_ref() == key);
        entry.map(|(_, value)| value)
    }

    pub(super) fn require(&self, key: &str, example: &str) -> Parsed<&'t Value<'t>> {
        let title = self.title;
        self.value(key)
            .ok_or_else(|| self.error(format!("{title} lacks `{key}`; add {key} = {example}")))
    }

    /// Returns the tables under `key`, each below its own header.
    pub(super) fn tables(
        &self,
        key: &str,
        header: &'static str,
        known: &[&str],
    ) -> Parsed<Vec<Self>> {
        let Some(value) = self.value(key) else {
            return Ok(Vec::new());
        };
        let no_header = |value: &Value<'_>| {
            let message = format!("`{key}` holds rules; write {header} above each of them");
            ParseError::new(value.span().start, message)
        };
        let DeValue::Array(values) = value.get_ref() else {
            return Err(no_header(value));
        };
        // A list in brackets, even an empty one, cannot be edited by whole lines.
        if values.is_empty() {
            return Err(no_header(value));
        }
        let open = |value: &'t Value<'t>| match value.get_ref() {
            DeValue::Table(entries) if self.text[value.span().start..].starts_with('[') => {
                Self::open(header, value.span(), entries, self.text, known)
            }
            _ => Err(no_header(value)),
        };
        values.iter().map(open).collect()
    }

    /// Returns an error about the table as a whole.
    pub(super) fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError::new(self.at.start, message)
    }
}

pub(super) fn string<'t>(key: &str, value: &'t Value<'t>) -> Parsed<&'t str> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text),
        other => {
            let kind = other.type_str();
            let message = format!("`{key}` must be a string, not a value of type {kind}");
            Err(ParseError::new(value.span().start, message))
        }
    }
}

/// Returns the case of a closed set that a value names.
pub(super) fn one_of<T: Copy>(key: &str, value: &Value<'_>, cases: &[(&str, T)]) -> Parsed<T> {
    let text = string(key, value)?;
    let case = cases.iter().find(|(word, _)| *word == text);
    case.map(|&(_, case)| case).ok_or_else(|| {
        let (shown, words) = (one_line(text, 40), listed(cases.iter().map(|case| case.0)));
        let message = format!("`{shown}` is no `{key}`; write one of {words}");
        ParseError::new(value.span().start, message)
    })
}

pub(super) fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let words: Vec<_> = words.map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
