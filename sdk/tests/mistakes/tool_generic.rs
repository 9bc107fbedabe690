//! A tool with a type parameter.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet<T: ToString>(name: T) -> String {
    name.to_string()
}

fn main() {}
