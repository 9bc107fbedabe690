//! `#[args]` on a struct that has no schema.

use footlight_sdk::prelude::*;

struct Person {
    name: String,
}

/// Greets somebody.
#[tool]
fn greet(#[args] person: Person) -> String {
    person.name
}

fn main() {}
