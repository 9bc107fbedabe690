//! A range for something that is no number.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(#[arg(range = 1..=80)] name: String) -> String {
    name
}

fn main() {}
