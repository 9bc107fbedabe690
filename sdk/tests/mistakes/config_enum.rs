//! Settings that are an enum.

use footlight_sdk::prelude::*;

#[derive(Config)]
enum Settings {
    Loud,
    Quiet,
}

fn main() {}
