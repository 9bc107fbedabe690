//! What the person agreed to: crates to build, project files, components under an id, and keys that
//! sign a plugin.
//!
//! Answers are remembered in `consent.json` in the configuration folder. `footlight grants` lists them,
//! and revokes one so that the person is asked again.
//!
//! Invariant: a missing file means that nothing was agreed to, and a file that cannot be read is an
//! error.

mod entries;
mod stored_path;

pub(crate) use entries::{Consent, PREFIX};

use crate::data;
use crate::dirs;
use crate::exit::ExitError;
use crate::plugins::signature::PublicKey;
use crate::terminal::prompt::{Person, PreparedReplies};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, bail};
use clap::Args;
use footlight::{Digest, private_file};
use footlight_render::terminal::ConsentCard;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The largest file in bytes.
const MAX_BYTES: usize = 4 << 20;

/// The most entries of each kind.
const MAX_ENTRIES: usize = 1_000;

/// The most components that are remembered for one id. Older ones are forgotten.
const MAX_DIGESTS: usize = 64;

/// Flags that agree to something in advance.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct ConsentFlags {
    /// Build the crate folders of this command line, or install its plugin, without asking
    #[arg(long, short, global = true)]
    pub(crate) yes: bool,
    /// Accept everything in the project's footlight.toml for this run, crates to build included
    #[arg(long, global = true, conflicts_with = "no_project")]
    pub(crate) trust_project: bool,
    /// Use the project's footlight.toml only where it narrows your own settings
    #[arg(long, global = true)]
    pub(crate) no_project: bool,
    /// Accept another component under the id of a known plugin
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) accept_plugin: Vec<String>,
}

/// A crate folder: its canonical path and its owner.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CrateFolder {
    #[serde(with = "stored_path")]
    pub(crate) path: PathBuf,
    pub(crate) owner: u32,
}

/// A project file, and the digest of what it said when it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AcceptedProject {
    #[serde(with = "stored_path")]
    path: PathBuf,
    digest: String,
}

/// The components that were accepted under an id.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KnownPlugin {
    pub(crate) id: String,
    /// Components that were loaded from a file, the latest last.
    #[serde(default)]
    pub(crate) digests: Vec<String>,
    /// Crate folders, whatever they build.
    #[serde(default)]
    pub(crate) crates: Vec<CrateFolder>,
    /// The tools of the component that was loaded last.
    #[serde(default)]
    pub(crate) tools: BTreeSet<String>,
    /// The powers that it asks for.
    #[serde(default)]
    pub(crate) powers: BTreeSet<String>,
}

/// The key that signs a plugin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrustedKey {
    plugin: String,
    key: String,
}

/// The content of the file.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    #[serde(default)]
    builds: Vec<CrateFolder>,
    #[serde(default)]
    projects: Vec<AcceptedProject>,
    #[serde(default)]
    plugins: Vec<KnownPlugin>,
    #[serde(default)]
    keys: Vec<TrustedKey>,
}

/// The remembered answers.
#[derive(Debug)]
pub(crate) struct Consents {
    /// The file; `None` without a configuration folder.
    path: Option<PathBuf>,
    content: Content,
}

impl Consents {
    /// Reads the file.
    pub(crate) fn open() -> Result<Self> {
        Self::at(dirs::config().map(|folder| folder.join("consent.json")))
    }

    fn at(path: Option<PathBuf>) -> Result<Self> {
        let content = path.as_deref().map(read).transpose()?.unwrap_or_default();
        Ok(Self { path, content })
    }

    /// Reports whether the person agreed to build this crate.
    pub(crate) fn allows_build(&self, folder: &CrateFolder) -> bool {
        self.content.builds.contains(folder)
    }

    /// Remembers that the person agreed to build these crates.
    pub(crate) fn allow_builds(&mut self, folders: &[CrateFolder]) -> Result<()> {
        self.update(|content| {
            let builds = &mut content.builds;
            builds.retain(|known| !folders.iter().any(|folder| folder.path == known.path));
            builds.extend_from_slice(folders);
        })
    }

    /// Reports whether the person accepted this file with this content.
    pub(crate) fn accepts_project(&self, path: &Path, digest: &Digest) -> bool {
        let mut known = self.content.projects.iter();
        known.any(|known| known.path == path && known.digest == digest.to_string())
    }

    /// Reports whether the person accepted this file with another content.
    pub(crate) fn knows_project(&self, path: &Path) -> bool {
        self.content.projects.iter().any(|known| known.path == path)
    }

    /// Remembers that the person accepted this file with this content.
    pub(crate) fn accept_project(&mut self, path: &Path, digest: &Digest) -> Result<()> {
        self.update(|content| {
            content.projects.retain(|known| known.path != path);
            content.projects.push(AcceptedProject {
                path: path.to_owned(),
                digest: digest.to_string(),
            });
        })
    }

    /// Returns what is known under an id.
    pub(crate) fn plugin(&self, id: &str) -> Option<&KnownPlugin> {
        self.content.plugins.iter().find(|known| known.id == id)
    }

    /// Remembers a component under an id that is not known, and returns whether it is not. Of two
    /// processes that load different components at once, only one is the first.
    pub(crate) fn accept_first_plugin(&mut self, seen: KnownPlugin) -> Result<bool> {
        let mut is_first = false;
        self.update_plugins(&seen.id.clone(), |plugins| {
            is_first = !plugins.iter().any(|known| known.id == seen.id);
            if is_first {
                plugins.push(seen);
            }
        })?;
        Ok(is_first)
    }

    /// Remembers another component under a known id.
    pub(crate) fn accept_plugin(&mut self, seen: KnownPlugin) -> Result<()> {
        self.update_plugins(&seen.id.clone(), |plugins| {
            let Some(known) = plugins.iter_mut().find(|known| known.id == seen.id) else {
                return plugins.push(seen);
            };
            known.digests.retain(|known| !seen.digests.contains(known));
            known.digests.extend(seen.digests);
            let excess = known.digests.len().saturating_sub(MAX_DIGESTS);
            known.digests.drain(..excess);
            known.crates.retain(|known| !seen.crates.contains(known));
            known.crates.extend(seen.crates);
            (known.tools, known.powers) = (seen.tools, seen.powers);
        })
    }

    /// Returns the key that the person trusts for a plugin.
    pub(crate) fn trusted_key(&self, id: &str) -> Result<Option<PublicKey>> {
        let mut keys = self.content.keys.iter();
        let key = keys.find(|trusted| trusted.plugin == id).map(|trusted| {
            PublicKey::parse(&trusted.key).with_context(|| {
                format!("the key of `{id}` in `consent.json` is malformed; `footlight grants consents` lists it")
            })
        });
        key.transpose()
    }

    /// Remembers the key that the person trusts for a plugin, in place of another one.
    pub(crate) fn trust_key(&mut self, id: &str, key: &PublicKey) -> Result<()> {
        if self.path.is_none() {
            bail!("no home folder to remember the key of `{id}`; set FOOTLIGHT_CONFIG_DIR");
        }
        self.update(|content| {
            content.keys.retain(|trusted| trusted.plugin != id);
            content.keys.push(TrustedKey {
                plugin: id.to_owned(),
                key: key.as_str().to_owned(),
            });
        })
    }

    /// Changes the plugins. Fails without a configuration folder, because the next component of this id
    /// would pass for the first one.
    fn update_plugins(
        &mut self,
        id: &str,
        change: impl FnOnce(&mut Vec<KnownPlugin>),
    ) -> Result<()> {
        if self.path.is_none() {
            bail!("no home folder to remember the plugin `{id}`; set FOOTLIGHT_CONFIG_DIR");
        }
        self.update(|content| change(&mut content.plugins))
    }

    /// Changes the file, also while other processes do. Without a configuration folder the change
    /// holds for this process.
    fn update(&mut self, change: impl FnOnce(&mut Content)) -> Result<()> {
        let Some(path) = &self.path else {
            change(&mut self.content);
            return Ok(());
        };
        let failed = || format!("cannot write `{}`", data::display_path(path));
        let folder = path.parent().unwrap_or(Path::new("."));
        private_file::create_dir(folder).with_context(failed)?;
        // A file of its own, since the other one is replaced. It unlocks when it is closed.
        let lock = private_file::open(&path.with_extension("lock")).with_context(failed)?;
        lock.lock().with_context(failed)?;
        self.content = read(path)?;
        change(&mut self.content);
        let content = &self.content;
        let counts = [
            content.builds.len(),
            content.projects.len(),
            content.plugins.len(),
            content.keys.len(),
        ];
        if counts.into_iter().any(|count| count > MAX_ENTRIES) {
            bail!(
                "`{}` remembers more than {MAX_ENTRIES} answers of one kind; remove some",
                data::display_path(path)
            );
        }
        let mut text = serde_json::to_string_pretty(content).with_context(failed)?;
        text.push('\n');
        private_file::replace(path, &[text.as_bytes()]).with_context(failed)
    }
}

fn read(path: &Path) -> Result<Content> {
    let Some(text) = data::read_own(path, MAX_BYTES)? else {
        return Ok(Content::default());
    };
    let name = data::display_path(path);
    serde_json::from_str(&text)
        .with_context(|| format!("`{name}` is damaged; remove it to be asked again"))
}

/// Asks the person to agree. Fails with exit code 4 and the words `headless` if nobody can be asked.
pub(crate) fn ask(card: &ConsentCard, headless: impl FnOnce() -> String, ui: &Ui) -> Result<bool> {
    if !ui.can_ask {
        return Err(ExitError::needs_person(headless()));
    }
    ui.end_partial_line();
    let agreed = Person::at(ui, PreparedReplies::default()).agrees(card)?;
    ui.note_external_output(None);
    Ok(agreed)
}

#[cfg(test)]
mod tests;
