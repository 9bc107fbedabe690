//! What the tests share: the built plugins and hosts to run them on.
//!
//! Everything that needs WebAssembly is tested in one binary, so that wasmtime is linked once.

#![forbid(unsafe_code)]

pub mod bare;

pub mod browser;

pub mod folders;

pub mod folder_size;

pub mod languages;

pub mod loopback;

pub mod loopback_tls;

pub mod net_guest;

pub mod op_sequences;

pub mod random;

pub mod scripted_call;

pub mod programs;

pub mod scripted_session;

/// Paths of the components of `plugins/`, built by `build.rs` with the profile `plugin`.
pub mod plugins {
    include!(concat!(env!("OUT_DIR"), "/plugins.rs"));
}
