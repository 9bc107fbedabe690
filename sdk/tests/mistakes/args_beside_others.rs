//! `#[args]` beside another argument.

use footlight_sdk::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Person {
    name: String,
}

/// Greets somebody.
#[tool]
fn greet(#[args] person: Person, times: u8) -> String {
    person.name.repeat(times.into())
}

fn main() {}
