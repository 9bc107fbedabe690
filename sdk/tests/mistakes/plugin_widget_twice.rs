//! A widget type that is declared twice.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet], widgets: ["card": String, "card": u8]);

fn main() {}
