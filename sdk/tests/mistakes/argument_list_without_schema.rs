//! A list of a type that has no schema.

use footlight_sdk::prelude::*;

struct Person {
    name: String,
}

/// Greets everybody.
#[tool]
fn greet(people: Vec<Person>) -> usize {
    people.iter().map(|person| person.name.len()).sum()
}

fn main() {}
