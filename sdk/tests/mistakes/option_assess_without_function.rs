//! `approval = "assess"` without an `assess` function.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(approval = "assess")]
fn greet(name: String) -> String {
    name
}

fn main() {}
