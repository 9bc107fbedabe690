//! Checks of component trees.
//!
//! The limits are checked first, then each component against the table. Unknown components, props
//! and tokens are accepted; a known one with a wrong value is a [`Problem`] with its path.
//!
//! Invariant: no recursion over the tree, so that no input can exhaust the stack.

use super::action::Action;
use super::spec::{Children, PropSpec, PropType};
use super::walk::{Place, walk};
use super::{MAX_DEPTH, MAX_NODES, ROOTS};
use crate::escape::escape_short;
use crate::function::is_id;
use crate::json::nested_within;
use crate::widget::MAX_VIEW;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::fmt;

/// The most problems that are listed; the rest is counted.
const MAX_PROBLEMS: usize = 20;

/// The greatest depth of the JSON: two levels per component, and some for a payload.
const MAX_NESTING: usize = 2 * MAX_DEPTH + 64;

/// A problem of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The path, such as `children[2].options[0].value`; empty for the root.
    pub path: String,
    /// The description.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "`{}` ", self.path)?;
        }
        f.write_str(&self.message)
    }
}

/// The error of [`check`]: the first twenty problems, and the number of the others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problems {
    /// One to twenty problems.
    pub list: Vec<Problem>,
    /// The number of problems left out.
    pub more: usize,
}

impl Problems {
    fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        if self.list.len() < MAX_PROBLEMS {
            self.list.push(Problem {
                path: path.into(),
                message: message.into(),
            });
        } else {
            self.more += 1;
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.list.iter().enumerate() {
            let gap = if index == 0 { "" } else { "; " };
            write!(f, "{gap}{problem}")?;
        }
        if self.more > 0 {
            write!(f, "; and {} more", self.more)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Checks a tree whose root can be any of [`ROOTS`].
///
/// # Errors
/// The problems of the tree.
pub fn check(tree: &Value) -> Result<(), Problems> {
    check_with(tree, ROOTS)
}

/// Checks a tree whose root must be one of `roots`.
///
/// # Errors
/// The problems of the tree.
pub fn check_with(tree: &Value, roots: &[&str]) -> Result<(), Problems> {
    let mut problems = Problems::default();
    // A tree beyond a limit is refused anyway; checking the rest would only cost time.
    if !nested_within(tree, MAX_NESTING) {
        problems.add("", "the view is nested too deep");
        return Err(problems);
    }
    let size = bytes(tree);
    if size > MAX_VIEW {
        let message =
            format!("the view is too large: {size} bytes, of which {MAX_VIEW} are allowed");
        problems.add("", message);
        return Err(problems);
    }
    if let Some(kind) = tree.get("type").and_then(Value::as_str)
        && !roots.contains(&kind)
    {
        let roots: Vec<_> = roots.iter().map(|root| format!("`{root}`")).collect();
        let (roots, kind) = (roots.join(" or "), quoted(kind));
        problems.add("type", format!("must be {roots} at the root, not {kind}"));
    }
    let mut ids = HashSet::new();
    for (index, place) in walk(tree).enumerate() {
        if index == MAX_NODES {
            problems.add("", format!("the view has more than {MAX_NODES} components"));
            break;
        }
        component(&place, &mut problems);
        if let Some(id) = place.value.get("id").and_then(Value::as_str)
            && !ids.insert(id)
        {
            problems.add(place.member("id"), format!("is used twice: {}", quoted(id)));
        }
    }
    if problems.list.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

/// Checks a component without its children.
fn component(place: &Place<'_>, problems: &mut Problems) {
    let Some(members) = place.value.as_object() else {
        let message = format!("must be a component, not {}", article(place.value));
        return problems.add(&place.path, message);
    };
    let Some(kind) = place.kind else {
        let message = match members.get("type") {
            Some(value) => format!("must be a string, not {}", article(value)),
            None => "is missing".to_owned(),
        };
        return problems.add(place.member("type"), message);
    };
    if let Some(only) = place.only
        && kind != only
    {
        let message = format!("must be `{only}` here, not {}", quoted(kind));
        problems.add(place.member("type"), message);
    }
    if place.cut {
        let message = format!("has components nested deeper than {MAX_DEPTH}");
        problems.add(&place.path, message);
    }
    for name in ["id", "key", "fallback"] {
        if let Some(value) = members.get(name).filter(|value| !value.is_null()) {
            fits(PropType::Str, value, &place.member(name), problems);
        }
    }
    let allowed = place.spec.map_or(Children::ANY, |spec| spec.children);
    let path = place.member("children");
    match (allowed, members.get("children")) {
        (Children::None, _) => {}
        (Children::Many { required: true, .. } | Children::One, None) => {
            problems.add(path, "is missing")
        }
        (Children::Many { required: true, .. }, Some(Value::Null)) => {
            problems.add(path, "must be a list of components, not null");
        }
        (_, None | Some(Value::Null | Value::Array(_) | Value::Object(_))) => {}
        (_, Some(other)) => {
            let message = format!("must be a list of components, not {}", article(other));
            problems.add(path, message);
        }
    }
    if let Some(spec) = place.spec {
        object(spec.props, members, &place.path, problems);
    }
}

/// Checks the members of an object with a known shape. The types of the table bound the recursion.
fn object(shape: &[PropSpec], members: &Map<String, Value>, path: &str, problems: &mut Problems) {
    for prop in shape {
        let at = || {
            if path.is_empty() {
                prop.name.to_owned()
            } else {
                format!("{path}.{}", prop.name)
            }
        };
        match members.get(prop.name) {
            None if prop.required => problems.add(at(), "is missing"),
            None => {}
            Some(Value::Null) if !prop.required => {}
            Some(value) => fits(prop.takes, value, &at(), problems),
        }
    }
}

fn fits(takes: PropType, value: &Value, path: &str, problems: &mut Problems) {
    match (takes, value) {
        (PropType::Object(shape), Value::Object(members)) => object(shape, members, path, problems),
        (PropType::Action, Value::Object(members)) => {
            object(Action::SHAPE, members, path, problems)
        }
        (PropType::Map(inner), Value::Object(members)) => {
            for (name, value) in members {
                let path = format!("{path}.{}", escape_short(name, 40));
                fits(*inner, value, &path, problems);
            }
        }
        (PropType::List(inner), Value::Array(list)) => {
            for (index, value) in list.iter().enumerate() {
                fits(*inner, value, &format!("{path}[{index}]"), problems);
            }
        }
        (PropType::ToolName, Value::String(name)) if !is_id(name) => {
            let message = format!("must be the name of a tool, not {}", quoted(name));
            problems.add(path, message);
        }
        (PropType::OneOf(types), _) => match types.iter().find(|takes| admits(**takes, value)) {
            Some(takes) => fits(*takes, value, path, problems),
            None => problems.add(path, wrong(takes, value)),
        },
        _ if admits(takes, value) => {}
        _ => problems.add(path, wrong(takes, value)),
    }
}

/// Reports whether the JSON type of a value is right, without looking into it.
fn admits(takes: PropType, value: &Value) -> bool {
    match takes {
        PropType::Str | PropType::Icon | PropType::ToolName => value.is_string(),
        // `auto` is a closed word: the alternative is a number, so another word is a mistake.
        PropType::Word(["auto"]) => value == "auto",
        PropType::Word(_) => value.is_string(),
        PropType::Bool => value.is_boolean(),
        PropType::False => value == &Value::Bool(false),
        PropType::Null => value.is_null(),
        PropType::Int => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
        }
        PropType::Num => value.is_number(),
        PropType::Action | PropType::Object(_) | PropType::Map(_) => value.is_object(),
        PropType::List(_) => value.is_array(),
        PropType::OneOf(types) => types.iter().any(|takes| admits(*takes, value)),
    }
}

fn wrong(takes: PropType, value: &Value) -> String {
    fn name(takes: PropType) -> String {
        match takes {
            PropType::Str | PropType::Icon | PropType::ToolName => "a string".to_owned(),
            PropType::Word(["auto"]) => "`auto`".to_owned(),
            PropType::Word(_) => "a word".to_owned(),
            PropType::Bool => "true or false".to_owned(),
            PropType::False => "false".to_owned(),
            PropType::Null => "null".to_owned(),
            PropType::Int => "a whole number".to_owned(),
            PropType::Num => "a number".to_owned(),
            PropType::Action => "an action".to_owned(),
            PropType::Object(_) | PropType::Map(_) => "an object".to_owned(),
            PropType::List(_) => "a list".to_owned(),
            PropType::OneOf(types) => {
                let names: Vec<_> = types.iter().map(|takes| name(*takes)).collect();
                names.join(" or ")
            }
        }
    }
    format!("must be {}, not {}", name(takes), article(value))
}

/// Describes a value for a message.
fn article(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(true) => "true",
        Value::Bool(false) => "false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Quotes a plugin's text for a message.
fn quoted(word: &str) -> String {
    format!("`{}`", escape_short(word, 40))
}

/// Returns the number of bytes as JSON text, without building the text.
fn bytes(value: &Value) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    // Neither counting nor serializing a `Value` can fail.
    serde_json::to_writer(&mut count, value).map_or(usize::MAX, |()| count.0)
}

#[cfg(test)]
mod tests;
