//! An unknown option of `#[setting]`.

use footlight_sdk::prelude::*;

#[derive(Config)]
struct Settings {
    #[setting(minimum = 1)]
    days: u8,
}

fn main() {}
