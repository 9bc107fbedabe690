//! Reads a kind's data from JSON, and says where it does not fit.
//!
//! serde's own errors name what was wrong but not where. [`read`] drives the same typed reading
//! and, on the way out of a failure, collects the path: `entries[2].name`.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use serde_json::{Map, Value, map, value};
use std::fmt;

/// Reads `D` from `data`.
///
/// # Errors
/// When it does not fit, with the path of the member at fault.
pub(crate) fn read<D: DeserializeOwned>(data: &Value) -> Result<D, Misfit> {
    D::deserialize(At(data))
}

/// The most characters of a problem, which may quote the data, and of a key in its path.
const MOST: usize = 120;

/// What does not fit, and where.
#[derive(Debug)]
pub(crate) struct Misfit {
    path: String,
    problem: String,
}

impl Misfit {
    fn inside(mut self, step: &str) -> Self {
        let dot = matches!(self.path.chars().next(), Some(first) if first != '[');
        if dot {
            self.path.insert(0, '.');
        }
        self.path.insert_str(0, step);
        self
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.problem)
        } else {
            write!(f, "`{}`: {}", self.path, self.problem)
        }
    }
}

impl std::error::Error for Misfit {}

impl Error for Misfit {
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self {
            path: String::new(),
            problem: problem.to_string().chars().take(MOST).collect(),
        }
    }
}

struct At<'de>(&'de Value);

impl<'de> Deserializer<'de> for At<'de> {
    type Error = Misfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Array(items) => visitor.visit_seq(Items(items.iter().enumerate())),
            Value::Object(members) => visitor.visit_map(Members::of(members)),
            leaf => leaf.deserialize_any(visitor).map_err(Misfit::custom),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misfit> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misfit> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct Items<'de>(std::iter::Enumerate<std::slice::Iter<'de, value::Value>>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Misfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Misfit> {
        let Some((n, item)) = self.0.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(At(item));
        read.map(Some)
            .map_err(|misfit| misfit.inside(&format!("[{n}]")))
    }
}

struct Members<'de> {
    rest: map::Iter<'de>,
    /// The member whose key was read and whose value comes next.
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
    type Error = Misfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Misfit> {
        let Some((key, value)) = self.rest.next() else {
            return Ok(None);
        };
        self.open = Some((key, value));
        seed.deserialize(key.as_str().into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misfit> {
        let (key, value) = self.open.take().unwrap_or(("", &Value::Null));
        let read = seed.deserialize(At(value));
        read.map_err(|misfit| {
            let key: String = key.escape_debug().take(MOST).collect();
            misfit.inside(&key)
        })
    }
}
