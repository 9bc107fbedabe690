//! A plugin without `plugin.toml`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(tools: [greet]);

fn main() {}
