//! A default whose type differs from the argument's.

use footlight_sdk::prelude::*;

/// Greets somebody a number of times.
#[tool]
fn greet(#[arg(default = "five")] times: u8) -> String {
    "Hello! ".repeat(times.into())
}

fn main() {}
