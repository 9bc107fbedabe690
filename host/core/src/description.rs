//! What a plugin says about itself, checked.
//!
//! A description is read once for each build. Whatever is wrong in it refuses the plugin, by name:
//! a tool that is silently left out would be missed by somebody.

use crate::bindings::exports::footlight::plugin::tools as wire;
use crate::policy::Traits;
use footlight_vocabulary::json::{self, Limits};
use footlight_vocabulary::manifest::is_id;
use footlight_vocabulary::widget::WidgetType;
use jsonschema::{PatternOptions, Validator};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

const MAX_TOOLS: usize = 128;
const MAX_SCHEMA: Limits = Limits {
    bytes: 64 << 10,
    depth: 32,
};
const MAX_DESCRIPTION: usize = 8 << 10;
/// Parts of a schema, its references followed.
const MAX_WEIGHT: usize = 10_000;
/// References that lead to references.
const MAX_CHAIN: usize = 64;

/// One tool of a plugin.
#[derive(Debug)]
pub struct Tool {
    /// Its name, unique within the plugin.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its input.
    pub input_schema: Value,
    /// What it says of itself beside that.
    pub traits: Map<String, Value>,
    pub(crate) careful: Traits,
    validator: Validator,
}

/// Everything a plugin says about itself.
#[derive(Debug, Default)]
pub(crate) struct Description {
    pub(crate) tools: Vec<Tool>,
    pub(crate) instructions: Option<String>,
    pub(crate) widgets: Vec<WidgetType>,
}

impl Tool {
    /// Whether an input fits the schema.
    ///
    /// # Errors
    /// What does not fit, and where.
    pub fn check(&self, input: &Value) -> Result<(), Vec<String>> {
        let wrong: Vec<String> = self
            .validator
            .iter_errors(input)
            .take(5)
            .map(|error| {
                let place = error.instance_path().to_string();
                let mut what = error.to_string();
                if what.len() > 300 {
                    what.truncate(
                        (0..=300)
                            .rev()
                            .find(|end| what.is_char_boundary(*end))
                            .unwrap_or(0),
                    );
                }
                if place.is_empty() {
                    what
                } else {
                    format!("{place}: {what}")
                }
            })
            .collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    }
}

/// Checks what a guest described.
pub(crate) fn read(description: wire::Description) -> Result<Description, String> {
    if description.tools.is_empty() {
        return Err("it has no tools".to_owned());
    }
    if description.tools.len() > MAX_TOOLS {
        return Err(format!(
            "it has {} tools; the most is {MAX_TOOLS}",
            description.tools.len()
        ));
    }
    let mut names = HashSet::new();
    let mut tools = Vec::with_capacity(description.tools.len());
    for tool in description.tools {
        let shown: String = tool
            .name
            .chars()
            .take(40)
            .flat_map(char::escape_debug)
            .collect();
        if !is_id(&tool.name) {
            return Err(format!(
                "`{shown}` cannot name a tool: at most 31 lower-case letters, digits and single `_`"
            ));
        }
        if !names.insert(tool.name.clone()) {
            return Err(format!("there are two tools named `{shown}`"));
        }
        tools.push(read_tool(tool).map_err(|wrong| format!("tool `{shown}`: {wrong}"))?);
    }
    let more = object(&description.more, "more")?;
    let instructions = more
        .get("instructions")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let widgets = more
        .get("widgets")
        .cloned()
        .unwrap_or(Value::Array(Vec::new()));
    let widgets =
        serde_json::from_value(widgets).map_err(|error| format!("its widget types: {error}"))?;
    Ok(Description {
        tools,
        instructions,
        widgets,
    })
}

fn read_tool(tool: wire::Tool) -> Result<Tool, String> {
    if tool.description.trim().is_empty() || tool.description.len() > MAX_DESCRIPTION {
        return Err(format!(
            "its description must have 1 to {MAX_DESCRIPTION} bytes"
        ));
    }
    let input_schema = json::parse(&tool.input_schema, MAX_SCHEMA)
        .map_err(|error| format!("its schema: {error}"))?;
    if input_schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err("its schema must be that of an object".to_owned());
    }
    if let Some(reference) = outside_reference(&input_schema) {
        return Err(format!(
            "its schema refers to `{}`, outside of itself",
            reference.escape_debug()
        ));
    }
    if weight(
        &input_schema,
        &input_schema,
        &mut Vec::new(),
        &mut HashMap::new(),
    ) > MAX_WEIGHT
    {
        return Err(format!(
            "its schema has more than {MAX_WEIGHT} parts when its references are followed"
        ));
    }
    let validator = jsonschema::options()
        // Linear in the length of the input: a stranger wrote the pattern.
        .with_pattern_options(PatternOptions::regex())
        .build(&input_schema)
        .map_err(|error| format!("its schema: {error}"))?;
    let traits = object(&tool.traits, "traits")?;
    let careful = Traits::read(&Value::Object(traits.clone()));
    Ok(Tool {
        name: tool.name,
        description: tool.description,
        input_schema,
        traits,
        careful,
        validator,
    })
}

fn object(text: &str, what: &str) -> Result<Map<String, Value>, String> {
    match json::parse(
        text,
        Limits {
            bytes: 256 << 10,
            depth: 64,
        },
    ) {
        Ok(Value::Object(members)) => Ok(members),
        Ok(_) => Err(format!("its {what} must be an object")),
        Err(error) => Err(format!("its {what}: {error}")),
    }
}

/// A `$ref` that does not stay in the schema. The schema is shallow: it was read with a limit.
fn outside_reference(schema: &Value) -> Option<&str> {
    match schema {
        Value::Object(members) => {
            members
                .iter()
                .find_map(|(name, value)| match (name.as_str(), value) {
                    ("$ref" | "$dynamicRef" | "$schema" | "$id", Value::String(to))
                        if !to.starts_with('#') =>
                    {
                        (name != "$schema").then_some(to.as_str())
                    }
                    _ => outside_reference(value),
                })
        }
        Value::Array(items) => items.iter().find_map(outside_reference),
        _ => None,
    }
}

/// How many parts a schema has when its references are followed. A few lines in which each refers
/// to the next one twice would otherwise take for ever to read.
fn weight<'a>(
    root: &'a Value,
    part: &'a Value,
    following: &mut Vec<&'a str>,
    known: &mut HashMap<&'a str, usize>,
) -> usize {
    let mut parts = |values: &mut dyn Iterator<Item = &'a Value>| {
        values.fold(1_usize, |sum, value| {
            sum.saturating_add(weight(root, value, following, known))
        })
    };
    let own = match part {
        Value::Object(members) => parts(&mut members.values()),
        Value::Array(items) => parts(&mut items.iter()),
        _ => return 1,
    };
    let Some(to) = part.get("$ref").and_then(Value::as_str) else {
        return own;
    };
    if let Some(weight) = known.get(to) {
        return own.saturating_add(*weight);
    }
    if following.contains(&to) {
        // A type that contains itself is followed once.
        return own;
    }
    if following.len() >= MAX_CHAIN {
        return usize::MAX;
    }
    let Some(target) = root.pointer(to.trim_start_matches('#')) else {
        return own;
    };
    following.push(to);
    let followed = weight(root, target, following, known);
    following.pop();
    known.insert(to, followed);
    own.saturating_add(followed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn weigh(schema: &Value) -> usize {
        weight(schema, schema, &mut Vec::new(), &mut HashMap::new())
    }

    #[test]
    fn references_that_double_are_seen_before_they_are_followed() {
        let mut defs = Map::new();
        for n in 0..40 {
            let next = format!("#/$defs/d{}", n + 1);
            defs.insert(
                format!("d{n}"),
                json!({ "allOf": [{ "$ref": next }, { "$ref": next }] }),
            );
        }
        defs.insert("d40".to_owned(), json!({ "type": "string" }));
        let schema = json!({ "type": "object", "$defs": defs, "properties": { "a": { "$ref": "#/$defs/d0" } } });
        assert!(weigh(&schema) > MAX_WEIGHT);
    }

    #[test]
    fn a_type_that_contains_itself_is_an_ordinary_schema() {
        let tree =
            json!({ "type": "object", "properties": { "children": { "items": { "$ref": "#" } } } });
        assert!(weigh(&tree) < 100);
    }
}
