//! A stage that is borrowed mutably.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(stage: &mut Stage, name: String) -> String {
    stage.progress("Greeting");
    name
}

fn main() {}
