//! The project's `footlight.toml`: where it is, what it may change by itself, and what it widens.

use super::{
    Config, ConfigFile, MAX_BYTES, NAME, Strictness, TurnLimits, Uses, default_limits, object,
    parse, plugins_of, resolve_script,
};
use crate::data;
use crate::ownership::Ownership;
use crate::plugin_source::{BuildCause, PluginArgument};
use crate::project;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow, bail};
use footlight::model::Script;
use footlight::policy::Level;
use footlight::{Digest, bounded_file};
use footlight_render::filter;
use footlight_render::terminal::ConsentGroup;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The most characters of a plugin's path, a model and the settings of a plugin. Each is shown whole
/// before the person accepts it.
const MAX_SHOWN: usize = 300;

/// A project's file as it was read.
#[derive(Debug)]
pub(super) struct ProjectFile {
    /// Canonical, but for a link in the last place.
    pub(super) path: PathBuf,
    /// The digest of the file and of the script that it names.
    pub(super) digest: Digest,
    file: ConfigFile,
    script: Option<String>,
    /// The folders that it requests.
    pub(super) offers: Vec<OfferedFolder>,
}

/// A folder of the project that its file requests for a plugin.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OfferedFolder {
    pub(crate) plugin: String,
    /// The path that the plugin knows.
    pub(crate) guest_path: String,
    /// The absolute path without links.
    pub(crate) folder: String,
}

/// Something that a project's file changes beyond narrowing. Its `Display` continues "it would".
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Widening {
    Plugin {
        /// Without links, where it exists.
        path: PathBuf,
        is_outside: bool,
    },
    /// A plugin that the person installed, if they did: the project has nothing of this name.
    Installed(String),
    Model(String),
    Settings(String, Value),
    Limit {
        name: &'static str,
        from: u64,
        to: u64,
    },
}

impl ProjectFile {
    /// Finds the nearest file between `here` and the root of its project. Files that others can
    /// change are ignored with a note.
    pub(super) fn find(here: &Path, own: Option<&Path>, ui: &Ui) -> Result<Option<Self>> {
        let own = own.and_then(|own| own.canonicalize().ok());
        let root = project::root(here).unwrap_or_else(|| here.to_owned());
        let folders = here
            .ancestors()
            .take_while(|folder| folder.starts_with(&root));
        for path in folders.map(|folder| folder.join(NAME)) {
            match fs::symlink_metadata(&path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                _ if own.is_some() && own == path.canonicalize().ok() => continue,
                _ => {}
            }
            let name = data::display_path(&path);
            let link =
                Ownership::of_path(&path).with_context(|| format!("cannot read `{name}`"))?;
            let opened = bounded_file::open(&path);
            let (file, metadata) = opened.with_context(|| format!("cannot read `{name}`"))?;
            // The file that was opened counts; the path may lead to another one by now.
            let ownership = [link, Ownership::of(&metadata)];
            if let Some(found) = ownership.into_iter().find(|found| !found.is_trusted()) {
                ui.note(&format!("ignored `{name}`: it {}", found.problem()));
                continue;
            }
            let text = bounded_file::read_from(file, MAX_BYTES);
            let text = text.and_then(bounded_file::into_text);
            let text = text.with_context(|| format!("cannot read `{name}`"))?;
            let project = Self::parse(&path, &text).with_context(|| format!("`{name}`"))?;
            return Ok(Some(project));
        }
        Ok(None)
    }

    pub(super) fn parse(path: &Path, text: &str) -> Result<Self> {
        let mut file = parse(text)?;
        if file.level == Some(Level::Full) {
            bail!(
                "`level = \"full\"` would disable approvals; it is only allowed in the `{NAME}` of your configuration folder"
            );
        }
        if file.keep_outputs.is_some() {
            bail!(
                "`keep-outputs` decides about your disk; it is only allowed in the `{NAME}` of your configuration folder"
            );
        }
        let mut script = None;
        if let Some(model) = &file.model {
            let (model, path) = resolve_script(model, folder(path));
            if let Some(path) = path {
                let read = bounded_file::read_to_string(&path, Script::MAX_BYTES);
                let name = data::display_path(&path);
                script = Some(read.with_context(|| format!("cannot read the script `{name}`"))?);
            }
            file.model = Some(model);
        }
        check_lengths(&file, folder(path))?;
        let offers = offers(&file, folder(path))?;
        // The digest of each part, so that no text moves from one to the other unnoticed.
        let parts = [text, script.as_deref().unwrap_or_default()];
        let parts = parts.map(|part| *Digest::of(part.as_bytes()).as_bytes());
        Ok(Self {
            path: path.to_owned(),
            digest: Digest::of(parts.as_flattened()),
            file,
            script,
            offers,
        })
    }

    pub(super) fn plugin_arguments(&self) -> impl Iterator<Item = PluginArgument> {
        let plugins = plugins_of(&self.file, folder(&self.path), BuildCause::Project);
        plugins.into_iter().map(|plugin| plugin.argument)
    }

    /// Returns what the file changes beyond narrowing the person's own settings.
    pub(super) fn widenings(&self, own: &Config) -> Vec<Widening> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let paths = own.plugins.iter().filter_map(|own| match &own.argument {
            PluginArgument::Path(path) | PluginArgument::Word { path, .. } => Some(real(path)),
            PluginArgument::Installed(_) => None,
        });
        let paths: Vec<PathBuf> = paths.collect();
        let root = real(folder(&self.path));
        let root = project::root(&root).unwrap_or(root);
        let plugins = self.plugin_arguments().filter_map(|argument| {
            let path = match argument {
                PluginArgument::Word { name, path } if path.symlink_metadata().is_err() => {
                    return Some(Widening::Installed(name));
                }
                PluginArgument::Installed(name) => return Some(Widening::Installed(name)),
                PluginArgument::Path(path) | PluginArgument::Word { path, .. } => real(&path),
            };
            if paths.contains(&path) {
                return None;
            }
            // A path that does not exist cannot be resolved.
            let climbs = path.components().any(|part| part == Component::ParentDir);
            let is_outside = climbs || !path.starts_with(&root);
            Some(Widening::Plugin { path, is_outside })
        });
        let mut found: Vec<Widening> = plugins.collect();
        let model = self
            .file
            .model
            .clone()
            .filter(|model| own.model.as_ref() != Some(model));
        found.extend(model.map(Widening::Model));
        for (plugin, settings) in &self.file.settings {
            let settings = object(settings.clone());
            if own.settings.get(plugin) != Some(&settings) {
                found.push(Widening::Settings(plugin.clone(), settings));
            }
        }
        let now = effective(own.limits);
        let file = &self.file.limits;
        found.extend(raised("steps", now.steps, file.steps));
        found.extend(raised("calls", now.calls, file.calls));
        found.extend(raised("tokens", now.tokens, file.tokens));
        found
    }
}

impl Config {
    /// Adds the project's file: only what narrows, unless the person accepted all of it.
    pub(super) fn add_project(&mut self, project: &ProjectFile, accepted: bool) {
        let file = &project.file;
        let (now, limits) = (effective(self.limits), &mut self.limits);
        limits.steps = merged(limits.steps, now.steps, file.limits.steps, accepted);
        limits.calls = merged(limits.calls, now.calls, file.limits.calls, accepted);
        limits.tokens = merged(limits.tokens, now.tokens, file.limits.tokens, accepted);
        self.project = Strictness {
            level: file.level,
            ask: file.ask,
        };
        self.files.push(project.path.clone());
        if !accepted {
            return;
        }
        let plugins = plugins_of(file, folder(&project.path), BuildCause::Project);
        self.plugins.extend(plugins);
        if file.model.is_some() {
            (self.model, self.script) = (file.model.clone(), project.script.clone());
        }
        for (plugin, settings) in &file.settings {
            let settings = object(settings.clone());
            self.settings.insert(plugin.clone(), settings);
        }
    }
}

impl Widening {
    /// Reports whether a command uses the key.
    pub(super) fn is_used(&self, uses: Uses) -> bool {
        match self {
            Self::Plugin { .. } | Self::Installed(_) => uses.plugins,
            Self::Model(_) => uses.model,
            Self::Settings(..) => uses.settings,
            Self::Limit { .. } => uses.limits,
        }
    }
}

impl Widening {
    /// Says what the file would do, without whom to. Graver things compare greater.
    fn title(&self) -> (u8, &'static str) {
        match self {
            Self::Limit { .. } => (0, "raise limits"),
            Self::Settings(..) => (1, "set the settings of plugins"),
            Self::Plugin { path, .. } if path.is_dir() => (
                4,
                "build crates and load them, which runs their native code (build scripts, macros) without a sandbox",
            ),
            Self::Plugin { .. } | Self::Installed(_) => (2, "load plugins"),
            Self::Model(_) => (
                3,
                "use a model, which reads what you type and what plugins return, and calls plugins",
            ),
        }
    }

    /// Says whom to. The text is the stranger's, as it is.
    fn item(&self) -> String {
        match self {
            Self::Limit { name, from, to } => format!("{name}: {from} to {to}"),
            Self::Settings(plugin, settings) => format!("{plugin}: {settings}"),
            Self::Plugin { path, .. } => format!("{}{}", path.display(), self.origin()),
            Self::Installed(name) => format!("{name} (the installed plugin)"),
            Self::Model(model) => model.clone(),
        }
    }

    /// Says of a plugin whose it is, unless the person's.
    fn origin(&self) -> &'static str {
        let Self::Plugin { path, is_outside } = self else {
            return "";
        };
        let is_trusted = Ownership::of_path(path).is_ok_and(Ownership::is_trusted);
        match (is_outside, path.is_dir() && !is_trusted) {
            (false, false) => "",
            (true, false) => " (outside the project)",
            (false, true) => " (of another user)",
            (true, true) => " (outside the project, of another user)",
        }
    }
}

/// Returns what the person is shown of a file: what runs native code last.
pub(super) fn groups(widenings: &[Widening]) -> Vec<ConsentGroup> {
    let mut groups: BTreeMap<(u8, &str), Vec<String>> = BTreeMap::new();
    for widening in widenings {
        let group = groups.entry(widening.title()).or_default();
        group.push(widening.item());
    }
    let groups = groups.into_iter();
    let groups = groups.map(|((_, title), items)| ConsentGroup {
        title: title.to_owned(),
        items,
        is_whole: false,
    });
    groups.collect()
}

impl fmt::Display for Widening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plugin { path, .. } if path.is_dir() => write!(
                f,
                "build the crate `{}`{}, which runs its native code (build scripts, macros) without a sandbox, and load it",
                data::display_path(path),
                self.origin()
            ),
            Self::Plugin { path, .. } => write!(
                f,
                "load the plugin `{}`{}",
                data::display_path(path),
                self.origin()
            ),
            Self::Installed(name) => {
                write!(f, "load the installed plugin `{}`", filter::line(name, 60))
            }
            Self::Model(model) => write!(
                f,
                "use the model `{}`, which reads what you type and what plugins return, and calls plugins",
                filter::line(model, MAX_SHOWN)
            ),
            Self::Settings(plugin, settings) => write!(
                f,
                "set the settings of `{}` to {}",
                filter::line(plugin, MAX_SHOWN),
                filter::line(&settings.to_string(), MAX_SHOWN)
            ),
            Self::Limit { name, from, to } => {
                write!(f, "raise the limit of {name} from {from} to {to}")
            }
        }
    }
}

/// Returns the folders that the file requests, each of which must lie in the project.
fn offers(file: &ConfigFile, project: &Path) -> Result<Vec<OfferedFolder>> {
    let mut offers = Vec::new();
    for (plugin, folders) in &file.dirs {
        for (guest_path, folder) in folders {
            let named = || {
                let (plugin, guest) = (filter::line(plugin, 60), filter::line(guest_path, 120));
                let folder = data::display_path(folder);
                format!("[dirs.{plugin}]: `{guest}` = `{folder}`")
            };
            let real = |path: &Path| path.canonicalize();
            let resolved = real(&project.join(folder));
            let resolved = resolved.with_context(|| format!("{}: cannot be opened", named()))?;
            let root = real(project).with_context(|| format!("{}: no project", named()))?;
            if !resolved.starts_with(&root) || !resolved.is_dir() {
                bail!(
                    "{} is not a folder of the project; a project can only request its own folders",
                    named()
                );
            }
            let text = resolved.into_os_string().into_string();
            let folder = text.map_err(|_| anyhow!("{}: its path is not Unicode", named()))?;
            offers.push(OfferedFolder {
                plugin: plugin.clone(),
                guest_path: guest_path.clone(),
                folder,
            });
        }
    }
    Ok(offers)
}

/// Rejects values that are too long to be shown whole.
fn check_lengths(file: &ConfigFile, folder: &Path) -> Result<()> {
    let plugins = plugins_of(file, folder, BuildCause::Project).into_iter();
    let plugins = plugins.map(|plugin| match plugin.argument {
        PluginArgument::Installed(name) => ("a plugin's name", name),
        PluginArgument::Path(path) | PluginArgument::Word { path, .. } => {
            ("a plugin's path", path.display().to_string())
        }
    });
    let models = file.model.iter().map(|model| ("`model`", model.clone()));
    let settings = file.settings.iter();
    let settings = settings.map(|(id, set)| {
        (
            "the settings of a plugin",
            format!("{id}{}", object(set.clone())),
        )
    });
    for (what, value) in plugins.chain(models).chain(settings) {
        if value.chars().count() > MAX_SHOWN {
            bail!(
                "{what} has more than {MAX_SHOWN} characters; shorten it, or move it to the `{NAME}` of your configuration folder"
            );
        }
    }
    Ok(())
}

fn folder(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("."))
}

/// Returns the limits that apply; `None` means no limit.
fn effective(own: TurnLimits) -> TurnLimits {
    let default = default_limits();
    TurnLimits {
        steps: own.steps.or(default.steps),
        calls: own.calls.or(default.calls),
        tokens: own.tokens.or(default.tokens),
    }
}

/// Reports whether a limit of a project is not stricter than the one that applies.
fn is_raised<T: Ord>(now: Option<T>, project: T) -> bool {
    now.is_some_and(|now| project > now)
}

fn raised<T>(name: &'static str, now: Option<T>, project: Option<T>) -> Option<Widening>
where
    T: Ord + Copy + TryInto<u64>,
{
    let number = |value: T| value.try_into().unwrap_or(u64::MAX);
    let (from, to) = (now?, project?);
    is_raised(now, to).then(|| Widening::Limit {
        name,
        from: number(from),
        to: number(to),
    })
}

fn merged<T: Ord + Copy>(
    own: Option<T>,
    now: Option<T>,
    project: Option<T>,
    accepted: bool,
) -> Option<T> {
    project
        .filter(|project| accepted || !is_raised(now, *project))
        .or(own)
}
