//! A tool that `plugin!` names twice.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet, greet]);

fn main() {}
