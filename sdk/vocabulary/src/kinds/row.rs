//! Rows of tables and charts: serializable values as objects that keep the order of their members.
//!
//! Invariant: only one small function is generic, because it is compiled for every row type of
//! every plugin.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Error, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// A row and the order of its members, which a sorted map does not keep.
pub(crate) struct Row {
    pub(crate) keys: Vec<String>,
    pub(crate) members: Map<String, Value>,
}

impl Row {
    /// Converts a value; one that is not an object becomes the member `value`.
    pub(crate) fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, Unwritable> {
        Self::parse(serde_json::to_string(value))
    }

    fn parse(json: serde_json::Result<String>) -> Result<Self, Unwritable> {
        json.and_then(|json| {
            if json.starts_with('{') {
                serde_json::from_str(&json)
            } else {
                serde_json::from_str(&format!(r#"{{"value":{json}}}"#))
            }
        })
        .map_err(|error| Unwritable(Some(error.to_string())))
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'de> Visitor<'de> for Members {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
                let mut row = Row {
                    keys: Vec::new(),
                    members: Map::new(),
                };
                while let Some((key, value)) = map.next_entry::<String, Value>()? {
                    // A flattened struct can write a key twice; that is still one column.
                    if row.members.insert(key.clone(), value).is_none() {
                        row.keys.push(key);
                    }
                }
                Ok(row)
            }
        }

        deserializer.deserialize_map(Members)
    }
}

/// The error of a value that a builder could not serialize.
///
/// A kind's data has it as a member that is skipped if there is no error and fails to serialize
/// otherwise, so that `into_outcome` reports the error.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Unwritable(Option<String>);

impl Unwritable {
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// Keeps the first error.
    pub(crate) fn note(&mut self, other: Self) {
        if self.0.is_none() {
            *self = other;
        }
    }

    /// Returns the value as JSON, or null after keeping the error.
    pub(crate) fn value<T: Serialize>(&mut self, value: T) -> Value {
        serde_json::to_value(value).unwrap_or_else(|error| {
            self.note(Self(Some(error.to_string())));
            Value::Null
        })
    }
}

impl Serialize for Unwritable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(S::Error::custom(self.0.as_deref().unwrap_or_default()))
    }
}
