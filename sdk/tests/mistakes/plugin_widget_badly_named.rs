//! A widget type whose name has a space.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet], widgets: ["greeting card": String]);

fn main() {}
