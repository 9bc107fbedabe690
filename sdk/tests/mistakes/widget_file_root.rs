//! A widget file whose template becomes no root.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_root.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
