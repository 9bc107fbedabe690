//! A range on an argument that is not a number.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(#[arg(range = 1..=80)] name: String) -> String {
    name
}

fn main() {}
