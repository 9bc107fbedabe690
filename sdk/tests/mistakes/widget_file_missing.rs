//! A widget file that does not exist.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_missing.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
