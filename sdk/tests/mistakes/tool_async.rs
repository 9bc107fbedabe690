//! A tool that is `async`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
async fn greet(name: String) -> String {
    name
}

fn main() {}
