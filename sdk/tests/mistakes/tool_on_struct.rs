//! `#[tool]` on an item that is not a function.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
struct Greeting {
    name: String,
}

fn main() {}
