//! What the tests have in common: the plugins, built, and hosts to run them on.
//!
//! Everything with WebAssembly is tested in one binary, so that wasmtime links once.

#![forbid(unsafe_code)]

pub mod bare;

pub mod browser;

pub mod random;

pub mod scripted_call;

pub mod programs;

pub mod scripted_session;

/// The components of `plugins/`, built by `build.rs` with the profile that is shipped.
pub mod plugins {
    include!(concat!(env!("OUT_DIR"), "/plugins.rs"));
}
