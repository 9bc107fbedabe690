//! Conditions on rows, as text: `price >= 10`, `city = Oslo`, `note is empty`.

use crate::rows::Row;
use crate::source;
use crate::value::number;
use footlight_sdk::prelude::*;
use std::cmp::Ordering;

/// The most conditions.
const MAX_CONDITIONS: usize = 10;

/// A condition on one column.
#[derive(Debug, PartialEq)]
pub(crate) struct Condition {
    column: usize,
    test: Test,
    value: String,
    number: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Test {
    AtLeast,
    AtMost,
    NotEqual,
    Equal,
    Greater,
    Less,
    Contains,
    IsNotEmpty,
    IsEmpty,
}

/// The operators; one that begins like another one comes first.
const OPERATORS: &[(&str, Test)] = &[
    (">=", Test::AtLeast),
    ("<=", Test::AtMost),
    ("!=", Test::NotEqual),
    ("<>", Test::NotEqual),
    ("==", Test::Equal),
    ("=", Test::Equal),
    (">", Test::Greater),
    ("<", Test::Less),
    ("contains ", Test::Contains),
    ("is not empty", Test::IsNotEmpty),
    ("is empty", Test::IsEmpty),
];

impl Condition {
    /// Parses conditions that must all hold.
    pub(crate) fn all(texts: &[String], columns: &[String]) -> Result<Vec<Self>> {
        if texts.len() > MAX_CONDITIONS {
            return Err(invalid!("more than {MAX_CONDITIONS} conditions"));
        }
        texts.iter().map(|text| Self::new(text, columns)).collect()
    }

    fn new(text: &str, columns: &[String]) -> Result<Self> {
        // A name can contain an operator, so the longest one that fits is meant.
        let mut named: Vec<(usize, &str)> = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            let start = text.trim_start().get(..column.len());
            if start.is_some_and(|start| start.eq_ignore_ascii_case(column)) {
                named.push((at, &text.trim_start()[column.len()..]));
            }
        }
        if named.is_empty() {
            return Err(Self::unknown_column(text, columns));
        }
        named.sort_by_key(|(_, rest)| rest.len());
        let read = named
            .into_iter()
            .find_map(|(column, rest)| Self::read(column, rest));
        read.ok_or_else(|| {
            invalid!(
                "`{text}` is not a condition: write a column, then =, !=, <, <=, >, >=, contains, \
                 is empty or is not empty, then a value"
            )
        })
    }

    fn read(column: usize, rest: &str) -> Option<Self> {
        let rest = rest.trim_start();
        let (test, value) = OPERATORS.iter().find_map(|(operator, test)| {
            let start = rest.get(..operator.len())?;
            let is_meant = start.eq_ignore_ascii_case(operator);
            is_meant.then(|| (*test, rest[operator.len()..].trim()))
        })?;
        if matches!(test, Test::IsEmpty | Test::IsNotEmpty) && !value.is_empty() {
            return None;
        }
        let quoted = value
            .strip_prefix('"')
            .and_then(|value| value.strip_suffix('"'));
        let value = quoted.unwrap_or(value);
        Some(Self {
            column,
            test,
            value: value.to_owned(),
            number: number(value),
        })
    }

    /// Says which column does not exist, and what may be meant.
    fn unknown_column(text: &str, columns: &[String]) -> Failure {
        let words = ["<", ">", "=", "!", " contains ", " is "];
        let ends = words.iter().filter_map(|word| text.find(word));
        let name = &text[..ends.min().unwrap_or(text.len())];
        match source::find(columns, name) {
            Err(failure) => failure,
            Ok(_) => invalid!("`{text}` is not a condition"),
        }
    }

    /// Reports whether the condition holds. Numbers are compared as numbers, other text without regard
    /// to the case of ASCII letters; an empty value is neither less nor greater than anything.
    pub(crate) fn holds(&self, row: &Row) -> bool {
        let value = row.get(self.column);
        let is_equal = || match (self.number, number(value)) {
            (Some(one), Some(other)) => one == other,
            _ => value.trim().eq_ignore_ascii_case(&self.value),
        };
        let order = || match (number(value), self.number) {
            _ if value.is_empty() => None,
            (Some(value), Some(wanted)) => value.partial_cmp(&wanted),
            (None, None) => Some(value.cmp(&self.value)),
            // A word is neither less nor greater than a number.
            _ => None,
        };
        match self.test {
            Test::Equal => is_equal(),
            Test::NotEqual => !is_equal(),
            Test::Less => order() == Some(Ordering::Less),
            Test::AtMost => order().is_some_and(Ordering::is_le),
            Test::Greater => order() == Some(Ordering::Greater),
            Test::AtLeast => order().is_some_and(Ordering::is_ge),
            Test::Contains => {
                let value = value.to_ascii_lowercase();
                value.contains(&self.value.to_ascii_lowercase())
            }
            Test::IsEmpty => value.is_empty(),
            Test::IsNotEmpty => !value.is_empty(),
        }
    }
}
