//! WASI, as far as language runtimes need it. The only power are the folders of `filesystem`.
//!
//! Linked interface by interface, so that nothing is added unnoticed. There are no environment
//! variables or arguments; sockets are linked because toolchains import them, and deny everything. Clocks, randomness and waits go through the journal, so that calls are replayable.

use crate::call::guest_log::{GuestLog, Printed};
use crate::call::stage::Stage;
use crate::sandbox::Sandbox;
use crate::sandbox::journal::{Class, Journal};
use crate::sandbox::limits::Caps;
use crate::sandbox::waiting_guests::Admission;
use crate::simulation::SimulatedClock;
use bytes::Bytes;
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use wasmtime::component::{HasSelf, Linker, Resource};
use wasmtime_wasi::cli::{IsTerminal, StdoutStream, WasiCli, WasiCliView};
use wasmtime_wasi::clocks::{HostMonotonicClock, HostWallClock, WasiClocks, WasiClocksView};
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock::Host as MonotonicClock;
use wasmtime_wasi::p2::bindings::{cli, clocks, filesystem, random, sockets};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};
use wasmtime_wasi::random::WasiRandom;
use wasmtime_wasi::sockets::{WasiSockets, WasiSocketsView};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_io::bindings::wasi::io;
use wasmtime_wasi_io::poll::{DynPollable, subscribe};

impl WasiView for Sandbox {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: self.wasi.context(),
            table: &mut self.table,
        }
    }
}

pub(super) fn link(linker: &mut Linker<Sandbox>) -> wasmtime::Result<()> {
    type Own = HasSelf<Sandbox>;
    let l = linker;
    io::error::add_to_linker::<Sandbox, Own>(l, |s| s)?;
    io::streams::add_to_linker::<Sandbox, Own>(l, |s| s)?;
    io::poll::add_to_linker::<Sandbox, Own>(l, |s| s)?;
    clocks::wall_clock::add_to_linker::<Sandbox, WasiClocks>(l, Sandbox::clocks)?;
    clocks::monotonic_clock::add_to_linker::<Sandbox, Own>(l, |s| s)?;
    random::random::add_to_linker::<Sandbox, WasiRandom>(l, |s| s.wasi.context().random())?;
    random::insecure::add_to_linker::<Sandbox, WasiRandom>(l, |s| s.wasi.context().random())?;
    random::insecure_seed::add_to_linker::<Sandbox, WasiRandom>(l, |s| s.wasi.context().random())?;
    cli::environment::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    cli::exit::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    cli::stdin::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    cli::stdout::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    cli::stderr::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    cli::terminal_input::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    cli::terminal_output::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    cli::terminal_stdin::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    cli::terminal_stdout::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    cli::terminal_stderr::add_to_linker::<Sandbox, WasiCli>(l, Sandbox::cli)?;
    filesystem::preopens::add_to_linker::<Sandbox, Own>(l, |s| s)?;
    filesystem::types::add_to_linker::<Sandbox, Own>(l, |s| s)?;
    sockets::tcp::add_to_linker::<Sandbox, WasiSockets>(l, Sandbox::sockets)?;
    sockets::tcp_create_socket::add_to_linker::<Sandbox, WasiSockets>(l, Sandbox::sockets)?;
    sockets::udp::add_to_linker::<Sandbox, WasiSockets>(l, Sandbox::sockets)?;
    sockets::udp_create_socket::add_to_linker::<Sandbox, WasiSockets>(l, Sandbox::sockets)?;
    sockets::instance_network::add_to_linker::<Sandbox, WasiSockets>(l, Sandbox::sockets)?;
    sockets::network::add_to_linker::<Sandbox, WasiSockets>(
        l,
        &Default::default(),
        Sandbox::sockets,
    )?;
    sockets::ip_name_lookup::add_to_linker::<Sandbox, WasiSockets>(l, Sandbox::sockets)
}

/// The WASI context of one guest, built when the guest first uses it: most calls do without clocks,
/// randomness and standard output, and building it takes about a tenth of a short call.
pub(crate) struct GuestWasi {
    seed: [u8; 32],
    journal: Journal,
    guest_log: GuestLog,
    time: GuestTime,
    context: Option<WasiCtx>,
}

impl GuestWasi {
    /// Returns a context with nothing granted, randomness from `seed` and clocks that go through the
    /// journal.
    pub(crate) fn new(
        seed: [u8; 32],
        journal: &Journal,
        guest_log: &GuestLog,
        time: GuestTime,
    ) -> Self {
        Self {
            seed,
            journal: journal.clone(),
            guest_log: guest_log.clone(),
            time,
            context: None,
        }
    }

    fn context(&mut self) -> &mut WasiCtx {
        if self.context.is_none() {
            self.context = Some(self.build());
        }
        self.context.as_mut().expect("it was built above")
    }

    fn build(&self) -> WasiCtx {
        let seed = self.seed;
        let mut insecure = seed;
        insecure[0] ^= 1;
        let clock = || GuestClock {
            journal: self.journal.clone(),
            time: self.time.clone(),
        };
        let stdio = |printed| GuestStdio(self.guest_log.clone(), printed);
        WasiCtx::builder()
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false)
            .secure_random(StdRng::from_seed(seed))
            .insecure_random(StdRng::from_seed(insecure))
            .insecure_random_seed(u128::from_le_bytes(std::array::from_fn(|n| seed[n + 16])))
            .max_random_size(Caps::RANDOM)
            .wall_clock(clock())
            .monotonic_clock(clock())
            .stdout(stdio(Printed::Stdout))
            .stderr(stdio(Printed::Stderr))
            .build()
    }
}

/// Where the clocks of a call have their time from.
#[derive(Clone)]
pub(crate) enum GuestTime {
    /// They stand at 1970, in `describe` and `assess`.
    Stopped,
    /// The clocks of this machine, since this time.
    Real(Instant),
    /// The clock of a simulation.
    Simulated(Arc<SimulatedClock>),
}

/// The clocks of one call.
struct GuestClock {
    journal: Journal,
    time: GuestTime,
}

impl HostWallClock for GuestClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        let read = || {
            let now = match &self.time {
                GuestTime::Stopped => Duration::ZERO,
                GuestTime::Real(_) => SystemTime::now()
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default(),
                GuestTime::Simulated(clock) => clock.wall(),
            };
            now.as_millis() as u64
        };
        // A clock cannot return an error: a replay that has diverged ends at the next import that
        // can.
        Duration::from_millis(
            self.journal
                .record_now(Class::Read.op("wall-clock.now"), &(), read)
                .unwrap_or(0),
        )
    }
}

impl HostMonotonicClock for GuestClock {
    fn resolution(&self) -> u64 {
        1_000
    }

    fn now(&self) -> u64 {
        let read = || {
            let since = match &self.time {
                GuestTime::Stopped => Duration::ZERO,
                GuestTime::Real(zero) => zero.elapsed(),
                GuestTime::Simulated(clock) => clock.monotonic(),
            };
            u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
        };
        self.journal
            .record_now(Class::Read.op("monotonic-clock.now"), &(), read)
            .unwrap_or(0)
    }
}

/// As wasmtime has it, except that the timers of a simulation are its own.
impl MonotonicClock for Sandbox {
    fn now(&mut self) -> wasmtime::Result<u64> {
        MonotonicClock::now(&mut self.clocks())
    }

    fn resolution(&mut self) -> wasmtime::Result<u64> {
        MonotonicClock::resolution(&mut self.clocks())
    }

    fn subscribe_instant(&mut self, when: u64) -> wasmtime::Result<Resource<DynPollable>> {
        match &self.clock {
            Some(_) => self.simulated_timer(Duration::from_nanos(when)),
            None => MonotonicClock::subscribe_instant(&mut self.clocks(), when),
        }
    }

    fn subscribe_duration(&mut self, nanos: u64) -> wasmtime::Result<Resource<DynPollable>> {
        match &self.clock {
            Some(clock) => {
                let end = clock.end_of(Duration::from_nanos(nanos));
                self.simulated_timer(end)
            }
            None => MonotonicClock::subscribe_duration(&mut self.clocks(), nanos),
        }
    }
}

impl Sandbox {
    fn simulated_timer(&mut self, end: Duration) -> wasmtime::Result<Resource<DynPollable>> {
        let clock = self.clock.clone();
        let timer = self.table.push(SimulatedTimer { clock, end })?;
        subscribe(&mut self.table, timer)
    }
}

/// A timer of a simulation.
struct SimulatedTimer {
    clock: Option<Arc<SimulatedClock>>,
    end: Duration,
}

#[wasmtime_wasi::async_trait]
impl Pollable for SimulatedTimer {
    async fn ready(&mut self) {
        if let Some(clock) = &self.clock {
            clock.wait_until(self.end).await;
        }
    }
}

/// Waits are recorded, so that a replay does not wait. They are not metered, and end early when the
/// call is cancelled, so that a sleeping guest can clean up.
impl io::poll::Host for Sandbox {
    async fn poll(&mut self, pollables: Vec<Resource<DynPollable>>) -> wasmtime::Result<Vec<u32>> {
        self.meter.sample();
        let count = u32::try_from(pollables.len())?;
        let sleeper = Sleeper::of(self);
        let wait = sleeper.sleep(io::poll::Host::poll(&mut self.table, pollables), || {
            (0..count).collect()
        });
        let ready: Result<Vec<u32>, String> = sleeper
            .journal
            .record(Class::Wait.op("poll.poll"), &count, wait)
            .await?;
        self.meter.resume();
        ready.map_err(wasmtime::Error::msg)
    }
}

impl io::poll::HostPollable for Sandbox {
    async fn ready(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<bool> {
        if let Some(clock) = &self.clock {
            // A guest that looks again and again sees time pass.
            clock.monotonic();
        }
        let (journal, table) = (self.journal.clone(), &mut self.table);
        let look = async move {
            io::poll::HostPollable::ready(table, pollable)
                .await
                .map_err(|error| error.to_string())
        };
        let ready: Result<bool, String> = journal
            .record(Class::Read.op("pollable.ready"), &(), look)
            .await?;
        ready.map_err(wasmtime::Error::msg)
    }

    async fn block(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<()> {
        self.meter.sample();
        let sleeper = Sleeper::of(self);
        let block = io::poll::HostPollable::block(&mut self.table, pollable);
        let waited: Result<(), String> = sleeper
            .journal
            .record(
                Class::Wait.op("pollable.block"),
                &(),
                sleeper.sleep(block, || ()),
            )
            .await?;
        self.meter.resume();
        waited.map_err(wasmtime::Error::msg)
    }

    fn drop(&mut self, pollable: Resource<DynPollable>) -> wasmtime::Result<()> {
        io::poll::HostPollable::drop(&mut self.table, pollable)
    }
}

/// Awaits `wait`. Returns `None` if the call is cancelled first.
pub(super) async fn unless_cancelled<T>(
    stage: Option<&Stage>,
    wait: impl Future<Output = T>,
) -> Option<T> {
    let Some(stage) = stage else {
        return Some(wait.await);
    };
    tokio::select! {
        biased;
        done = wait => Some(done),
        () = stage.cancelled() => None,
    }
}

/// What a guest needs to sleep, apart from its resources.
struct Sleeper {
    journal: Journal,
    stage: Option<Arc<Stage>>,
    admission: Option<Arc<Admission>>,
}

impl Sleeper {
    fn of(sandbox: &Sandbox) -> Self {
        Self {
            journal: sandbox.journal.clone(),
            stage: sandbox.stage.clone(),
            admission: sandbox.admission().ok(),
        }
    }

    /// Waits until something is ready. Returns `cancelled` if the call is cancelled first.
    async fn sleep<T>(
        &self,
        ready: impl Future<Output = wasmtime::Result<T>>,
        cancelled: impl FnOnce() -> T,
    ) -> Result<T, String> {
        let ready = match &self.stage {
            Some(stage) => stage.sleep(self.admission.as_deref(), ready).await,
            None => Some(ready.await),
        };
        let ready = ready.unwrap_or_else(|| Ok(cancelled()));
        ready.map_err(|error| error.to_string())
    }
}

/// The standard output of a guest: kept in the guest log, bounded, and never printed to a terminal.
#[derive(Clone)]
pub(crate) struct GuestStdio(GuestLog, Printed);

impl IsTerminal for GuestStdio {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for GuestStdio {
    fn async_stream(&self) -> Box<dyn tokio::io::AsyncWrite + Send + Sync> {
        Box::new(tokio::io::sink())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl OutputStream for GuestStdio {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.0.print(self.1, &bytes);
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(Caps::STDIO)
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for GuestStdio {
    async fn ready(&mut self) {}
}
