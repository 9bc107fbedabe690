//! The values of cells: text, which may look like a number, a boolean or a day.

use std::cmp::Ordering;

/// What the values of a column have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Type {
    Boolean,
    Integer,
    Number,
    Date,
    Text,
}

impl Type {
    /// Returns the type of one value, which is this number.
    pub(crate) fn of(value: &str, number: Option<f64>) -> Self {
        match number {
            Some(_) if value.bytes().all(|byte| !b".eE".contains(&byte)) => Self::Integer,
            Some(_) => Self::Number,
            None if is_boolean(value) => Self::Boolean,
            None if is_date(value) => Self::Date,
            None => Self::Text,
        }
    }

    /// Returns the type of values of both types.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (one, same) if one == same => one,
            (Self::Integer, Self::Number) | (Self::Number, Self::Integer) => Self::Number,
            _ => Self::Text,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Boolean => "boolean",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Date => "date",
            Self::Text => "text",
        }
    }
}

/// Returns the number that a value is: digits with an optional sign, decimal point and exponent. A
/// comma is never part of a number: its meaning differs between languages.
pub(crate) fn number(value: &str) -> Option<f64> {
    let value = value.trim();
    let is_digit = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    // Rust also reads `inf` and `nan`, which are more often words.
    if value.len() > 40 || !value.bytes().all(is_digit) {
        return None;
    }
    value.parse().ok().filter(|number: &f64| number.is_finite())
}

fn is_boolean(value: &str) -> bool {
    ["true", "false", "yes", "no"]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word))
}

/// Reports whether a value begins with a date as in ISO 8601.
fn is_date(value: &str) -> bool {
    let Some(date) = value.as_bytes().get(..10) else {
        return false;
    };
    let is_shaped = date.iter().enumerate().all(|(at, byte)| match at {
        4 | 7 => *byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    let rest = value.as_bytes().get(10);
    is_shaped && rest.is_none_or(|byte| b"T ".contains(byte))
}

/// Formats a number without digits that it does not have.
pub(crate) fn format(number: f64) -> String {
    // Six digits after the point are as exact as a mean needs to be.
    let rounded = (number * 1e6).round() / 1e6;
    match number.abs() {
        1e-4..1e15 if rounded != 0.0 => rounded.to_string(),
        0.0 => "0".to_owned(),
        _ => format!("{number:e}"),
    }
}

/// A value in an order: numbers first, then text, then nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Key {
    Number(f64),
    Text(String),
    Empty,
}

/// The most bytes of a text that decide its place.
const MAX_KEY: usize = 256;

impl Key {
    pub(crate) fn of(value: &str) -> Self {
        match number(value) {
            _ if value.is_empty() => Self::Empty,
            Some(number) => Self::Number(number),
            None => Self::Text(value[..value.floor_char_boundary(MAX_KEY)].to_owned()),
        }
    }

    /// Compares two keys. What is empty comes last in both directions.
    pub(crate) fn compare(&self, other: &Self, descending: bool) -> Ordering {
        let order = match (self, other) {
            (Self::Empty, Self::Empty) => return Ordering::Equal,
            (Self::Empty, _) => return Ordering::Greater,
            (_, Self::Empty) => return Ordering::Less,
            (Self::Number(one), Self::Number(other)) => one.total_cmp(other),
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        };
        if descending { order.reverse() } else { order }
    }
}

/// Numbers added up, without keeping them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Sum {
    pub(crate) count: u64,
    total: f64,
    /// What rounding took from the total so far.
    lost: f64,
    pub(crate) min: f64,
    pub(crate) max: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, number: f64) {
        if self.count == 0 {
            (self.min, self.max) = (number, number);
        }
        self.min = self.min.min(number);
        self.max = self.max.max(number);
        self.count += 1;
        // Neumaier's summation: a million numbers add up as exactly as two.
        let total = self.total + number;
        self.lost += match self.total.abs() >= number.abs() {
            true => (self.total - total) + number,
            false => (number - total) + self.total,
        };
        self.total = total;
    }

    pub(crate) fn total(&self) -> f64 {
        self.total + self.lost
    }

    pub(crate) fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.total() / self.count as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_looks_like_one() {
        for (text, is_number) in [
            ("1", true),
            ("-1.5", true),
            ("+2e3", true),
            (" 7 ", true),
            ("007", true),
            (".5", true),
            ("", false),
            ("-", false),
            ("1,5", false),
            ("1 000", false),
            ("nan", false),
            ("inf", false),
            ("1e999", false),
            ("0x10", false),
            ("12.3.4", false),
            ("２", false),
        ] {
            assert_eq!(number(text).is_some(), is_number, "{text:?}");
        }
    }

    #[test]
    fn types_are_the_narrowest_that_fit() {
        use Type::{Boolean, Date, Integer, Number, Text};
        for (values, expected) in [
            (&["1", "-2"][..], Integer),
            (&["1", "2.5"], Number),
            (&["1", "x"], Text),
            (&["yes", "No"], Boolean),
            (&["yes", "1"], Text),
            (&["2026-01-02", "2026-01-02T10:00:00Z"], Date),
            (&["2026-1-2"], Text),
            (&["2026-01-021"], Text),
        ] {
            let mut types = values.iter().map(|value| Type::of(value, number(value)));
            let first = types.next().expect("a value");
            assert_eq!(types.fold(first, Type::and), expected, "{values:?}");
        }
    }

    #[test]
    fn numbers_are_formatted_for_people() {
        for (number, text) in [
            (0.0, "0"),
            (3.0, "3"),
            (-2.5, "-2.5"),
            (1.0 / 3.0, "0.333333"),
            (1e21, "1e21"),
            (0.000_001, "1e-6"),
            (123_456_789.0, "123456789"),
        ] {
            assert_eq!(format(number), text);
        }
    }

    #[test]
    fn what_is_empty_comes_last_in_both_directions() {
        for descending in [false, true] {
            let mut keys = ["", "b", "10", "9", "a"].map(Key::of);
            keys.sort_by(|one, other| one.compare(other, descending));
            assert_eq!(keys[4], Key::Empty);
            let nine_first = keys.iter().position(|key| *key == Key::Number(9.0));
            assert_eq!(nine_first, Some(if descending { 3 } else { 0 }));
        }
    }

    #[test]
    fn sums_do_not_lose_small_numbers() {
        let mut sum = Sum::default();
        for number in [1e16, 1.0, -1e16, 1.0] {
            sum.add(number);
        }
        assert_eq!(sum.total(), 2.0);
        assert_eq!((sum.min, sum.max, sum.mean()), (-1e16, 1e16, Some(0.5)));
    }
}
