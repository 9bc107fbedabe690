//! `footlight pack`: embeds a manifest in a component that was built in any language.

use crate::exit::{Exit, ExitError};
use crate::plugin_source::component::with_manifest;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, bail};
use clap::Args;
use footlight::InvalidPluginError;
use footlight_vocabulary::manifest::Manifest;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Embed a manifest in a component built in any language.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight pack plugin.wasm                             embed ./plugin.toml, in place
  footlight pack app.wasm --manifest mail.toml -o mail.wasm

A Rust plugin needs none of this: the SDK's `plugin!` embeds plugin.toml as it compiles.")]
pub(crate) struct Pack {
    /// The component to embed it in
    component: PathBuf,
    /// The manifest to embed
    #[arg(long, value_name = "FILE", default_value = "plugin.toml")]
    manifest: PathBuf,
    /// Where to write the result; in place where left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace a manifest that is embedded already (at the component's top level only)
    #[arg(long)]
    replace: bool,
}

impl Pack {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let text = fs::read_to_string(&self.manifest).with_context(|| {
            format!(
                "cannot read the manifest `{}`; name one with `--manifest`",
                self.manifest.display()
            )
        })?;
        let manifest = Manifest::parse(&text)
            .with_context(|| format!("`{}` is refused", self.manifest.display()))?;
        let named = || format!("`{}`", self.component.display());
        let bytes =
            fs::read(&self.component).with_context(|| format!("cannot read {}", named()))?;
        match footlight::survey(&bytes) {
            // What is wrong with the manifest may be about to be replaced.
            Ok(_) | Err(InvalidPluginError::Manifest(_) | InvalidPluginError::Manifests(_)) => {}
            Err(why) => return Err(why).with_context(named),
        }
        let (packed, replaced) = with_manifest(&bytes, &text).with_context(named)?;
        if let Err(InvalidPluginError::Manifests(_)) = footlight::survey(&packed) {
            bail!(
                "a manifest is embedded inside {} already, where it cannot be replaced; build it again with the plugin.toml you want",
                named()
            );
        }
        if replaced && !self.replace {
            return Err(ExitError::usage(format!(
                "{} has a manifest already; replace it with `--replace`",
                named()
            )));
        }
        let output = self.output.as_deref().unwrap_or(&self.component);
        // A temporary file is for its owner only; a component is an ordinary file.
        crate::data::write_atomically(output, &packed, mode(output))
            .with_context(|| format!("cannot write `{}`", output.display()))?;
        if ui.json {
            let line = json!({ "path": output, "size": packed.len(), "id": manifest.id });
            ui.print_json(&line)?;
        } else {
            ui.print(&format!(
                "{}  {}",
                crate::data::display_path(output),
                crate::plugin_source::format_size(packed.len() as u64)
            ))?;
        }
        Ok(Exit::Done)
    }
}

/// Who may read a component: those who may read the one that it takes the place of.
fn mode(path: &Path) -> u32 {
    #[cfg(unix)]
    if let Ok(old) = fs::metadata(path) {
        use std::os::unix::fs::PermissionsExt;
        return old.permissions().mode() & 0o777;
    }
    let _ = path;
    0o644
}
