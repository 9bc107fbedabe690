//! A widget file without a template.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_template.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
