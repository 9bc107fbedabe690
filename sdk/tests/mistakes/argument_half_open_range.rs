//! A range that excludes its end.

use footlight_sdk::prelude::*;

/// Greets somebody a number of times.
#[tool]
fn greet(#[arg(range = 1..15)] times: u8) -> String {
    "Hello! ".repeat(times.into())
}

fn main() {}
