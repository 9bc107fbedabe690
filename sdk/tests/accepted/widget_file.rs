//! The widget file of the authoring guide.

#![deny(warnings)]

use footlight_sdk::prelude::*;

widget_file!(
    /// Shows what the sky is like.
    sky = "sky.widget"
);

plugin!(manifest: none, tools: [sky]);

fn main() {
    let stage = testing::stage();
    sky(&stage, &json!({ "city": "Oslo", "rain": true })).expect("shows it");
    assert_eq!(stage.shown()[0].fallback, "Oslo\nIt rains");
}
