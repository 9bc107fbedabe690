//! An unknown value of `approval`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(approval = "sometimes")]
fn greet(name: String) -> String {
    name
}

fn main() {}
