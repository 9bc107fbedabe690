//! The one unsafe call of Footlight: machine code that this installation compiled is loaded.

#![allow(
    unsafe_code,
    reason = "wasmtime cannot check machine code; its MAC was verified by the caller"
)]

use wasmtime::Engine;
use wasmtime::component::Component;

/// Loads compiled code. `None` if it was made by another wasmtime.
///
/// Only [`Cache::load`](super::Cache::load) may call it, with bytes whose MAC it has verified: they
/// were written by `Component::serialize` in this installation, and are in memory, where nobody can
/// change them any more.
pub(super) fn load(engine: &Engine, code: &[u8]) -> Option<Component> {
    // SAFETY: see above; the bytes are what `Component::serialize` wrote.
    unsafe { Component::deserialize(engine, code) }.ok()
}
