//! An unknown key of `plugin!`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tool: [greet]);

fn main() {
    footlight_sdk::testing::describe::<FootlightPlugin>();
}
