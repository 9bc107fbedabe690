//! A tool whose name is longer than 31 characters.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet_somebody_whose_name_is_given(name: String) -> String {
    name
}

fn main() {}
