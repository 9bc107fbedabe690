//! Any prompt and any tools: no panic, the same answer twice, and no input that its schema refuses.

use super::*;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A schema of one member, of the kinds that words can fill.
fn member() -> impl Strategy<Value = Value> {
    let bound = -5i64..20;
    prop_oneof![
        (0usize..4, 0usize..30).prop_map(
            |(min, more)| json!({ "type": "string", "minLength": min, "maxLength": min + more })
        ),
        Just(json!({ "type": ["string", "null"], "format": "date" })),
        Just(json!({ "type": "string", "format": "email" })),
        Just(json!({ "type": "string", "format": "uri" })),
        Just(json!({ "type": "boolean" })),
        proptest::collection::vec("[a-z]{1,6}", 1..5)
            .prop_map(|words| json!({ "type": "string", "enum": words })),
        (bound.clone(), 0i64..20).prop_map(
            |(min, more)| json!({ "type": "integer", "minimum": min, "maximum": min + more })
        ),
        bound.prop_map(|min| json!({ "type": "number", "exclusiveMinimum": min })),
        (0usize..3, 0usize..3).prop_map(|(min, more)| json!({
            "type": "array", "items": { "type": "string", "minLength": 1 },
            "minItems": min, "maxItems": min + more
        })),
        Just(json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] })),
        Just(json!({ "oneOf": [{ "const": "low" }, { "const": "high" }] })),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let names = prop_oneof![
        Just("days"),
        Just("city"),
        Just("to"),
        Just("when"),
        Just("title"),
        Just("how_many"),
        Just("priority"),
        Just("é x")
    ];
    proptest::collection::vec((names, member(), any::<bool>()), 0..5).prop_map(|members| {
        let required: Vec<&str> = members.iter().filter(|m| m.2).map(|m| m.0).collect();
        let properties: Map<String, Value> = members
            .iter()
            .map(|(name, member, _)| ((*name).to_owned(), member.clone()))
            .collect();
        let required: std::collections::BTreeSet<&str> = required.into_iter().collect();
        json!({ "type": "object", "properties": properties, "required": required,
                "additionalProperties": false })
    })
}

/// Words that the tools below share with the prompts, so that calls are made.
fn phrase() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        Just("book"),
        Just("a"),
        Just("desk"),
        Just("in"),
        Just("Oslo"),
        Just("for"),
        Just("3"),
        Just("days"),
        Just("two weeks"),
        Just("tomorrow"),
        Just("to"),
        Just("Ada"),
        Just("high"),
        Just("priority"),
        Just("and"),
        Just(","),
        Just("\"a quote\""),
        Just("ada@example.com"),
        Just("https://example.com"),
        Just("the"),
        Just("99"),
        Just("not"),
        Just("4 May"),
    ];
    let typed = prop_oneof![Just(""), Just("/book "), Just("/desk.book days=3 ")];
    (typed, proptest::collection::vec(word, 0..12))
        .prop_map(|(typed, words)| format!("{typed}{}", words.join(" ")))
}

fn tool(name: &str, schema: Value) -> ToolSpec {
    let mut tool = ToolSpec::new(name, "Books a desk for some days.", schema);
    tool.examples = vec![
        "Book a desk in Oslo".to_owned(),
        "Book X for Ada".to_owned(),
    ];
    tool
}

/// Any JSON, a little deep, with the words of JSON Schema among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop_oneof![
            Just("string"),
            Just("array"),
            Just("integer"),
            Just("null"),
            Just("#"),
            Just("date"),
            Just("#/properties/city"),
            Just("days"),
            Just("city")
        ]
        .prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let key = prop_oneof![
            Just("type"),
            Just("properties"),
            Just("required"),
            Just("enum"),
            Just("anyOf"),
            Just("oneOf"),
            Just("allOf"),
            Just("$ref"),
            Just("items"),
            Just("minimum"),
            Just("maxLength"),
            Just("minItems"),
            Just("format"),
            Just("default"),
            Just("description"),
            Just("city"),
            Just("days")
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((key, inner), 0..6).prop_map(|members| {
                let members = members
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value));
                Value::Object(members.collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn an_input_that_words_filled_is_one_that_its_schema_takes(
        prompt in phrase(), schema in schema(), other in schema(),
    ) {
        let tools = vec![tool("desk__book", schema.clone()), tool("desk__share", other.clone())];
        let parts = answer(&request(tools.clone(), vec![person(&prompt)]), today());
        for call in calls(&parts) {
            let schema = if call.name == "desk__book" { &schema } else { &other };
            let input: Value = serde_json::from_str(&call.arguments).expect("JSON");
            let validator = jsonschema::validator_for(schema).expect("a schema");
            prop_assert!(validator.is_valid(&input), "{prompt}: {input} for {schema}");
        }
        let again = answer(&request(tools, vec![person(&prompt)]), today());
        prop_assert_eq!(parts, again);
    }

    #[test]
    fn any_prompt_and_any_tools_are_borne(
        prompt in prop_oneof!["\\PC{0,200}", "[/{}\"'=, a-c\n]{0,60}", phrase()],
        names in proptest::collection::vec("[a-z_]{0,12}", 0..4),
        schema in any_json(),
        description in "\\PC{0,60}",
        example in "\\PC{0,40}",
        reply in "\\PC{0,40}",
    ) {
        let mut offered: Vec<ToolSpec> = names.iter().map(|name| {
            let mut tool = ToolSpec::new(name, &description, schema.clone());
            tool.examples = vec![example.clone(), prompt.clone()];
            tool
        }).collect();
        offered.push(tool(ask::TOOL, json!({})));
        let mut messages = vec![person(&prompt)];
        for _ in 0..3 {
            let parts = answer(&request(offered.clone(), messages.clone()), today());
            let results = calls(&parts).iter().map(|call| {
                ToolResult::new(&call.id, &call.name, vec![Part::Text { text: reply.clone() }])
            }).collect();
            messages.push(Message::Model { parts });
            messages.push(Message::Results { results });
        }
    }

    #[test]
    fn a_plan_that_somebody_tampered_with_is_borne(part in "\\PC{0,60}", plan in any_json()) {
        for part in [part, json!({ "how": "typed", "calls": [{ "tool": "x", "input": plan }] }).to_string()] {
            let parts = vec![ModelPart::Opaque { wire: plan::WIRE.to_owned(), part }];
            let results = vec![ToolResult::new("", ask::TOOL, Vec::new())];
            let messages = vec![Message::Model { parts }, Message::Results { results }];
            answer(&request(tools(), messages), today());
        }
    }
}

#[test]
fn long_prompts_and_many_tools_are_cut_off_before_they_cost_anything() {
    let long = "rain ".repeat(1_000_000);
    let parts = answer(&request(tools(), vec![person(&long)]), today());
    assert!(said(&parts).starts_with("this is too long to be matched by words"));
    let many = (0..2000).map(|at| tool(&format!("p{at}__book"), json!({ "type": "object" })));
    let parts = answer(
        &request(many.collect(), vec![person("/p1999.book")]),
        today(),
    );
    assert!(said(&parts).starts_with("there is no tool `p1999.book`"));
}
