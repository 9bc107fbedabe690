//! The wasmtime engine: its configuration, and the ticker that interrupts guests.
//!
//! Instances come from a pool sized for the number of concurrent calls, or are allocated on demand
//! if the address space is too small for a pool. WebAssembly features that plugins do not need are
//! disabled.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Strategy,
    WasmFeatures,
};

/// How often guests are interrupted, to yield and to be metered.
pub(crate) const SLICE: Duration = Duration::from_millis(10);

/// The most memory a manifest can request, and so the size of a memory slot in the pool.
const SLOT: usize = 256 << 20;

/// The most memories that a pool can reserve: 4 GiB of address space each, out of 47 bits, with
/// space left for others. A host with more calls than a third of this has fewer than three memories
/// per call.
const MEMORIES: u32 = 15_000;

/// How much of a memory stays resident between calls. Most guests touch less, and resident pages
/// cause no page faults.
const KEEP_RESIDENT: usize = 2 << 20;

/// The engine and its ticker, which ends with the last clone.
#[derive(Clone)]
pub(crate) struct GuestEngine {
    pub(crate) engine: Engine,
    _ticker: Arc<Ticker>,
}

impl GuestEngine {
    /// Returns an engine for at most `calls` concurrent calls.
    pub(crate) fn new(calls: u32) -> wasmtime::Result<Self> {
        let engine = match Engine::new(&config(Some(pool(calls)))) {
            Ok(engine) => engine,
            Err(error) => {
                tracing::info!(%error, "no address space for a pool of instances: they are made on demand");
                Engine::new(&config(None))?
            }
        };
        let ticker = Arc::new(Ticker::start(&engine)?);
        Ok(Self {
            engine,
            _ticker: ticker,
        })
    }
}

/// Returns an engine that only compiles, for other engines of this module: what compiled code depends
/// on is the same with and without a pool.
pub(crate) fn for_compiling() -> wasmtime::Result<Engine> {
    Engine::new(&config(None))
}

fn pool(calls: u32) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(calls)
        .total_stacks(calls)
        // Components of other languages have many modules (Python: fourteen). The largest component
        // that is allowed must fit into the smallest pool, or its calls would be refused for ever.
        .total_core_instances(calls.saturating_mul(32))
        .total_memories(calls.saturating_mul(3).clamp(8, calls.max(MEMORIES)))
        .total_tables(calls.saturating_mul(6).max(32))
        .max_core_instances_per_component(32)
        .max_memories_per_component(8)
        .max_tables_per_component(32)
        .max_tables_per_module(8)
        .max_memories_per_module(1)
        .max_memory_size(SLOT)
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
        .max_wasm_stack(512 << 10)
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

/// Interrupts running guests from a thread of its own, because guests can block every thread of a
/// runtime.
struct Ticker {
    stop: Arc<AtomicBool>,
}

impl Ticker {
    fn start(engine: &Engine) -> std::io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        // A weak reference, so that the thread does not keep the engine alive.
        let (weak, stopped) = (engine.weak(), Arc::clone(&stop));
        // Without the ticker no guest could be stopped, so its failure is an error.
        std::thread::Builder::new()
            .name("footlight-ticker".to_owned())
            .spawn(move || {
                while !stopped.load(Ordering::Relaxed) {
                    std::thread::sleep(SLICE);
                    let Some(engine) = weak.upgrade() else { break };
                    engine.increment_epoch();
                }
            })?;
        Ok(Self { stop })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
