//! The wasmtime engine: its configuration, and the ticker that interrupts guests.
//!
//! Instances come from a pool sized for the guests that compute and those that wait, or are allocated
//! on demand if the address space is too small for a pool. WebAssembly features that plugins do not need are
//! disabled.

use crate::sandbox::instance_slots::{MAX_MEMORIES, MAX_TABLES, PoolSize};
use crate::sandbox::limits::Caps;
use crate::sandbox::ticker::Ticker;
use std::sync::Arc;
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Strategy,
    WasmFeatures,
};

/// The most memory a manifest can request, and so the size of a memory slot in the pool.
const SLOT: usize = 256 << 20;

/// The most memories that a pool can reserve: 4 GiB of address space each, out of 47 bits, with
/// space left for others. A host for more guests than this has fewer memories than guests.
const MEMORIES: u32 = 15_000;

/// How much of a memory stays resident between calls. Resident pages cause no page faults, which cost
/// a guest that reads a file of some megabytes more than reading it.
const KEEP_RESIDENT: usize = 16 << 20;

/// How many memories stay resident while no call uses them, beyond those that calls used at once: so many
/// plugins take turns without losing their memory image, and what stays resident has a bound.
const WARM_SLOTS: u32 = 32;

/// The engine and its ticker, which ends with the last clone.
#[derive(Clone)]
pub(crate) struct GuestEngine {
    pub(crate) engine: Engine,
    pub(crate) ticker: Arc<Ticker>,
}

impl GuestEngine {
    /// Returns an engine with a pool of this size.
    pub(crate) fn new(size: PoolSize) -> wasmtime::Result<Self> {
        let engine = match Engine::new(&config(Some(pool(size)))) {
            Ok(engine) => engine,
            Err(error) => {
                tracing::info!(%error, "no address space for a pool of instances: they are made on demand");
                Engine::new(&config(None))?
            }
        };
        let ticker = Arc::new(Ticker::start(&engine)?);
        Ok(Self { engine, ticker })
    }
}

/// Returns an engine that only compiles, for other engines of this module: what compiled code depends
/// on is the same with and without a pool.
pub(crate) fn for_compiling() -> wasmtime::Result<Engine> {
    Engine::new(&config(None))
}

fn pool(size: PoolSize) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(size.guests)
        .total_stacks(size.guests)
        // Components of other languages have many modules (Python: fourteen).
        .total_core_instances(size.guests.saturating_mul(32))
        .total_memories(size.memories.min(MEMORIES.max(size.guests)))
        .total_tables(size.tables)
        .max_core_instances_per_component(32)
        .max_memories_per_component(MAX_MEMORIES)
        .max_tables_per_component(MAX_TABLES)
        .max_tables_per_module(8)
        .max_memories_per_module(1)
        .max_memory_size(SLOT)
        .max_unused_warm_slots(WARM_SLOTS)
        .table_elements(100_000)
        .linear_memory_keep_resident(KEEP_RESIDENT)
        .table_keep_resident(64 << 10)
        .async_stack_keep_resident(64 << 10)
        .pagemap_scan(Enabled::Auto);
    pool
}

fn config(pool: Option<PoolingAllocationConfig>) -> Config {
    let mut config = Config::new();
    config
        .strategy(Strategy::Cranelift)
        .epoch_interruption(true)
        .max_wasm_stack(Caps::STACK)
        .async_stack_size(2 << 20)
        // Calls must be replayable bit for bit.
        .cranelift_nan_canonicalization(true)
        .concurrency_support(false)
        .wasm_features(unneeded(), false);
    if let Some(pool) = pool {
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    }
    config
}

/// Returns the features that no supported toolchain emits: less to attack.
fn unneeded() -> WasmFeatures {
    WasmFeatures::THREADS
        | WasmFeatures::SHARED_EVERYTHING_THREADS
        | WasmFeatures::MEMORY64
        | WasmFeatures::GC
        | WasmFeatures::FUNCTION_REFERENCES
        | WasmFeatures::EXCEPTIONS
        | WasmFeatures::TAIL_CALL
        | WasmFeatures::RELAXED_SIMD
        | WasmFeatures::CUSTOM_PAGE_SIZES
        | WasmFeatures::WIDE_ARITHMETIC
        | WasmFeatures::STACK_SWITCHING
        | WasmFeatures::CM_ASYNC
        | WasmFeatures::CM_ERROR_CONTEXT
}
