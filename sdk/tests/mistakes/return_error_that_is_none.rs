//! An error type that does not implement `Error`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String) -> Result<String, String> {
    Err(name)
}

fn main() {}
