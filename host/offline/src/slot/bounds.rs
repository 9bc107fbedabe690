//! The constraints of numbers and texts.

use crate::prompt::{is_email, is_url};
use serde_json::{Number, Value};

/// The constraints of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) whole: bool,
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
    /// The exclusive lower bound.
    pub(super) above: Option<f64>,
    /// The exclusive upper bound.
    pub(super) below: Option<f64>,
}

/// The constraints of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) form: Form,
    pub(crate) min: usize,
    pub(crate) max: usize,
}

/// The format of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Free,
    Email,
    Url,
    /// A format that is not checked here; only an explicitly typed value fills it.
    Foreign,
}

impl Bounds {
    /// Converts a number to JSON: `3`, not `3.0`.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is whole and small enough to be exact"
    )]
    pub(crate) fn value(&self, number: f64) -> Option<Value> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if number.fract() == 0.0 && number.abs() <= EXACT {
            Some((number as i64).into())
        } else if self.whole {
            None
        } else {
            Number::from_f64(number).map(Value::Number)
        }
    }

    pub(super) fn hold(&self, number: &Number) -> bool {
        let Some(value) = number.as_f64() else {
            return false;
        };
        (!self.whole || !number.is_f64())
            && self.min.is_none_or(|min| value >= min)
            && self.max.is_none_or(|max| value <= max)
            && self.above.is_none_or(|above| value > above)
            && self.below.is_none_or(|below| value < below)
    }

    pub(super) fn wanted(&self) -> String {
        let what = match self.whole {
            true => "a whole number",
            false => "a number",
        };
        let range = match (self.min.or(self.above), self.max.or(self.below)) {
            (Some(min), Some(max)) => format!(" from {min} to {max}"),
            (Some(min), None) => format!(" from {min} on"),
            (None, Some(max)) => format!(" up to {max}"),
            (None, None) => String::new(),
        };
        format!("{what}{range}")
    }
}

impl Text {
    pub(super) fn holds(self, text: &str) -> bool {
        let fits = match self.form {
            Form::Email => is_email(text),
            Form::Url => is_url(text),
            Form::Free | Form::Foreign => true,
        };
        fits && (self.min..=self.max).contains(&text.chars().count())
    }

    pub(super) fn wanted(self) -> String {
        let what = match self.form {
            Form::Email => "an email address",
            Form::Url => "a web address",
            Form::Free | Form::Foreign => "text",
        };
        match (self.min, self.max) {
            (0 | 1, usize::MAX) => what.to_owned(),
            (0 | 1, max) => format!("{what} of at most {max} characters"),
            (min, usize::MAX) => format!("{what} of at least {min} characters"),
            (min, max) => format!("{what} of {min} to {max} characters"),
        }
    }
}
