//! A widget file of a version that nobody knows.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_version.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
