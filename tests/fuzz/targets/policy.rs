//! The body is `footlight::fuzzing::policy`, which says what is promised.

#![no_main]

use footlight::fuzzing::policy;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| policy(text));
