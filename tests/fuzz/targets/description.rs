//! The body is `footlight::fuzzing::description`, which says what is promised.

#![no_main]

use footlight::fuzzing::description;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| description(text));
