//! An argument without a name.

use footlight_sdk::prelude::*;

/// Adds two numbers.
#[tool]
fn add((left, right): (i64, i64)) -> i64 {
    left + right
}

fn main() {}
