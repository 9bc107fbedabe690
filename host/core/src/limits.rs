//! What one call may use, counted.
//!
//! Memory is the **sum** over all memories and tables of a component: a limit for each would be
//! multiplied by a component of many modules.

use crate::fault::{Fault, Stopped};
use wasmtime::ResourceLimiter;

/// What the host keeps of one call at most, whatever the plugin sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Caps;

impl Caps {
    pub(crate) const WIDGETS: usize = 100;
    pub(crate) const WIDGET_BYTES: usize = 4 << 20;
    pub(crate) const LOG_LINES: usize = 1_000;
    pub(crate) const LOG_LINE: usize = 4 << 10;
    pub(crate) const STDIO: usize = 64 << 10;
    pub(crate) const ASKS: usize = 5;
    pub(crate) const HANDLES: usize = 1_000;
    pub(crate) const HOSTCALL: usize = 4 << 20;
    pub(crate) const RANDOM: u64 = 1 << 20;
    pub(crate) const OUTPUTS: usize = 100;
    pub(crate) const OUTPUT_CHUNK: usize = 1 << 20;
    pub(crate) const STATE_VALUE: usize = 256 << 10;
    pub(crate) const STATE_KEY: usize = 512;
    pub(crate) const STATE_TOTAL: usize = 4 << 20;
    pub(crate) const INSTANCES: usize = 64;
    pub(crate) const MEMORIES: usize = 8;
    pub(crate) const TABLES: usize = 32;
}

/// The bytes of a table's element, as the host keeps it.
const ELEMENT: usize = 8;

/// Counts what an instance grows to.
#[derive(Debug)]
pub(crate) struct Limiter {
    limit: usize,
    used: usize,
}

impl Limiter {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            used: 0,
        }
    }

    fn grow(&mut self, by: usize) -> wasmtime::Result<bool> {
        self.used = self.used.saturating_add(by);
        if self.used > self.limit {
            // Answering `false` would look like a panic of the guest's.
            return Err(Stopped(Fault::Memory).into());
        }
        Ok(true)
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.grow(desired.saturating_sub(current))
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.grow(desired.saturating_sub(current).saturating_mul(ELEMENT))
    }

    fn instances(&self) -> usize {
        Caps::INSTANCES
    }

    fn tables(&self) -> usize {
        Caps::TABLES
    }

    fn memories(&self) -> usize {
        Caps::MEMORIES
    }
}
