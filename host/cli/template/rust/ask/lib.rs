//! A plugin that asks the person, and requests approval before it acts.

#![forbid(unsafe_code)]

use footlight_sdk::prelude::*;

/// Orders lunch for the person.
#[tool(asks, requests = "{{id}}.order", example = "Order lunch for me")]
fn order(stage: &Stage) -> Result<String> {
    let answers = stage.ask(
        "What would you like?",
        [
            Field::radio("dish").options(["soup", "salad"]),
            Field::number("portions")
                .min(1)
                .max(9)
                .integer(true)
                .default(1),
        ],
    )?;
    let (dish, portions): (String, u8) = (answers.read("dish")?, answers.read("portions")?);
    let what = format!("{portions} × {dish}");
    stage.approve(
        Approval::new("{{id}}.order")
            .subject(&what)
            .reason("You asked for lunch."),
    )?;
    // Here the order would be sent.
    Ok(format!("Ordered {what}."))
}

plugin!(tools: [order]);

#[test]
fn what_was_answered_and_approved_is_ordered() {
    let stage = footlight_sdk::testing::stage()
        .answers(
            "What would you like?",
            serde_json::json!({ "dish": "soup", "portions": 2 }),
        )
        .approves("{{id}}.order");
    assert_eq!(order(&stage).expect("orders"), "Ordered 2 × soup.");
}

#[test]
fn nothing_is_ordered_without_approval() {
    let stage = footlight_sdk::testing::stage()
        .answers(
            "What would you like?",
            serde_json::json!({ "dish": "soup", "portions": 2 }),
        )
        .denies("{{id}}.order", "not today");
    assert!(order(&stage).is_err());
}
