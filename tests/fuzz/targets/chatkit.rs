//! A request of a ChatKit client and two trees of a plugin, each on a line: reading, rebuilding and comparing
//! them does not panic, and what is rebuilt keeps its promises.

#![no_main]

use footlight_serve::fuzzing::chatkit;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| chatkit::lines(text));
