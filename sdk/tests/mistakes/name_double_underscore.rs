//! A tool whose name has two underscores in a row.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet__person(name: String) -> String {
    name
}

fn main() {}
