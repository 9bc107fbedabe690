//! A tool that is `unsafe`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
unsafe fn greet(name: String) -> String {
    name
}

fn main() {}
