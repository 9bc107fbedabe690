//! A plugin that shows a card with a button, and keeps a number for the person.

#![forbid(unsafe_code)]

use footlight_sdk::ui::{Action, Button, Card, Title};
use footlight_sdk::prelude::*;

/// The data of a `counter` widget.
#[derive(serde::Serialize, schemars::JsonSchema)]
struct Counter {
    /// How many there are.
    total: u32,
}

/// Counts something for the person, and shows how many there are.
#[tool(example = "Count one more")]
fn count(
    stage: &Stage,
    /// How many to add.
    #[arg(default = 1, range = 1..=10)]
    by: u32,
) -> Result<String> {
    let state = stage.state(Scope::Person);
    let total = state.update("total", |total: Option<u32>| {
        total.unwrap_or(0).saturating_add(by)
    })?;
    stage.show(card(total))?;
    Ok(format!("{total} so far."))
}

/// Returns the card. Its button calls `count` again, whose card then replaces this one.
fn card(total: u32) -> Widget {
    let more = Action::new("count").payload(serde_json::json!({ "by": 1 }));
    let view = Card::new()
        .child(Title::new(format!("{total} so far")))
        .child(Button::new().label("One more").on_click_action(more));
    Widget::new("counter", &Counter { total }).view(view)
}

plugin!(tools: [count], widgets: ["counter": Counter]);

#[test]
fn counter_is_kept_and_shown() {
    let stage = footlight_sdk::testing::stage().with_state(Scope::Person, "total", 4);
    assert_eq!(count(&stage, 2).expect("counts"), "6 so far.");
    assert_eq!(stage.shown()[0].fallback, "6 so far\n[One more]");
}
