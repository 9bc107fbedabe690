//! Any JSON: a plugin's result is normalised or refused without a panic, and a normalised result
//! has a summary and does not change when it is normalised again.

#![no_main]

use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::summary::summary;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    if let Ok(result) = normalise(value) {
        assert!(
            !summary(&result).is_empty(),
            "every surface can show at least a summary"
        );
        let written = serde_json::to_value(&result).expect("a result is JSON");
        assert_eq!(normalise(written).expect("a result stays one"), result);
    }
});
