//! JSON from outside, read strictly and within bounds, and JSON written in one way only.
//!
//! What a model or a plugin sends is validated, shown, hashed and approved as text. Two readers
//! must never see two different things in it: so [`parse`] refuses duplicate keys, and
//! [`canonical`] gives equal values equal bytes.
//!
//! Invariant: a text costs at most its [`Limits`]. Size is checked before anything is read, depth
//! while reading, and writing does not recurse.

use crate::escape::escape_short;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::cell::{Cell, RefCell};
use std::fmt;

/// How much JSON is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of text.
    pub bytes: usize,
    /// The most arrays and objects inside each other; `[]` has one. Above 127 the parser's own
    /// limit of 127 holds.
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

/// Reads one JSON value.
///
/// # Errors
/// When the text is too large, too deep, has a key twice, or is not JSON.
pub fn parse(text: &str, limits: Limits) -> Result<Value, JsonError> {
    if text.len() > limits.bytes {
        return Err(JsonError::TooLarge {
            bytes: text.len(),
            limit: limits.bytes,
        });
    }
    let reading = Reading {
        numbers: Numbers {
            text,
            at: Cell::new(0),
        },
        limit: limits.depth,
        refusal: RefCell::new(None),
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = Strict {
        reading: &reading,
        depth: 0,
    }
    .deserialize(&mut json)
    .and_then(|value| json.end().map(|()| value));
    read.map_err(|error| {
        let place = Place {
            line: error.line(),
            column: error.column(),
        };
        match reading.refusal.take() {
            Some(Refusal::Duplicate(key)) => JsonError::DuplicateKey { key, place },
            Some(Refusal::Deep) => JsonError::TooDeep {
                limit: limits.depth,
                place,
            },
            None => JsonError::Syntax {
                message: without_place(&error),
                place,
            },
        }
    })
}

/// The one form of a value: keys sorted by their UTF-8 bytes, no white space, integers of 64 bits
/// exact, whole floats below 2^53 as integers (`1.0` is `1`), other floats in their shortest form.
#[must_use]
pub fn canonical(value: &Value) -> String {
    /// What is still to be written.
    enum Todo<'a> {
        Value(&'a Value),
        Key(&'a str),
        Mark(char),
    }
    let mut out = String::new();
    // A stack of our own: a value as deep as memory allows must not overflow the thread's.
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
                // Sorted here and not left to the map, which keeps another order as soon as any
                // crate of the build switches serde_json's `preserve_order` on.
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
    // Most text needs no escape and is copied as it is.
    if text
        .bytes()
        .any(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))
    {
        out.push_str(&serde_json::to_string(text).expect("a string is always written"));
    } else {
        out.push('"');
        out.push_str(text);
        out.push('"');
    }
}

fn write_number(out: &mut String, number: &Number) {
    /// Up to here every whole number has a float of its own.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < EXACT => {
            // No digits after the point, and no sign before zero.
            out.push_str(&format!("{:.0}", float + 0.0));
        }
        _ => out.push_str(&number.to_string()),
    }
}

/// Why a text was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonError {
    /// More bytes than allowed.
    TooLarge {
        /// How many it has.
        bytes: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// More arrays and objects inside each other than allowed.
    TooDeep {
        /// How many are allowed.
        limit: usize,
        /// Where the one too many begins.
        place: Place,
    },
    /// A key that its object has already.
    DuplicateKey {
        /// The key, escaped and shortened for a message.
        key: String,
        /// Where it stands the second time.
        place: Place,
    },
    /// Not JSON.
    Syntax {
        /// What was expected.
        message: String,
        /// Where.
        place: Place,
    },
}

/// A place in a text, line and column counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { bytes, limit } => {
                write!(f, "JSON of {bytes} bytes; at most {limit} are read")
            }
            Self::TooDeep { limit, place } => {
                write!(f, "nested deeper than {limit} levels at {place}")
            }
            Self::DuplicateKey { key, place } => write!(f, "key `{key}` twice at {place}"),
            Self::Syntax { message, place } => write!(f, "{message} at {place}"),
        }
    }
}

impl std::error::Error for JsonError {}

/// serde_json ends its message with the place, which we keep apart.
fn without_place(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&place).unwrap_or(&message).to_owned()
}

/// What one reading shares among its levels.
struct Reading<'a> {
    numbers: Numbers<'a>,
    limit: usize,
    /// Why we, and not the parser, stopped.
    refusal: RefCell<Option<Refusal>>,
}

enum Refusal {
    Duplicate(String),
    Deep,
}

impl Reading<'_> {
    fn refuse<E: serde::de::Error>(&self, refusal: Refusal) -> E {
        *self.refusal.borrow_mut() = Some(refusal);
        E::custom("refused")
    }
}

/// The number tokens of the text, in order.
///
/// serde_json is fast and not exact with long decimals: what it reads may differ in the last bit
/// from what was written, and then a canonical text would not be canonical when read again. The
/// standard library reads exactly, but needs the digits, which a visitor is not given. As values
/// are visited in the order of the text, we follow with a finger.
struct Numbers<'a> {
    text: &'a str,
    at: Cell<usize>,
}

impl<'a> Numbers<'a> {
    /// The next token that is a number. Only called after the parser has accepted it.
    fn next(&self) -> &'a str {
        let bytes = self.text.as_bytes();
        let mut at = self.at.get();
        let mut quoted = false;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\\' if quoted => at += 1,
                b'"' => quoted = !quoted,
                b'-' | b'0'..=b'9' if !quoted => break,
                _ => {}
            }
            at += 1;
        }
        let rest = self.text.get(at..).unwrap_or_default();
        let end = rest
            .find(|c: char| !matches!(c, '-' | '+' | '.' | 'e' | 'E' | '0'..='9'))
            .unwrap_or(rest.len());
        self.at.set(at + end);
        &rest[..end]
    }
}

/// One level of a strict reading.
#[derive(Clone, Copy)]
struct Strict<'a, 't> {
    reading: &'a Reading<'t>,
    depth: usize,
}

impl Strict<'_, '_> {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == self.reading.limit {
            return Err(self.reading.refuse(Refusal::Deep));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }
}

impl<'de> DeserializeSeed<'de> for Strict<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        self.reading.numbers.next();
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        self.reading.numbers.next();
        Ok(value.into())
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        let exact = self.reading.numbers.next().parse().unwrap_or(value);
        let number = Number::from_f64(exact).ok_or_else(|| E::custom("number out of range"))?;
        Ok(Value::Number(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
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
                return Err(self
                    .reading
                    .refuse(Refusal::Duplicate(escape_short(&key, 40))));
            }
            members.insert(key, map.next_value_seed(inside)?);
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests;
