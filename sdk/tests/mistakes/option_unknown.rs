//! An unknown option of `#[tool]`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(readonly)]
fn greet(name: String) -> String {
    name
}

fn main() {}
