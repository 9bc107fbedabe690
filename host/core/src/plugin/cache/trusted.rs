//! The only unsafe call of Footlight: loads machine code that this installation compiled.

#![allow(
    unsafe_code,
    reason = "wasmtime cannot check machine code; its MAC was verified by the caller, or the caller's compiler wrote it"
)]

use wasmtime::Engine;
use wasmtime::component::Component;

/// Loads compiled code. Returns `None` if another version of wasmtime compiled it.
///
/// The bytes are in memory, where no other process can change them. Only two may call this:
/// [`Cache::load`](super::Cache::load), with bytes whose MAC it has verified, and
/// [`Compiler::compile`](crate::plugin::compiler::Compiler::compile), with bytes that it received from
/// the compiler that it ran: in this process, or the program that the embedder trusts to compile.
pub(in crate::plugin) fn load(engine: &Engine, code: &[u8]) -> Option<Component> {
    // SAFETY: the caller knows that wasmtime's compiler wrote the bytes.
    unsafe { Component::deserialize(engine, code) }.ok()
}
