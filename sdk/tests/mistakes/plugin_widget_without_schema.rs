//! A widget type whose data has no schema.

use footlight_sdk::prelude::*;

struct Greeting;

/// Greets somebody.
#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet], widgets: ["greeting": Greeting]);

fn main() {}
