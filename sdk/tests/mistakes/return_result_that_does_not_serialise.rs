//! A `Result` whose value does not serialise.

use footlight_sdk::prelude::*;

struct Greeting {
    text: String,
}

/// Greets somebody.
#[tool]
fn greet(name: String) -> Result<Greeting> {
    Ok(Greeting { text: name })
}

fn main() {}
