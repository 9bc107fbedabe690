//! `#[args]` on two arguments.

use footlight_sdk::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Person {
    name: String,
}

/// Introduces two people.
#[tool]
fn introduce(#[args] one: Person, #[args] other: Person) -> String {
    one.name + &other.name
}

fn main() {}
