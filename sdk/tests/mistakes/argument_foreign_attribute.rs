//! An unknown attribute of an argument.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(#[setting(default = "Ada")] name: String) -> String {
    name
}

fn main() {}
