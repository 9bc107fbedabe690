//! A stage that is taken by value.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(stage: Stage, name: String) -> String {
    stage.progress("Greeting");
    name
}

fn main() {}
