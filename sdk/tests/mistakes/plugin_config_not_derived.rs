//! Settings that do not derive `Config`.

use footlight_sdk::prelude::*;

struct Settings {
    name: String,
}

/// Greets somebody.
#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet], config: Settings);

fn main() {}
