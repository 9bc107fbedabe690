//! A widget file whose template is not closed.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_unclosed.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
