//! A setting of a type that has no schema.

use footlight_sdk::prelude::*;

struct Person;

#[derive(Config)]
struct Settings {
    person: Person,
}

fn main() {}
