//! Builds the library's host for a command and loads plugins into it.

use crate::commands::inspect::InspectedTool;
use crate::compile_child;
use crate::config::Config;
use crate::conversation::display::Display;
use crate::conversation::follow::{Follower, LocalHost, Source};
use crate::conversation::identity;
use crate::data::{self, Data};
use crate::dirs;
use crate::exit::ExitError;
use crate::plugin_source::{self, BuildCause, LoadedSource, PluginArgument, PluginSource};
use crate::plugins::{Installed, lock};
use crate::power::PowerFlags;
use crate::remedy::PowerRemedies;
use crate::secrets::{LOCAL, RunSecrets};
use crate::terminal::prompt::{ApprovablePlugin, Person};
use crate::terminal::ui::{Emphasis, Ui};
use crate::trace::{Trace, TraceFlags};
use anyhow::{Context, Result, bail};
use footlight::policy::{AskMode, Effect, GrantId, Level, Rule, Rules, RulesFile};
use footlight::store::Store;
use footlight::{
    CallOutcome, Host, HostBuilder, LoadError, Plugin, SecretSource, Simulation, WaitingLimits,
};
use footlight_render::filter;
use footlight_vocabulary::item::Timestamp;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

/// How many calls may run at once, and how many more may wait for the person.
const CALLS: u32 = 8;

/// How often the progress of compiling is redrawn.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// A host with the plugins of one command.
pub(crate) struct PluginHost {
    pub(crate) runtime: Runtime,
    pub(crate) host: Host,
    /// The plugins of the command, and what names each.
    pub(crate) sources: Vec<LoadedSource>,
    rules: Option<RulesFile>,
    /// Whether the rules could not be read when they were last read again.
    rules_unreadable: bool,
    /// The rules of the person as they apply, without those of flags.
    standing: Rules,
    /// The rules of flags.
    flag_rules: Vec<Rule>,
    /// The grants whose rules were saved. Each is saved once: a rule that is removed stays removed.
    saved: BTreeSet<GrantId>,
    pub(crate) secrets: Arc<RunSecrets>,
    /// Whether plugins reach the person's data, so that each must be accepted under its id.
    has_data: bool,
    pub(crate) data: Data,
    /// The plugin that is being compiled.
    compiling: Arc<Mutex<Option<String>>>,
    /// What shows what plugins do, if flags ask for it.
    pub(crate) trace: Option<Arc<Trace>>,
}

impl PluginHost {
    /// Creates a host without data, rules or settings, to inspect a plugin.
    pub(crate) fn bare(data: &Data) -> Result<Self> {
        let builder = Host::builder().attended(true);
        Self::build(builder, None, Rules::default(), data, None)
    }

    /// Creates a host with the user's data, rules and settings.
    pub(crate) fn new(config: &Config, data: &Data) -> Result<Self> {
        Self::over(data.store()?, config, data)
    }

    /// Creates the same host, of which a call is recorded. What the person allowed earlier is asked for
    /// again, so that the recording has the reply.
    pub(crate) fn for_recording(
        config: &Config,
        data: &Data,
        simulation: Simulation,
    ) -> Result<Self> {
        let builder = Host::builder().simulate(simulation);
        let mut built = Self::with_data(builder, data.store()?, config, data)?;
        let standing = &mut built.standing;
        standing.rules.retain(|rule| rule.effect == Effect::Deny);
        built.apply_rules();
        Ok(built)
    }

    /// Creates a host without data and without the person's rules and secrets.
    pub(crate) fn for_replay(
        builder: HostBuilder,
        secrets: Arc<dyn SecretSource>,
        data: &Data,
    ) -> Result<Self> {
        let mut built = Self::build(builder, None, Rules::default(), data, Some(secrets))?;
        built.has_data = false;
        Ok(built)
    }

    /// Creates the same host over an open store.
    pub(crate) fn over(store: Arc<dyn Store>, config: &Config, data: &Data) -> Result<Self> {
        Self::with_data(Host::builder(), store, config, data)
    }

    fn with_data(
        builder: HostBuilder,
        store: Arc<dyn Store>,
        config: &Config,
        data: &Data,
    ) -> Result<Self> {
        let rules = rules_file()?;
        let standing = rules.as_ref().map(|file| file.rules().clone());
        let standing = config.tighten(standing.unwrap_or_default());
        // Requests are always delivered; `Person` decides for each whether anyone can be asked.
        let mut builder = builder.attended(true).store(store);
        builder = builder.rules(standing.clone());
        if let Some(lifetime) = config.keep_outputs {
            builder = builder.output_lifetime(lifetime);
        }
        for (plugin, settings) in &config.settings {
            builder = builder.settings(plugin, settings.clone());
        }
        let mut built = Self::build(builder, rules, standing, data, None)?;
        built.has_data = true;
        for offer in &config.offers {
            let host = &built.host;
            host.offer_folder(&offer.plugin, &offer.guest_path, &offer.folder);
        }
        Ok(built)
    }

    fn build(
        mut builder: HostBuilder,
        rules: Option<RulesFile>,
        standing: Rules,
        data: &Data,
        other_secrets: Option<Arc<dyn SecretSource>>,
    ) -> Result<Self> {
        // One worker thread, because this thread may block on input.
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .context("no runtime")?;
        let compiling = Arc::<Mutex<Option<String>>>::default();
        let sink = Arc::clone(&compiling);
        let mut waiting = WaitingLimits::default();
        waiting.total = CALLS;
        builder = builder.calls(CALLS).waiting(waiting).on_compile(move |id| {
            *sink.lock().unwrap_or_else(PoisonError::into_inner) = Some(id.to_owned());
        });
        builder = builder.compiler(compile_child::program()?, [compile_child::ARGUMENT]);
        // Without one, plugins are compiled each time; `footlight doctor` says so.
        if let Some(folder) = dirs::cache().filter(|folder| dirs::is_writable(folder)) {
            builder = builder.cache(folder);
        }
        // A plugin that could write there could grant itself anything, and read every secret.
        for own in [data.location(), dirs::config()].into_iter().flatten() {
            builder = builder.reserve(own);
        }
        let secrets = Arc::new(RunSecrets::new(data));
        let own: Arc<RunSecrets> = Arc::clone(&secrets);
        let source = other_secrets.unwrap_or(own);
        Ok(Self {
            runtime,
            host: builder.secrets(source).build()?,
            sources: Vec::new(),
            rules,
            rules_unreadable: false,
            standing,
            flag_rules: Vec::new(),
            saved: BTreeSet::new(),
            secrets,
            has_data: false,
            data: data.clone(),
            compiling,
            trace: None,
        })
    }

    /// Shows what plugins do from now on, as the flags say.
    pub(crate) fn watch(&mut self, flags: TraceFlags) {
        if let Some(trace) = Trace::of(flags).map(Arc::new) {
            let observer: Arc<Trace> = Arc::clone(&trace);
            self.host.add_observer(observer);
            self.trace = Some(trace);
        }
    }

    /// Loads the plugins of the configuration and of the command line, each once.
    pub(crate) fn load_all(
        &mut self,
        config: &Config,
        named: &[PluginArgument],
        ui: &Ui,
    ) -> Result<()> {
        let all = config.plugins.iter().map(|plugin| &plugin.argument);
        let mut all = all.chain(named);
        // Paths need no list of what is installed, and work without one.
        let installed = match all.all(|one| matches!(one, PluginArgument::Path(_))) {
            true => Installed::default(),
            false => Installed::open(&self.data)?,
        };
        let locate = |argument: &PluginArgument, cause| -> Result<_> {
            let located = argument.locate(cause, &installed, ui)?;
            Ok((located, cause))
        };
        let configured = config.plugins.iter();
        let configured = configured.map(|plugin| locate(&plugin.argument, plugin.cause));
        let configured = configured.collect::<Result<Vec<_>>>()?;
        let named = named.iter().map(|one| locate(one, BuildCause::Named));
        let named = named.collect::<Result<Vec<_>>>()?;
        let real = |argument: &PluginArgument| match argument {
            PluginArgument::Path(path) => {
                PluginArgument::Path(path.canonicalize().unwrap_or_else(|_| path.clone()))
            }
            other => other.clone(),
        };
        let typed: Vec<_> = named.iter().map(|(argument, _)| real(argument)).collect();
        let mut seen: Vec<PluginArgument> = Vec::new();
        for (argument, cause) in configured.iter().chain(&named) {
            let real = real(argument);
            if seen.contains(&real) {
                continue;
            }
            // What the person named themselves counts as theirs, even if a project names it too.
            let cause = match typed.contains(&real) {
                true => BuildCause::Named,
                false => *cause,
            };
            seen.push(real);
            self.load(argument, cause, ui)?;
        }
        if self.sources.is_empty() {
            return Err(ExitError::usage(format!(
                "missing plugin; name a `.wasm` file, a crate folder or an installed plugin, or list `plugins` in `{}`",
                crate::config::NAME
            )));
        }
        Ok(())
    }

    /// Loads a plugin, which is built first if it is a crate folder.
    pub(crate) fn load(
        &mut self,
        argument: &PluginArgument,
        cause: BuildCause,
        ui: &Ui,
    ) -> Result<Plugin> {
        let source = plugin_source::resolve(argument, cause, &self.data, ui)?;
        self.load_source(&source, ui)
    }

    /// Loads the component that an argument was resolved to, and shows progress while it compiles.
    pub(crate) fn load_source(&mut self, source: &PluginSource, ui: &Ui) -> Result<Plugin> {
        let name = || format!("`{}`", data::display_path(&source.typed));
        let plugin = match &source.installed {
            Some(bytes) => self.with_progress(self.host.load_bytes(bytes, ""), ui),
            None => self.with_progress(self.host.load(&source.component), ui),
        };
        let plugin = plugin.with_context(name)?;
        if source.installed.is_some() && plugin.id() != source.typed.as_os_str() {
            bail!(
                "{} is listed in `{}` under another name than its own, `{}`",
                name(),
                lock::NAME,
                filter::line(plugin.id(), 60)
            );
        }
        if self.has_data {
            identity::ensure_accepted(&plugin, source, ui)?;
        }
        self.sources.push(LoadedSource {
            id: plugin.id().to_owned(),
            typed: source.typed.clone(),
            cause: source.cause,
            is_installed: source.installed.is_some(),
        });
        Ok(plugin)
    }

    /// Waits for a plugin, and shows progress while it is compiled.
    fn with_progress(
        &self,
        load: impl Future<Output = Result<Plugin, LoadError>>,
        ui: &Ui,
    ) -> Result<Plugin, LoadError> {
        let plugin = self.runtime.block_on(async {
            let (mut load, since) = (pin!(load), Instant::now());
            loop {
                if let Ok(plugin) = timeout(PROGRESS_INTERVAL, &mut load).await {
                    return plugin;
                }
                let compiling = self.compiling.lock();
                if let Some(id) = &*compiling.unwrap_or_else(PoisonError::into_inner) {
                    let seconds = since.elapsed().as_secs();
                    ui.progress(&format!(
                        "compiling `{id}` (first time, kept afterwards) {seconds} s"
                    ));
                }
            }
        });
        ui.end_partial_line();
        plugin
    }

    /// Grants what flags grant to the loaded plugins, for as long as this process runs. Returns the
    /// rules if the person would be asked all the same: the flags answer then.
    ///
    /// # Errors
    /// When a flag names nothing that a plugin declares, a folder cannot be granted, or a secret has
    /// no value.
    pub(crate) fn grant(&mut self, flags: &PowerFlags, ui: &Ui) -> Result<Vec<Rule>> {
        let plugins = self.host.plugins();
        let manifests: Vec<_> = plugins.iter().map(Plugin::manifest).collect();
        let granted = flags.for_plugins(&manifests, &self.host)?;
        for (plugin, name, flag) in &granted.secrets {
            self.secrets.give(plugin, name, flag, ui)?;
        }
        let asks_anyway =
            self.standing.level == Level::Deny || self.standing.ask == AskMode::Always;
        self.flag_rules.clone_from(&granted.rules);
        self.apply_rules();
        Ok(if asks_anyway {
            granted.rules
        } else {
            Vec::new()
        })
    }

    fn apply_rules(&self) {
        let mut rules = self.standing.clone();
        rules.rules.extend(self.flag_rules.iter().cloned());
        self.host.set_rules(LOCAL, rules);
    }

    /// Reads the rules again, which another terminal may have changed. An approval that was saved as a
    /// rule ends with the rule.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub(crate) fn reload_rules(&mut self, config: &Config) -> Result<()> {
        self.rules = rules_file()?;
        let own = self.rules.as_ref().map(|file| file.rules().clone());
        let own = own.unwrap_or_default();
        for grant in self.host.grants() {
            let is_removed = |rule: &Rule| !own.rules.contains(rule);
            if self.saved.contains(&grant.id) && grant.rule.as_ref().is_some_and(is_removed) {
                self.host.revoke(grant.id);
            }
        }
        self.standing = config.tighten(own);
        self.apply_rules();
        Ok(())
    }

    /// Reads the rules again. While they cannot be read, everything is denied that needs a decision.
    pub(crate) fn reload_rules_or_deny(&mut self, config: &Config, ui: &Ui) {
        let was_readable = !self.rules_unreadable;
        let reloaded = self.reload_rules(config);
        self.rules_unreadable = reloaded.is_err();
        if let Err(error) = reloaded {
            self.host.set_rules(LOCAL, RulesFile::deny_all());
            if was_readable {
                ui.note(&format!(
                    "{} everything is denied until the rules can be read: {}",
                    ui.styled_err(Emphasis::Red, "problem:"),
                    filter::clean(&format!("{error:#}"))
                ));
            }
        }
    }

    /// Returns what the plugins can be approved for.
    pub(crate) fn known_plugins(&self) -> Vec<ApprovablePlugin> {
        self.host
            .plugins()
            .iter()
            .map(ApprovablePlugin::from)
            .collect()
    }

    /// Saves approvals that were given with `always` as rules.
    pub(crate) fn save_always_rules(&mut self, ui: &Ui) {
        let Some(file) = &mut self.rules else { return };
        for grant in self.host.grants() {
            // The file has the rules of one person.
            let own = Some(&grant).filter(|grant| grant.person == LOCAL);
            let Some(rule) = own.and_then(|grant| grant.rule.as_ref()) else {
                continue;
            };
            if self.saved.contains(&grant.id) {
                continue;
            }
            let added = file.add(rule, now(), &grant.covers);
            if added.is_ok() {
                self.saved.insert(grant.id);
            }
            match added {
                Ok(true) => ui.dim_note(&format!(
                    "kept in `{}`: {}",
                    data::display_path(file.path()),
                    filter::line(&rule.to_string(), 300)
                )),
                Ok(false) => {}
                Err(error) => ui.note(&format!(
                    "{} cannot save the rule: {}",
                    ui.styled_err(Emphasis::Red, "problem:"),
                    filter::clean(&error.to_string())
                )),
            }
        }
    }

    /// Returns the rules of flags.
    pub(crate) fn flag_rules(&self) -> &[Rule] {
        &self.flag_rules
    }

    /// Runs one call to its end, and returns how it ended, which is in the events, too.
    pub(crate) fn call(
        &mut self,
        plugin: &Plugin,
        tool: &str,
        input: Map<String, Value>,
        display: &mut Display<'_>,
        person: &mut Person,
        ui: &Ui,
    ) -> Result<Option<Box<CallOutcome>>> {
        let function = format!("{}.{tool}", plugin.id());
        let call = self.host.call(&function, Value::Object(input));
        let mut follower = Follower {
            runtime: &self.runtime,
            local: Some(LocalHost {
                host: &self.host,
                secrets: &self.secrets,
                trace: self.trace.as_deref(),
            }),
            person,
            ui,
            keeps_requests_open: None,
            remedies: PowerRemedies::default(),
            asked: HashMap::new(),
            outcome: None,
        };
        follower.follow(Source::Call(call, self.host.clone()), display, "")?;
        let outcome = follower.outcome.take();
        self.save_always_rules(ui);
        Ok(outcome)
    }
}

/// Returns the tools of a plugin.
pub(crate) fn tools(plugin: &Plugin) -> Vec<InspectedTool> {
    let tool = |tool: &footlight::Tool| InspectedTool {
        name: tool.name.clone(),
        description: tool.description.clone(),
        input_schema: tool.input_schema.clone(),
        traits: Value::Object(tool.traits.clone()),
    };
    plugin.tools().iter().map(tool).collect()
}

/// Opens the rules file; `None` if there is no home folder.
///
/// An invalid file is an error, so that nothing runs without the rules.
pub(crate) fn rules_file() -> Result<Option<RulesFile>> {
    let path = dirs::config().map(|folder| folder.join("rules.toml"));
    Ok(path.map(RulesFile::open).transpose()?)
}

/// Opens the rules file; an error if there is no home folder.
pub(crate) fn required_rules_file() -> Result<RulesFile> {
    rules_file()?.context("no home folder for the rules; set FOOTLIGHT_CONFIG_DIR")
}

/// Returns the current time.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
