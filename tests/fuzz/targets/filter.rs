//! Any text: the filter's output is harmless, not longer than its input, and passes the filter unchanged.

#![no_main]

use footlight_render::filter;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let once = filter::clean(text);
    assert!(!once.contains(filter::is_forbidden));
    assert!(once.len() <= text.len());
    assert_eq!(filter::clean(&once), once);
    let line = filter::line(text, 40);
    assert!(!line.contains(['\n', '\t']) && line.chars().count() <= 40);
    assert!(!line.contains(filter::is_forbidden));
});
