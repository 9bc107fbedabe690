//! A tool that is assessed, by nothing.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(approval = "assess")]
fn greet(name: String) -> String {
    name
}

fn main() {}
