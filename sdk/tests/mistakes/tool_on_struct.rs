//! `#[tool]` above something that is no function.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
struct Greeting {
    name: String,
}

fn main() {}
