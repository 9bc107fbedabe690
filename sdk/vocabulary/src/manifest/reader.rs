//! Tables and strings of a manifest, each with its place in the text.
//!
//! Read by hand and not through serde: so every refusal is our own sentence at an exact place,
//! and a table cannot be opened without naming its keys.
//!
//! Invariant: a key that nobody named is refused. A power misspelt must never be a power ignored,
//! and a newer manifest must not lose a restriction on an older host.

use super::error::{Checked, Problem, is_hidden, shown};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// More entries of one sort than this is no longer something that a person reads.
pub(super) const MAX_ENTRIES: usize = 64;

/// One table, such as `[plugin]` or one `[[net]]`, all of whose keys are known.
pub(super) struct Table<'t> {
    title: &'static str,
    at: Range<usize>,
    entries: &'t DeTable<'t>,
}

/// A string without hidden characters, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Text<'t> {
    pub(super) value: &'t str,
    at: Range<usize>,
}

impl<'t> Table<'t> {
    /// Takes the document itself as a table.
    pub(super) fn document(document: &'t Spanned<DeTable<'t>>, known: &[&str]) -> Checked<Self> {
        Self::known("a manifest", document.span(), document.get_ref(), known)
    }

    fn open(title: &'static str, value: &'t Spanned<DeValue<'t>>, known: &[&str]) -> Checked<Self> {
        let DeValue::Table(entries) = value.get_ref() else {
            return Err(wrong_type(title, "a table", value));
        };
        Self::known(title, value.span(), entries, known)
    }

    fn known(
        title: &'static str,
        at: Range<usize>,
        entries: &'t DeTable<'t>,
        known: &[&str],
    ) -> Checked<Self> {
        let unknown = entries
            .keys()
            .filter(|key| !known.contains(&key.get_ref().as_ref()))
            .min_by_key(|key| key.span().start);
        if let Some(key) = unknown {
            let known: Vec<_> = known.iter().map(|key| format!("`{key}`")).collect();
            return Err(Problem::new(
                key.span(),
                format!(
                    "unknown key `{}` in {title}; it may have {}",
                    shown(key.get_ref()),
                    known.join(", ")
                ),
            ));
        }
        Ok(Self { title, at, entries })
    }

    fn get(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        let entry = self.entries.iter().find(|(name, _)| name.get_ref() == key);
        entry.map(|(_, value)| value)
    }

    /// The table under `key`.
    pub(super) fn table(
        &self,
        key: &str,
        title: &'static str,
        known: &[&str],
    ) -> Checked<Option<Table<'t>>> {
        let value = self.get(key);
        value
            .map(|value| Self::open(title, value, known))
            .transpose()
    }

    /// The tables under `key`, as `[[key]]` writes them.
    pub(super) fn tables(
        &self,
        key: &str,
        title: &'static str,
        known: &[&str],
    ) -> Checked<Vec<Table<'t>>> {
        let Some(value) = self.get(key) else {
            return Ok(Vec::new());
        };
        let DeValue::Array(values) = value.get_ref() else {
            return Err(Problem::new(
                value.span(),
                format!("`{key}` is a list of tables: write {title} above each entry"),
            ));
        };
        if let Some(beyond) = values.get(MAX_ENTRIES) {
            return Err(Problem::new(
                beyond.span(),
                format!("more than {MAX_ENTRIES} {title} entries; list fewer"),
            ));
        }
        values
            .iter()
            .map(|value| Self::open(title, value, known))
            .collect()
    }

    /// The string under `key`.
    pub(super) fn text(&self, key: &str) -> Checked<Option<Text<'t>>> {
        let value = self.get(key);
        value.map(|value| Text::read(key, value)).transpose()
    }

    /// The string under `key`, which must be there.
    pub(super) fn need(&self, key: &str, example: &str) -> Checked<Text<'t>> {
        self.text(key)?.ok_or_else(|| {
            self.refuse(format!(
                "{} lacks `{key}`; add {key} = \"{example}\"",
                self.title
            ))
        })
    }

    /// The strings under `key`, each different from the others.
    pub(super) fn texts(&self, key: &str) -> Checked<Option<(Range<usize>, Vec<Text<'t>>)>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let DeValue::Array(values) = value.get_ref() else {
            return Err(wrong_type(key, "a list of strings", value));
        };
        if let Some(beyond) = values.get(MAX_ENTRIES) {
            let message = format!("more than {MAX_ENTRIES} entries in `{key}`; list fewer");
            return Err(Problem::new(beyond.span(), message));
        }
        let mut texts: Vec<Text<'t>> = Vec::new();
        for value in values.iter() {
            let text = Text::read(key, value)?;
            if texts.iter().any(|other| other.value == text.value) {
                return Err(text.refuse(format!(
                    "`{}` stands twice in `{key}`; remove one",
                    shown(text.value)
                )));
            }
            texts.push(text);
        }
        Ok(Some((value.span(), texts)))
    }

    /// An optional sentence for a person, see [`Text::sentence`].
    pub(super) fn sentence(&self, key: &str, most: usize) -> Checked<Option<String>> {
        let text = self.text(key)?;
        text.map(|text| text.sentence(key, most)).transpose()
    }

    /// A problem with the table as a whole.
    pub(super) fn refuse(&self, message: impl Into<String>) -> Problem {
        Problem::new(self.at.clone(), message)
    }
}

impl<'t> Text<'t> {
    fn read(key: &str, value: &'t Spanned<DeValue<'t>>) -> Checked<Self> {
        let DeValue::String(text) = value.get_ref() else {
            return Err(wrong_type(key, "a string", value));
        };
        // The text of the manifest holds none of these, but an escape such as `\u0000` makes one.
        if let Some(hidden) = text.chars().find(|&c| is_hidden(c)) {
            return Err(Problem::new(
                value.span(),
                format!(
                    "`{key}` contains the invisible character U+{:04X}; write one line of visible text",
                    u32::from(hidden)
                ),
            ));
        }
        Ok(Self {
            value: text,
            at: value.span(),
        })
    }

    /// A problem with this string.
    pub(super) fn refuse(&self, message: impl Into<String>) -> Problem {
        Problem::new(self.at.clone(), message)
    }

    /// The string as a sentence for a person: not blank, and at most `most` characters.
    pub(super) fn sentence(&self, key: &str, most: usize) -> Checked<String> {
        if self.value.trim().is_empty() {
            return Err(self.refuse(format!("`{key}` is empty; say it in a few words")));
        }
        let length = self.value.chars().count();
        if length > most {
            return Err(self.refuse(format!(
                "`{key}` has {length} characters; it may have at most {most}"
            )));
        }
        Ok(self.value.trim().to_owned())
    }

    /// The case of a closed set that this string names.
    pub(super) fn one_of<T: Copy>(&self, key: &str, cases: &[(&str, T)]) -> Checked<T> {
        let case = cases.iter().find(|(word, _)| *word == self.value);
        case.map(|&(_, case)| case).ok_or_else(|| {
            let words: Vec<_> = cases.iter().map(|(word, _)| format!("`{word}`")).collect();
            self.refuse(format!(
                "`{}` is no `{key}`; write one of {}",
                shown(self.value),
                words.join(", ")
            ))
        })
    }
}

fn wrong_type(name: &str, wanted: &str, value: &Spanned<DeValue<'_>>) -> Problem {
    Problem::new(
        value.span(),
        format!(
            "`{name}` must be {wanted}, not a value of type {}",
            value.get_ref().type_str()
        ),
    )
}
