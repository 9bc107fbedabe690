//! An option that tools do not have.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(readonly)]
fn greet(name: String) -> String {
    name
}

fn main() {}
