//! A sequence of host calls by a real guest: each is answered as a model of the host says, and each call
//! ends alike when it is replayed from its journal. The body is `footlight_tests::op_sequences::check`.

#![no_main]

use footlight_tests::op_sequences::check;
use footlight_tests::random::Random;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime starts"));

fuzz_target!(|bytes: &[u8]| RUNTIME.block_on(check(&mut Random::from_bytes(bytes.to_vec()))));
