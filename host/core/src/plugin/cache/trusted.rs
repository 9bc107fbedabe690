//! The only unsafe call of Footlight: loads machine code that this installation compiled.

#![allow(
    unsafe_code,
    reason = "wasmtime cannot check machine code; its MAC was verified by the caller"
)]

use wasmtime::Engine;
use wasmtime::component::Component;

/// Loads compiled code. Returns `None` if another version of wasmtime compiled it.
///
/// Only [`Cache::load`](super::Cache::load) may call this, with bytes whose MAC it has verified:
/// `Component::serialize` of this installation wrote them, and they are in memory, where no other
/// process can change them.
pub(super) fn load(engine: &Engine, code: &[u8]) -> Option<Component> {
    // SAFETY: the caller has verified that `Component::serialize` wrote the bytes.
    unsafe { Component::deserialize(engine, code) }.ok()
}
