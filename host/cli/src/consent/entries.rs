//! Lists and revokes what the person agreed to.

use super::{Consents, Content, CrateFolder, KnownPlugin, stored_path};
use crate::data::display_path;
use crate::plugins::signature::PublicKey;
use anyhow::Result;
use footlight::Digest;
use footlight_render::filter;
use serde::Serialize;
use std::path::PathBuf;

/// What the id of a consent begins with, which the id of a rule never does.
pub(crate) const PREFIX: &str = "c_";

/// The hexadecimal digits of an id.
const DIGITS: usize = 8;

/// One thing that the person agreed to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "consent", rename_all = "kebab-case")]
pub(crate) enum Consent {
    /// To build a crate, which runs its build scripts.
    Build(CrateFolder),
    /// To use a project file with this content.
    Project {
        #[serde(with = "stored_path")]
        path: PathBuf,
        digest: String,
    },
    /// To load a component under an id.
    Component { plugin: String, digest: String },
    /// To load whatever a crate builds under an id.
    Crate {
        plugin: String,
        #[serde(flatten)]
        folder: CrateFolder,
    },
    /// To trust a key for a plugin.
    Key { plugin: String, key: String },
}

impl Consent {
    /// Returns the id, which depends on nothing but what was agreed to.
    pub(crate) fn id(&self) -> String {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let digest = Digest::of(&text).to_string();
        let digits: String = digest.chars().take(DIGITS).collect();
        format!("{PREFIX}{digits}")
    }

    /// Describes the consent on one line.
    pub(crate) fn describe(&self) -> String {
        let short = |digest: &str| filter::line(digest, 12);
        match self {
            Self::Build(folder) => format!("build the crate `{}`", display_path(&folder.path)),
            Self::Project { path, digest } => {
                let (path, digest) = (display_path(path), short(digest));
                format!("use the project file `{path}` (sha256:{digest})")
            }
            Self::Component { plugin, digest } => {
                format!(
                    "load sha256:{} as `{}`",
                    short(digest),
                    filter::line(plugin, 60)
                )
            }
            Self::Crate { plugin, folder } => {
                let (plugin, path) = (filter::line(plugin, 60), display_path(&folder.path));
                format!("load what the crate `{path}` builds as `{plugin}`")
            }
            Self::Key { plugin, key } => {
                let key = PublicKey::parse(key).map(|key| key.id());
                let key = key.unwrap_or_else(|| "malformed".to_owned());
                format!("trust the key {key} for `{}`", filter::line(plugin, 60))
            }
        }
    }
}

impl Consents {
    /// Returns everything that the person agreed to.
    pub(crate) fn entries(&self) -> Vec<Consent> {
        let content = &self.content;
        let mut all: Vec<Consent> = content.builds.iter().cloned().map(Consent::Build).collect();
        all.extend(content.projects.iter().map(|project| Consent::Project {
            path: project.path.clone(),
            digest: project.digest.clone(),
        }));
        for known in &content.plugins {
            all.extend(known.digests.iter().map(|digest| Consent::Component {
                plugin: known.id.clone(),
                digest: digest.clone(),
            }));
            all.extend(known.crates.iter().map(|folder| Consent::Crate {
                plugin: known.id.clone(),
                folder: folder.clone(),
            }));
        }
        all.extend(content.keys.iter().map(|trusted| Consent::Key {
            plugin: trusted.plugin.clone(),
            key: trusted.key.clone(),
        }));
        all
    }

    /// Forgets a consent, so that the person is asked again. A plugin's id stays known: another component
    /// would otherwise pass for the first one of that id, which nobody is asked about.
    pub(crate) fn revoke(&mut self, consent: &Consent) -> Result<()> {
        self.update(|content| match consent {
            Consent::Build(folder) => content.builds.retain(|known| known != folder),
            Consent::Project { path, digest } => {
                let is_meant =
                    |known: &super::AcceptedProject| known.path == *path && known.digest == *digest;
                content.projects.retain(|known| !is_meant(known));
            }
            Consent::Component { plugin, digest } => {
                let known = known(content, plugin);
                known.for_each(|known| known.digests.retain(|known| known != digest));
            }
            Consent::Crate { plugin, folder } => {
                let known = known(content, plugin);
                known.for_each(|known| known.crates.retain(|known| known != folder));
            }
            Consent::Key { plugin, key } => content
                .keys
                .retain(|trusted| trusted.plugin != *plugin || trusted.key != *key),
        })
    }
}

/// Returns what is known under the id of a plugin.
fn known<'a>(content: &'a mut Content, id: &'a str) -> impl Iterator<Item = &'a mut KnownPlugin> {
    content
        .plugins
        .iter_mut()
        .filter(move |known| known.id == id)
}
