//! The body is `footlight::fuzzing::egress`, which says what is promised.

#![no_main]

use footlight::fuzzing::egress;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| egress(bytes));
