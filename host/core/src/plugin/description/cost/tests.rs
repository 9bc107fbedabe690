//! What was counted beforehand, against what the validator does: a keyword of ours counts its steps.

use super::*;
use jsonschema::{Keyword, ValidationError, Validator};
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

#[test]
fn what_would_be_said_for_years_is_not_said() {
    let schema = branching(2, "anyOf", "$ref");
    let affordable = |depth| {
        Extent::of(&nested(depth))
            .expect("small")
            .is_affordable(&schema)
    };
    assert!(affordable(3) && affordable(12));
    assert!(!affordable(30) && !affordable(60));
    // Two children are not two branches.
    let tree = json!({ "properties": { "left": { "$ref": "#" }, "right": { "$ref": "#" } } });
    assert!(Extent::of(&nested(60)).expect("small").is_affordable(&tree));
    let circle = json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } });
    assert!(
        !Extent::of(&json!({}))
            .expect("small")
            .is_affordable(&circle)
    );
}

#[test]
fn what_is_too_large_or_too_deep_is_not_looked_at() {
    assert!(Extent::of(&nested(MAX_DEPTH - 1)).is_ok());
    assert!(Extent::of(&nested(MAX_DEPTH)).is_err());
    assert!(Extent::of(&json!("x".repeat(MAX_BYTES - 2))).is_ok());
    assert!(Extent::of(&json!("x".repeat(MAX_BYTES))).is_err());
    assert!(Extent::of(&json!(vec![0; MAX_BYTES / 4])).is_err());
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
        let extent = Extent::of(&input).expect("small");
        let counted = extent.steps(&schema);
        prop_assume!(counted < 100_000);
        let _ = validator.iter_errors(&input).count();
        // At each level it may be looked at once more whether a branch fits at all.
        let most = counted.saturating_mul(depth as u64 + 2);
        prop_assert!(steps.load(Ordering::Relaxed) <= most, "{} of {most}", steps.load(Ordering::Relaxed));
    }
}
