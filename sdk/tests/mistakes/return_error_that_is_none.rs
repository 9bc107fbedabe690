//! An error that is none.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String) -> Result<String, String> {
    Err(name)
}

fn main() {}
