//! The host: loads plugins, calls their tools and takes replies to pending requests.
//!
//! Every call goes through `call::run::start`, whether it comes from a session, a command line or an
//! embedder, so that no caller can skip the check of the input, policy or the record.

mod builder;
mod load;
mod sweep;

pub use builder::{BuildError, HostBuilder};
pub use load::LoadError;

use builder::OnCompile;

use crate::call::approval::PolicyState;
use crate::call::pending::{NoReply, PendingRequests, QuestionReply, ReplyError};
use crate::call::{Call, run};
use crate::observer::{Observer, Observers};
use crate::plugin::Plugin;
use crate::plugin::cache::Cache;
use crate::plugin::circuit_breaker::CircuitBreaker;
use crate::plugin::compiler::Compiler;
use crate::plugin::digest::Digest;
use crate::policy::{Caller, FolderBinding, Grant, GrantId, Rules};
use crate::power::folder::{FolderError, FolderTable};
#[cfg(feature = "http")]
use crate::power::net::Egress;
use crate::sandbox::Sandbox;
use crate::sandbox::engine::GuestEngine;
use crate::sandbox::instance_slots::InstanceSlots;
use crate::session::{OpenSessions, PersonScope, SessionScope};
use crate::simulation::Simulated;
use crate::store::Store;
use crate::sync::{self, lock};
use footlight_vocabulary::function::FunctionName;
use footlight_vocabulary::item::{CallId, RequestId, SessionId, Verdict};
use footlight_vocabulary::manifest::Mode;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, RwLock};
use std::time::Duration;
use wasmtime::component::Linker;

/// The host's own id, used in place of a plugin's. No plugin can have it: it is reserved.
pub(crate) const HOST_ID: &str = "footlight";

/// The person of sessions and calls for which no other person is named, such as those of the command
/// line.
pub const LOCAL_PERSON: &str = "local";

/// A host: loads plugins, calls their tools in sandboxes, and keeps sessions with a model.
///
/// Make one with [`Host::builder`], and usually one for a whole program: all people and all sessions can
/// share it. Clones are cheap and share the same host. [`load`](Self::load) adds a plugin,
/// [`call`](Self::call) runs one tool, [`session`](Self::session) opens a conversation, and
/// [`shutdown`](Self::shutdown) stops everything so that it can be continued elsewhere.
#[derive(Clone)]
pub struct Host(pub(crate) Arc<HostInner>);

pub(crate) struct HostInner {
    pub(crate) engine: GuestEngine,
    pub(crate) linker: Linker<Sandbox>,
    pub(crate) cache: Option<Cache>,
    pub(crate) compiler: Compiler,
    pub(crate) plugins: RwLock<BTreeMap<String, Plugin>>,
    /// The ids of plugins that were unloaded.
    pub(crate) unloaded: Mutex<BTreeSet<String>>,
    pub(crate) observers: Arc<Observers>,
    pub(crate) store: Arc<dyn Store>,
    /// The state of `session`, which ends with the host.
    pub(crate) own_state: Arc<dyn Store>,
    pub(crate) output_lifetime: Duration,
    pub(crate) sweeping: AtomicBool,
    /// Held during a sweep.
    pub(crate) sweep: Arc<tokio::sync::Mutex<()>>,
    pub(crate) pending: PendingRequests,
    pub(crate) policy: Arc<PolicyState>,
    pub(crate) folders: FolderTable,
    #[cfg(feature = "http")]
    pub(crate) egress: Arc<Egress>,
    pub(crate) attended: bool,
    pub(crate) settings: BTreeMap<String, Value>,
    /// The components that may be loaded under an id; any component under an id without an entry.
    pub(crate) pins: BTreeMap<String, BTreeSet<Digest>>,
    pub(crate) locale: String,
    pub(crate) timezone: String,
    /// The session of calls that belong to no [`Session`](crate::Session).
    pub(crate) session: SessionId,
    /// Whether such a call has held a folder or a host, so that a model may have read what it returned.
    pub(crate) tainted: Arc<AtomicBool>,
    pub(crate) replay_check: bool,
    pub(crate) simulated: Option<Simulated>,
    pub(crate) on_compile: OnCompile,
    pub(crate) compiling: Mutex<()>,
    pub(crate) slots: Arc<InstanceSlots>,
    pub(crate) circuit_breaker: CircuitBreaker,
    pub(crate) sessions: OpenSessions,
    /// Whether no turn and no call starts any more.
    pub(crate) shut_down: AtomicBool,
}

/// The parameters of a call.
pub(crate) struct CallRequest<'a> {
    pub(crate) caller: Caller,
    pub(crate) function: &'a str,
    pub(crate) input: Value,
    /// The session of the call; by default one of the host's own.
    pub(crate) session: Option<SessionScope>,
    /// The person of a call without a session; by default the local one.
    pub(crate) person: Option<PersonScope>,
    /// The id of the call; by default a new one.
    pub(crate) call: Option<CallId>,
    /// Whether a person can be asked.
    pub(crate) attended: bool,
    /// The number of the call's first item. Lower ones were used by an interrupted run of the same call.
    pub(crate) first_number: u32,
}

impl Host {
    /// Returns a builder with the default settings: nothing granted, nobody to ask, nothing kept on disk.
    pub fn builder() -> HostBuilder {
        HostBuilder::default()
    }

    /// Returns the loaded plugin with this id.
    #[must_use]
    pub fn plugin(&self, id: &str) -> Option<Plugin> {
        sync::read(&self.0.plugins).get(id).cloned()
    }

    /// Returns the loaded plugins, sorted by id.
    #[must_use]
    pub fn plugins(&self) -> Vec<Plugin> {
        sync::read(&self.0.plugins).values().cloned().collect()
    }

    /// Readmits a suspended plugin, which the host had to stop three times within ten minutes, and
    /// reports whether it was suspended. Loading the plugin again does the same.
    pub fn readmit(&self, id: &str) -> bool {
        let plugin = self.plugin(id);
        plugin.is_some_and(|plugin| self.0.circuit_breaker.reset(&plugin.digest()))
    }

    /// Returns the full names of all tools.
    #[must_use]
    pub fn tools(&self) -> Vec<FunctionName> {
        let plugins = self.plugins();
        plugins.iter().flat_map(Plugin::functions).collect()
    }

    /// Calls a tool, such as `weather.forecast`, on behalf of the embedder, whose person is the local one.
    /// [`Person::call`](crate::Person::call) calls it for another.
    ///
    /// Every error, an unknown tool included, is a [`Failure`](crate::Failure) of the call.
    pub fn call(&self, function: &str, input: Value) -> Call {
        self.call_as(Caller::Direct, function, input)
    }

    /// Calls a tool on behalf of `caller`.
    pub fn call_as(&self, caller: Caller, function: &str, input: Value) -> Call {
        run::start(
            self,
            CallRequest {
                caller,
                function,
                input,
                session: None,
                person: None,
                call: None,
                attended: self.0.attended,
                first_number: 1,
            },
        )
    }

    /// Answers a pending question of any call: with a value for its only field, or with an object of values.
    ///
    /// # Errors
    /// When no question is pending under this id, or the answer does not fit it.
    pub fn answer(&self, id: &RequestId, answer: Value) -> Result<(), ReplyError> {
        self.0.pending.answer(id, answer, None)
    }

    /// Skips a pending question of any call.
    ///
    /// # Errors
    /// When no question is pending under this id.
    pub fn skip(&self, id: &RequestId) -> Result<(), ReplyError> {
        self.0.pending.reply(id, QuestionReply::Skip(None))
    }

    /// Decides a pending approval request of any call, with words for the model.
    ///
    /// # Errors
    /// When no approval request is pending under this id, or it does not offer this verdict.
    pub fn decide(
        &self,
        id: &RequestId,
        verdict: Verdict,
        words: Option<String>,
    ) -> Result<(), ReplyError> {
        self.0.pending.decide(id, verdict, words, None, None)
    }

    /// Decides a pending request for a folder, and names the folder of the machine and what the plugin
    /// may do in it at most. Naming a path is for whoever started this process: everybody else can only
    /// accept the offered one, with [`decide`](Self::decide).
    ///
    /// # Errors
    /// When no request for a folder is pending under this id, it does not offer this verdict, or the
    /// folder cannot be granted. Then another one can be named.
    pub fn bind(
        &self,
        id: &RequestId,
        verdict: Verdict,
        folder: &Path,
        mode: Mode,
    ) -> Result<(), ReplyError> {
        let folder = FolderBinding {
            path: self.check_folder(folder).map_err(ReplyError::Folder)?,
            writable: mode == Mode::ReadWrite,
        };
        self.0.pending.decide(id, verdict, None, None, Some(folder))
    }

    /// Checks that a folder can be granted to plugins, and returns its absolute path without links, as
    /// a rule names it. For as long as the host exists, a grant of this path is one of this folder,
    /// wherever it is moved and whatever takes its place.
    ///
    /// # Errors
    /// When it is not a folder, belongs to the system or the host, or its path is not Unicode.
    pub fn check_folder(&self, folder: &Path) -> Result<String, FolderError> {
        let path = self.0.folders.name(folder)?;
        path.into_os_string().into_string().map_err(|path| {
            let reason = "its path is not Unicode".to_owned();
            let path = path.into();
            FolderError::Unreadable { path, reason }
        })
    }

    /// Proposes a folder of the machine to the local person, for a guest path of a plugin. Whoever is asked
    /// for the folder sees the proposal and can accept it; nothing is granted without that. Other people
    /// do not see it: [`Person::offer_folder`](crate::Person::offer_folder) proposes a folder to one.
    pub fn offer_folder(&self, plugin: &str, guest_path: &str, folder: &str) {
        self.person(LOCAL_PERSON)
            .offer_folder(plugin, guest_path, folder);
    }

    /// Replaces the rules of a person, by default those of the [builder](HostBuilder::rules). They
    /// apply to every decision from now on, in running calls too.
    pub fn set_rules(&self, person: &str, rules: Rules) {
        self.0.policy.set_rules(person, rules);
    }

    /// Ends a pending question or approval request because it has expired.
    ///
    /// # Errors
    /// When no request is pending under this id.
    pub fn expire(&self, id: &RequestId) -> Result<(), ReplyError> {
        self.0.pending.end(id, NoReply::Expired)
    }

    /// Ends a pending question or approval request because nobody can be asked.
    ///
    /// # Errors
    /// When no request is pending under this id.
    pub fn no_person(&self, id: &RequestId) -> Result<(), ReplyError> {
        self.0.pending.end(id, NoReply::NoPerson)
    }

    /// Returns the live grants of all people. [`Person::grants`](crate::Person::grants) returns those
    /// of one.
    #[must_use]
    pub fn grants(&self) -> Vec<Grant> {
        lock(&self.0.policy.grants).list().cloned().collect()
    }

    /// Revokes a grant of any person and returns it.
    pub fn revoke(&self, grant: GrantId) -> Option<Grant> {
        lock(&self.0.policy.grants).revoke(grant)
    }

    /// Tells an observer, too, what the host does from now on, for as long as the host exists.
    pub fn add_observer(&self, observer: Arc<dyn Observer>) {
        self.0.observers.add(observer);
    }

    /// Returns the store of this host. What is done through it is [observed](HostBuilder::observer), too.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.store
    }

    /// Returns the session of calls without a [`Session`](crate::Session), such as those of
    /// [`Host::call`].
    #[must_use]
    pub fn session_id(&self) -> &SessionId {
        &self.0.session
    }
}

impl std::fmt::Debug for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Host")
            .field("tools", &self.tools())
            .finish_non_exhaustive()
    }
}
