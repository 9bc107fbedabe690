//! `footlight.toml`: defaults for the command line.
//!
//! ```toml
//! plugins = ["plugins/weather", "todo.wasm"]   # relative to this file
//! model = "offline"
//! level = "allowlist"                          # or "deny", "full"
//! ask = "on-miss"                              # or "off", "always"
//!
//! [settings.weather]                           # settings of a plugin
//! fahrenheit = true
//!
//! [limits]                                     # of one turn
//! steps = 32
//! calls = 256
//! tokens = 100000
//! ```
//!
//! Two files are read: the user's, in the configuration folder, and the project's, in the current
//! folder or the nearest one above it. Plugins of both are loaded; other keys of the project win.
//!
//! Invariant: the project file is untrusted. It cannot loosen the user's policy, nor send prompts to
//! an address of its choice.

use crate::dirs;
use anyhow::{Context, Result, bail};
use footlight::policy::{AskMode, Level, Rules};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The file name.
pub(crate) const NAME: &str = "footlight.toml";

/// The maximum file size in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// The maximum number of plugins, and of plugins with settings.
const MAX_PLUGINS: usize = 64;

/// The merged content of both files.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Config {
    /// Plugins that are always loaded.
    pub(crate) plugins: Vec<PathBuf>,
    pub(crate) model: Option<String>,
    /// Settings by plugin id.
    pub(crate) settings: BTreeMap<String, Value>,
    pub(crate) limits: TurnLimits,
    /// The files that were read.
    pub(crate) files: Vec<PathBuf>,
    own: Strictness,
    project: Strictness,
}

/// Overrides of the policy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Strictness {
    level: Option<Level>,
    ask: Option<AskMode>,
}

/// TurnLimits of one turn: steps, calls and tokens.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnLimits {
    pub(crate) steps: Option<u32>,
    pub(crate) calls: Option<usize>,
    pub(crate) tokens: Option<u64>,
}

/// The content of one file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConfigFile {
    #[serde(default)]
    plugins: Vec<PathBuf>,
    model: Option<String>,
    level: Option<Level>,
    ask: Option<AskMode>,
    #[serde(default)]
    settings: BTreeMap<String, BTreeMap<String, Value>>,
    #[serde(default)]
    limits: TurnLimits,
}

/// Whose file it is: the user's is trusted, the project's is not.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Owner {
    User,
    Project,
}

impl Config {
    /// Loads both files, if they exist.
    pub(crate) fn load() -> Result<Self> {
        let here = std::env::current_dir().context("cannot open the current folder")?;
        let own = dirs::config().map(|folder| folder.join(NAME));
        Self::read(own.as_deref(), &here)
    }

    fn read(own: Option<&Path>, here: &Path) -> Result<Self> {
        let mut config = Self::default();
        if let Some(own) = own.filter(|own| own.is_file()) {
            config.add(own, Owner::User)?;
        }
        let mut above = here.ancestors().map(|folder| folder.join(NAME));
        let is_project = |path: &PathBuf| path.is_file() && own != Some(path.as_path());
        if let Some(project) = above.find(is_project) {
            config.add(&project, Owner::Project)?;
        }
        Ok(config)
    }

    fn add(&mut self, path: &Path, owner: Owner) -> Result<()> {
        let text = read(path)?;
        let file = parse(&text, owner).with_context(|| format!("`{}`", path.display()))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let plugins = file.plugins.iter().map(|plugin| folder.join(plugin));
        self.plugins.extend(plugins);
        self.model = file.model.or(self.model.take());
        for (plugin, settings) in file.settings {
            let settings = settings.into_iter().collect();
            self.settings.insert(plugin, Value::Object(settings));
        }
        let (old, new) = (&mut self.limits, file.limits);
        old.steps = new.steps.or(old.steps);
        old.calls = new.calls.or(old.calls);
        old.tokens = new.tokens.or(old.tokens);
        let strictness = Strictness {
            level: file.level,
            ask: file.ask,
        };
        match owner {
            Owner::User => self.own = strictness,
            Owner::Project => self.project = strictness,
        }
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

/// Returns the stricter of two modes.
fn stricter<T: PartialEq>(own: T, project: Option<T>, strictest_first: [T; 3]) -> T {
    let mut modes = strictest_first.into_iter();
    let found = modes.find(|mode| *mode == own || Some(mode) == project.as_ref());
    found.unwrap_or(own)
}

fn read(path: &Path) -> Result<String> {
    let wrong = || format!("cannot read `{}`", path.display());
    let mut text = String::new();
    let file = File::open(path).with_context(wrong)?;
    file.take(MAX_BYTES as u64 + 1)
        .read_to_string(&mut text)
        .with_context(wrong)?;
    Ok(text)
}

fn parse(text: &str, owner: Owner) -> Result<ConfigFile> {
    if text.len() > MAX_BYTES {
        bail!("the file is larger than {MAX_BYTES} bytes");
    }
    let file: ConfigFile = toml::from_str(text).map_err(|error| {
        let place = error.span().map_or_else(String::new, |span| {
            let before = text.get(..span.start).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            format!("line {line}, column {column}: ")
        });
        anyhow::anyhow!("{place}{}", error.message())
    })?;
    if file.plugins.len() > MAX_PLUGINS || file.settings.len() > MAX_PLUGINS {
        bail!("the file names more than {MAX_PLUGINS} plugins");
    }
    if let (Owner::Project, Some(model)) = (owner, &file.model)
        && sends_elsewhere(model)
    {
        bail!(
            "`model` would send your prompts to an address; name it with `--model`, or in the `{NAME}` of your configuration folder"
        );
    }
    if let (Owner::Project, Some(Level::Full)) = (owner, file.level) {
        bail!(
            "`level = \"full\"` would disable approvals; it is only allowed in the `{NAME}` of your configuration folder"
        );
    }
    Ok(file)
}

/// Reports whether a model is named with an address on another machine.
fn sends_elsewhere(model: &str) -> bool {
    let at = model.find("@http://").or_else(|| model.find("@https://"));
    let Some(at) = at else { return false };
    let address = model[at..].split("//").nth(1).unwrap_or_default();
    let host = address.split(['/', '?', '#']).next().unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    !matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;
    use std::fs;

    const FULL: &str = "plugins = [\"weather\"]\nmodel = \"offline\"\nlevel = \"deny\"\nask = \"always\"\n[settings.weather]\nfahrenheit = true\n[limits]\nsteps = 3\n";

    #[test]
    fn both_files_are_merged_and_plugin_paths_are_relative_to_their_file() {
        let home = tempfile::tempdir().expect("a folder for the test");
        let (own, project) = (home.path().join("own.toml"), home.path().join("project"));
        fs::create_dir_all(project.join("deep/er")).expect("is made");
        fs::write(&own, FULL).expect("is file");
        fs::write(
            project.join(NAME),
            "plugins = [\"b.wasm\"]\nmodel = \"m\"\n",
        )
        .expect("is file");
        let config = Config::read(Some(&own), &project.join("deep/er")).expect("reads");
        assert_eq!(
            config.plugins,
            [home.path().join("weather"), project.join("b.wasm")]
        );
        assert_eq!(config.model.as_deref(), Some("m"));
        assert_eq!(config.settings["weather"], json!({ "fahrenheit": true }));
        assert_eq!(config.limits.steps, Some(3));
        assert_eq!(config.files.len(), 2);
    }

    #[test]
    fn unknown_keys_are_rejected_with_their_position() {
        for (text, expected) in [
            ("model = 3\n", "line 1, column 9: "),
            ("\nmodle = \"x\"\n", "line 2, column 1: "),
            ("[limits]\nstep = 1\n", "line 2, column 1: "),
            ("level = \"lax\"\n", "line 1, column 9: "),
        ] {
            let error = parse(text, Owner::User).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_project_cannot_loosen_the_policy_of_the_user() {
        let rules = |level, ask| Rules {
            level,
            ask,
            rules: Vec::new(),
        };
        let config = |own: Strictness, project: Strictness| Config {
            own,
            project,
            ..Config::default()
        };
        let strictness = |level, ask| Strictness {
            level: Some(level),
            ask: Some(ask),
        };
        let full = strictness(Level::Full, AskMode::OnMiss);
        let strict = strictness(Level::Deny, AskMode::Always);
        let usual = rules(Level::Allowlist, AskMode::OnMiss);
        for (own, project, level, ask) in [
            (full, Strictness::default(), Level::Full, AskMode::OnMiss),
            (strict, full, Level::Deny, AskMode::Always),
            (full, strict, Level::Deny, AskMode::Always),
            (
                Strictness::default(),
                full,
                Level::Allowlist,
                AskMode::OnMiss,
            ),
        ] {
            let tightened = config(own, project).tighten(usual.clone());
            assert_eq!((tightened.level, tightened.ask), (level, ask));
        }
        assert!(parse("level = \"full\"", Owner::Project).is_err());
        assert!(parse("level = \"full\"", Owner::User).is_ok());
    }

    #[test]
    fn a_project_cannot_name_an_address() {
        for model in [
            "chat:m@https://evil.example/v1",
            "chat:m@http://localhost.evil/v1",
            "chat:m@http://127.0.0.1@evil/v1",
        ] {
            let text = format!("model = {model:?}");
            assert!(parse(&text, Owner::Project).is_err(), "{model}");
            assert!(parse(&text, Owner::User).is_ok(), "{model}");
        }
        for model in [
            "openai:gpt-6-sol",
            "chat:m@http://127.0.0.1:8080/v1",
            "chat:m@http://[::1]:1/v1",
        ] {
            let text = format!("model = {model:?}");
            assert!(parse(&text, Owner::Project).is_ok(), "{model}");
        }
    }

    proptest! {
        #[test]
        fn parsing_any_text_does_not_panic(text in "[a-z\\[\\]=\"\n .@:/]{0,200}") {
            let _ = parse(&text, Owner::Project);
        }
    }
}
