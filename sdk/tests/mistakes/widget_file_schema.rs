//! A widget file whose schema is malformed.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_schema.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
