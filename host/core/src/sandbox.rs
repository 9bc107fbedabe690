//! Sandboxes: the data of a `wasmtime::Store`, and the three calls into a guest.
//!
//! A sandbox serves one call and is then dropped. It has a budget of computing time, in which waits
//! do not count, a limit on the sum of its memory, and a deadline that is suspended while a person
//! is asked.

pub(crate) mod bindings;
pub(crate) mod engine;
pub(crate) mod imports;
pub(crate) mod instance_slots;
pub(crate) mod journal;
pub(crate) mod limits;
pub(crate) mod meter;
pub(crate) mod ticker;
pub(crate) mod waiting_guests;

use crate::call::approval::ApprovalGate;
use crate::call::fault::{Fault, StopError};
use crate::call::file_access::{FileAccess, GuestFiles};
use crate::call::guest_log::GuestLog;
use crate::call::stage::Stage;
use crate::plugin::Plugin;
use crate::power::folder::BoundFolder;
#[cfg(feature = "http")]
use crate::power::net::{CallNetwork, Egress};
use crate::sandbox::bindings::PluginPre;
use crate::sandbox::bindings::exports::footlight::plugin::tools::{
    Concern, Description, Failure, Outcome,
};
use crate::sandbox::imports::{GuestTime, GuestWasi, StageHandle};
use crate::sandbox::journal::Journal;
use crate::sandbox::limits::{Caps, Limiter};
use crate::sandbox::meter::Meter;
use crate::sandbox::waiting_guests::Admission;
use crate::simulation::SimulatedClock;
use footlight_vocabulary::manifest::Limits;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wasmtime::component::{Resource, ResourceTable};
use wasmtime::{Store, UpdateDeadline};

/// The computing time of `describe` and `assess`.
const DESCRIBE_TIME: Duration = Duration::from_secs(1);
const ASSESS_TIME: Duration = Duration::from_millis(250);

/// How long a guest can clean up after it was cancelled.
const CANCEL_GRACE: Duration = Duration::from_secs(2);

/// The data of one instance.
pub(crate) struct Sandbox {
    pub(crate) table: ResourceTable,
    pub(crate) wasi: GuestWasi,
    pub(crate) journal: Journal,
    pub(crate) settings: String,
    pub(crate) stage: Option<Arc<Stage>>,
    /// The plugin, in a run.
    plugin: Option<Plugin>,
    approval: Option<ApprovalGate>,
    admission: Option<Arc<Admission>>,
    /// The folders of a run that has any.
    files: Option<GuestFiles>,
    #[cfg(feature = "http")]
    network: Option<Arc<CallNetwork>>,
    guest_log: GuestLog,
    /// The clock of a simulation.
    clock: Option<Arc<SimulatedClock>>,
    limiter: Limiter,
    pub(crate) meter: Meter,
}

/// The parameters of a run.
pub(crate) struct RunContext {
    pub(crate) stage: Arc<Stage>,
    pub(crate) plugin: Plugin,
    pub(crate) approval: ApprovalGate,
    pub(crate) folders: Vec<BoundFolder>,
    #[cfg(feature = "http")]
    pub(crate) egress: Arc<Egress>,
    pub(crate) admission: Arc<Admission>,
    pub(crate) settings: String,
    pub(crate) seed: [u8; 32],
    /// The clock of a simulation.
    pub(crate) clock: Option<SimulatedClock>,
    pub(crate) journal: Journal,
    pub(crate) guest_log: GuestLog,
}

impl Sandbox {
    /// Returns a sandbox with nothing granted, for `describe` and `assess`.
    fn bare(settings: String, limits: &Limits, guest_log: GuestLog) -> Self {
        let journal = Journal::default();
        Self {
            table: table(),
            wasi: GuestWasi::new([0; 32], &journal, &guest_log, GuestTime::Stopped),
            journal,
            settings,
            stage: None,
            plugin: None,
            approval: None,
            admission: None,
            files: None,
            #[cfg(feature = "http")]
            network: None,
            guest_log,
            clock: None,
            limiter: Limiter::new(limits.memory),
            meter: Meter::start(),
        }
    }

    fn staged(props: RunContext, limits: &Limits) -> Self {
        let files = (!props.folders.is_empty()).then(|| {
            let (stage, approval) = (Arc::clone(&props.stage), props.approval.clone());
            GuestFiles(Arc::new(FileAccess::new(stage, approval, props.folders)))
        });
        let clock = props.clock.map(Arc::new);
        let time = match &clock {
            Some(clock) => GuestTime::Simulated(Arc::clone(clock)),
            None => GuestTime::Real(Instant::now()),
        };
        Self {
            table: table(),
            wasi: GuestWasi::new(props.seed, &props.journal, &props.guest_log, time),
            journal: props.journal,
            settings: props.settings,
            stage: Some(props.stage),
            plugin: Some(props.plugin),
            approval: Some(props.approval),
            admission: Some(props.admission),
            files,
            #[cfg(feature = "http")]
            network: Some(Arc::new(CallNetwork::new(props.egress))),
            guest_log: props.guest_log,
            clock,
            limiter: Limiter::new(limits.memory),
            meter: Meter::start(),
        }
    }

    /// Returns the stage of this call. Only a guest that was lent a stage handle can get here.
    pub(crate) fn stage(&self) -> wasmtime::Result<Arc<Stage>> {
        self.stage.clone().ok_or_else(off_stage)
    }

    pub(crate) fn plugin(&self) -> wasmtime::Result<Plugin> {
        self.plugin.clone().ok_or_else(off_stage)
    }

    pub(crate) fn approval(&self) -> wasmtime::Result<ApprovalGate> {
        self.approval.clone().ok_or_else(off_stage)
    }

    pub(crate) fn admission(&self) -> wasmtime::Result<Arc<Admission>> {
        self.admission.clone().ok_or_else(off_stage)
    }

    #[cfg(feature = "http")]
    pub(crate) fn network(&self) -> wasmtime::Result<Arc<CallNetwork>> {
        self.network.clone().ok_or_else(off_stage)
    }

    pub(crate) fn guest_log(&self) -> GuestLog {
        self.guest_log.clone()
    }
}

fn off_stage() -> wasmtime::Error {
    StopError(Fault::Protocol(
        "it used a stage it was not lent".to_owned(),
    ))
    .into()
}

fn table() -> ResourceTable {
    let mut table = ResourceTable::new();
    table.set_max_capacity(Caps::HANDLES);
    table
}

/// Returns a store with every limit set, before any code of the guest can run.
fn store(engine: &wasmtime::Engine, sandbox: Sandbox, budget: Duration) -> Store<Sandbox> {
    let mut wasm = Store::new(engine, sandbox);
    wasm.limiter(|sandbox| &mut sandbox.limiter);
    wasm.set_hostcall_fuel(Caps::HOSTCALL);
    wasm.set_max_component_handles(Caps::HANDLES);
    wasm.set_epoch_deadline(1);
    wasm.epoch_deadline_callback(move |mut context| {
        // wasmtime calls this only while guest code runs: waits do not count.
        if context.data_mut().meter.sample() > budget {
            return Err(StopError(Fault::Cpu).into());
        }
        Ok(UpdateDeadline::Yield(1))
    });
    wasm
}

/// Calls `describe`, with nothing granted.
pub(crate) async fn describe(
    plugin: &PluginPre<Sandbox>,
    limits: &Limits,
    guest_log: GuestLog,
) -> Result<Description, Fault> {
    let sandbox = Sandbox::bare("{}".to_owned(), limits, guest_log);
    let mut wasm = store(plugin.engine(), sandbox, DESCRIBE_TIME);
    let describe = async {
        let guest = plugin.instantiate_async(&mut wasm).await?;
        guest
            .footlight_plugin_tools()
            .call_describe(&mut wasm)
            .await
    };
    within(DESCRIBE_TIME * 4, describe).await
}

/// Calls `assess`, with nothing granted.
pub(crate) async fn assess(
    plugin: &PluginPre<Sandbox>,
    limits: &Limits,
    settings: String,
    tool: &str,
    input: &String,
    guest_log: GuestLog,
) -> Result<Result<Option<Concern>, Failure>, Fault> {
    let mut wasm = store(
        plugin.engine(),
        Sandbox::bare(settings, limits, guest_log),
        ASSESS_TIME,
    );
    let assess = async {
        let guest = plugin.instantiate_async(&mut wasm).await?;
        guest
            .footlight_plugin_tools()
            .call_assess(&mut wasm, tool, input)
            .await
    };
    within(ASSESS_TIME * 4, assess).await
}

/// Calls `run`, with everything that was granted.
pub(crate) async fn run(
    plugin: &PluginPre<Sandbox>,
    limits: &Limits,
    props: RunContext,
    tool: &str,
    input: &String,
) -> Result<Result<Outcome, Failure>, Fault> {
    let stage = Arc::clone(&props.stage);
    let replaying = props.journal.is_replaying();
    #[cfg(feature = "http")]
    let sends = !stage.manifest.net.is_empty();
    let mut wasm = store(
        plugin.engine(),
        Sandbox::staged(props, limits),
        limits.active_time,
    );
    #[cfg(feature = "http")]
    if sends {
        // The body of a request comes in one piece.
        wasm.set_hostcall_fuel(Caps::HOSTCALL + Caps::REQUEST_BODY);
    }
    let running = async {
        let guest = plugin.instantiate_async(&mut wasm).await?;
        let handle = wasm.data_mut().table.push(StageHandle)?;
        let borrow = Resource::new_borrow(handle.rep());
        guest
            .footlight_plugin_tools()
            .call_run(&mut wasm, borrow, tool, input)
            .await
    };
    if replaying {
        // The journal answers time and cancelling.
        return running.await.map_err(|error| fault(&error));
    }
    tokio::select! {
        biased;
        ended = running => ended.map_err(|error| fault(&error)),
        fault = past_deadline(&stage, limits.wall_time) => Err(fault),
    }
}

/// Returns when the call has taken too long, or has not ended in time after it was cancelled.
pub(crate) async fn past_deadline(stage: &Stage, limit: Duration) -> Fault {
    let too_long = async {
        loop {
            match stage.time_left(limit) {
                Some(Duration::ZERO) => return,
                Some(left) => tokio::time::sleep(left).await,
                // The call waits for a person.
                None => stage.resumed().await,
            }
        }
    };
    tokio::select! {
        () = too_long => Fault::Wall,
        () = async { stage.cancelled().await; tokio::time::sleep(CANCEL_GRACE).await } => Fault::Cancelled,
    }
}

async fn within<T>(
    limit: Duration,
    call: impl Future<Output = wasmtime::Result<T>>,
) -> Result<T, Fault> {
    match tokio::time::timeout(limit, call).await {
        Ok(ended) => ended.map_err(|error| fault(&error)),
        Err(_) => Err(Fault::Wall),
    }
}

/// Classifies the error of a guest and logs its details.
fn fault(error: &wasmtime::Error) -> Fault {
    let fault = Fault::from_error(error);
    tracing::debug!(
        fault = fault.word(),
        error = format!("{error:?}"),
        "a guest was stopped"
    );
    fault
}
