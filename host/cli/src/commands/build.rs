//! `footlight build`: builds a folder into a component.

use crate::data;
use crate::exit::Exit;
use crate::plugin_source::{self, BuildCause};
use crate::terminal::ui::Ui;
use anyhow::{Context, Result};
use clap::Args;
use serde_json::json;
use std::fs;
use std::path::PathBuf;

/// Build a plugin into a component.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight build                   build the plugin in the current folder
  footlight build plugins/weather   build another one
  cp \"$(footlight build --json | jq -r .path)\" weather.wasm

A crate is built with cargo, with the profile `plugin` if the workspace has one; the target
wasm32-wasip2 is added through rustup if it is missing. A folder with plugin.py is built with
componentize-py, one with plugin.js with componentize-js; the component is build/<ID>.wasm.")]
pub(crate) struct Build {
    /// The folder of the plugin: a crate, or one with plugin.py or plugin.js
    #[arg(default_value = ".", value_name = "DIR")]
    folder: PathBuf,
}

impl Build {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let source = plugin_source::resolve_path(&self.folder, BuildCause::Named, ui)?;
        let path = source.component;
        let bytes = fs::metadata(&path)
            .with_context(|| format!("cannot open `{}`", path.display()))?
            .len();
        if ui.json {
            ui.print_json(&json!({ "path": data::path_text(&path), "size": bytes }))?;
        } else {
            ui.print(&data::file_line(&path, bytes))?;
        }
        Ok(Exit::Done)
    }
}
