//! The host: load plugins, call their tools, settle what waits for a person.
//!
//! `Host::call` is the one way in, for a completion loop, an action, a command line and an embedder
//! alike. It owns the checking of the input, policy and the record, so that no caller can skip them.

mod builder;

pub use builder::{BuildError, HostBuilder};

use builder::OnCompile;

use crate::call::Call;
use crate::call::approval::PolicyState;
use crate::call::guest_log::{GuestLog, cut};
use crate::call::pending::{ApprovalReply, PendingRequests, ReplyError};
use crate::call::run;
use crate::call::stage::now;
use crate::plugin::cache::Cache;
use crate::plugin::circuit_breaker::CircuitBreaker;
use crate::plugin::compile_cost;
use crate::plugin::description;
use crate::plugin::digest::Digest;
use crate::plugin::survey::{self, InvalidPluginError, MAX_BYTES};
use crate::plugin::{Loaded, Plugin};
use crate::policy::{Caller, Grant, GrantId};
use crate::sandbox::bindings::PluginPre;
use crate::sandbox::engine::GuestEngine;
use crate::sandbox::imports;
use crate::sandbox::instance_slots::{self, InstanceSlots};
use crate::sandbox::{self, Sandbox};
use crate::store::{Store, StoreError};
use footlight_vocabulary::item::{CallId, RequestId, SessionId, Verdict};
use footlight_vocabulary::manifest::Manifest;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use wasmtime::component::{Component, Linker};

/// What the host calls itself where a plugin's id would stand.
pub(crate) const HOST_ID: &str = "footlight";

/// A host of plugins. Cheap to clone; all clones are the same host.
#[derive(Clone)]
pub struct Host(pub(crate) Arc<HostInner>);

pub(crate) struct HostInner {
    pub(crate) engine: GuestEngine,
    pub(crate) linker: Linker<Sandbox>,
    pub(crate) cache: Option<Cache>,
    pub(crate) plugins: RwLock<BTreeMap<String, Plugin>>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) pending: PendingRequests,
    pub(crate) policy: Arc<PolicyState>,
    pub(crate) attended: bool,
    pub(crate) settings: BTreeMap<String, Value>,
    pub(crate) locale: String,
    pub(crate) timezone: String,
    /// The session of calls that belong to no other.
    pub(crate) session: SessionId,
    pub(crate) replay_check: bool,
    pub(crate) on_compile: OnCompile,
    pub(crate) compiling: Mutex<()>,
    pub(crate) slots: InstanceSlots,
    pub(crate) circuit_breaker: CircuitBreaker,
}

/// Everything that says which call is wanted.
pub(crate) struct CallRequest<'a> {
    pub(crate) caller: Caller,
    pub(crate) function: &'a str,
    pub(crate) input: Value,
    /// The session it belongs to; without one the host's own.
    pub(crate) session: Option<SessionId>,
    /// Its id, where it has one already.
    pub(crate) call: Option<CallId>,
    /// Whether somebody can be asked.
    pub(crate) attended: bool,
    /// The first number for what it shows: another run of the same call may have used up some.
    pub(crate) first: u32,
}

/// Why a plugin was not loaded.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    Read(std::io::Error),
    /// It is not a plugin, and why.
    Invalid(InvalidPluginError),
    /// It could not be asked what it can do, or what it said is wrong.
    Describe(String),
    /// Another plugin with this id is loaded.
    DuplicateId(String),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Read(error) => write!(f, "the plugin cannot be read: {error}"),
            Self::Invalid(why) => why.fmt(f),
            Self::Describe(why) => write!(f, "the plugin cannot say what it can do: {why}"),
            Self::DuplicateId(id) => write!(f, "another plugin called `{id}` is loaded already"),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<InvalidPluginError> for LoadError {
    fn from(why: InvalidPluginError) -> Self {
        Self::Invalid(why)
    }
}

impl Host {
    /// How a host is made.
    pub fn builder() -> HostBuilder {
        HostBuilder::default()
    }

    /// Loads the plugin in a file.
    ///
    /// # Errors
    /// When it is no plugin, or another one with its id is loaded.
    pub async fn load(&self, path: impl AsRef<Path>) -> Result<Plugin, LoadError> {
        let path = path.as_ref();
        let file = path.to_owned();
        let bytes = spawn_blocking(move || read(&file))
            .await
            .map_err(LoadError::Read)?;
        let name = path
            .file_stem()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default();
        self.load_bytes(&bytes, &name).await
    }

    /// Loads a plugin from its bytes. `name` is its id where it carries no manifest.
    ///
    /// # Errors
    /// When it is no plugin, or another one with its id is loaded.
    pub async fn load_bytes(&self, bytes: &[u8], name: &str) -> Result<Plugin, LoadError> {
        let survey = survey::survey(bytes)?;
        survey.check_contract()?;
        let known = |import: &String| {
            import.starts_with("wasi:") || import.starts_with("footlight:plugin/")
        };
        if let Some(unknown) = survey.imports.iter().find(|import| !known(import)) {
            return Err(InvalidPluginError::UnknownImport(survey::shown(unknown)).into());
        }
        let manifest = match survey.manifest {
            Some(manifest) => manifest,
            None => Manifest::powerless(&name.replace('-', "_")).map_err(|error| {
                LoadError::Invalid(InvalidPluginError::Manifest(error.to_string()))
            })?,
        };
        check_name(&manifest.id)?;
        let digest = Digest::of(bytes);
        if let Some(loaded) = self.plugin(&manifest.id) {
            return if loaded.digest() == digest {
                self.0.circuit_breaker.reset(&digest);
                Ok(loaded)
            } else {
                Err(LoadError::DuplicateId(manifest.id))
            };
        }
        let (host, code, id) = (self.clone(), bytes.to_owned(), manifest.id.clone());
        let component = spawn_blocking(move || host.compile(&code, &digest, &id)).await?;
        let linked = self
            .0
            .linker
            .instantiate_pre(&component)
            .map_err(|error| refused(&error))?;
        let guest = PluginPre::new(linked)
            .map_err(|error| InvalidPluginError::TypeMismatch(error.root_cause().to_string()))?;
        let guest_log = GuestLog::default();
        let slots = instance_slots::slots_needed(&component);
        let described = match self.0.slots.acquire(slots).await {
            Ok(_place) => sandbox::describe(&guest, &manifest.limits, guest_log.clone()).await,
            Err(busy) => Err(busy),
        };
        let described = described.map_err(|fault| {
            let mut why = fault.sentence(&manifest.limits);
            // There is no call whose log could be read.
            if let Some(last) = guest_log.take().last() {
                why.push_str("; its log ends with: ");
                why.extend(cut(last, 300).chars().flat_map(char::escape_debug));
            }
            LoadError::Describe(why)
        })?;
        let description = description::read(described).map_err(LoadError::Describe)?;
        let plugin = Plugin(Arc::new(Loaded {
            digest,
            identity: Arc::new(run::identity(&self.0, &self.0.session, &manifest.id)),
            manifest: Arc::new(manifest),
            description,
            guest,
            slots,
            imports: survey.imports,
            size: bytes.len(),
        }));
        let mut plugins = self
            .0
            .plugins
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        // Another load may have been faster: the first one counts.
        let loaded = plugins.entry(plugin.id().to_owned());
        let loaded = loaded.or_insert_with(|| plugin.clone());
        if loaded.digest() == plugin.digest() {
            Ok(loaded.clone())
        } else {
            Err(LoadError::DuplicateId(plugin.id().to_owned()))
        }
    }

    /// The compiled component: from the cache, or compiled and put there.
    fn compile(
        &self,
        bytes: &[u8],
        digest: &Digest,
        id: &str,
    ) -> Result<Component, InvalidPluginError> {
        let engine = &self.0.engine.engine;
        if let Some(component) = self
            .0
            .cache
            .as_ref()
            .and_then(|cache| cache.load(engine, digest))
        {
            return Ok(component);
        }
        compile_cost::check(bytes)?;
        // One at a time: each takes every core, and memory that is bounded only for one.
        let _turn = self
            .0
            .compiling
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        tracing::info!(%digest, id, "compiling");
        self.0.on_compile.call(id);
        // A stranger's bytes can find an assertion of the compiler's: that refuses the plugin and
        // must not end the host.
        let compiled =
            std::panic::catch_unwind(AssertUnwindSafe(|| Component::from_binary(engine, bytes)))
                .map_err(|_| {
                    InvalidPluginError::Compile("the compiler gave up on it".to_owned())
                })?;
        let component = compiled
            .map_err(|error| InvalidPluginError::Compile(error.root_cause().to_string()))?;
        if let Some(cache) = &self.0.cache
            && let Err(error) = cache.store(engine, digest, &component)
        {
            tracing::warn!(%error, "the compiled component could not be kept");
        }
        Ok(component)
    }

    /// The loaded plugin with this id.
    #[must_use]
    pub fn plugin(&self, id: &str) -> Option<Plugin> {
        self.0
            .plugins
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(id)
            .cloned()
    }

    /// Every loaded plugin, by id.
    #[must_use]
    pub fn plugins(&self) -> Vec<Plugin> {
        self.0
            .plugins
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }

    /// Lets a plugin be called again that was suspended: the host had to stop it three times within
    /// ten minutes. Loading it once more does the same. Answers whether it was suspended.
    pub fn readmit(&self, id: &str) -> bool {
        let plugin = self.plugin(id);
        plugin.is_some_and(|plugin| self.0.circuit_breaker.reset(&plugin.digest()))
    }

    /// The functions that can be called, as `plugin.tool`.
    #[must_use]
    pub fn tools(&self) -> Vec<String> {
        let names = |plugin: &Plugin| -> Vec<String> {
            plugin
                .tools()
                .iter()
                .map(|tool| format!("{}.{}", plugin.id(), tool.name))
                .collect()
        };
        self.plugins().iter().flat_map(names).collect()
    }

    /// Calls a tool, as `plugin.tool`, for the embedder itself.
    ///
    /// Whatever goes wrong is how the call ends: there is no other way to fail.
    pub fn call(&self, function: &str, input: Value) -> Call {
        self.call_as(Caller::Direct, function, input)
    }

    /// Calls a tool on somebody's behalf.
    pub fn call_as(&self, caller: Caller, function: &str, input: Value) -> Call {
        run::start(
            self,
            CallRequest {
                caller,
                function,
                input,
                session: None,
                call: None,
                attended: self.0.attended,
                first: 1,
            },
        )
    }

    /// Calls a tool for a session.
    pub(crate) fn call_for(&self, order: CallRequest<'_>) -> Call {
        run::start(self, order)
    }

    /// Answers a question that waits: a value for its only field, or an object of values.
    ///
    /// # Errors
    /// When nothing waits under this id, or the answer does not fit; it can be given again.
    pub fn answer(&self, id: &RequestId, answer: Value) -> Result<(), ReplyError> {
        self.0.pending.answer(id, answer)
    }

    /// Skips a question that waits.
    ///
    /// # Errors
    /// When nothing waits under this id.
    pub fn skip(&self, id: &RequestId) -> Result<(), ReplyError> {
        self.0.pending.skip(id)
    }

    /// Says that it is too late to settle what waits, a question or a request for leave.
    ///
    /// # Errors
    /// When nothing waits under this id.
    pub fn expire(&self, id: &RequestId) -> Result<(), ReplyError> {
        self.0.pending.expire(id)
    }

    /// Says that nobody can settle what waits, a question or a request for leave: it comes to nothing.
    ///
    /// # Errors
    /// When nothing waits under this id.
    pub fn nobody(&self, id: &RequestId) -> Result<(), ReplyError> {
        self.0.pending.nobody(id)
    }

    /// Decides on leave that is waited for, with words for the model.
    ///
    /// # Errors
    /// When nothing waits under this id, or this verdict is not on offer.
    pub fn decide(
        &self,
        id: &RequestId,
        verdict: Verdict,
        words: Option<String>,
    ) -> Result<(), ReplyError> {
        self.decide_by(id, verdict, words, None)
    }

    /// The same, and who decides is put on the receipt.
    pub(crate) fn decide_by(
        &self,
        id: &RequestId,
        verdict: Verdict,
        words: Option<String>,
        by: Option<String>,
    ) -> Result<(), ReplyError> {
        self.0.pending.decide(
            id,
            ApprovalReply {
                verdict,
                words,
                by,
                no_reply: None,
            },
        )
    }

    /// What was granted so far.
    #[must_use]
    pub fn grants(&self) -> Vec<Grant> {
        self.0
            .policy
            .grants
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .list()
            .cloned()
            .collect()
    }

    /// Takes a grant back.
    pub fn revoke(&self, grant: GrantId) -> Option<Grant> {
        self.0
            .policy
            .grants
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .revoke(grant)
    }

    /// Where everything that lasts is kept.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    /// The session of calls that belong to no other: those of [`Host::call`].
    #[must_use]
    pub fn session_id(&self) -> &SessionId {
        &self.0.session
    }

    /// The content of an output of a session; nothing if it is unknown or has expired.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn output(
        &self,
        session: &SessionId,
        id: &str,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let store = &self.0.store;
        let whole = store.read_output(session, &id.into(), 0, usize::MAX, now());
        whole.await
    }
}

/// A plugin under the host's own name could pass for the host: its tools for the session's, and its
/// questions for the model's.
fn check_name(id: &str) -> Result<(), InvalidPluginError> {
    if id == HOST_ID {
        let why = format!("`{HOST_ID}` is the host's own name; give the plugin another id");
        return Err(InvalidPluginError::Manifest(why));
    }
    Ok(())
}

/// A file, as far as it could be a plugin: what is larger is not read to its end.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = MAX_BYTES as u64 + 1;
    std::fs::File::open(path)?
        .take(most)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Does what takes long on a thread of its own, so that other calls go on meanwhile.
async fn spawn_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        // It is never aborted; a panic goes on where it would have been.
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// What the linker did not find. wasmtime names it in backticks, from the outside in.
fn refused(error: &wasmtime::Error) -> InvalidPluginError {
    let words = format!("{error:#}");
    let names: Vec<&str> = words.split('`').skip(1).step_by(2).collect();
    if names.is_empty() {
        InvalidPluginError::TypeMismatch(words)
    } else {
        let names: Vec<String> = names.into_iter().map(survey::shown).collect();
        InvalidPluginError::UnknownImport(names.join("` with `"))
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host")
            .field("tools", &self.tools())
            .finish_non_exhaustive()
    }
}

/// Everything a new host needs, linked once.
fn linker(engine: &GuestEngine) -> wasmtime::Result<Linker<Sandbox>> {
    let mut linker = Linker::new(&engine.engine);
    imports::link(&mut linker)?;
    Ok(linker)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_plugin_passes_for_the_host() {
        assert!(check_name("weather").is_ok());
        let refused = check_name(HOST_ID).expect_err("it is the host's");
        assert!(refused.to_string().contains("the host's own name"));
    }
}
