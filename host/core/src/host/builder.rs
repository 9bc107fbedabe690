//! How a host is made.

use super::{Host, HostInner, linker};
use crate::call::approval::PolicyState;
use crate::plugin::cache::Cache;
use crate::plugin::digest::hex;
use crate::policy::Rules;
use crate::sandbox::engine::GuestEngine;
use crate::sandbox::instance_slots::InstanceSlots;
use crate::store::{MemoryStore, Store};
use footlight_vocabulary::item::SessionId;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Settings of a host. Everything has a default that is safe.
#[derive(Clone)]
#[must_use = "a builder does nothing until `build`"]
pub struct HostBuilder {
    cache: Option<PathBuf>,
    calls: u32,
    attended: bool,
    rules: Rules,
    store: Option<Arc<dyn Store>>,
    settings: BTreeMap<String, Value>,
    locale: String,
    timezone: String,
    replay_check: bool,
    on_compile: OnCompile,
}

/// Who is told that a plugin is compiled.
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
        f.write_str(if self.0.is_some() { "told" } else { "not told" })
    }
}

impl Default for HostBuilder {
    fn default() -> Self {
        Self {
            cache: None,
            calls: 16,
            attended: false,
            rules: Rules::default(),
            store: None,
            settings: BTreeMap::new(),
            locale: "en".to_owned(),
            timezone: "Etc/UTC".to_owned(),
            replay_check: false,
            on_compile: OnCompile::default(),
        }
    }
}

/// Why a host could not be made.
#[derive(Debug)]
pub struct BuildError(String);

impl std::fmt::Display for BuildError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

impl HostBuilder {
    /// Keeps compiled plugins in this folder, which becomes private. Without one, each start
    /// compiles anew.
    pub fn cache(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache = Some(folder.into());
        self
    }

    /// How many calls may run at once; others wait for a while. Memory is reserved for as many.
    pub fn calls(mut self, calls: u32) -> Self {
        self.calls = calls.max(1);
        self
    }

    /// Whether somebody follows the calls and can be asked. If not, a question fails at once.
    pub fn attended(mut self, attended: bool) -> Self {
        self.attended = attended;
        self
    }

    /// Standing rules.
    pub fn rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Where everything that lasts is kept. Without one it lasts as long as the host.
    pub fn store(mut self, store: Arc<dyn Store>) -> Self {
        self.store = Some(store);
        self
    }

    /// The person's settings for a plugin.
    pub fn settings(mut self, plugin: impl Into<String>, settings: Value) -> Self {
        self.settings.insert(plugin.into(), settings);
        self
    }

    /// The person's language, as BCP 47.
    pub fn locale(mut self, locale: impl Into<String>) -> Self {
        self.locale = locale.into();
        self
    }

    /// The person's time zone, as an IANA name.
    pub fn timezone(mut self, timezone: impl Into<String>) -> Self {
        self.timezone = timezone.into();
        self
    }

    /// Runs every call twice, the second time from what was recorded of the first, and fails it if
    /// the two differ. For tests: a call must be replayable.
    pub fn replay_check(mut self, check: bool) -> Self {
        self.replay_check = check;
        self
    }

    /// Is told the id of each plugin that is about to be compiled, which can take seconds. A plugin
    /// whose compiled code is in the cache is not compiled. Called on a thread of its own; it should
    /// return soon.
    pub fn on_compile(mut self, callback: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.on_compile = OnCompile(Some(Arc::new(callback)));
        self
    }

    /// Makes the host.
    ///
    /// # Errors
    /// When the cache cannot be opened, or WebAssembly cannot run here.
    pub fn build(self) -> Result<Host, BuildError> {
        let cache = self.cache.as_deref().map(Cache::open).transpose();
        let cache = cache
            .map_err(|error| BuildError(format!("the compiled cache cannot be opened: {error}")))?;
        let broken =
            |error: wasmtime::Error| BuildError(format!("WebAssembly cannot run here: {error:#}"));
        let engine = GuestEngine::new(self.calls).map_err(broken)?;
        let linker = linker(&engine).map_err(broken)?;
        let mut session = [0; 16];
        getrandom::fill(&mut session)
            .map_err(|error| BuildError(format!("there is no randomness here: {error}")))?;
        Ok(Host(Arc::new(HostInner {
            engine,
            linker,
            cache,
            plugins: Default::default(),
            store: self
                .store
                .unwrap_or_else(|| Arc::new(MemoryStore::default())),
            pending: Default::default(),
            policy: Arc::new(PolicyState {
                rules: Mutex::new(self.rules),
                grants: Mutex::default(),
            }),
            attended: self.attended,
            settings: self.settings,
            locale: self.locale,
            timezone: self.timezone,
            session: SessionId::from(format!("ses_{}", hex(&session))),
            replay_check: self.replay_check,
            on_compile: self.on_compile,
            compiling: Mutex::default(),
            slots: InstanceSlots::new(self.calls),
            circuit_breaker: Default::default(),
        })))
    }
}
