//! A key that stands in `plugin!` twice.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet], tools: [greet]);

fn main() {}
