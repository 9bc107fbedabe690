//! The one engine: how wasmtime is set up, and the clock that interrupts guests.
//!
//! Instances come from a pool that is sized by how many calls may run at once; where address space
//! is too small for a pool they are made on demand. What plugins do not need is switched off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use wasmtime::{
    Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig, Strategy,
    WasmFeatures,
};

/// How often guests are interrupted to yield, to be counted and to be cancelled.
pub(crate) const SLICE: Duration = Duration::from_millis(10);

/// The most memory a manifest can ask for, and so what a slot of the pool must hold.
const SLOT: usize = 256 << 20;

/// As many memories as a pool can reserve addresses for: four gigabytes each, of 47 bits in all, with
/// room for others. A host of more calls than a third of this has fewer than three for each.
const MEMORIES: u32 = 15_000;

/// What stays mapped between calls: most guests touch less, and a page that stays costs no fault.
const KEEP_RESIDENT: usize = 2 << 20;

/// The engine and its clock. Both end with the last handle.
#[derive(Clone)]
pub(crate) struct GuestEngine {
    pub(crate) engine: Engine,
    _ticker: Arc<Ticker>,
}

impl GuestEngine {
    /// An engine for at most `calls` calls at once.
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

fn pool(calls: u32) -> PoolingAllocationConfig {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(calls)
        .total_stacks(calls)
        // A component of another language may be many modules: Python's has fourteen. The largest
        // that may run has room in any pool, or its calls would be told to try again for ever.
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
        // A call must be replayable, bit for bit.
        .cranelift_nan_canonicalization(true)
        .concurrency_support(false)
        .wasm_features(unneeded(), false);
    if let Some(pool) = pool {
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    }
    config
}

/// Features that no toolchain of ours emits; what is off cannot be attacked.
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

/// Interrupts running guests, from a thread of its own: a runtime full of guests cannot stop it.
struct Ticker {
    stop: Arc<AtomicBool>,
}

impl Ticker {
    fn start(engine: &Engine) -> std::io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        // Weak, so that the thread keeps nothing alive.
        let (weak, stopped) = (engine.weak(), Arc::clone(&stop));
        // Without it no guest could be stopped, so there is no host without it.
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
