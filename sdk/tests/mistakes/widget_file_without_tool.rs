//! A widget file whose tool has no name.

use footlight_sdk::prelude::*;

widget_file!("sky.widget");

fn main() {}
