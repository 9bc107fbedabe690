//! A tool that is generic by `impl Trait`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: impl ToString) -> String {
    name.to_string()
}

fn main() {}
