//! An `assess` function with other arguments than the tool's.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool(assess = weigh)]
fn greet(name: String) -> String {
    name
}

fn weigh(name: String, times: u8) -> Option<Concern> {
    (times > 1).then(|| Concern::new(name, "That is many greetings."))
}

fn main() {}
