//! An argument of a type that has no schema.

use footlight_sdk::prelude::*;

struct Person {
    name: String,
}

/// Greets somebody.
#[tool]
fn greet(person: Person) -> String {
    person.name
}

fn main() {}
