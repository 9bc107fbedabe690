//! A result, behind `Result`, that cannot be written as JSON.

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
