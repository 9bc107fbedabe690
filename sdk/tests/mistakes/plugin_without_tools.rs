//! A plugin without tools.

use footlight_sdk::prelude::*;

plugin!(manifest: none, instructions: "There is nothing to do.");

fn main() {}
