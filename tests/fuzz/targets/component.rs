//! Any JSON: checking a component tree does not panic.

#![no_main]

use footlight_vocabulary::component;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(root) = serde_json::from_str::<Value>(text) else {
        return;
    };
    if component::check(&root).is_ok() {
        let _ = component::find_actions(&root);
    }
    let _ = component::text_of(&root);
});
