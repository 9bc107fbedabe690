//! An `assess` function whose argument has another type than the tool's.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(assess = weigh)]
fn greet(name: String) -> String {
    name
}

fn weigh(name: &str) -> Option<Concern> {
    name.is_empty().then(|| Concern::new("nobody", "Nobody is greeted."))
}

fn main() {}
