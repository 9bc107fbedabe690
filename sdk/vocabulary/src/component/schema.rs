//! The JSON Schema of a component tree, derived from the table.

use super::ROOTS;
use super::action::Action;
use super::spec::{COMPONENTS, Children, ComponentSpec, PropSpec, PropType};
use serde_json::{Map, Value, json};

/// Returns the JSON Schema (2020-12) of a widget's `view`.
///
/// As in [`check`](super::check), unknown props and components are allowed, and a component of a
/// known type must fit its definition.
#[must_use]
pub fn schema() -> Value {
    let known = COMPONENTS.iter().map(|spec| {
        json!({
            "if": { "properties": { "type": { "const": spec.name } } },
            "then": { "$ref": format!("#/$defs/{}", spec.name) }
        })
    });
    let mut defs = Map::new();
    defs.insert(
        "Component".to_owned(),
        json!({
            "description": "A component; one of an unknown type draws its children or its fallback.",
            "type": "object",
            "properties": {
                "type": { "type": "string" },
                "id": { "type": ["string", "null"], "description": "Unique in the tree." },
                "key": { "type": ["string", "null"], "description": "Tells it from its siblings." },
                "fallback": { "type": ["string", "null"], "description": "Shown where the type is not known." },
                "children": children(Children::ANY)
            },
            "required": ["type"],
            "allOf": known.collect::<Vec<_>>()
        }),
    );
    defs.insert("Action".to_owned(), action());
    let specs = COMPONENTS.iter();
    defs.extend(specs.map(|spec| (spec.name.to_owned(), component(spec))));
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Component tree",
        "description": "What a widget looks like.",
        "$ref": "#/$defs/Component",
        "properties": { "type": { "enum": ROOTS } },
        "$defs": defs
    })
}

fn component(spec: &ComponentSpec) -> Value {
    let mut schema = object(spec.props);
    schema["description"] = spec.doc.trim().into();
    // For a leaf, `children` is an unknown prop like any other.
    if spec.children != Children::None {
        schema["properties"]["children"] = children(spec.children);
    }
    if matches!(
        spec.children,
        Children::One | Children::Many { required: true, .. }
    ) && let Some(required) = schema["required"].as_array_mut()
    {
        required.push("children".into());
    }
    schema
}

fn children(allowed: Children) -> Value {
    let (only, required) = match allowed {
        Children::Many { only, required } => (only, required),
        Children::One | Children::None => (None, false),
    };
    let mut child = json!({ "$ref": "#/$defs/Component" });
    if let Some(only) = only {
        child["properties"] = json!({ "type": { "const": only } });
    }
    let mut types = vec![json!({ "type": "array", "items": child }), child];
    if !required {
        types.push(json!({ "type": "null" }));
    }
    json!({ "anyOf": types })
}

fn action() -> Value {
    let mut schema = object(Action::SHAPE);
    schema["description"] = "A call of a tool of the same plugin.".into();
    schema["properties"]["payload"] = json!({ "description": "What the tool is called with." });
    schema
}

fn object(shape: &[PropSpec]) -> Value {
    let properties = shape.iter().map(|prop| {
        let mut schema = takes(prop.takes);
        if !prop.required {
            schema = json!({ "anyOf": [schema, { "type": "null" }] });
        }
        schema["description"] = prop.doc.trim().into();
        (prop.name.to_owned(), schema)
    });
    let properties: Map<String, Value> = properties.collect();
    let required = shape.iter().filter(|prop| prop.required);
    let required: Vec<_> = required.map(|prop| prop.name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

fn takes(takes: PropType) -> Value {
    match takes {
        PropType::Str => json!({ "type": "string" }),
        PropType::Bool => json!({ "type": "boolean" }),
        PropType::False => json!({ "const": false }),
        PropType::Null => json!({ "type": "null" }),
        PropType::Int => json!({ "type": "integer" }),
        PropType::Num => json!({ "type": "number" }),
        PropType::Word(["auto"]) => json!({ "const": "auto" }),
        // The known words are examples, not an `enum`: a schema must accept new words too.
        PropType::Word(known) => json!({ "type": "string", "examples": known }),
        PropType::Icon => json!({ "type": "string", "examples": super::IconName::KNOWN }),
        PropType::ToolName => {
            json!({ "type": "string", "pattern": "^(?!.*__)[a-z][a-z0-9_]{0,30}$" })
        }
        PropType::Action => json!({ "$ref": "#/$defs/Action" }),
        PropType::Object(shape) => object(shape),
        PropType::Map(inner) => {
            json!({ "type": "object", "additionalProperties": self::takes(*inner) })
        }
        PropType::List(inner) => json!({ "type": "array", "items": self::takes(*inner) }),
        PropType::OneOf(types) => {
            json!({ "anyOf": types.iter().map(|one| self::takes(*one)).collect::<Vec<_>>() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_is_defined_and_every_reference_resolves() {
        let schema = schema();
        let defs = schema["$defs"].as_object().expect("definitions");
        assert_eq!(defs.len(), COMPONENTS.len() + 2);
        for part in schema.to_string().split("#/$defs/").skip(1) {
            let name = part
                .split('"')
                .next()
                .expect("a reference ends with a quote");
            assert!(defs.contains_key(name), "{name}");
        }
    }

    #[test]
    fn definitions_match_the_table() {
        let schema = schema();
        assert_eq!(
            schema["properties"]["type"]["enum"],
            json!(["Card", "ListView", "Basic"])
        );
        let select = &schema["$defs"]["Select"];
        assert_eq!(select["required"], json!(["name", "options"]));
        assert_eq!(select["properties"]["name"]["type"], "string");
        assert_eq!(schema["$defs"]["Card"]["required"], json!(["children"]));
        assert_eq!(schema["$defs"]["Text"]["properties"].get("children"), None);
    }
}
