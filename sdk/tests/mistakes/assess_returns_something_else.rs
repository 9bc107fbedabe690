//! An `assess` function that does not return a concern.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(assess = weigh)]
fn greet(name: String) -> String {
    name
}

fn weigh(name: String) -> bool {
    name.is_empty()
}

fn main() {}
