//! What was counted beforehand, against what the validator does: a keyword of ours counts its steps.

use super::*;
use crate::validation::references::ReferenceBudget;
use crate::validation::{BoundedValidator, SchemaBudget};
use jsonschema::{Keyword, ValidationError, Validator};
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Counts each time it is looked at.
struct Counted(Arc<AtomicU64>);

impl<'i> Keyword<'i> for Counted {
    fn validate(&self, value: &'i Value) -> Result<(), ValidationError<'i>> {
        let _ = self.is_valid(value);
        Ok(())
    }

    fn is_valid(&self, _: &Value) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed);
        true
    }
}

/// A validator of a schema whose every `counted` counts.
fn counting(schema: &Value) -> (Validator, Arc<AtomicU64>) {
    let steps = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&steps);
    let validator = jsonschema::options()
        .with_keyword("counted", move |_, _, _| {
            Ok(Box::new(Counted(Arc::clone(&counter))))
        })
        .build(schema)
        .expect("a schema");
    (validator, steps)
}

/// So many branches that all go into `child`, and a leaf that no input has.
fn branching(branches: usize, way: &str, reference: &str) -> Value {
    let branch = json!({ "counted": true, "required": ["child"], "properties": { "child": { reference: "#" } } });
    json!({ "type": "object", "counted": true, way: vec![branch; branches] })
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(json!({}), |inner, _| json!({ "child": inner }))
}

#[test]
fn whether_an_input_fits_is_found_in_steps_that_grow_with_the_input_alone() {
    let references = ["$ref", "$dynamicRef", "$recursiveRef"];
    let ways = ["anyOf", "oneOf", "allOf"];
    for (way, reference) in ways.iter().flat_map(|way| references.map(|to| (*way, to))) {
        let (validator, steps) = counting(&branching(3, way, reference));
        // With nothing remembered these would be three to the power of sixty.
        for depth in [10, 20, 40, 60] {
            steps.store(0, Ordering::Relaxed);
            let fits = validator.is_valid(&nested(depth));
            assert!(!fits || reference != "$ref");
            let taken = steps.load(Ordering::Relaxed);
            assert!(
                taken <= 200 * depth as u64,
                "{way} {reference} {depth}: {taken}"
            );
        }
    }
}

/// Returns the work that is estimated to decide, or to explain.
fn work(schema: &Value, value: &Value, decides: bool) -> u64 {
    let recursive = ReferenceBudget::default().check(schema).expect("a schema");
    let mut walk = Walk::new(schema, decides.then_some(&recursive), 100 * MAX_WORK);
    match walk.visit(schema, value) {
        Ok(()) => 100 * MAX_WORK - walk.left,
        Err(TooCostly) => u64::MAX,
    }
}

fn is_affordable(schema: &Value, value: &Value) -> bool {
    work(schema, value, true) <= MAX_WORK
}

#[test]
fn what_would_be_said_for_years_is_not_said() {
    let schema = branching(2, "anyOf", "$ref");
    let affordable = |depth| check_explanation(&schema, &nested(depth)).is_ok();
    assert!(affordable(3) && affordable(12));
    assert!(!affordable(30) && !affordable(60));
    assert!(is_affordable(&schema, &nested(60)), "deciding remembers");
    // Two children are not two branches.
    let tree = json!({ "properties": { "left": { "$ref": "#" }, "right": { "$ref": "#" } } });
    assert!(check_explanation(&tree, &nested(60)).is_ok());
    let circle = json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } });
    assert!(check_explanation(&circle, &json!({})).is_err());
}

#[test]
fn what_is_too_large_or_too_deep_is_not_looked_at() {
    assert!(check_size(&nested(MAX_DEPTH - 1)).is_ok());
    assert!(check_size(&nested(MAX_DEPTH)).is_err());
    assert!(check_size(&json!("x".repeat(MAX_BYTES - 2))).is_ok());
    assert!(check_size(&json!("x".repeat(MAX_BYTES))).is_err());
    assert!(check_size(&json!(vec![0; MAX_BYTES / 4])).is_err());
}

/// A name, a schema, and a function that returns a value of about this size.
type Expensive = (&'static str, Value, fn(usize) -> Value);

/// Schemas and values that are made to cost as much as possible.
fn expensive() -> Vec<Expensive> {
    let digits = |size: usize| -> Value { "01".repeat(size / 2).into() };
    let objects = |size: usize| -> Value { (0..size / 20).map(|n| json!({ "a": n })).collect() };
    let integers = |size: usize| -> Value { (0..size / 8).collect() };
    let members = |size: usize| -> Value {
        let members = (0..size / 16).map(|n| (format!("{n:08b}01"), json!(n)));
        Value::Object(members.collect())
    };
    // The hash of an array does not depend on how its values are grouped.
    let groups = |size: usize| -> Value {
        let group = |n: usize| -> Value {
            let nest = |at: usize| {
                if n >> at & 1 == 1 {
                    json!([0])
                } else {
                    json!(0)
                }
            };
            (0..16).map(nest).collect()
        };
        (0..size / 48).map(group).collect()
    };
    let large =
        |size: usize| -> Value { (0..size / 20).map(|n| json!(u64::MAX - n as u64)).collect() };
    let fractions = |size: usize| -> Value { vec![json!(1.7e308); size / 8].into() };
    let thrashes = "^[01]*1[01]{200}$";
    let numbers: Vec<usize> = (0..5_000).collect();
    let names: Vec<String> = (0..1_000).map(|n| format!("no{n}")).collect();
    let many = |schema: Value, count: usize| vec![schema; count];
    let repeated = |size: usize| -> Value {
        const PARTS: [&str; 10] = [
            "a.", "1:", "a@", "\"\"@", "xn--0.", "P1Y", "%41", "/~0", "{a}", "9",
        ];
        let text = |part: &&str| part.repeat(size / part.len() / PARTS.len());
        PARTS.iter().map(text).collect()
    };
    let all_formats: Vec<Value> = crate::validation::formats()
        .iter()
        .map(|format| json!({ "format": format.name }))
        .collect();
    vec![
        (
            "formats",
            json!({ "items": { "anyOf": all_formats } }),
            repeated,
        ),
        ("pattern", json!({ "pattern": thrashes }), digits),
        (
            "patterns",
            json!({ "allOf": many(json!({ "pattern": thrashes }), 100) }),
            digits,
        ),
        (
            "patternProperties",
            json!({ "patternProperties": { thrashes: {}, "^1": {}, "0$": {} } }),
            members,
        ),
        (
            "propertyNames",
            json!({ "propertyNames": { "pattern": thrashes } }),
            members,
        ),
        (
            "contains",
            json!({ "contains": { "enum": ["no"] }, "minContains": 9 }),
            integers,
        ),
        (
            "many contains",
            json!({ "allOf": many(json!({ "contains": { "const": "no" } }), 500) }),
            integers,
        ),
        ("enum", json!({ "items": { "enum": numbers } }), integers),
        (
            "required",
            json!({ "items": { "required": names } }),
            objects,
        ),
        (
            "allOf",
            json!({ "items": { "allOf": many(json!({ "minimum": 0 }), 1_000) } }),
            integers,
        ),
        (
            "oneOf",
            json!({ "items": { "oneOf": many(json!({ "type": "string" }), 1_000) } }),
            integers,
        ),
        (
            "uniqueItems of groups",
            json!({ "uniqueItems": true }),
            groups,
        ),
        (
            "uniqueItems of objects",
            json!({ "uniqueItems": true }),
            objects,
        ),
        (
            "uniqueItems of numbers",
            json!({ "uniqueItems": true }),
            large,
        ),
        (
            "multipleOf",
            json!({ "items": { "multipleOf": 5e-324 } }),
            fractions,
        ),
        (
            "dependentSchemas",
            json!({ "items": { "dependentSchemas": { "a": { "allOf": many(json!({}), 1_000) } } } }),
            objects,
        ),
        (
            "unevaluatedProperties",
            json!({ "items": { "allOf": many(json!({ "properties": { "a": {} } }), 200), "unevaluatedProperties": false } }),
            objects,
        ),
        (
            "unevaluatedItems",
            json!({ "allOf": many(json!({ "contains": { "type": "null" } }), 50), "unevaluatedItems": false }),
            integers,
        ),
    ]
}

#[test]
fn whatever_is_affordable_is_decided_in_seconds_and_the_rest_is_refused() {
    for (name, schema, value) in expensive() {
        let validator = BoundedValidator::new(&schema, &mut SchemaBudget::default());
        let validator = validator.unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        let sizes = (4..20)
            .map(|power| 1_usize << power)
            .filter(|size| *size < MAX_BYTES);
        let mut affordable = sizes.filter(|size| is_affordable(&schema, &value(*size)));
        let largest = affordable
            .next_back()
            .unwrap_or_else(|| panic!("{name}: nothing"));
        let value = value(largest);
        let since = Instant::now();
        let _ = validator.fits(&schema, &value);
        let _ = validator.check(&schema, &value);
        // Half a second is meant; the bound tells that from minutes, also in a slow build.
        let taken = since.elapsed();
        assert!(
            taken < Duration::from_secs(20),
            "{name}: {taken:?} for {largest} bytes"
        );
    }
}

#[test]
fn usual_checks_of_large_values_are_affordable() {
    let text = json!({ "content": "word ".repeat(200_000), "id": "a-1" });
    let note = json!({ "properties": { "content": { "type": "string", "minLength": 1 }, "id": { "pattern": "^[a-z]-[0-9]{1,9}$" } } });
    let rows: Value = (0..10_000)
        .map(|n| json!({ "name": format!("n{n}"), "at": n, "price": 19.99 }))
        .collect();
    let row = json!({ "properties": { "name": { "type": "string", "pattern": "^n[0-9]+$" }, "at": { "minimum": 0 }, "price": { "multipleOf": 0.01 } }, "required": ["name", "at"], "additionalProperties": false });
    // A tagged union whose alternatives all lead deeper.
    let tags = ["text", "row", "column", "card", "list"];
    let alternative = |tag: &&str| json!({ "properties": { "type": { "const": tag }, "child": { "$ref": "#/$defs/node" } } });
    let nodes: Vec<Value> = tags.iter().map(alternative).collect();
    let tree = json!({ "$ref": "#/$defs/node", "$defs": { "node": { "oneOf": nodes } } });
    let deep = (0..40).fold(
        json!({ "type": "text" }),
        |child, _| json!({ "type": "row", "child": child }),
    );
    for (schema, value) in [(note, text), (json!({ "items": row }), rows), (tree, deep)] {
        assert!(
            check_size(&value).is_ok() && is_affordable(&schema, &value),
            "{schema}"
        );
    }
}

#[test]
fn whatever_is_accepted_fits_on_the_stack_of_a_thread() {
    // Each definition nests the reference to the next one, and the last one goes deeper into the value.
    let schema = |links: usize, nesting: usize| {
        let nest = |inner: Value| (0..nesting).fold(inner, |inner, _| json!({ "allOf": [inner] }));
        let mut definitions = Map::new();
        for at in 0..links {
            let next = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
            definitions.insert(format!("d{at}"), nest(next));
        }
        let last = json!({ "properties": { "child": { "$ref": "#/$defs/d0" } } });
        definitions.insert(format!("d{links}"), last);
        json!({ "$ref": "#/$defs/d0", "$defs": definitions })
    };
    let check = move || {
        let mut accepted = 0;
        for (links, nesting) in [(1, 1), (2, 3), (7, 12), (20, 4), (40, 1), (60, 1), (60, 14)] {
            let schema = schema(links, nesting);
            let Ok(validator) = BoundedValidator::new(&schema, &mut SchemaBudget::default()) else {
                continue;
            };
            for depth in [1, 2, 5, 10, 20, 40, 63] {
                accepted += usize::from(validator.check(&schema, &nested(depth)).is_ok());
            }
        }
        accepted
    };
    // As small as the stacks of the threads that calls run on.
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(check);
    let accepted = thread.expect("starts").join().expect("no overflow");
    assert!(accepted >= 10, "{accepted}");
}

/// Schemas that branch, go deeper and come back to their root in any combination.
fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({ "counted": true, "$ref": "#" })),
        Just(json!({ "counted": true, "type": "string" })),
        Just(json!({ "counted": true, "required": ["nothing"] })),
    ];
    leaf.prop_recursive(4, 12, 3, |inner| {
        let few = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            (prop::sample::select(vec!["anyOf", "oneOf", "allOf"]), few)
                .prop_map(|(way, all)| json!({ "counted": true, way: all })),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| {
                json!({ "counted": true, "properties": { "child": a }, "additionalProperties": b })
            }),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| {
                json!({ "counted": true, "patternProperties": { "c": a }, "properties": { "child": b } })
            }),
            inner.prop_map(|a| json!({ "counted": true, "not": a })),
        ]
    })
}

proptest! {
    #[test]
    fn saying_where_takes_no_more_than_was_counted(below in schemas(), depth in 0_usize..6) {
        let schema = json!({ "counted": true, "properties": { "child": below }, "required": ["no"] });
        let input = nested(depth);
        let (validator, steps) = counting(&schema);
        let counted = work(&schema, &input, false) / VISIT;
        prop_assume!(counted < 100_000);
        let _ = validator.iter_errors(&input).count();
        // At each level it may be looked at once more whether a branch fits at all.
        let most = counted.saturating_mul(depth as u64 + 2);
        prop_assert!(steps.load(Ordering::Relaxed) <= most, "{} of {most}", steps.load(Ordering::Relaxed));
    }
}
