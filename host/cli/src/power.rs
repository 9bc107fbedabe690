//! Folders, hosts and secrets that flags grant for one run: `--dir`, `--allow-net`, `--secret`.
//!
//! A flag becomes a rule in memory, which ends with the process. It must name something that the
//! manifest of a loaded plugin declares, so that a misspelt name is an error before anything runs; a
//! permission that nothing needed is none.

mod declared;
mod typed;

pub(crate) use declared::{PowerKind, flag_name, require, split_port};
pub(crate) use typed::{SecretFlag, TypedFolder, split_read_only, typed_path};

use crate::exit::ExitError;
use anyhow::Result;
use clap::Args;
use footlight::Host;
use footlight::policy::{FolderBinding, Pattern, Rule, Target};
use footlight_render::filter;
use footlight_vocabulary::manifest::{Manifest, Mode};

/// Powers as they were typed.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PowerFlags {
    /// Let a plugin use a folder under the path that its manifest names, such as /data=docs; with :ro
    /// it can only read
    #[arg(
        long = "dir",
        value_name = "[PLUGIN.]GUEST=FOLDER[:ro]",
        help_heading = "Powers"
    )]
    folders: Vec<String>,
    /// Let a plugin send requests to a host that its manifest names
    #[arg(
        long = "allow-net",
        value_name = "[PLUGIN.]HOST[:PORT]",
        help_heading = "Powers"
    )]
    hosts: Vec<String>,
    /// Add a secret to requests of a plugin: the value of FOOTLIGHT_SECRET_<NAME>, of FILE, or of
    /// `footlight secrets set`, or else it is prompted for
    #[arg(
        long = "secret",
        value_name = "[PLUGIN.]NAME[=@FILE]",
        help_heading = "Powers"
    )]
    secrets: Vec<SecretFlag>,
}

/// What flags grant, with the secrets whose values are still to be found.
#[derive(Debug, Default)]
pub(crate) struct FlagGrants {
    pub(crate) rules: Vec<Rule>,
    /// The plugin and the name of each secret.
    pub(crate) secrets: Vec<(String, String, SecretFlag)>,
}

impl PowerFlags {
    /// Checks the form of every flag, before anything is loaded or built.
    ///
    /// # Errors
    /// When a flag cannot be read, or the value of a secret stands on the command line.
    pub(crate) fn check(&self) -> Result<()> {
        for typed in &self.folders {
            TypedFolder::parse(typed)?;
        }
        for secret in &self.secrets {
            secret.parts()?;
        }
        Ok(())
    }

    /// Reports whether a folder is granted.
    pub(crate) fn grants_folders(&self) -> bool {
        !self.folders.is_empty()
    }

    /// Returns the first kind of flag that is given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let kinds = [
            (self.folders.is_empty(), "--dir"),
            (self.hosts.is_empty(), "--allow-net"),
            (self.secrets.is_empty(), "--secret"),
        ];
        let given = kinds.into_iter().find(|(is_empty, _)| !is_empty);
        given.map(|(_, flag)| flag)
    }

    /// Finds out which plugin each flag is for, and checks the folders.
    ///
    /// # Errors
    /// When a flag names nothing that a manifest declares, or something that several declare, or a
    /// folder cannot be granted.
    pub(crate) fn for_plugins(&self, plugins: &[&Manifest], host: &Host) -> Result<FlagGrants> {
        let mut granted = FlagGrants::default();
        let mut add = |flag: &str, typed: &str, rule: Rule| {
            let is_same =
                |known: &Rule| (&known.plugin, &known.target) == (&rule.plugin, &rule.target);
            if granted.rules.iter().any(is_same) {
                let typed = filter::line(typed, 120);
                return Err(ExitError::usage(format!(
                    "`{flag} {typed}` is given twice; keep one"
                )));
            }
            granted.rules.push(rule);
            Ok(())
        };
        for typed in &self.folders {
            let folder = TypedFolder::parse(typed)?;
            let (plugin, path) = require(PowerKind::Folder, "--dir", folder.guest, plugins)?;
            let binding = folder.bind(host, is_writable(&plugin, &path, plugins))?;
            let target = Target::Folder(pattern(&path)?);
            add("--dir", folder.guest, allow(plugin, target, Some(binding)))?;
        }
        for typed in &self.hosts {
            let (plugin, name) = require(PowerKind::Host, "--allow-net", typed, plugins)?;
            add(
                "--allow-net",
                typed,
                allow(plugin, Target::Host(pattern(&name)?), None),
            )?;
        }
        let mut secrets = Vec::new();
        for flag in &self.secrets {
            let (typed, _) = flag.parts()?;
            let (plugin, name) = require(PowerKind::Secret, "--secret", typed, plugins)?;
            let target = Target::Secret(pattern(&name)?);
            add("--secret", typed, allow(plugin.clone(), target, None))?;
            secrets.push((plugin, name, flag.clone()));
        }
        granted.secrets = secrets;
        Ok(granted)
    }
}

/// Reports whether the plugin asks to change files in a folder.
fn is_writable(plugin: &str, path: &str, plugins: &[&Manifest]) -> bool {
    let own = plugins.iter().filter(|manifest| manifest.id == plugin);
    let mut folders = own.flat_map(|manifest| &manifest.fs);
    folders.any(|folder| folder.path == path && folder.mode == Mode::ReadWrite)
}

/// Returns a rule that allows every build of a plugin the use of a power.
pub(crate) fn allow(plugin: String, target: Target, folder: Option<FolderBinding>) -> Rule {
    let mut rule = Rule::allow(plugin, target);
    rule.folder = folder;
    rule
}

pub(crate) fn pattern(text: &str) -> Result<Pattern> {
    Pattern::parse(text).map_err(|error| ExitError::usage(error.to_string()))
}
