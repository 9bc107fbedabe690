//! Reads a tool's JSON Schema, for typed arguments and for `inspect`.
//!
//! Invariant: schemas come from plugins. Reading any schema takes time linear in its size and does not
//! panic, and what is shown of it is bounded. The host validates.

use footlight_render::filter;
use serde_json::Value;
use std::collections::HashSet;

/// How many references and alternatives are followed.
const MAX_STEPS: usize = 16;

/// How many members of a schema are listed, a line each.
const MAX_LINES: usize = 100;

/// How many values or names are listed on one line.
const MAX_LISTED: usize = 20;

/// A position in a schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SchemaNode<'a> {
    root: &'a Value,
    at: &'a Value,
}

impl<'a> SchemaNode<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self { root, at: root }
    }

    fn to(self, at: &'a Value) -> Self {
        Self { at, ..self }
    }

    /// Returns this schema with its references and alternatives.
    fn resolved(self) -> Vec<&'a Value> {
        let mut found = Vec::new();
        let mut open = vec![self.at];
        while let Some(at) = open.pop() {
            if found.len() >= MAX_STEPS {
                break;
            }
            found.push(at);
            let reference = at.get("$ref").and_then(Value::as_str);
            open.extend(reference.and_then(|path| self.root.pointer(path.strip_prefix('#')?)));
            for key in ["anyOf", "oneOf", "allOf"] {
                let several = at.get(key).and_then(Value::as_array);
                let several = several.map_or(&[][..], Vec::as_slice);
                open.extend(several[..several.len().min(MAX_STEPS)].iter().rev());
            }
        }
        found
    }

    /// Returns the allowed types; empty if the schema says nothing.
    pub(crate) fn types(self) -> Vec<&'a str> {
        let mut types = Vec::new();
        for at in self.resolved() {
            let names: Vec<&str> = match at.get("type") {
                Some(Value::String(name)) => vec![name],
                Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
                _ => {
                    let values = at.get("enum").and_then(Value::as_array);
                    let values = values.into_iter().flatten().chain(at.get("const"));
                    values.map(type_of).collect()
                }
            };
            for name in names {
                if !types.contains(&name) {
                    types.push(name);
                }
            }
        }
        types
    }

    /// Returns the named members, in the order of the schema.
    pub(crate) fn members(self) -> Vec<(&'a str, Self)> {
        let mut members: Vec<(&str, Self)> = Vec::new();
        let mut seen = HashSet::new();
        for at in self.resolved() {
            let named = at.get("properties").and_then(Value::as_object);
            for (name, at) in named.into_iter().flatten() {
                if seen.insert(name) {
                    members.push((name, self.to(at)));
                }
            }
        }
        members
    }

    /// Returns the schema of a member, if the member is allowed.
    ///
    /// A schema that names members and says nothing about others allows any. Here unknown ones are
    /// rejected, because they are most likely typos.
    pub(crate) fn member(self, name: &str) -> Option<Self> {
        let members = self.members();
        if let Some((_, found)) = members.iter().find(|(known, _)| *known == name) {
            return Some(*found);
        }
        for at in self.resolved() {
            match at.get("additionalProperties") {
                None | Some(Value::Bool(false)) => {}
                Some(other) => return Some(self.to(other)),
            }
        }
        let says_nothing = members.is_empty() && !self.is_closed();
        says_nothing.then(|| self.to(&Value::Null))
    }

    /// Reports whether no member is allowed.
    pub(crate) fn takes_nothing(self) -> bool {
        self.members().is_empty() && self.member("").is_none()
    }

    fn is_closed(self) -> bool {
        let closes = |at: &&Value| {
            at.get("additionalProperties") == Some(&Value::Bool(false))
                || at.get("properties").is_some()
        };
        self.resolved().iter().any(closes)
    }

    /// Returns the schema of the values of a list.
    pub(crate) fn items(self) -> Self {
        self.to(self.keyword("items").unwrap_or(&Value::Null))
    }

    fn keyword(self, key: &str) -> Option<&'a Value> {
        self.resolved().into_iter().find_map(|at| at.get(key))
    }

    fn required(self) -> HashSet<&'a str> {
        let names = self.keyword("required").and_then(Value::as_array);
        let names = names.into_iter().flatten();
        names.filter_map(Value::as_str).collect()
    }

    /// Returns the name and description of each member.
    pub(crate) fn lines(self) -> Vec<(String, String)> {
        let required = self.required();
        let members = self.members();
        let more = members.len().saturating_sub(MAX_LINES);
        let more = (more > 0).then(|| ("...".to_owned(), format!("and {more} more")));
        let lines = members.into_iter().take(MAX_LINES).map(|(name, shape)| {
            let mut words = shape.describe();
            if required.contains(name) {
                words.push_str(", required");
            } else if let Some(default) = shape.keyword("default").filter(|value| !value.is_null())
            {
                words.push_str(&format!(", {} where left out", brief(default)));
            }
            if let Some(said) = shape.keyword("description").and_then(Value::as_str) {
                words.push_str(&format!(": {}", filter::line(said, 200)));
            }
            (filter::line(name, 60), words)
        });
        lines.chain(more).collect()
    }

    /// Describes the allowed values.
    pub(crate) fn describe(self) -> String {
        self.describe_within(3)
    }

    fn describe_within(self, depth: usize) -> String {
        if let Some(values) = self.keyword("enum").and_then(Value::as_array) {
            let values = values.iter().filter(|value| !value.is_null());
            return format!("one of {}", listed(values.map(brief)));
        }
        let mut words = Vec::new();
        for name in self.types() {
            words.push(match name {
                "null" => continue,
                "string" => match self.keyword("format").and_then(Value::as_str) {
                    Some(format) => format!("text ({})", filter::line(format, 30)),
                    None => {
                        let length = self.between("minLength", "maxLength", " characters");
                        format!("text{length}")
                    }
                },
                "integer" => format!("whole number{}", self.between("minimum", "maximum", "")),
                "number" => format!("number{}", self.between("minimum", "maximum", "")),
                "boolean" => "true or false".to_owned(),
                "array" if depth > 0 => {
                    format!("list of {}", self.items().describe_within(depth - 1))
                }
                "array" => "list".to_owned(),
                "object" => match self.members().as_slice() {
                    [] => "object".to_owned(),
                    members => {
                        let names = members.iter().map(|(name, _)| filter::line(name, 60));
                        format!("object with {}", listed(names))
                    }
                },
                other => filter::line(other, 30),
            });
        }
        if words.is_empty() {
            return "anything".to_owned();
        }
        words.join(" or ")
    }

    fn between(self, least: &str, most: &str, unit: &str) -> String {
        let bound = |key| self.keyword(key).map(brief);
        match (bound(least), bound(most)) {
            (Some(least), Some(most)) => format!(" from {least} to {most}{unit}"),
            (Some(least), None) => format!(" of at least {least}{unit}"),
            (None, Some(most)) => format!(" of at most {most}{unit}"),
            (None, None) => String::new(),
        }
    }
}

/// The JSON Schema name of a value's type.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Joins the first words, and counts the others.
fn listed(mut words: impl Iterator<Item = String>) -> String {
    let mut text = words
        .by_ref()
        .take(MAX_LISTED)
        .collect::<Vec<_>>()
        .join(", ");
    let more = words.count();
    if more > 0 {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

fn brief(value: &Value) -> String {
    filter::line(&value.to_string(), 40)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn members_are_described() {
        let schema = json!({
            "type": "object",
            "required": ["city"],
            "properties": {
                "city": { "type": "string", "description": "The city\nto look up." },
                "days": { "type": "integer", "minimum": 1, "maximum": 14, "default": 5 },
                "order": { "enum": ["newest", "oldest"] },
                "since": { "type": ["string", "null"], "format": "date", "default": null },
                "tags": { "type": "array", "items": { "type": "string", "minLength": 1 } },
                "place": { "anyOf": [{ "$ref": "#/$defs/Place" }, { "type": "null" }] },
                "any": true,
            },
            "$defs": { "Place": { "type": "object", "properties": { "x": { "type": "number" }, "y": {} } } },
        });
        let lines = SchemaNode::new(&schema).lines();
        let lines: Vec<String> = lines
            .iter()
            .map(|(name, words)| format!("{name} = {words}"))
            .collect();
        assert_eq!(
            lines,
            [
                "city = text, required: The city to look up.",
                "days = whole number from 1 to 14, 5 where left out",
                "order = one of \"newest\", \"oldest\"",
                "since = text (date)",
                "tags = list of text of at least 1 characters",
                "place = object with x, y",
                "any = anything",
            ]
        );
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({ "$ref": "#", "anyOf": [{ "$ref": "#" }, { "$ref": "#/nowhere" }, { "$ref": "http://x" }] });
        let shape = SchemaNode::new(&schema);
        assert_eq!(shape.describe(), "anything");
        assert!(shape.lines().is_empty());
        let nested = json!({ "type": "array", "items": { "$ref": "#" } });
        assert_eq!(
            SchemaNode::new(&nested).describe(),
            "list of list of list of list"
        );
    }

    #[test]
    fn unnamed_members_need_additional_properties() {
        let closed = json!({ "properties": { "a": {} } });
        assert!(SchemaNode::new(&closed).member("b").is_none());
        let open =
            json!({ "properties": { "a": {} }, "additionalProperties": { "type": "integer" } });
        let member = SchemaNode::new(&open).member("b").expect("may be there");
        assert_eq!(member.types(), ["integer"]);
        assert!(SchemaNode::new(&Value::Null).member("b").is_some());
    }

    #[test]
    fn a_tool_without_arguments_takes_nothing() {
        for (schema, expected) in [
            (json!({ "type": "object", "properties": {} }), true),
            (json!({ "additionalProperties": false }), true),
            (json!({ "additionalProperties": true }), false),
            (json!({ "properties": { "a": {} } }), false),
            (json!({}), false),
        ] {
            assert_eq!(
                SchemaNode::new(&schema).takes_nothing(),
                expected,
                "{schema}"
            );
        }
    }

    #[test]
    fn large_schemas_are_shown_in_part_with_exact_counts() {
        let many: serde_json::Map<_, _> = (0..5_000)
            .map(|n| (format!("m{n}"), json!({ "$ref": "#" })))
            .collect();
        // Each member has all members of the root.
        let schema =
            json!({ "type": "object", "properties": many, "anyOf": vec![json!({}); 9_000] });
        let lines = SchemaNode::new(&schema).lines();
        assert_eq!(lines.len(), MAX_LINES + 1);
        let (name, words) = &lines[MAX_LINES];
        assert_eq!((name.as_str(), words.as_str()), ("...", "and 4900 more"));
        assert!(lines[0].1.ends_with(" and 4980 more"), "{}", lines[0].1);
        let values = json!({ "enum": (0..1_000).collect::<Vec<_>>() });
        let words = SchemaNode::new(&values).describe();
        assert!(words.ends_with("18, 19 and 980 more"), "{words}");
    }
}
