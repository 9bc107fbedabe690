//! Deserialization of a kind's data with the path in its errors.
//!
//! The errors of serde_json name the problem but not the member. [`read`] wraps its deserializer
//! and adds the path: `entries[2].name`.

use crate::escape::escape_short;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use serde_json::{Map, Value, map, value};
use std::fmt;

/// Deserializes `D` from `data`.
///
/// # Errors
/// When the data does not fit, with the path of the member.
pub(crate) fn read<D: DeserializeOwned>(data: &Value) -> Fit<D> {
    D::deserialize(At(data))
}

/// The most characters of a problem, which can quote the data, and of a key in its path.
const MAX_CHARS: usize = 120;

/// What does not fit, and the path of the member.
#[derive(Debug)]
pub(crate) struct FitError {
    path: String,
    problem: String,
}

impl FitError {
    fn inside(mut self, step: &str) -> Self {
        let dot = matches!(self.path.chars().next(), Some(first) if first != '[');
        if dot {
            self.path.insert(0, '.');
        }
        self.path.insert_str(0, step);
        self
    }
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.problem)
        } else {
            write!(f, "`{}`: {}", self.path, self.problem)
        }
    }
}

impl std::error::Error for FitError {}

impl Error for FitError {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self {
            path: String::new(),
            problem: escape_short(&problem.to_string(), MAX_CHARS),
        }
    }
}

/// A value that was read, or what does not fit.
type Fit<T> = Result<T, FitError>;

struct At<'de>(&'de Value);

impl<'de> Deserializer<'de> for At<'de> {
    type Error = FitError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Fit<V::Value> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(Items(items.iter().enumerate())),
            Value::Object(members) => visitor.visit_map(Members::of(members)),
            leaf => leaf.deserialize_any(visitor).map_err(FitError::custom),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Fit<V::Value> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Fit<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Items<'de>(std::iter::Enumerate<std::slice::Iter<'de, value::Value>>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = FitError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Fit<Option<T::Value>> {
        let Some((n, item)) = self.0.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(At(item));
        read.map(Some)
            .map_err(|error| error.inside(&format!("[{n}]")))
    }
}

struct Members<'de> {
    rest: map::Iter<'de>,
    /// The member whose key was read last.
    open: Option<(&'de str, &'de Value)>,
}

impl<'de> Members<'de> {
    fn of(members: &'de Map<String, Value>) -> Self {
        Self {
            rest: members.iter(),
            open: None,
        }
    }
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = FitError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Fit<Option<K::Value>> {
        let Some((key, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.open = Some((key, value));
        seed.deserialize(key.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Fit<V::Value> {
        let (key, value) = self.open.take().unwrap_or(("", &Value::Null));
        let read = seed.deserialize(At(value));
        read.map_err(|error| error.inside(&escape_short(key, MAX_CHARS)))
    }
}
