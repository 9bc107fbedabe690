//! An unknown option of `#[arg]`.

use footlight_sdk::prelude::*;

/// Greets somebody.
#[tool]
fn greet(#[arg(defualt = "Ada")] name: String) -> String {
    name
}

plugin!(manifest: none, tools: [greet]);

fn main() {
    greet("Ada".into());
}
