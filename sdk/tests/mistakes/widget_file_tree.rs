//! A widget file whose template becomes a malformed tree.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_tree.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
