//! `footlight models`: which models can be asked here.

use crate::config::Config;
use crate::conversation::model::{choose, is_set};
use crate::exit::Exit;
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::{Context, Result};
use clap::Args;
use footlight::model::choice::keys;
use footlight::model::{discovery, profile};
use footlight_render::filter;
use serde_json::{Value, json};
use tokio::runtime::Builder;

/// How many models of one server are listed.
const LISTED: usize = 12;

/// List the models that can be asked here.
///
/// Keys are looked for in the environment, and named, never shown. Servers are looked for on this
/// machine alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight models
  footlight models --json | jq -r .model
  footlight run weather.wasm \"Rain in Oslo?\" --model ollama:qwen3

Where nothing is said: --model, then `model` in footlight.toml, then a key, then `offline`.")]
pub(crate) struct Models {}

impl Models {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let config = Config::load()?;
        let chosen = choose(None, &config).model;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("no runtime")?;
        ui.progress("looking for servers on this machine");
        let servers = runtime.block_on(discovery::discover());
        ui.end_partial_line();

        let mut rows = vec![row(
            "offline",
            "matches words; no language model, no network",
        )];
        if let Some(model) = &config.model
            && model != "offline"
        {
            rows.push(row(model, "in footlight.toml"));
        }
        for key in keys(is_set) {
            rows.push(row(&key.model, &format!("the key in {}", key.env)));
        }
        for server in &servers {
            for model in server.models.iter().take(LISTED) {
                let spec = format!("{}:{model}@{}", server.name, server.address);
                rows.push(row(&spec, "on this machine"));
            }
        }
        for row in &rows {
            self.one(row, &chosen, ui)?;
        }
        if !ui.json {
            self.others(&servers, ui);
        }
        Ok(Exit::Done)
    }

    fn one(&self, row: &Value, chosen: &str, ui: &Ui) -> Result<()> {
        let (model, why) = (text(&row["model"]), text(&row["why"]));
        let is_chosen = model == chosen;
        let line = if ui.json {
            let mut row = row.clone();
            row["chosen"] = is_chosen.into();
            filter::json_line(&row)
        } else {
            let mark = if is_chosen { "*" } else { " " };
            let model = ui.styled_out(Emphasis::Bold, &filter::line(model, 120));
            format!("{mark} {model}  {}", filter::line(why, 120))
        };
        Ok(ui.print(&line)?)
    }

    fn others(&self, servers: &[discovery::LocalServer], ui: &Ui) {
        if servers.is_empty() {
            ui.note("no model server answers on this machine (ollama, lmstudio, llama.cpp, vllm)");
        }
        let more: usize = servers
            .iter()
            .map(|server| server.models.len().saturating_sub(LISTED))
            .sum();
        if more > 0 {
            ui.note(&format!("and {more} more on this machine"));
        }
        let unset: Vec<String> = profile::all()
            .iter()
            .filter(|profile| profile.model.is_some())
            .filter_map(|profile| {
                let names = &profile.key.as_ref()?.env;
                let is_any = names.iter().any(|name| is_set(name));
                (!is_any).then(|| format!("{} ({})", profile.name, names[0]))
            })
            .collect();
        if !unset.is_empty() {
            ui.note(&format!("without a key: {}", unset.join(", ")));
        }
    }
}

fn row(model: &str, why: &str) -> Value {
    json!({ "model": model, "why": why })
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
