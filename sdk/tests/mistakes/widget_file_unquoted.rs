//! A widget file whose template does not become JSON.

use footlight_sdk::prelude::*;

widget_file!(sky = "widget_file_unquoted.widget");

plugin!(manifest: none, tools: [sky]);

fn main() {}
