//! A widget file that is not JSON.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_not_json.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
