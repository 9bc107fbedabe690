//! Any serialisable value as a row: an object whose members know their order.
//!
//! Invariant: one generic function, and a small one. It is compiled once for every row type of
//! every plugin; the reading behind it is compiled once.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Error, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// One row and the order in which its members were written, which a sorted map forgets.
pub(crate) struct Row {
    pub(crate) keys: Vec<String>,
    pub(crate) members: Map<String, Value>,
}

impl Row {
    /// The value as an object; anything else becomes the member `value`.
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
                    // A flattened struct can write a key twice; it is one column all the same.
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

/// Why a value given to a builder cannot be written as JSON, kept until the result is written.
///
/// A kind's data holds it as a member that is left out while all is well and that fails to
/// serialise otherwise: the failure surfaces in `into_outcome`, where there is a way to report it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Unwritable(Option<String>);

impl Unwritable {
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// Remembers the first failure; the later ones are most likely the same.
    pub(crate) fn note(&mut self, other: Self) {
        if self.0.is_none() {
            *self = other;
        }
    }

    /// The value as JSON, or null with the reason kept here.
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
