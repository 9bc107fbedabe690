//! A tool whose name has an upper-case letter.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
#[allow(non_snake_case, reason = "the mistake under test")]
fn greetPerson(name: String) -> String {
    name
}

fn main() {}
