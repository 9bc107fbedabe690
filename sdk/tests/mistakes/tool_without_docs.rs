//! A tool without a doc comment.

use footlight_sdk::prelude::*;

#[tool]
fn greet(name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet]);

fn main() {
    greet("Ada".into());
}
