//! A tool that says it only reads, and that it destroys.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(read_only, destructive)]
fn greet(name: String) -> String {
    name
}

fn main() {}
