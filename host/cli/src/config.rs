//! `footlight.toml`: defaults for the command line. `docs/configuration.md` describes the keys.
//!
//! Two files are read: the person's own, in the configuration folder, and the project's, in the
//! current folder or one above it, up to the root of the project.
//!
//! Invariant: the project's file is somebody else's text. By itself it can only narrow what the
//! person's own file says; what widens needs the person's consent, which is remembered with the
//! digest of the file. It never loosens the policy, not even with consent.

mod project_file;

use crate::consent::{self, Consents};
use crate::data;
use crate::dirs;
use crate::duration::lifetime;
use crate::exit::ExitError;
use crate::plugin_source::{self, BuildCause, PluginArgument};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow, bail};
use footlight::policy::{AskMode, Level, Rules};
use footlight::session;
use footlight_render::filter;
use footlight_render::terminal::ConsentCard;
pub(crate) use project_file::OfferedFolder;

use project_file::{ProjectFile, Widening};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file name.
pub(crate) const NAME: &str = "footlight.toml";

/// The maximum file size in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// The maximum number of plugins, of plugins with settings, and of plugins with folders.
const MAX_PLUGINS: usize = 64;

/// The maximum number of folders that a project requests.
const MAX_FOLDERS: usize = 64;

/// The merged content of both files.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Config {
    /// Plugins that are always loaded.
    pub(crate) plugins: Vec<ConfiguredPlugin>,
    pub(crate) model: Option<String>,
    /// The text of the script that `model` names, if the project's file names it: the one that the
    /// person accepted.
    pub(crate) script: Option<String>,
    /// Settings by plugin id.
    pub(crate) settings: BTreeMap<String, Value>,
    pub(crate) limits: TurnLimits,
    /// How long outputs of plugins are kept.
    pub(crate) keep_outputs: Option<Duration>,
    /// Folders that the project's file requests. They grant nothing.
    pub(crate) offers: Vec<OfferedFolder>,
    /// The files that were read.
    pub(crate) files: Vec<PathBuf>,
    own: Strictness,
    project: Strictness,
}

/// A plugin of a file or of a stored session.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ConfiguredPlugin {
    pub(crate) argument: PluginArgument,
    /// Who names it.
    pub(crate) cause: BuildCause,
}

/// Overrides of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Strictness {
    level: Option<Level>,
    ask: Option<AskMode>,
}

/// Limits of one turn: steps, calls and tokens.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnLimits {
    pub(crate) steps: Option<u32>,
    pub(crate) calls: Option<usize>,
    pub(crate) tokens: Option<u64>,
}

/// The content of one file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigFile {
    #[serde(default)]
    plugins: Vec<PathBuf>,
    model: Option<String>,
    #[serde(rename = "keep-outputs")]
    keep_outputs: Option<String>,
    level: Option<Level>,
    ask: Option<AskMode>,
    #[serde(default)]
    settings: BTreeMap<String, BTreeMap<String, Setting>>,
    /// Folders of the project, by plugin and the path that the plugin knows.
    #[serde(default)]
    dirs: BTreeMap<String, BTreeMap<String, PathBuf>>,
    #[serde(default)]
    limits: TurnLimits,
}

/// A value of a plugin's settings: TOML that JSON has as well.
#[derive(Debug, Clone, PartialEq)]
struct Setting(Value);

impl<'de> Deserialize<'de> for Setting {
    fn deserialize<D: serde::Deserializer<'de>>(
        deserializer: D,
    ) -> std::result::Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        match not_in_json(&value) {
            Some(what) => Err(serde::de::Error::custom(what)),
            None => Ok(Self(value)),
        }
    }
}

/// Returns what a value has that became something else on the way from TOML. TOML has no null, so one was no number.
fn not_in_json(value: &Value) -> Option<&'static str> {
    match value {
        Value::Null => {
            Some("`nan` and `inf` are no numbers in JSON, which plugins read; write another value")
        }
        Value::Object(members) if members.contains_key("$__toml_private_datetime") => Some(
            "JSON, which plugins read, has no dates; write the date as text, in quotation marks",
        ),
        Value::Object(members) => members.values().find_map(not_in_json),
        Value::Array(values) => values.iter().find_map(not_in_json),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// The keys that a command uses. It asks only about what it uses.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Uses {
    pub(crate) plugins: bool,
    pub(crate) model: bool,
    pub(crate) settings: bool,
    pub(crate) limits: bool,
}

impl Config {
    /// Loads both files, if they exist, and asks the person about what the project's file widens.
    ///
    /// # Errors
    /// Also when the person declines, or cannot be asked.
    pub(crate) fn load(uses: Uses, ui: &Ui) -> Result<Self> {
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let here = here.context("cannot open the current folder")?;
        let own = dirs::config().map(|folder| folder.join(NAME));
        let mut config = Self::default();
        if let Some(own) = &own {
            config.add_own(own)?;
        }
        if let Some(project) = ProjectFile::find(&here, own.as_deref(), ui)? {
            let accepted = is_accepted(&project, &config, uses, ui)?;
            config.add_project(&project, accepted);
            // Each is asked about when a plugin needs it, so that the file needs no consent for it.
            if !ui.consent.no_project {
                config.offers.clone_from(&project.offers);
            }
        }
        Ok(config)
    }

    /// Loads both files without asking: what the project's file widens counts only if the person
    /// accepted it before.
    pub(crate) fn load_unasked(ui: &Ui) -> Result<Self> {
        Self::load(Uses::default(), ui)
    }

    fn add_own(&mut self, path: &Path) -> Result<()> {
        let Some(text) = data::read_own(path, MAX_BYTES)? else {
            return Ok(());
        };
        let file = parse(&text).with_context(|| format!("`{}`", data::display_path(path)))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        if let Some(plugin) = file.dirs.keys().next() {
            bail!(
                "`{}`: `dirs` is how a project requests folders of its own; grant one with `footlight grants add allow {} --dir GUEST=FOLDER`",
                data::display_path(path),
                filter::line(plugin, 60)
            );
        }
        if let Some(time) = &file.keep_outputs {
            let lifetime = lifetime(time).map_err(anyhow::Error::msg);
            let name = || format!("`{}`: `keep-outputs`", data::display_path(path));
            self.keep_outputs = Some(lifetime.with_context(name)?);
        }
        self.plugins = plugins_of(&file, folder, BuildCause::Named);
        self.model = file.model.map(|model| resolve_script(&model, folder).0);
        let settings = file.settings.into_iter();
        self.settings = settings.map(|(id, set)| (id, object(set))).collect();
        self.limits = file.limits;
        self.own = Strictness {
            level: file.level,
            ask: file.ask,
        };
        self.files.push(path.to_owned());
        Ok(())
    }

    /// Applies the overrides to the rules. The user's file can change them either way, the project's can
    /// only make them stricter.
    pub(crate) fn tighten(&self, mut rules: Rules) -> Rules {
        let (level, ask) = (self.own.level, self.own.ask);
        let levels = [Level::Deny, Level::Allowlist, Level::Full];
        rules.level = stricter(level.unwrap_or(rules.level), self.project.level, levels);
        // Never asking is the strictest: what would ask is denied.
        let asks = [AskMode::Off, AskMode::Always, AskMode::OnMiss];
        rules.ask = stricter(ask.unwrap_or(rules.ask), self.project.ask, asks);
        rules
    }
}

/// Decides whether what a project's file widens counts.
fn is_accepted(project: &ProjectFile, own: &Config, uses: Uses, ui: &Ui) -> Result<bool> {
    let widenings = project.widenings(own);
    if widenings.is_empty() || ui.consent.no_project {
        return Ok(false);
    }
    let mut consents = Consents::open()?;
    let (path, digest) = (&project.path, &project.digest);
    if ui.consent.trust_project || consents.accepts_project(path, digest) {
        return Ok(true);
    }
    if !widenings.iter().any(|widening| widening.is_used(uses)) {
        return Ok(false);
    }
    let name = data::display_path(path);
    // All of them, since the answer is for the whole file.
    let lines: Vec<String> = widenings.iter().map(Widening::to_string).collect();
    let headless = || {
        let what = lines.join("; ");
        format!(
            "the project's `{name}` would {what}; accept it with `--trust-project`, or use only what narrows with `--no-project`"
        )
    };
    let changed = match consents.knows_project(path) {
        true => " has changed since you accepted it. It",
        false => "",
    };
    let card = ConsentCard {
        head: format!(
            "The project's `{}`{changed} would do this; you are asked again when it changes:",
            path.display()
        ),
        groups: project_file::groups(&widenings),
        question: "Accept this?".to_owned(),
    };
    if !consent::ask(&card, headless, ui)? {
        return Err(ExitError::denied(format!(
            "`{name}` was not accepted; use only what narrows with `--no-project`"
        )));
    }
    let arguments = project.plugin_arguments();
    let crates = arguments.filter_map(|argument| match argument {
        PluginArgument::Path(path) | PluginArgument::Word { path, .. } => {
            plugin_source::crate_folder(&path).ok().flatten()
        }
        PluginArgument::Installed(_) => None,
    });
    consents.allow_builds(&crates.collect::<Vec<_>>())?;
    consents.accept_project(path, digest)?;
    Ok(true)
}

/// Returns the stricter of two modes.
fn stricter<T: PartialEq>(own: T, project: Option<T>, strictest_first: [T; 3]) -> T {
    let mut modes = strictest_first.into_iter();
    let found = modes.find(|mode| *mode == own || Some(mode) == project.as_ref());
    found.unwrap_or(own)
}

fn plugins_of(file: &ConfigFile, folder: &Path, cause: BuildCause) -> Vec<ConfiguredPlugin> {
    let plugin = |entry: &PathBuf| ConfiguredPlugin {
        argument: PluginArgument::listed(folder, entry),
        cause,
    };
    file.plugins.iter().map(plugin).collect()
}

fn object(settings: BTreeMap<String, Setting>) -> Value {
    let members = settings.into_iter().map(|(name, value)| (name, value.0));
    Value::Object(members.collect())
}

/// Resolves the path of a `script:` relative to the file that names it. Also returns the path.
fn resolve_script(model: &str, folder: &Path) -> (String, Option<PathBuf>) {
    match model.strip_prefix("script:") {
        Some(script) => {
            let path = folder.join(script);
            (format!("script:{}", path.display()), Some(path))
        }
        None => (model.to_owned(), None),
    }
}

fn parse(text: &str) -> Result<ConfigFile> {
    let file: ConfigFile = toml::from_str(text).map_err(|error| {
        let place = error.span().map_or_else(String::new, |span| {
            let before = text.get(..span.start).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            format!("line {line}, column {column}: ")
        });
        anyhow!("{place}{}", error.message())
    })?;
    let folders: usize = file.dirs.values().map(BTreeMap::len).sum();
    let counts = [file.plugins.len(), file.settings.len(), file.dirs.len()];
    if folders > MAX_FOLDERS {
        bail!("the file requests more than {MAX_FOLDERS} folders");
    }
    if counts.into_iter().any(|count| count > MAX_PLUGINS) {
        bail!("the file names more than {MAX_PLUGINS} plugins");
    }
    Ok(file)
}

/// Returns the limits that apply where a file says nothing.
fn default_limits() -> TurnLimits {
    let limits = session::TurnLimits::default();
    TurnLimits {
        steps: Some(limits.steps),
        calls: Some(limits.calls),
        tokens: limits.tokens,
    }
}

#[cfg(test)]
mod tests;
