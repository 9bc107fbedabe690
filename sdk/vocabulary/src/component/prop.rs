//! Values of props, and the objects that hold them.
//!
//! Both keep the first serialization error, so that a chain of setters needs no `?`.

use crate::builder::from_each;
use serde::Serialize;
use serde_json::{Map, Value};

/// The value of a prop: JSON, or the error of serializing it.
#[derive(Debug, Clone, PartialEq)]
pub struct Prop(Result<Value, String>);

impl Prop {
    /// Serializes a value. An error is reported when the tree is serialized.
    pub fn json(value: &(impl Serialize + ?Sized)) -> Self {
        Self(serde_json::to_value(value).map_err(|error| error.to_string()))
    }

    /// Makes a list.
    pub(crate) fn list(items: impl IntoIterator<Item = Prop>) -> Self {
        let items: Result<Vec<Value>, String> = items.into_iter().map(|item| item.0).collect();
        Self(items.map(Value::Array))
    }
}

from_each!(Prop: Value; value => Self(Ok(value)));
from_each!(
    Prop: (), &str, String, bool, i32, i64, u32, u64, usize, f64;
    value => Self(Ok(value.into()))
);

/// A JSON object under construction.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Object {
    pub(crate) members: Map<String, Value>,
    /// The first error.
    pub(crate) broken: Option<String>,
}

// Not generic, so that a guest contains the code of all setters once.
impl Object {
    pub(crate) fn put(&mut self, name: &str, value: Prop) {
        match value.0 {
            Ok(value) => {
                self.members.insert(name.to_owned(), value);
            }
            Err(why) => {
                self.broken.get_or_insert(why);
            }
        }
    }

    /// Appends to a list; an existing value that is not a list becomes its first entry.
    pub(crate) fn push(&mut self, name: &str, value: Prop) {
        let value = match value.0 {
            Ok(value) => value,
            Err(why) => {
                self.broken.get_or_insert(why);
                return;
            }
        };
        let slot = self.members.entry(name).or_insert(Value::Null);
        match slot {
            Value::Array(list) => list.push(value),
            Value::Null => *slot = Value::Array(vec![value]),
            one => *one = Value::Array(vec![one.take(), value]),
        }
    }
}

impl From<Map<String, Value>> for Object {
    fn from(members: Map<String, Value>) -> Self {
        Self {
            members,
            broken: None,
        }
    }
}

impl From<Object> for Prop {
    fn from(object: Object) -> Self {
        Self(match object.broken {
            Some(why) => Err(why),
            None => Ok(Value::Object(object.members)),
        })
    }
}
