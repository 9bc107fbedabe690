//! The slots of a tool's input, read from its JSON Schema.
//!
//! Only the top level of a schema is read: an object's members, each a choice, a boolean, a number,
//! a day, text, or a list of these. Anything else is [`Kind::Other`], which words cannot fill.
//!
//! Invariant: [`Slot::read`] and [`Slot::accepts`] accept no value that violates the type, the
//! choices or the bounds of the slot. The host validates the whole input again.

mod bounds;

pub(super) use bounds::{Bounds, Form, Text};

use super::day::Day;
use serde_json::{Map, Number, Value};

/// The most members of an input, and choices of a member, that are read.
const MAX_SLOTS: usize = 24;
const MAX_CHOICES: usize = 200;
/// The most references and alternatives that are followed.
const MAX_STEPS: usize = 8;

/// One member of a tool's input.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Slot {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) kind: Kind,
    pub(super) required: bool,
    pub(super) nullable: bool,
    pub(super) default: Option<Value>,
}

/// What a slot accepts.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// One of these words.
    Choice(Vec<String>),
    Truth,
    Number(Bounds),
    Day,
    Text(Text),
    /// A list with a least and a greatest length.
    List(Box<Kind>, usize, usize),
    /// Anything that words cannot express.
    Other,
}

/// Returns the slots of an input: the required ones first, in the order of the schema.
pub(super) fn slots(schema: &Value) -> Vec<Slot> {
    let top = resolve(schema, schema);
    let Some(members) = top.get("properties").and_then(Value::as_object) else {
        return Vec::new();
    };
    let required = top.get("required").and_then(Value::as_array);
    let place = |name: &str| required?.iter().position(|known| known == name);
    let members = members.iter().take(MAX_SLOTS);
    let slots = members.map(|(name, member)| slot(schema, name, member, place(name).is_some()));
    let mut slots: Vec<Slot> = slots.collect();
    slots.sort_by_key(|slot| place(&slot.name).unwrap_or(usize::MAX));
    slots
}

/// Reports whether the schema refuses members that it does not name.
pub(super) fn is_closed(schema: &Value) -> bool {
    resolve(schema, schema).get("additionalProperties") == Some(&Value::Bool(false))
}

fn slot(root: &Value, name: &str, member: &Value, required: bool) -> Slot {
    let shape = resolve(root, member);
    let own = |key: &str| member.get(key).or_else(|| shape.get(key));
    let is_null_choice = choices(root, shape).is_some_and(|all| all.contains(&&Value::Null));
    let is_alternative = ["anyOf", "oneOf"].iter().any(|key| {
        let all = member.get(key).and_then(Value::as_array);
        all.is_some_and(|all| all.iter().any(|one| types(one) == ["null"]))
    });
    let description = own("description").and_then(Value::as_str);
    Slot {
        name: name.to_owned(),
        description: description.unwrap_or_default().to_owned(),
        kind: kind(root, shape, 0),
        required,
        nullable: types(shape).contains(&"null") || is_null_choice || is_alternative,
        default: own("default").cloned(),
    }
}

/// Follows references, and alternatives of which only one is not null.
fn resolve<'a>(root: &'a Value, at: &'a Value) -> &'a Value {
    let mut at = at;
    for _ in 0..MAX_STEPS {
        let next = if let Some(reference) = at.get("$ref").and_then(Value::as_str) {
            let pointer = reference.strip_prefix('#');
            pointer.and_then(|pointer| root.pointer(pointer))
        } else {
            ["anyOf", "oneOf", "allOf"].iter().find_map(|key| {
                let all = at.get(key)?.as_array()?;
                let mut telling = all.iter().filter(|one| types(one) != ["null"]);
                let only = telling.next()?;
                telling.next().is_none().then_some(only)
            })
        };
        at = next.unwrap_or(at);
    }
    at
}

fn types(shape: &Value) -> Vec<&str> {
    match shape.get("type") {
        Some(Value::String(one)) => vec![one.as_str()],
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Returns the values of `enum`, of `const`, or of a `oneOf` whose members are all constants.
fn choices<'a>(root: &'a Value, shape: &'a Value) -> Option<Vec<&'a Value>> {
    if let Some(all) = shape.get("enum").and_then(Value::as_array) {
        return Some(all.iter().take(MAX_CHOICES).collect());
    }
    if let Some(one) = shape.get("const") {
        return Some(vec![one]);
    }
    let all = shape.get("oneOf").or_else(|| shape.get("anyOf"))?;
    let all = all.as_array()?.iter().take(MAX_CHOICES);
    all.map(|one| {
        let one = resolve(root, one);
        one.get("const")
            .or_else(|| match one.get("enum")?.as_array()?.as_slice() {
                [only] => Some(only),
                _ => None,
            })
    })
    .collect()
}

fn kind(root: &Value, shape: &Value, depth: usize) -> Kind {
    if let Some(all) = choices(root, shape) {
        let words = all.into_iter().filter(|value| !value.is_null());
        let words: Option<Vec<_>> = words.map(|word| Some(word.as_str()?.to_owned())).collect();
        let words = words.filter(|words| !words.is_empty());
        return words.map_or(Kind::Other, Kind::Choice);
    }
    // What stands beside the type may say anything; a value that was guessed must not break it.
    let has = |key: &&str| shape.get(key).is_some();
    if ["not", "if", "allOf", "anyOf", "oneOf"].iter().any(has) {
        return Kind::Other;
    }
    let telling: Vec<&str> = types(shape).into_iter().filter(|t| *t != "null").collect();
    let size = |key: &str, other: usize| {
        let count = shape.get(key).and_then(Value::as_u64);
        count.map_or(other, |count| usize::try_from(count).unwrap_or(other))
    };
    match telling.as_slice() {
        ["boolean"] => Kind::Truth,
        ["integer"] | ["number"] | ["integer", "number"] | ["number", "integer"]
            if !has(&"multipleOf") =>
        {
            let bound = |key: &str| shape.get(key).and_then(Value::as_f64);
            Kind::Number(Bounds {
                whole: telling == ["integer"],
                min: bound("minimum"),
                max: bound("maximum"),
                above: bound("exclusiveMinimum"),
                below: bound("exclusiveMaximum"),
            })
        }
        ["string"] => {
            let form = match shape.get("format").and_then(Value::as_str) {
                Some("date") => return Kind::Day,
                Some("email") => Form::Email,
                Some("uri" | "url") => Form::Url,
                None if !has(&"pattern") => Form::Free,
                _ => Form::Foreign,
            };
            Kind::Text(Text {
                form,
                min: size("minLength", 0),
                max: size("maxLength", usize::MAX),
            })
        }
        ["array"] if depth == 0 && !has(&"contains") => {
            let items = shape.get("items").map(|items| resolve(root, items));
            match items.map(|items| Box::new(kind(root, items, depth + 1))) {
                None => Kind::Other,
                Some(of) if matches!(*of, Kind::Other) => Kind::Other,
                Some(of) => Kind::List(of, size("minItems", 0), size("maxItems", usize::MAX)),
            }
        }
        _ => Kind::Other,
    }
}

impl Slot {
    /// Parses what a person typed for this slot; the error says what it accepts.
    pub(super) fn read(&self, text: &str, today: Day) -> Result<Value, String> {
        let text = text.trim();
        if self.nullable && text == "null" {
            return Ok(Value::Null);
        }
        let value = match &self.kind {
            Kind::List(of, ..) => {
                let all = text.split(',').map(str::trim).filter(|one| !one.is_empty());
                let all: Option<Vec<Value>> = all.map(|one| of.read(one, today)).collect();
                all.map(Value::Array)
            }
            Kind::Other => serde_json::from_str(text).ok(),
            kind => kind.read(text, today),
        };
        value
            .filter(|value| self.accepts(value))
            .ok_or_else(|| self.wants())
    }

    /// Says what the slot accepts: "`days` wants a whole number from 1 to 14".
    pub(super) fn wants(&self) -> String {
        format!("`{}` wants {}", self.name, self.kind.wanted())
    }

    /// Returns the slot of one element of a list.
    pub(super) fn piece(&self) -> Self {
        let kind = match &self.kind {
            Kind::List(of, ..) => (**of).clone(),
            kind => kind.clone(),
        };
        Self {
            kind,
            nullable: false,
            ..self.clone()
        }
    }

    /// Reports whether the slot is required and an input lacks it.
    pub(super) fn is_missing(&self, input: &Map<String, Value>) -> bool {
        self.required && !input.contains_key(&self.name)
    }

    /// Reports whether the slot accepts a value.
    pub(super) fn accepts(&self, value: &Value) -> bool {
        (self.nullable && value.is_null()) || self.kind.accepts(value)
    }
}

impl Kind {
    fn read(&self, text: &str, today: Day) -> Option<Value> {
        match self {
            Self::Choice(words) => {
                let alike = || words.iter().find(|word| word.eq_ignore_ascii_case(text));
                let word = words.iter().find(|word| *word == text).or_else(alike)?;
                Some(word.as_str().into())
            }
            Self::Truth => match text.to_lowercase().as_str() {
                "true" | "yes" | "on" | "y" => Some(true.into()),
                "false" | "no" | "off" | "n" => Some(false.into()),
                _ => None,
            },
            Self::Number(bounds) => match serde_json::from_str::<Number>(text) {
                Ok(number) if !bounds.whole || !number.is_f64() => Some(number.into()),
                Ok(number) => bounds.value(number.as_f64()?),
                Err(_) => bounds.value(super::words::number(&text.to_lowercase())?),
            },
            Self::Day => super::fill::day_in(text, today).map(|day| day.to_string().into()),
            Self::Text(_) => Some(text.into()),
            Self::List(..) | Self::Other => None,
        }
    }

    fn accepts(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Choice(words), Value::String(word)) => words.contains(word),
            (Self::Truth, Value::Bool(_)) => true,
            (Self::Number(bounds), Value::Number(number)) => bounds.hold(number),
            (Self::Day, Value::String(text)) => Day::read(text).is_some(),
            (Self::Text(text), Value::String(value)) => text.holds(value),
            (Self::List(of, min, max), Value::Array(values)) => {
                (*min..=*max).contains(&values.len()) && values.iter().all(|one| of.accepts(one))
            }
            // The host validates it.
            (Self::Other, _) => true,
            _ => false,
        }
    }

    /// Says in words what is accepted: `a whole number from 1 to 14`.
    pub(super) fn wanted(&self) -> String {
        match self {
            Self::Choice(words) => format!("one of {}", words.join(", ")),
            Self::Truth => "yes or no".to_owned(),
            Self::Number(bounds) => bounds.wanted(),
            Self::Day => "a day such as 2026-05-04".to_owned(),
            Self::Text(text) => text.wanted(),
            Self::List(of, min, max) => {
                let of = of.wanted();
                match (min, max) {
                    (0, &usize::MAX) => format!("a list, each {of}"),
                    (min, &usize::MAX) => format!("{min} or more, each {of}"),
                    (min, max) => format!("{min} to {max}, each {of}"),
                }
            }
            Self::Other => "JSON".to_owned(),
        }
    }
}
