//! Strict parsing of untrusted JSON, and a canonical form.
//!
//! The input of a model or a plugin is validated, shown, hashed and approved as text, and every
//! reader must see the same value in it. [`parse`] therefore refuses duplicate keys, and
//! [`canonical`] writes equal values as equal bytes.
//!
//! Invariant: [`Limits`] bound the cost of a text. The size is checked before parsing, the depth
//! while parsing, and writing does not recurse.

use crate::escape::escape_short;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::RefCell;
use std::fmt;

/// Limits of parsing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes.
    pub bytes: usize,
    /// The greatest nesting of arrays and objects; `[]` has depth 1. serde_json itself refuses more
    /// than 127.
    pub depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 1024 * 1024,
            depth: 64,
        }
    }
}

/// Parses one JSON value.
///
/// # Errors
/// When the text is too large, too deep, not JSON, or an object has a key twice.
pub fn parse(text: &str, limits: Limits) -> Result<Value, JsonError> {
    if text.len() > limits.bytes {
        let (bytes, limit) = (text.len(), limits.bytes);
        return Err(JsonError::TooLarge { bytes, limit });
    }
    let shared = Shared {
        limit: limits.depth,
        error: RefCell::new(None),
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let (shared, depth) = (&shared, 0);
    let read = Strict { shared, depth }.deserialize(&mut json);
    let read = read.and_then(|value| json.end().map(|()| value));
    read.map_err(|error| {
        let position = TextPosition {
            line: error.line(),
            column: error.column(),
        };
        match shared.error.take() {
            Some(StrictError::Duplicate(key)) => JsonError::DuplicateKey { key, position },
            Some(StrictError::Deep) => JsonError::TooDeep {
                limit: limits.depth,
                position,
            },
            None => JsonError::Syntax {
                message: without_position(&error),
                position,
            },
        }
    })
}

/// Returns the canonical form of a value: keys sorted by their UTF-8 bytes, no white space, 64-bit
/// integers exact, integral floats below 2^53 as integers (`1.0` is `1`), other floats in their
/// shortest form.
#[must_use]
pub fn canonical(value: &Value) -> String {
    enum Todo<'a> {
        Value(&'a Value),
        Key(&'a str),
        Mark(char),
    }
    let mut out = String::new();
    // An explicit stack: a deeply nested value must not overflow the thread's stack.
    let mut todo = vec![Todo::Value(value)];
    while let Some(next) = todo.pop() {
        match next {
            Todo::Mark(mark) => out.push(mark),
            Todo::Key(key) => {
                write_string(&mut out, key);
                out.push(':');
            }
            Todo::Value(Value::Array(items)) => {
                out.push('[');
                todo.push(Todo::Mark(']'));
                for (n, item) in items.iter().enumerate().rev() {
                    todo.push(Todo::Value(item));
                    if n > 0 {
                        todo.push(Todo::Mark(','));
                    }
                }
            }
            Todo::Value(Value::Object(members)) => {
                out.push('{');
                todo.push(Todo::Mark('}'));
                // Sorted here, because the map keeps insertion order as soon as any crate of the
                // build enables serde_json's `preserve_order`.
                let mut sorted: Vec<_> = members.iter().collect();
                sorted.sort_unstable_by_key(|(key, _)| key.as_bytes());
                for (n, (key, value)) in sorted.into_iter().enumerate().rev() {
                    todo.push(Todo::Value(value));
                    todo.push(Todo::Key(key));
                    if n > 0 {
                        todo.push(Todo::Mark(','));
                    }
                }
            }
            Todo::Value(Value::String(text)) => write_string(&mut out, text),
            Todo::Value(Value::Number(number)) => write_number(&mut out, number),
            Todo::Value(Value::Bool(true)) => out.push_str("true"),
            Todo::Value(Value::Bool(false)) => out.push_str("false"),
            Todo::Value(Value::Null) => out.push_str("null"),
        }
    }
    out
}

fn write_string(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    while let Some(at) = next_escaped(rest.as_bytes()) {
        let (plain, escaped) = rest.split_at(at);
        out.push_str(plain);
        match escaped.as_bytes()[0] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            control => out.push_str(&format!("\\u{control:04x}")),
        }
        rest = &escaped[1..];
    }
    out.push_str(rest);
    out.push('"');
}

/// Finds the first byte that JSON text escapes.
fn next_escaped(bytes: &[u8]) -> Option<usize> {
    let is_escaped = |byte: &u8| (*byte < 0x20) | (*byte == b'"') | (*byte == b'\\');
    // Without a branch for each byte, the compiler checks many at once.
    let has_none = |chunk: &&[u8]| {
        !chunk
            .iter()
            .fold(false, |found, byte| found | is_escaped(byte))
    };
    let start = bytes.chunks(CHUNK).take_while(has_none).count() * CHUNK;
    let at = bytes.get(start..)?.iter().position(is_escaped)?;
    Some(start + at)
}

/// How many bytes are checked at once.
const CHUNK: usize = 32;

fn write_number(out: &mut String, number: &Number) {
    /// Below 2^53 every integer has a float of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
            // Adding zero turns -0.0 into 0.0.
            out.push_str(&format!("{:.0}", float + 0.0));
        }
        _ => out.push_str(&number.to_string()),
    }
}

/// Reports whether no value is nested deeper than `limit`, where a scalar has depth 1. Iterative,
/// because the value may be hostile.
#[must_use]
pub fn nested_within(value: &Value, limit: usize) -> bool {
    let mut ahead = vec![(value, 1)];
    while let Some((value, depth)) = ahead.pop() {
        if depth > limit {
            return false;
        }
        ahead.extend(inner(value).map(|inner| (inner, depth + 1)));
    }
    true
}

/// Returns the elements of an array or the values of an object; a scalar has none.
pub fn inner(value: &Value) -> impl Iterator<Item = &Value> {
    let elements = value.as_array().into_iter().flatten();
    let members = value.as_object().into_iter().flat_map(Map::values);
    elements.chain(members)
}

/// The error of [`parse`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonError {
    /// The text has too many bytes.
    #[error("JSON of {bytes} bytes; at most {limit} are read")]
    TooLarge {
        /// The number of bytes.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// Arrays and objects are nested too deeply.
    #[error("nested deeper than {limit} levels at {position}")]
    TooDeep {
        /// The limit.
        limit: usize,
        /// The position of the innermost one.
        position: TextPosition,
    },
    /// An object has a key twice.
    #[error("key `{key}` twice at {position}")]
    DuplicateKey {
        /// The key, escaped and cut.
        key: String,
        /// The position of the second one.
        position: TextPosition,
    },
    /// The text is not JSON.
    #[error("{message} at {position}")]
    Syntax {
        /// The message of serde_json.
        message: String,
        /// The position.
        position: TextPosition,
    },
}

/// A position in a text, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextPosition {
    /// The line.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Removes the position from the message of serde_json.
fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let bare = message.strip_suffix(&position);
    bare.unwrap_or(&message).to_owned()
}

/// State shared by all levels of one parse.
struct Shared {
    limit: usize,
    /// The reason for an error that is not a syntax error.
    error: RefCell<Option<StrictError>>,
}

enum StrictError {
    Duplicate(String),
    Deep,
}

impl Shared {
    fn fail<E: serde::de::Error>(&self, error: StrictError) -> E {
        *self.error.borrow_mut() = Some(error);
        E::custom("refused")
    }
}

/// One level of a parse.
#[derive(Clone, Copy)]
struct Strict<'a> {
    shared: &'a Shared,
    depth: usize,
}

impl Strict<'_> {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == self.shared.limit {
            return Err(self.shared.fail(StrictError::Deep));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! visits {
    ($($visit:ident: $type:ty),+) => {
        $(fn $visit<E>(self, value: $type) -> Result<Value, E> {
            Ok(value.into())
        })+
    };
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    visits!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_str: &str, visit_string: String);

    // Exact to the last bit: the feature `host` enables serde_json's `float_roundtrip`. Otherwise a
    // canonical text could change when it is parsed and written again.
    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value).ok_or_else(|| E::custom("number out of range"))?;
        Ok(Value::Number(number))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let inside = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(inside)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let inside = self.deeper()?;
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if members.contains_key(&key) {
                let twice = StrictError::Duplicate(escape_short(&key, 40));
                return Err(self.shared.fail(twice));
            }
            members.insert(key, map.next_value_seed(inside)?);
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests;
