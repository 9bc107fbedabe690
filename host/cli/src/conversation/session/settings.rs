//! The settings of a session, and the metadata that is needed to resume it.

use super::ConversationFlags;
use crate::config::{Config, ConfiguredPlugin};
use crate::conversation::host::PluginHost;
use crate::conversation::model::SelectedModel;
use crate::exit::ExitError;
use crate::plugin_source::{LoadedSource, PluginArgument};
use crate::terminal::prompt::Person;
use anyhow::Result;
use footlight::session::Settings;
use serde_json::{Map, Value, json};
use std::sync::Arc;

pub(super) fn settings(
    loaded: &PluginHost,
    chosen: &SelectedModel,
    person: &Person,
    flags: &ConversationFlags,
    config: &Config,
) -> Settings {
    let mut settings = Settings::shared(Arc::clone(&chosen.model));
    settings.attended = flags.is_attended(person);
    settings.by = crate::commands::pending::by();
    settings.reply_timeout = flags.wait.flatten();
    let (bounds, limits) = (&mut settings.limits, config.limits);
    bounds.steps = limits.steps.unwrap_or(bounds.steps);
    bounds.calls = limits.calls.unwrap_or(bounds.calls);
    bounds.tokens = limits.tokens.or(bounds.tokens);
    settings.meta = meta(loaded, chosen, config);
    settings
}

/// Returns the metadata that is needed to resume the session. A script of the project is left out:
/// whoever resumes the session has to accept what the script says by then.
fn meta(loaded: &PluginHost, chosen: &SelectedModel, config: &Config) -> Map<String, Value> {
    let plugins = loaded.sources.iter().map(LoadedSource::to_remember);
    let plugins: Vec<String> = plugins.collect();
    let mut meta = Map::from_iter([("plugins".to_owned(), json!(plugins))]);
    if config.script.is_none() || config.model.as_ref() != Some(&chosen.name) {
        meta.insert("model".to_owned(), json!(chosen.name));
    }
    meta
}

/// Returns the plugins and the model of a stored session.
pub(crate) fn remembered(
    meta: &Map<String, Value>,
) -> Result<(Vec<ConfiguredPlugin>, Option<String>)> {
    let plugins = meta.get("plugins").and_then(Value::as_array);
    let plugins = plugins.into_iter().flatten().filter_map(Value::as_str);
    let remembered = |text| {
        let (argument, cause) = PluginArgument::remembered(text);
        ConfiguredPlugin { argument, cause }
    };
    let plugins: Vec<_> = plugins.map(remembered).collect();
    if plugins.is_empty() {
        return Err(ExitError::usage(
            "the session does not record its plugins; it was not started by this command",
        ));
    }
    let model = meta.get("model").and_then(Value::as_str);
    Ok((plugins, model.map(str::to_owned)))
}
