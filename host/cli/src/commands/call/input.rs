//! Parses the arguments of `footlight call <plugin>`: the tool and its input.
//!
//! [`choose_tool`] finds the tool, [`parse_input`] builds the input. The input is a JSON object, written as
//! `{json}`, `@file`, `-` (stdin), as pairs, or as one of the first three followed by
//! pairs that override it:
//!
//! | pair | meaning |
//! | --- | --- |
//! | `days=3` | a value of the type in the tool's schema; text if it has none |
//! | `tags=a tags=b` | a list: one pair for each value, or JSON `tags='["a","b"]'`; `tags=` is empty |
//! | `place.name=Oslo` | a nested member |
//! | `days:=3` | raw JSON, whatever the schema says |
//!
//! Invariant: files and stdin are only read through the function that is passed in. The host checks
//! the input against the schema.

use crate::exit::ExitError;
use crate::input_schema::SchemaNode;
use crate::suggest::{did_you_mean, quoted_list};
use anyhow::{Context, Result};
use footlight_render::filter;
use footlight_vocabulary::json;
use serde_json::{Map, Number, Value};

/// Where an input is read from.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Origin<'a> {
    Stdin,
    File(&'a str),
}

/// Splits the arguments into the tool and its input. The name is optional if there is one tool.
pub(crate) fn choose_tool<'a>(
    tools: &[&'a str],
    words: &'a [String],
) -> Result<(&'a str, &'a [String])> {
    if let Some((first, rest)) = words.split_first() {
        if let Some(tool) = tools.iter().find(|tool| **tool == first) {
            return Ok((tool, rest));
        }
        if !is_input(first) {
            let meant = did_you_mean(first, tools.iter().copied());
            return Err(ExitError::usage(format!(
                "there is no tool `{}`{meant}; this plugin has {}",
                filter::line(first, 60),
                tool_list(tools)
            )));
        }
    }
    match tools {
        [only] => Ok((only, words)),
        _ => Err(ExitError::usage(format!(
            "which tool? this plugin has {}; write `footlight call <plugin> <tool> …`",
            tool_list(tools)
        ))),
    }
}

/// Builds the input.
pub(crate) fn parse_input(
    words: &[String],
    schema: &Value,
    read: &mut dyn FnMut(Origin<'_>) -> Result<String>,
) -> Result<Map<String, Value>> {
    let (mut input, pairs) = match words.split_first() {
        None => return Ok(Map::new()),
        Some((first, rest)) => match parse_whole(first, read)? {
            Some(input) => (input, rest),
            None => (Map::new(), words),
        },
    };
    let mut given = Vec::new();
    for word in pairs {
        pair(word, SchemaNode::new(schema), &mut input, &mut given)?;
    }
    Ok(input)
}

fn tool_list(tools: &[&str]) -> String {
    match tools {
        [] => "none".to_owned(),
        tools => quoted_list(tools.iter().copied()),
    }
}

/// Reports whether an argument is input and not the name of a tool.
fn is_input(word: &str) -> bool {
    word == "-" || word.starts_with(['{', '@']) || word.contains('=')
}

/// Parses an argument that is the whole input.
fn parse_whole(
    word: &str,
    read: &mut dyn FnMut(Origin<'_>) -> Result<String>,
) -> Result<Option<Map<String, Value>>> {
    let (name, text) = if word == "-" {
        ("the input on stdin".to_owned(), read(Origin::Stdin)?)
    } else if let Some(path) = word.strip_prefix('@') {
        let text = read(Origin::File(path))?;
        (format!("the input in `{}`", filter::line(path, 200)), text)
    } else if word.starts_with('{') {
        ("the input".to_owned(), word.to_owned())
    } else {
        return Ok(None);
    };
    match parsed(&text).with_context(|| format!("{name} is not JSON"))? {
        Value::Object(input) => Ok(Some(input)),
        other => Err(ExitError::usage(format!(
            "{name} is {}; a tool's input is an object such as {{\"city\":\"Oslo\"}}",
            type_name(&other)
        ))),
    }
}

/// Parses `key=value` or `key:=json` into the input.
fn pair(
    word: &str,
    schema: SchemaNode<'_>,
    input: &mut Map<String, Value>,
    given: &mut Vec<Vec<String>>,
) -> Result<()> {
    let Some((key, value)) = word.split_once('=') else {
        return Err(ExitError::usage(format!(
            "`{}` is not an argument; write `key=value`, `key:=json`, or the whole input as `{{json}}`, `@file` or `-`{}",
            filter::line(word, 60),
            known(schema, "")
        )));
    };
    let raw_key = key.strip_suffix(':');
    let key = raw_key.unwrap_or(key);
    let (path, shape) = resolve_key(key, schema)?;
    let value = match raw_key {
        Some(key) => {
            parsed(value).with_context(|| format!("`{}:=` needs JSON", filter::line(key, 60)))?
        }
        None => typed(key, value, shape)?,
    };
    let own: Vec<String> = path.iter().map(|name| (*name).to_owned()).collect();
    let again = given.contains(&own);
    // Whichever comes first: the whole would replace its part, or the part be put into the whole.
    let is_part = |known: &Vec<String>| known.starts_with(&own) || own.starts_with(known);
    let overlaps = given.iter().any(|known| *known != own && is_part(known));
    let put = match overlaps {
        true => Err(()),
        false => put(input, &path, value, again),
    };
    given.push(own);
    put.map_err(|()| {
        ExitError::usage(format!(
            "`{0}` is given twice, or both whole and in parts; only lists can be repeated",
            filter::line(key, 60)
        ))
    })
}

/// Resolves a key to the path of a member and its schema.
fn resolve_key<'k, 's>(
    key: &'k str,
    schema: SchemaNode<'s>,
) -> Result<(Vec<&'k str>, SchemaNode<'s>)> {
    let (mut path, mut at, mut rest) = (Vec::new(), schema, key);
    loop {
        // The name of a member may contain a dot.
        let whole = at.members().iter().any(|(name, _)| *name == rest);
        let (name, after) = match rest.split_once('.') {
            Some((name, after)) if !whole => (name, Some(after)),
            _ => (rest, None),
        };
        let member = at.member(name).filter(|_| !name.is_empty());
        let Some(member) = member else {
            return Err(ExitError::usage(format!(
                "there is no argument `{}`{}",
                filter::line(key, 60),
                known(at, name)
            )));
        };
        path.push(name);
        at = member;
        match after {
            Some(after) => rest = after,
            None => return Ok((path, at)),
        }
    }
}

/// Suggests the members that exist.
fn known(at: SchemaNode<'_>, written: &str) -> String {
    let members = at.members();
    let names = || members.iter().map(|(name, _)| *name);
    if members.is_empty() {
        let note = if at.takes_nothing() {
            "; the tool takes none"
        } else {
            ""
        };
        return note.to_owned();
    }
    let known = filter::line(&quoted_list(names()), 400);
    format!("{}; known are {known}", did_you_mean(written, names()))
}

/// Converts an argument to the type in the schema.
fn typed(key: &str, word: &str, shape: SchemaNode<'_>) -> Result<Value> {
    let types = shape.types();
    if types.is_empty() {
        return Ok(word.into());
    }
    let number = number(word).map(Value::Number);
    let integer = number.clone().filter(|number| !number.is_f64());
    // From the narrowest type to text, which accepts everything.
    for (name, value) in [
        ("null", (word == "null").then_some(Value::Null)),
        ("boolean", word.parse().ok().map(Value::Bool)),
        ("integer", integer),
        ("number", number),
    ] {
        // `name=null` and `name=3` are text if the schema allows text.
        let is_wanted = types.contains(&name) && !types.contains(&"string");
        if let (true, Some(value)) = (is_wanted, value) {
            return Ok(value);
        }
    }
    if types.contains(&"array") {
        if word.is_empty() {
            return Ok(Value::Array(Vec::new()));
        }
        if word.starts_with('[')
            && let Ok(list @ Value::Array(_)) = parsed(word)
        {
            return Ok(list);
        }
        if !types.contains(&"string") {
            return Ok(Value::Array(vec![typed(key, word, shape.items())?]));
        }
    }
    if types.contains(&"object") && word.starts_with('{') {
        let wrong = || format!("`{}` is not JSON", filter::line(key, 60));
        return parsed(word).with_context(wrong);
    }
    if types.contains(&"string") {
        return Ok(word.into());
    }
    let remedy = match types.contains(&"object") {
        true => format!("; write its members as `{key}.member=value`, or JSON"),
        false => String::new(),
    };
    Err(ExitError::usage(format!(
        "`{}` is `{}`; it must be {}{remedy}",
        filter::line(key, 60),
        filter::line(word, 60),
        shape.describe()
    )))
}

/// Parses a number by the grammar of JSON.
fn number(word: &str) -> Option<Number> {
    let word = Some(word).filter(|word| word.len() <= 64);
    serde_json::from_str(word?).ok()
}

/// Inserts a value at a path. Values of the whole input can be replaced; values of other pairs can
/// only be extended, if they are lists.
fn put(input: &mut Map<String, Value>, path: &[&str], value: Value, again: bool) -> Result<(), ()> {
    let Some((last, parents)) = path.split_last() else {
        return Err(());
    };
    let mut at = input;
    for name in parents {
        let member = at.entry(*name).or_insert_with(|| Value::Object(Map::new()));
        at = member.as_object_mut().ok_or(())?;
    }
    if again {
        match (at.get_mut(*last), value) {
            (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
            _ => return Err(()),
        }
    } else {
        at.insert((*last).to_owned(), value);
    }
    Ok(())
}

fn parsed(text: &str) -> Result<Value> {
    json::parse(text, json::Limits::default()).map_err(|error| ExitError::usage(error.to_string()))
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests;
