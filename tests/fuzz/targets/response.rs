//! The body is `footlight::fuzzing::response`, which says what is promised.

#![no_main]

use footlight::fuzzing::response;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| response(bytes));
