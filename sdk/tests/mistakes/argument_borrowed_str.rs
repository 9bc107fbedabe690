//! An argument of a borrowed type.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: &str) -> String {
    name.to_owned()
}

fn main() {}
