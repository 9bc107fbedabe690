//! One plain argument is marked to stand for all of them.

use footlight_sdk::prelude::*;

/// Looks up a word.
#[tool]
fn look_up(#[args] word: String) -> String {
    word
}

fn main() {}
