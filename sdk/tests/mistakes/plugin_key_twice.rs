//! A key that is given twice in `plugin!`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet], tools: [greet]);

fn main() {}
