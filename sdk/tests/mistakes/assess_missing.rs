//! An `assess` function that does not exist.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(assess = weigh)]
fn greet(name: String) -> String {
    name
}

fn main() {}
