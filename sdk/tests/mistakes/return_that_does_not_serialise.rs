//! A result that does not serialise.

use footlight_sdk::prelude::*;

struct Greeting {
    text: String,
}

/// Greets somebody.
#[tool]
fn greet(name: String) -> Greeting {
    Greeting { text: name }
}

fn main() {}
