//! `footlight models`: lists the available models.

use crate::config::Config;
use crate::conversation::model::{choose, is_set};
use crate::exit::Exit;
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::Result;
use clap::Args;
use footlight::model::{LocalServer, discover, keyed_models, profiles};
use footlight_render::filter;
use serde_json::json;

/// How many models of one server are listed.
const LISTED: usize = 12;

/// List the available models.
///
/// Looks for API keys in the environment, whose values are never shown, and for model servers on
/// this machine.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight models
  footlight models --json | jq -r .model
  footlight run weather.wasm \"Rain in Oslo?\" --model ollama:qwen3

The default model is `model` in footlight.toml, else the first with a key, else `offline`.")]
pub(crate) struct Models {}

impl Models {
    pub(crate) fn run(&self, ui: &Ui) -> Result<Exit> {
        let config = Config::load_unasked(ui)?;
        let chosen = choose(None, &config).model;
        let runtime = crate::data::runtime()?;
        ui.progress("looking for servers on this machine");
        let servers = runtime.block_on(discover());
        ui.end_partial_line();

        let mut rows = vec![(
            "offline".to_owned(),
            "matches words; no language model, no network".to_owned(),
        )];
        if let Some(model) = config.model.as_ref().filter(|model| *model != "offline") {
            rows.push((model.clone(), "in footlight.toml".to_owned()));
        }
        for key in keyed_models(is_set) {
            rows.push((key.model, format!("the key in {}", key.env)));
        }
        for server in &servers {
            for model in server.models.iter().take(LISTED) {
                let spec = format!("{}:{model}@{}", server.name, server.address);
                rows.push((spec, "on this machine".to_owned()));
            }
        }
        for (model, why) in &rows {
            let is_chosen = *model == chosen;
            if ui.json {
                ui.print_json(&json!({ "model": model, "why": why, "chosen": is_chosen }))?;
            } else {
                let mark = if is_chosen { "*" } else { " " };
                let model = ui.styled_out(Emphasis::Bold, &filter::line(model, 120));
                ui.print_row(&format!("{mark} {model}  {}", filter::line(why, 120)))?;
            }
        }
        if !ui.json {
            self.others(&servers, ui);
        }
        Ok(Exit::Done)
    }

    fn others(&self, servers: &[LocalServer], ui: &Ui) {
        if servers.is_empty() {
            ui.note("no model server on this machine (tried ollama, lmstudio, llama.cpp, vllm)");
        }
        let left = |server: &LocalServer| server.models.len().saturating_sub(LISTED);
        let more: usize = servers.iter().map(left).sum();
        if more > 0 {
            ui.note(&format!("and {more} more on this machine"));
        }
        let mut unset = Vec::new();
        for profile in profiles().iter().filter(|profile| profile.model.is_some()) {
            let variables = profile.key_variables();
            let is_any = variables.iter().any(|name| is_set(name));
            let first = variables.first().filter(|_| !is_any);
            unset.extend(first.map(|first| format!("{} ({first})", profile.name)));
        }
        if !unset.is_empty() {
            ui.note(&format!("without a key: {}", unset.join(", ")));
        }
    }
}
