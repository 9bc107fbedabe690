//! A URL: what is accepted is spelled in one way, means the same to another parser and goes where it
//! says. The same bytes as an address: nothing passes that is known not to be public.
//!
//! The decision is included from the host, which would bring WebAssembly with it.

#![no_main]

#[allow(dead_code, reason = "a part of the host")]
#[path = "../../../host/core/src/power/net/address.rs"]
mod address;

#[allow(dead_code, reason = "a part of the host")]
#[path = "../../../host/core/src/power/net/destination.rs"]
mod destination;

#[path = "../../../host/core/src/power/net/decision_checks.rs"]
mod decision_checks;

use libfuzzer_sys::fuzz_target;
use std::net::IpAddr;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(url) = std::str::from_utf8(bytes) {
        decision_checks::check_url(url);
        decision_checks::check_url(&format!("https://{url}"));
    }
    if let Some(v4) = bytes.first_chunk::<4>() {
        decision_checks::check_one_address(IpAddr::from(*v4));
    }
    if let Some(v6) = bytes.first_chunk::<16>() {
        decision_checks::check_one_address(IpAddr::from(*v6));
    }
});
