//! A tool that is both `read_only` and `destructive`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(read_only, destructive)]
fn greet(name: String) -> String {
    name
}

fn main() {}
