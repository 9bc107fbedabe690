//! Any text: it is refused, or its canonical form is a fixed point that means the same.

#![no_main]

use footlight_vocabulary::json::{self, Limits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(value) = json::parse(text, Limits::default()) else {
        return;
    };
    let canonical = json::canonical(&value);
    // Canonical text may be longer than what it came from, and so fall to a limit; but it must
    // never mean something else.
    if let Ok(again) = json::parse(&canonical, Limits::default()) {
        assert_eq!(json::canonical(&again), canonical);
    }
});
