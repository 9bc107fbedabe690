//! A widget file whose template reads a name that its schema does not have.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_unknown_name.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
