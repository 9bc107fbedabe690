//! An argument with one value where a list is expected.

use footlight_sdk::prelude::*;

/// Sorts.
#[tool]
fn sort(#[arg(one_of = "asc")] order: String) -> String {
    order
}

fn main() {}
