//! `#[args]` on an argument that is not a struct.

use footlight_sdk::prelude::*;

/// Looks up a word.
#[tool]
fn look_up(#[args] word: String) -> String {
    word
}

fn main() {}
