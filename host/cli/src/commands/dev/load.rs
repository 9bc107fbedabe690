//! Puts a build in the place of the one before.
//!
//! A crate that is the person's own needs no question: whoever could answer it has just written the plugin.
//! Any other build is loaded without powers and data first, described to the person, and accepted or not.
//!
//! Invariant: until a build is accepted, the host has none of it.

use crate::consent::CrateFolder;
use crate::conversation::host::PluginHost;
use crate::conversation::identity;
use crate::data::Data;
use crate::plugin_source::{self, BuildCause, LoadedSource, PluginSource};
use crate::power::PowerFlags;
use crate::terminal::ui::Ui;
use anyhow::{Context as _, Result};
use footlight::{MAX_BYTES, Plugin, bounded_file, survey};
use footlight_render::filter;
use footlight_serve::DevBuild;
use footlight_vocabulary::manifest::file_plugin_id;
use std::collections::BTreeSet;
use std::path::Path;

/// How many names a line lists.
const LISTED: usize = 12;

/// Loads the builds of one crate.
pub(super) struct Loader<'a> {
    folder: &'a CrateFolder,
    /// The folder as it was typed.
    typed: &'a Path,
    powers: &'a PowerFlags,
    data: &'a Data,
    ui: &'a Ui,
    /// The build that is loaded.
    loaded: Option<Plugin>,
    count: usize,
}

impl<'a> Loader<'a> {
    pub(super) fn new(
        folder: &'a CrateFolder,
        typed: &'a Path,
        powers: &'a PowerFlags,
        data: &'a Data,
        ui: &'a Ui,
    ) -> Self {
        Self {
            folder,
            typed,
            powers,
            data,
            ui,
            loaded: None,
            count: 0,
        }
    }

    /// Reports whether a build is loaded.
    pub(super) fn has_loaded(&self) -> bool {
        self.loaded.is_some()
    }

    /// Reports whether no more than one build was loaded.
    pub(super) fn is_first(&self) -> bool {
        self.count <= 1
    }

    /// Loads a component in place of the last build, which stays if it cannot be loaded.
    pub(super) fn load(&mut self, host: &mut PluginHost, component: &Path) -> Result<DevBuild> {
        let bytes =
            bounded_file::read(component, MAX_BYTES).context("cannot read the component")?;
        let stem = component.file_stem().unwrap_or_default().to_string_lossy();
        let unnamed = file_plugin_id(&stem);
        let manifest = survey(&bytes)?.manifest;
        let id = match manifest {
            Some(manifest) => manifest.id,
            None => unnamed.context("the component has no manifest, and its name makes no id")?,
        };
        let source = PluginSource {
            cause: BuildCause::Named,
            typed: self.typed.to_owned(),
            component: component.to_owned(),
            crate_folder: Some(self.folder.clone()),
            installed: None,
        };
        let is_own =
            plugin_source::is_owned(self.folder) && identity::is_free_for(&id, self.folder)?;
        if !is_own {
            let mut bare = PluginHost::bare(self.data)?;
            let plugin = bare.load_source(&source, self.ui)?;
            identity::ensure_accepted(&plugin, &source, self.ui)?;
        }
        let plugin = host.runtime.block_on(host.host.replace(&bytes, &id))?;
        if is_own && let Err(error) = identity::accept_own_build(&plugin, &source) {
            host.host.unload(&id);
            self.loaded = None;
            return Err(error);
        }
        // A plugin that has another id now is not loaded under the old one as well.
        let before = self.loaded.replace(plugin.clone());
        if let Some(old) = before.as_ref().filter(|old| old.id() != id) {
            host.host.unload(old.id());
        }
        self.count += 1;
        host.sources = vec![LoadedSource {
            id: id.clone(),
            typed: self.typed.to_owned(),
            cause: BuildCause::Named,
            is_installed: false,
        }];
        let mut changes = before.map_or_else(Vec::new, |old| changes(&old, &plugin));
        // Flags name what the plugin declares, which it may not do any more.
        if let Err(error) = host.grant(self.powers, self.ui) {
            changes.push(format!("not granted: {error:#}"));
        }
        Ok(DevBuild {
            plugin: id,
            bytes: bytes.len(),
            changes,
            ..DevBuild::default()
        })
    }
}

/// Says how a build differs from the one before, a line for each difference.
fn changes(old: &Plugin, new: &Plugin) -> Vec<String> {
    if old.digest() == new.digest() {
        return vec!["nothing changed".to_owned()];
    }
    let names = |plugin: &Plugin| -> BTreeSet<String> {
        plugin
            .tools()
            .iter()
            .map(|tool| tool.name.clone())
            .collect()
    };
    let differs = |name: &&String| {
        let (old, new) = (old.tool(name), new.tool(name));
        let about = |tool: &footlight::Tool| {
            (
                tool.description.clone(),
                tool.input_schema.clone(),
                tool.traits.clone(),
            )
        };
        old.is_some() && old.map(about) != new.map(about)
    };
    let (before, now) = (names(old), names(new));
    let powers =
        |plugin: &Plugin| -> BTreeSet<String> { plugin.manifest().powers().into_iter().collect() };
    let (had, has) = (powers(old), powers(new));
    let version = |plugin: &Plugin| plugin.manifest().version.to_string();
    let mut lines = Vec::new();
    if old.id() != new.id() {
        lines.push(format!("its id is `{}` now", new.id()));
    }
    if version(old) != version(new) {
        lines.push(format!("its version is {} now", version(new)));
    }
    lines.extend(list("tools added", now.difference(&before)));
    lines.extend(list("tools removed", before.difference(&now)));
    lines.extend(list("tools changed", now.iter().filter(differs)));
    lines.extend(list("asks for more", has.difference(&had)));
    lines.extend(list("no longer asks for", had.difference(&has)));
    lines
}

/// Lists names after a title; none if there are none.
fn list<'n>(title: &str, names: impl Iterator<Item = &'n String>) -> Option<String> {
    // The longest power, whose methods stand at the end.
    let names: Vec<String> = names.map(|name| filter::line(name, 600)).collect();
    let more = names.len().saturating_sub(LISTED);
    let shown = names.get(..LISTED).unwrap_or(&names).join(", ");
    match (names.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(format!("{title}: {shown}")),
        (false, more) => Some(format!("{title}: {shown}, and {more} more")),
    }
}
