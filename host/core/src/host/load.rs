//! Loads plugins: survey, compile, link, describe.

use super::Host;
use crate::bounded_file;
use crate::call::guest_log::GuestLog;
use crate::call::identity::identity;
use crate::plugin::compile_cost;
use crate::plugin::compiler::CompilerError;
use crate::plugin::description;
use crate::plugin::digest::Digest;
use crate::plugin::survey::{self, InvalidPluginError, MAX_BYTES};
use crate::plugin::{Code, Loaded, Plugin};
use crate::sandbox;
use crate::sandbox::bindings::PluginPre;
use crate::sandbox::instance_slots::SlotsNeeded;
use crate::sync;
use footlight_vocabulary::escape::cut;
use footlight_vocabulary::manifest::{Manifest, PluginIdError, file_plugin_id};
use std::path::Path;
use std::sync::Arc;
use wasmtime::component::Component;

/// How many bytes of all plugins the model can be sent with every step: about a quarter of a million
/// tokens.
const MAX_BYTES_PER_STEP: usize = 1 << 20;

/// Why a plugin was not loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("the plugin cannot be read")]
    Read(#[source] std::io::Error),
    /// The file is not a plugin.
    #[error(transparent)]
    Invalid(InvalidPluginError),
    /// The program that compiles plugins did not compile this one.
    #[error(transparent)]
    Compiler(CompilerError),
    /// The plugin's `describe` failed, or the description is wrong.
    #[error("the plugin cannot be described: {0}")]
    Describe(String),
    /// The person's [settings](crate::HostBuilder::settings) of the plugin do not fit its schema.
    #[error("the settings of `{id}` do not fit: {}", violations.join("; "))]
    #[non_exhaustive]
    Settings {
        /// The id of the plugin.
        id: String,
        /// What does not fit, with its place in the settings.
        violations: Vec<String>,
    },
    /// With the plugins that are loaded, the model would be sent too much.
    #[error(
        "the instructions and tools of all plugins would have {bytes} bytes; the most is {MAX_BYTES_PER_STEP}, because every step sends them: load fewer plugins"
    )]
    #[non_exhaustive]
    TooMuchPerStep {
        /// How many bytes there would be.
        bytes: usize,
    },
    /// Another plugin with this id is loaded.
    #[error("another plugin called `{0}` is loaded already")]
    DuplicateId(String),
    /// The id is [pinned](crate::HostBuilder::pin) to other components.
    #[error("`{id}` is pinned to other components than sha256:{digest}")]
    #[non_exhaustive]
    NotPinned {
        /// The id of the plugin.
        id: String,
        /// The digest of the component that was not loaded.
        digest: Digest,
    },
}

/// What becomes of a plugin that is loaded under the same id.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Existing {
    Stays,
    IsReplaced,
}

impl Existing {
    fn is_replaced(self, plugin: &Plugin) -> bool {
        self == Self::IsReplaced && !plugin.is_native()
    }
}

impl From<InvalidPluginError> for LoadError {
    fn from(error: InvalidPluginError) -> Self {
        Self::Invalid(error)
    }
}

impl From<CompilerError> for LoadError {
    fn from(error: CompilerError) -> Self {
        Self::Compiler(error)
    }
}

impl Host {
    /// Loads a plugin from a file. Without a manifest in it, its id is made from the file name:
    /// `file_todo` for `todo.wasm`.
    ///
    /// # Errors
    /// When the file is not a plugin, another plugin with its id is loaded, or the id is pinned to
    /// other components.
    pub async fn load(&self, path: impl AsRef<Path>) -> Result<Plugin, LoadError> {
        let path = path.as_ref();
        let file = path.to_owned();
        let bytes = spawn_blocking(move || bounded_file::read(&file, MAX_BYTES))
            .await
            .map_err(LoadError::Read)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let unnamed = || file_plugin_id(&stem);
        self.load_as(&bytes, unnamed, Existing::Stays).await
    }

    /// Loads a plugin from its bytes. Without a manifest in them, `name` becomes its id, and the
    /// plugin uses the state and settings of that id: for a name that a stranger chose, such as that
    /// of a file, use [`file_plugin_id`].
    ///
    /// # Errors
    /// When the bytes are not a plugin, another plugin with its id is loaded, or the id is pinned to
    /// other components.
    pub async fn load_bytes(&self, bytes: &[u8], name: &str) -> Result<Plugin, LoadError> {
        let unnamed = || Ok(name.replace('-', "_"));
        self.load_as(bytes, unnamed, Existing::Stays).await
    }

    /// Loads a plugin from its bytes as [`load_bytes`](Self::load_bytes) does, in place of the one that is
    /// loaded under its id, if there is one. If it cannot be loaded, that one stays.
    ///
    /// Calls that run finish with the component they started with; others, of running turns too, use the new
    /// one, and models see its tools from the next step on. A verdict is bound to the component that it was
    /// given for, so what a person has approved of the old one is asked about again.
    ///
    /// # Errors
    /// When the bytes are not a plugin, the id is pinned to other components, or it is the namespace of
    /// [native tools](crate::HostBuilder::tool).
    pub async fn replace(&self, bytes: &[u8], name: &str) -> Result<Plugin, LoadError> {
        let unnamed = || Ok(name.replace('-', "_"));
        self.load_as(bytes, unnamed, Existing::IsReplaced).await
    }

    /// Unloads a plugin, and reports whether it was loaded. Native tools cannot be unloaded.
    ///
    /// Calls that run finish; others fail with [`FailureCode::Unavailable`], and models do not see its tools
    /// from the next step on. Its compiled code is released when the last call has ended and nobody
    /// holds the [`Plugin`]. Another component can be loaded under the id, unless it is pinned.
    ///
    /// [`FailureCode::Unavailable`]: footlight_vocabulary::failure::FailureCode::Unavailable
    pub fn unload(&self, id: &str) -> bool {
        let unloaded = {
            let mut plugins = sync::write(&self.0.plugins);
            let is_component = plugins.get(id).is_some_and(|plugin| !plugin.is_native());
            is_component.then(|| plugins.remove(id)).flatten()
        };
        if unloaded.is_some() {
            sync::lock(&self.0.unloaded).insert(id.to_owned());
        }
        unloaded.is_some()
    }

    /// Loads a plugin from its bytes. Without a manifest in them, it gets the id `unnamed`.
    async fn load_as(
        &self,
        bytes: &[u8],
        unnamed: impl FnOnce() -> Result<String, PluginIdError>,
        existing: Existing,
    ) -> Result<Plugin, LoadError> {
        self.start_sweeping();
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
            None => unnamed()
                .and_then(|id| Manifest::powerless(&id))
                .map_err(InvalidPluginError::NoId)?,
        };
        let digest = Digest::of(bytes);
        let pins = self.0.pins.get(&manifest.id);
        if pins.is_some_and(|pins| !pins.contains(&digest)) {
            let id = manifest.id;
            return Err(LoadError::NotPinned { id, digest });
        }
        if let Some(loaded) = self.plugin(&manifest.id) {
            if loaded.digest() == digest {
                self.0.circuit_breaker.reset(&digest);
                return Ok(loaded);
            }
            if !existing.is_replaced(&loaded) {
                return Err(LoadError::DuplicateId(manifest.id));
            }
        }
        let (host, code, id) = (self.clone(), bytes.to_owned(), manifest.id.clone());
        let component = spawn_blocking(move || host.compile(code, &digest, &id)).await?;
        let linked = self
            .0
            .linker
            .instantiate_pre(&component)
            .map_err(|error| link_error(&error))?;
        let guest = PluginPre::new(linked)
            .map_err(|error| InvalidPluginError::TypeMismatch(error.root_cause().to_string()))?;
        let guest_log = GuestLog::default();
        let slots = SlotsNeeded::of(&component);
        let described = match self.0.slots.acquire(slots.computing).await {
            Ok(_place) => sandbox::describe(&guest, &manifest.limits, guest_log.clone()).await,
            Err(busy) => Err(busy),
        };
        let described = described.map_err(|fault| {
            let mut why = fault.sentence(&manifest.limits);
            // There is no call whose log a person could read instead.
            if let Some(last) = guest_log.take().last() {
                why.push_str("; its log ends with: ");
                why.extend(cut(last, 300).chars().flat_map(char::escape_debug));
            }
            LoadError::Describe(why)
        })?;
        // Its schemas are compiled, which can take tenths of a second. Most plugins are small, and a thread with
        // memory of its own would take longer than they do.
        let description = match description::is_quick(&described) {
            true => description::read(described),
            false => spawn_blocking(|| description::read(described)).await,
        };
        let description = description.map_err(LoadError::Describe)?;
        if let Some(settings) = self.0.settings.get(&manifest.id) {
            let checked = description.check_settings(settings);
            checked.map_err(|violations| LoadError::Settings {
                id: manifest.id.clone(),
                violations,
            })?;
        }
        let plugin = Plugin(Arc::new(Loaded {
            digest,
            identity: Arc::new(identity(&self.0, None, None, &manifest.id)),
            manifest: Arc::new(manifest),
            description,
            code: Code::Component { guest, slots },
            imports: survey.imports,
            size: bytes.len(),
            observers: Arc::clone(&self.0.observers),
        }));
        let mut plugins = sync::write(&self.0.plugins);
        let others = plugins.values().filter(|other| other.id() != plugin.id());
        let others = others.map(Plugin::bytes_per_step).sum::<usize>();
        let bytes = others + plugin.bytes_per_step();
        if bytes > MAX_BYTES_PER_STEP {
            return Err(LoadError::TooMuchPerStep { bytes });
        }
        // Another load may have finished meanwhile: the first one counts.
        let loaded = plugins.get(plugin.id()).cloned();
        match loaded {
            Some(loaded) if loaded.digest() == plugin.digest() => return Ok(loaded),
            Some(loaded) if !existing.is_replaced(&loaded) => {
                return Err(LoadError::DuplicateId(plugin.id().to_owned()));
            }
            _ => {}
        }
        let replaced = plugins.insert(plugin.id().to_owned(), plugin.clone());
        // Dropping a plugin tells observers, who may look at the loaded ones.
        drop(plugins);
        drop(replaced);
        Ok(plugin)
    }

    /// Returns the compiled component from the cache, or compiles and caches it.
    fn compile(&self, bytes: Vec<u8>, digest: &Digest, id: &str) -> Result<Component, LoadError> {
        let engine = &self.0.engine.engine;
        if let Some(component) = self
            .0
            .cache
            .as_ref()
            .and_then(|cache| cache.load(engine, digest))
        {
            return Ok(component);
        }
        compile_cost::check(&bytes)?;
        // One at a time: a compilation uses every core, and its memory is bounded only on its own.
        let _turn = sync::lock(&self.0.compiling);
        tracing::info!(%digest, id, "compiling");
        self.0.on_compile.call(id);
        let (component, code) = self.0.compiler.compile(engine, bytes)?;
        if let Some(cache) = &self.0.cache
            && let Err(error) = cache.store(engine, digest, &code)
        {
            tracing::warn!(%error, "the compiled component could not be cached");
        }
        Ok(component)
    }
}

/// Runs blocking work on a thread of its own, so that other calls continue meanwhile.
async fn spawn_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        // The task is never aborted, so this is a panic, which continues here.
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Names what the linker did not find. wasmtime's message has the names in backticks.
fn link_error(error: &wasmtime::Error) -> InvalidPluginError {
    let words = format!("{error:#}");
    let names: Vec<&str> = words.split('`').skip(1).step_by(2).collect();
    if names.is_empty() {
        InvalidPluginError::TypeMismatch(words)
    } else {
        let names: Vec<String> = names.into_iter().map(survey::shown).collect();
        InvalidPluginError::UnknownImport(names.join("` with `"))
    }
}
