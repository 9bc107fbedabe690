//! Builds hosts.

use super::{Host, HostInner};
use crate::call::approval::PolicyState;
use crate::call::event::Failure;
use crate::call::outputs::LIFETIME;
use crate::native::{self, AddedTool, NativeCall, NativeTool};
use crate::observer::{ObservedStore, Observer, Observers};
use crate::plugin::cache::Cache;
use crate::plugin::compiler::{Compiler, CompilerProgram};
use crate::plugin::digest::{Digest, hex};
use crate::policy::{Rules, Traits};
use crate::power::folder::{FolderTable, ReservedFolders};
#[cfg(feature = "http")]
use crate::power::net::{Egress, Network};
use crate::power::secret::{MemorySecrets, SecretSource};
use crate::sandbox::engine::GuestEngine;
use crate::sandbox::imports;
use crate::sandbox::instance_slots::{InstanceSlots, PoolSize};
use crate::sandbox::waiting_guests::WaitingLimits;
use crate::simulation::{Simulated, Simulation};
use crate::store::{MemoryStore, Store};
use footlight_vocabulary::item::SessionId;
use footlight_vocabulary::outcome::IntoOutcome;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use wasmtime::component::Linker;

/// The settings of a new host. Every default is safe: plugins are granted nothing, nobody is asked, so that
/// whatever needs a person is denied, and nothing is kept on disk.
///
/// ```
/// use footlight::policy::Rules;
/// use footlight::store::MemoryStore;
/// use footlight::{Host, MemorySecrets};
/// use std::sync::Arc;
///
/// let host = Host::builder()
///     .store(Arc::new(MemoryStore::default())) // where sessions, outputs and plugins' state are kept
///     .rules(Rules::default())                 // what a person has allowed or denied for good
///     .secrets(Arc::new(MemorySecrets::default()))
///     .attended(true)                          // somebody settles what waits for a person
///     .locale("nb")
///     .timezone("Europe/Oslo")
///     .build()?;
/// assert!(host.plugins().is_empty());
/// # Ok::<(), footlight::BuildError>(())
/// ```
#[derive(Clone)]
#[must_use = "a builder does nothing until `build`"]
pub struct HostBuilder {
    cache: Option<PathBuf>,
    compiler: Compiler,
    calls: u32,
    waiting: WaitingLimits,
    attended: bool,
    rules: Rules,
    reserved: ReservedFolders,
    secrets: Arc<dyn SecretSource>,
    #[cfg(feature = "http")]
    network: Network,
    store: Option<Arc<dyn Store>>,
    observers: Vec<Arc<dyn Observer>>,
    output_lifetime: Duration,
    settings: BTreeMap<String, Value>,
    pins: BTreeMap<String, BTreeSet<Digest>>,
    tools: Vec<AddedTool>,
    locale: String,
    timezone: String,
    replay_check: bool,
    simulation: Option<Simulation>,
    on_compile: OnCompile,
}

/// The callback of [`HostBuilder::on_compile`].
#[derive(Clone, Default)]
pub(crate) struct OnCompile(Option<Arc<CompileCallback>>);

type CompileCallback = dyn Fn(&str) + Send + Sync;

impl OnCompile {
    pub(super) fn call(&self, id: &str) {
        if let Some(callback) = &self.0 {
            callback(id);
        }
    }
}

impl std::fmt::Debug for OnCompile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("OnCompile").field(&self.0.is_some()).finish()
    }
}

impl Default for HostBuilder {
    fn default() -> Self {
        Self {
            cache: None,
            compiler: Compiler::default(),
            calls: 16,
            waiting: WaitingLimits::default(),
            attended: false,
            rules: Rules::default(),
            reserved: ReservedFolders::default(),
            secrets: Arc::<MemorySecrets>::default(),
            #[cfg(feature = "http")]
            network: Network::default(),
            store: None,
            observers: Vec::new(),
            output_lifetime: LIFETIME,
            settings: BTreeMap::new(),
            pins: BTreeMap::new(),
            tools: Vec::new(),
            locale: "en".to_owned(),
            timezone: "Etc/UTC".to_owned(),
            replay_check: false,
            simulation: None,
            on_compile: OnCompile::default(),
        }
    }
}

/// Why a host could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The cache of compiled plugins cannot be opened.
    #[error("the compiled cache cannot be opened")]
    Cache(#[source] std::io::Error),
    /// WebAssembly cannot run here.
    #[error("WebAssembly cannot run here: {0}")]
    Engine(String),
    /// The system has no source of randomness.
    #[error("there is no randomness here: {0}")]
    Randomness(String),
    /// The specification of a native tool is wrong, or its namespace is reserved.
    #[error("the native tools `{namespace}` cannot be offered: {reason}")]
    #[non_exhaustive]
    Tool {
        /// The namespace.
        namespace: String,
        /// What is wrong.
        reason: String,
    },
}

impl HostBuilder {
    /// Caches compiled plugins in this folder, which becomes private. Without a cache, every load
    /// compiles.
    pub fn cache(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache = Some(folder.into());
        self
    }

    /// Compiles plugins in a child process, which this program becomes with these arguments and
    /// without an environment. It must call [`compile_child`](crate::compile_child), which limits the
    /// memory and the CPU time of the child, and be built with the same version of this library.
    ///
    /// By default plugins are compiled in this process, where a hostile one can take much memory for
    /// a long time.
    pub fn compiler<A: Into<OsString>>(
        mut self,
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = A>,
    ) -> Self {
        let arguments = arguments.into_iter().map(Into::into).collect();
        let program = CompilerProgram::new(program.into(), arguments);
        self.compiler = Compiler::Program(program);
        self
    }

    /// Sets how many calls can compute at once; others queue. Address space is reserved for each.
    pub fn calls(mut self, calls: u32) -> Self {
        self.calls = calls.max(1);
        self
    }

    /// Sets how many calls can wait for a person at once, while others compute. A call over the limit
    /// fails with [`Fault::TooManyWaiting`](crate::Fault::TooManyWaiting).
    pub fn waiting(mut self, waiting: WaitingLimits) -> Self {
        self.waiting = waiting;
        self
    }

    /// Sets whether a person can be asked. If not, questions fail at once.
    pub fn attended(mut self, attended: bool) -> Self {
        self.attended = attended;
        self
    }

    /// Sets the standing rules of policy, for everybody without
    /// [rules of their own](Host::set_rules).
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Reserves a folder in which the program keeps files of its own, such as its store, its
    /// configuration or its rules. No folder that overlaps it can be granted to a plugin. The cache is
    /// always reserved.
    pub fn reserve(mut self, folder: impl AsRef<Path>) -> Self {
        self.reserved.add(folder.as_ref());
        self
    }

    /// Sets where the values of secrets come from. By default there are none.
    pub fn secrets(mut self, secrets: Arc<dyn SecretSource>) -> Self {
        self.secrets = secrets;
        self
    }

    /// Sets how plugins reach the hosts that were granted to them.
    #[cfg(feature = "http")]
    pub fn network(mut self, network: Network) -> Self {
        self.network = network;
        self
    }

    /// Sets the store. By default everything is kept in memory and lost with the host.
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// Adds an observer, which is told what the host does: turns, calls, tokens, requests to people, and
    /// how long the store takes.
    pub fn observer(mut self, observer: Arc<dyn Observer>) -> Self {
        self.observers.push(observer);
        self
    }

    /// Sets how long outputs of plugins are kept; half an hour by default. Outputs that have expired
    /// are deleted while the host is in use.
    pub fn output_lifetime(mut self, lifetime: Duration) -> Self {
        self.output_lifetime = lifetime;
        self
    }

    /// Sets the person's settings for a plugin.
    pub fn settings(mut self, plugin: impl Into<String>, settings: Value) -> Self {
        self.settings.insert(plugin.into(), settings);
        self
    }

    /// Pins an id to a component: no other component is loaded under it, except those of further
    /// calls. An id selects the state, settings and rules of a plugin, so a host that keeps them
    /// should pin each id to the [digests](crate::Plugin::digest) that a person accepted for it. Under
    /// an id without a pin, the first component that is loaded counts, until the program
    /// [replaces](Host::replace) or [unloads](Host::unload) it.
    pub fn pin(mut self, plugin: impl Into<String>, digest: Digest) -> Self {
        self.pins.entry(plugin.into()).or_default().insert(digest);
        self
    }

    /// Adds a native tool: a function of this program that is offered beside the tools of plugins, and called
    /// in the same way. The handler gets the [call](NativeCall) and returns what a tool of a plugin can
    /// return: a string, a value that serializes, or a kind such as
    /// [`Table`](footlight_vocabulary::kinds::Table).
    ///
    /// The same policy applies, except that no sandbox bounds a handler: the traits are all that policy
    /// knows of it, and they must be true. Whatever returns what strangers wrote has `open_world`. The
    /// handler runs on the task of its call and must not block its thread. It has two minutes, not counting
    /// waits for a person; if it panics, its call fails.
    ///
    /// The namespace is like the id of a plugin, which no plugin can have then, and
    /// [`Settings::plugins`](field@crate::Settings::plugins) selects it as one.
    pub fn tool<F, R, T>(mut self, spec: NativeTool, traits: Traits, handler: F) -> Self
    where
        F: Fn(NativeCall) -> R + Send + Sync + 'static,
        R: Future<Output = Result<T, Failure>> + Send + 'static,
        T: IntoOutcome,
    {
        let handler = native::handler(handler);
        self.tools.push(AddedTool {
            spec,
            traits,
            handler,
        });
        self
    }

    /// Sets the person's language, as a BCP 47 tag.
    pub fn locale(mut self, locale: impl Into<String>) -> Self {
        self.locale = locale.into();
        self
    }

    /// Sets the person's time zone, as an IANA name.
    pub fn timezone(mut self, timezone: impl Into<String>) -> Self {
        self.timezone = timezone.into();
        self
    }

    /// Sets whether every call is run a second time from the journal of the first, and fails if the
    /// two differ. For tests that calls are replayable. A call that was given a folder or answered a
    /// secret is not, and is not run again.
    pub fn replay_check(mut self, check: bool) -> Self {
        self.replay_check = check;
        self
    }

    /// Simulates the time, the randomness and perhaps the network of plugins, so that their calls can be
    /// recorded and repeated. For tests of plugins.
    pub fn simulate(mut self, simulation: Simulation) -> Self {
        self.simulation = Some(simulation);
        self
    }

    /// Sets a callback that gets the id of each plugin before it is compiled, which can take
    /// seconds. It is not called for plugins in the cache. It runs on a thread of its own and should
    /// return soon.
    pub fn on_compile(mut self, callback: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.on_compile = OnCompile(Some(Arc::new(callback)));
        self
    }

    /// Builds the host.
    ///
    /// # Errors
    /// When the cache cannot be opened, WebAssembly cannot run here, or a native tool is specified wrongly.
    pub fn build(self) -> Result<Host, BuildError> {
        let cache = self.cache.as_deref().map(Cache::open).transpose();
        let cache = cache.map_err(BuildError::Cache)?;
        let broken = |error: wasmtime::Error| BuildError::Engine(format!("{error:#}"));
        let size = PoolSize::new(self.calls, self.waiting.total);
        let engine = GuestEngine::new(size).map_err(broken)?;
        let slots = InstanceSlots::new(self.calls, self.waiting, Arc::clone(&engine.ticker));
        let mut linker = Linker::new(&engine.engine);
        imports::link(&mut linker).map_err(broken)?;
        let mut reserved = self.reserved;
        if let Some(folder) = &self.cache {
            reserved.add(folder);
        }
        let mut session = [0; 16];
        getrandom::fill(&mut session).map_err(|error| BuildError::Randomness(error.to_string()))?;
        if let Some(simulation) = &self.simulation {
            session = simulation.session();
        }
        #[cfg(feature = "http")]
        let exchanges = self.simulation.as_ref();
        #[cfg(feature = "http")]
        let exchanges = exchanges.and_then(|simulation| simulation.exchanges.clone());
        let observers = Arc::new(Observers::new(self.observers));
        let store = self.store.unwrap_or_else(|| Arc::<MemoryStore>::default());
        let host = Host(Arc::new(HostInner {
            engine,
            linker,
            cache,
            compiler: self.compiler,
            plugins: Default::default(),
            unloaded: Default::default(),
            store: Arc::new(ObservedStore {
                store,
                observers: Arc::clone(&observers),
            }),
            observers,
            own_state: Arc::new(MemoryStore::default()),
            output_lifetime: self.output_lifetime,
            sweeping: Default::default(),
            sweep: Default::default(),
            pending: Default::default(),
            policy: Arc::new(PolicyState::new(self.rules)),
            folders: FolderTable::new(reserved),
            #[cfg(feature = "http")]
            egress: Arc::new(Egress::new(self.network, self.secrets, exchanges)),
            attended: self.attended,
            settings: self.settings,
            pins: self.pins,
            locale: self.locale,
            timezone: self.timezone,
            session: SessionId::from(format!("ses_{}", hex(&session))),
            tainted: Default::default(),
            replay_check: self.replay_check,
            simulated: self.simulation.map(Simulated::new),
            on_compile: self.on_compile,
            compiling: Mutex::default(),
            slots: Arc::new(slots),
            circuit_breaker: Default::default(),
            sessions: Default::default(),
            shut_down: AtomicBool::new(false),
        }));
        let added = host.add_native(self.tools);
        added.map_err(|(namespace, reason)| BuildError::Tool { namespace, reason })?;
        Ok(host)
    }
}
