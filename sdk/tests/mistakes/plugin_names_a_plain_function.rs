//! A function in `plugin!` that is not a tool.

use footlight_sdk::prelude::*;

fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet]);

fn main() {}
