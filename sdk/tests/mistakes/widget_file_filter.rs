//! A widget file whose template uses a filter that does not exist.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_filter.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
