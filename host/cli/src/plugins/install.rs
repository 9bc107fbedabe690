//! Installs and updates plugins: what is fetched is checked, shown, accepted, loaded once without any
//! power, and then listed.
//!
//! Invariant: nothing is written before the person has agreed, and nothing of the plugin runs before that.

mod question;

use super::digest::Sha256;
use super::fetch::{Fetched, fetch};
use super::lock::Entry;
use super::signature::{MAX_KEY, PublicKey};
use super::source::{Source, SourceError};
use super::trust::{Signer, Standing, judge};
use super::{Installed, version};
use crate::consent::{self, Consents, KnownPlugin};
use crate::conversation::host::{PluginHost, now};
use crate::conversation::identity;
use crate::data::{Data, display_path};
use crate::exit::ExitError;
use crate::plugin_source::{BuildCause, PluginSource};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use footlight::bounded_file;
use footlight_render::filter;
use footlight_vocabulary::manifest::Manifest;
use question::Question;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// What the person says in advance about the component that is to be installed.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct InstallFlags {
    /// Require a signature by this key: a public key, or a file with one
    #[arg(long, value_name = "FILE|PUBKEY")]
    key: Option<String>,
    /// Require these bytes: the digest of the component, as `footlight inspect` shows it
    #[arg(long, value_name = "DIGEST")]
    digest: Option<String>,
    /// Replace a newer version
    #[arg(long)]
    allow_downgrade: bool,
}

/// What came of it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    /// `installed`, `updated` or `unchanged`.
    #[serde(rename = "type")]
    pub(crate) outcome: Outcome,
    pub(crate) name: String,
    pub(crate) version: String,
    /// The version that was replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) previous: Option<String>,
    pub(crate) source: String,
    pub(crate) digest: String,
    /// The id of the key that signed it.
    pub(crate) key: Option<String>,
    pub(crate) powers: Vec<String>,
    pub(crate) tools: Vec<String>,
    /// What differs from what was known, in words.
    pub(crate) differences: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    Installed,
    Updated,
    Unchanged,
}

/// A component that was fetched and checked, and is not accepted yet.
struct Candidate {
    source: Source,
    component: Vec<u8>,
    digest: Sha256,
    /// The digest of the registry's manifest.
    registry_manifest: Option<Sha256>,
    manifest: Manifest,
    powers: BTreeSet<String>,
    signer: Signer,
}

/// Installs a plugin from where the person says.
pub(crate) fn add(source: &Source, flags: &InstallFlags, data: &Data, ui: &Ui) -> Result<Report> {
    let source = absolute(source)?;
    install(source, None, flags, data, ui)
}

/// Updates an installed plugin from where it came from.
pub(crate) fn update(entry: &Entry, flags: &InstallFlags, data: &Data, ui: &Ui) -> Result<Report> {
    install(entry.source.clone(), Some(&entry.name), flags, data, ui)
}

fn install(
    source: Source,
    expected: Option<&str>,
    flags: &InstallFlags,
    data: &Data,
    ui: &Ui,
) -> Result<Report> {
    let installed = Installed::open(data)?;
    let mut consents = Consents::open()?;
    let candidate = Candidate::fetch(source, flags, &consents)?;
    let id = candidate.manifest.id.clone();
    if let Some(expected) = expected.filter(|expected| *expected != id) {
        bail!(
            "`{}` is the plugin `{id}` now, not `{expected}`; add it with `footlight plugins add` if you want it",
            candidate.source
        );
    }
    let previous = installed.find(&id);
    // One that was damaged says nothing about what was accepted.
    let intact = previous.and_then(|entry| Some((entry, installed.read(entry).ok()?)));
    if let Some((entry, _)) = &intact
        && entry.component == candidate.digest
        && entry.source == candidate.source
        && entry.key == candidate.signer.key
    {
        // The person names the key of what was installed by its digest.
        if let (Standing::Given, Some(key)) = (&candidate.signer.standing, &candidate.signer.key) {
            consents.trust_key(&id, key)?;
        }
        return Ok(candidate.report(Outcome::Unchanged, previous, Vec::new(), Vec::new()));
    }
    let is_downgrade = previous.is_some_and(|entry| {
        version::compare(&candidate.manifest.version, &entry.version) == Ordering::Less
    });
    if let Some(entry) = previous
        && is_downgrade
        && !flags.allow_downgrade
    {
        return Err(ExitError::denied(format!(
            "`{}` has `{id}` {}, which is older than the installed {}; replace it with `--allow-downgrade`",
            candidate.source, candidate.manifest.version, entry.version
        )));
    }
    let known = consents.plugin(&id).cloned();
    let powers = match &intact {
        Some((_, bytes)) => Some(powers_of(bytes)?),
        None => known.as_ref().map(|known| known.powers.clone()),
    };
    let question = Question {
        candidate: &candidate,
        previous,
        known: known.as_ref().filter(|_| previous.is_none()),
        powers: powers.as_ref(),
        is_downgrade,
    };
    let is_update = expected.is_some() && intact.is_some();
    let was_asked = agree(&question, is_update, flags, ui)?;

    let tools = candidate.describe(data, ui)?;
    let seen = KnownPlugin {
        id: id.clone(),
        digests: vec![candidate.digest.digits().to_owned()],
        crates: Vec::new(),
        tools: tools.iter().cloned().collect(),
        powers: candidate.powers.clone(),
    };
    let differences = known
        .as_ref()
        .map(|known| identity::differences(known, &seen));
    consents.accept_plugin(seen)?;
    let is_trusted = was_asked || candidate.signer.standing == Standing::Given;
    if let Some(key) = candidate.signer.key.as_ref().filter(|_| is_trusted) {
        consents.trust_key(&id, key)?;
    }
    Installed::put(data, candidate.entry(), &candidate.component)?;
    let outcome = match previous {
        Some(_) => Outcome::Updated,
        None => Outcome::Installed,
    };
    let differences = differences.unwrap_or_default();
    Ok(candidate.report(outcome, previous, tools, differences))
}

/// Returns if the person agrees, and whether they were asked now.
///
/// # Errors
/// When they decline, or cannot be asked and have not said enough in advance.
fn agree(question: &Question<'_>, is_update: bool, flags: &InstallFlags, ui: &Ui) -> Result<bool> {
    let candidate = question.candidate;
    let is_pinned = flags.digest.is_some() || candidate.source.is_pinned();
    let standing = &candidate.signer.standing;
    if is_update && *standing == Standing::Trusted && !question.needs_attention() {
        return Ok(false);
    }
    let is_enough = match standing {
        Standing::Trusted | Standing::Given => true,
        Standing::New | Standing::Unsigned { trusted: None } => is_pinned,
        Standing::Changed { .. } | Standing::Unsigned { trusted: Some(_) } => false,
    };
    if ui.consent.yes && is_enough {
        return Ok(false);
    }
    if consent::ask(&question.card(), || question.headless(), ui)? {
        return Ok(true);
    }
    Err(ExitError::denied(format!(
        "`{}` was not installed",
        candidate.manifest.id
    )))
}

fn powers_of(component: &[u8]) -> Result<BTreeSet<String>> {
    let manifest = footlight::survey(component)?.manifest;
    let powers = manifest.as_ref().map(Manifest::powers).unwrap_or_default();
    Ok(powers.into_iter().collect())
}

impl Candidate {
    /// Fetches a component, and checks everything that can be checked without running it.
    fn fetch(source: Source, flags: &InstallFlags, consents: &Consents) -> Result<Self> {
        let key = flags.key()?;
        let expected = flags.digest()?;
        let Fetched {
            component,
            signature,
            manifest: registry_manifest,
        } = fetch(&source)?;
        let digest = Sha256::of(&component);
        if let Some(expected) = expected.filter(|expected| *expected != digest) {
            return Err(ExitError::denied(format!(
                "`{source}` has the digest {digest}, and `--digest` requires {expected}"
            )));
        }
        let named = || format!("`{source}`");
        let manifest = footlight::survey(&component).with_context(named)?.manifest;
        let manifest = manifest.with_context(|| {
            format!("`{source}` has no manifest, so it has no name to be installed under; its author adds one with `footlight pack`")
        })?;
        let trusted = consents.trusted_key(&manifest.id)?;
        let signature = signature.as_deref();
        let signer = judge(&component, signature, key.as_ref(), trusted.as_ref());
        let signer = signer.with_context(named)?;
        Ok(Self {
            powers: manifest.powers().into_iter().collect(),
            source,
            component,
            digest,
            registry_manifest,
            manifest,
            signer,
        })
    }

    /// Loads the component in a sandbox without any power, and returns the names of its tools.
    fn describe(&self, data: &Data, ui: &Ui) -> Result<Vec<String>> {
        let source = PluginSource {
            cause: BuildCause::Inspected,
            typed: PathBuf::from(&self.manifest.id),
            component: PathBuf::from(&self.manifest.id),
            crate_folder: None,
            installed: Some(self.component.clone().into()),
        };
        let plugin = PluginHost::bare(data)?.load_source(&source, ui)?;
        let tools = plugin.tools().iter().map(|tool| tool.name.clone());
        Ok(tools.collect())
    }

    fn entry(&self) -> Entry {
        Entry {
            name: self.manifest.id.clone(),
            version: self.manifest.version.clone(),
            source: self.source.clone(),
            manifest: self.registry_manifest.clone(),
            component: self.digest.clone(),
            key: self.signer.key.clone(),
            installed: now(),
        }
    }

    fn report(
        &self,
        outcome: Outcome,
        previous: Option<&Entry>,
        tools: Vec<String>,
        differences: Vec<String>,
    ) -> Report {
        let previous = previous.filter(|_| outcome == Outcome::Updated);
        Report {
            outcome,
            name: self.manifest.id.clone(),
            version: self.manifest.version.clone(),
            previous: previous.map(|entry| entry.version.clone()),
            source: self.source.to_string(),
            digest: self.digest.to_string(),
            key: self.signer.key.as_ref().map(PublicKey::id),
            powers: self.powers.iter().cloned().collect(),
            tools,
            differences,
        }
    }
}

impl InstallFlags {
    /// Checks the flags of an update of all plugins.
    ///
    /// # Errors
    /// When one is about a single plugin.
    pub(crate) fn check_for_all(&self) -> Result<()> {
        match self.key.is_some() || self.digest.is_some() {
            true => Err(ExitError::usage(
                "`--key` and `--digest` are about one plugin; write its name",
            )),
            false => Ok(()),
        }
    }

    fn digest(&self) -> Result<Option<Sha256>> {
        let digest = self.digest.as_deref().map(|text| {
            Sha256::parse(text).ok_or_else(|| {
                let text = filter::line(text, 100);
                ExitError::usage(format!(
                    "`--digest {text}` is not `sha256:` and 64 digits in lower case"
                ))
            })
        });
        digest.transpose()
    }

    /// Reads the key: the text of one, or a file.
    fn key(&self) -> Result<Option<PublicKey>> {
        let Some(text) = &self.key else {
            return Ok(None);
        };
        if let Some(key) = PublicKey::parse(text) {
            return Ok(Some(key));
        }
        let path = Path::new(text);
        let name = display_path(path);
        let key = match bounded_file::read_to_string(path, MAX_KEY) {
            Ok(text) => PublicKey::parse(&text)
                .ok_or_else(|| anyhow!("`{name}` is not a public key in minisign's format"))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ExitError::usage(format!(
                    "`--key {name}` is neither a public key in minisign's format nor a file"
                )));
            }
            Err(error) => return Err(error).with_context(|| format!("cannot read `{name}`")),
        };
        Ok(Some(key))
    }
}

/// Makes the path of a file absolute, so that an update finds it from any folder.
fn absolute(source: &Source) -> Result<Source> {
    let Source::File(path) = source else {
        return Ok(source.clone());
    };
    let name = display_path(path);
    let real = path.canonicalize();
    let real = real.with_context(|| format!("there is no file `{name}`"))?;
    if real.is_dir() {
        return Err(ExitError::usage(SourceError::Folder(name).to_string()));
    }
    let text = real.to_str();
    let text = text.with_context(|| format!("the path `{name}` is not Unicode"))?;
    // The lock file has it in this form: a path that is too long for it is refused here.
    Source::parse(text, false).with_context(|| format!("`{name}`"))
}
