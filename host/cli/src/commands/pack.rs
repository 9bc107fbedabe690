//! `footlight pack`: embeds a manifest in a component built in any language.

use crate::exit::{Exit, ExitError};
use crate::plugin_source::component::with_manifest;
use crate::terminal::ui::Ui;
use anyhow::{Context, Result, bail};
use clap::Args;
use footlight::{InvalidPluginError, bounded_file};
use footlight_vocabulary::manifest::{self, Manifest};
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Embed a manifest in a component built in any language.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight pack plugin.wasm                             embed ./plugin.toml, in place
  footlight pack app.wasm --manifest mail.toml -o mail.wasm

Rust plugins need no packing: the macro `plugin!` embeds plugin.toml at compile time.")]
pub(crate) struct Pack {
    /// The component
    component: PathBuf,
    /// The manifest to embed
    #[arg(long, value_name = "FILE", default_value = "plugin.toml")]
    manifest: PathBuf,
    /// The file to write; the component itself by default
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace a manifest embedded at the top level of the component
    #[arg(long)]
    replace: bool,
}

impl Pack {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let text = bounded_file::read_to_string(&self.manifest, manifest::MAX_BYTES);
        let text = text.with_context(|| {
            format!(
                "cannot read the manifest `{}`; name one with `--manifest`",
                self.manifest.display()
            )
        })?;
        let manifest = Manifest::parse(&text)
            .with_context(|| format!("invalid manifest `{}`", self.manifest.display()))?;
        let named = || format!("`{}`", self.component.display());
        let bytes = bounded_file::read(&self.component, footlight::MAX_BYTES);
        let bytes = bytes.with_context(|| format!("cannot read {}", named()))?;
        match footlight::survey(&bytes) {
            // A faulty manifest may be the one that is about to be replaced.
            Ok(_) | Err(InvalidPluginError::Manifest(_) | InvalidPluginError::Manifests(_)) => {}
            Err(why) => return Err(why).with_context(named),
        }
        let (packed, replaced) = with_manifest(&bytes, &text).with_context(named)?;
        if let Err(InvalidPluginError::Manifests(_)) = footlight::survey(&packed) {
            bail!(
                "{} has a manifest in a nested component, where it cannot be replaced; rebuild it with the right plugin.toml",
                named()
            );
        }
        if replaced && !self.replace {
            return Err(ExitError::usage(format!(
                "{} already has a manifest; replace it with `--replace`",
                named()
            )));
        }
        let output = self.output.as_deref().unwrap_or(&self.component);
        write(output, &packed).with_context(|| format!("cannot write `{}`", output.display()))?;
        if ui.json {
            let line = json!({ "path": crate::data::path_text(output), "size": packed.len(), "id": manifest.id });
            ui.print_json(&line)?;
        } else {
            ui.print(&crate::data::file_line(output, packed.len() as u64))?;
        }
        Ok(Exit::Done)
    }
}

/// Writes a component in one step. It keeps the permissions of the file that it replaces, and
/// otherwise gets the usual ones: a temporary file is private, but a component is an ordinary file.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let old = fs::metadata(path).map(|old| old.permissions().mode() & 0o777);
        let mode = fs::Permissions::from_mode(old.unwrap_or(0o644));
        file.as_file().set_permissions(mode)?;
    }
    file.persist(path)?;
    Ok(())
}
