//! A sample of what a JSON Schema admits, with which a template is tried.

use serde_json::{Map, Value, json};

/// How deep a sample is. Schemas can refer to themselves.
const MAX_DEPTH: usize = 8;

/// Returns a value that is likely to fit a schema.
pub(super) fn sample(schema: &Value) -> Value {
    of(schema, schema, 0)
}

fn of(root: &Value, schema: &Value, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    let inner = |schema: &Value| of(root, schema, depth + 1);
    let known = ["const", "default"]
        .iter()
        .find_map(|name| schema.get(name));
    if let Some(value) = known {
        return value.clone();
    }
    let first = |name: &str| schema.get(name).and_then(|list| list.get(0));
    if let Some(value) = first("enum").or_else(|| first("examples")) {
        return value.clone();
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        let target = target.strip_prefix('#').and_then(|path| root.pointer(path));
        return target.map_or(Value::Null, inner);
    }
    let alternatives = ["anyOf", "oneOf", "allOf"]
        .iter()
        .find_map(|name| schema.get(name)?.as_array());
    if let Some(alternatives) = alternatives {
        let is_null = |schema: &&Value| schema.get("type").is_some_and(|kind| kind == "null");
        let value = alternatives.iter().find(|schema| !is_null(schema));
        return value.map_or(Value::Null, inner);
    }
    let kind = match schema.get("type") {
        Some(Value::String(kind)) => kind.as_str(),
        Some(Value::Array(kinds)) => {
            let mut kinds = kinds.iter().filter_map(Value::as_str);
            kinds.find(|kind| *kind != "null").unwrap_or("null")
        }
        _ if schema.get("properties").is_some() => "object",
        _ => "string",
    };
    match kind {
        "object" => {
            let properties = schema.get("properties").and_then(Value::as_object);
            let members = properties.into_iter().flatten();
            Value::Object(
                members
                    .map(|(name, schema)| (name.clone(), inner(schema)))
                    .collect::<Map<_, _>>(),
            )
        }
        "array" => {
            let item = schema.get("items").map_or(json!("text"), inner);
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            vec![item; least.clamp(2, 50) as usize].into()
        }
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or(json!(1)),
        "boolean" => json!(true),
        "null" => Value::Null,
        _ => json!("text"),
    }
}
