//! A stage that is not the first argument.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String, stage: &Stage) -> String {
    stage.progress("Greeting");
    name
}

fn main() {}
