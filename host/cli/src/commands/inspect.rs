//! `footlight inspect`: shows the powers, tools, imports and digest of a plugin.
//!
//! [`Inspection::read`] only parses the bytes. Tools are listed by running the plugin in a sandbox without
//! any powers, unless `--static` is given.

use crate::conversation::host::{self, PluginHost};
use crate::data::{self, Data, display_path};
use crate::exit::Exit;
use crate::input_schema::SchemaNode;
use crate::plugin_source::{self, BuildCause, PluginArgument, format_size};
use crate::secrets::{SecretsFile, SecretsStore, StoredSecret};
use crate::terminal::ui::{Emphasis, Ui};
use anyhow::{Context, Result, bail};
use clap::Args;
use footlight::{Digest, InvalidPluginError, bounded_file};
use footlight_render::filter;
use footlight_vocabulary::manifest::Manifest;
use footlight_vocabulary::widget::WidgetType;
use serde::Serialize;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Show the powers, tools, imports and digest of a plugin.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight inspect weather.wasm             powers, tools, imports, size, digest
  footlight inspect stranger.wasm --static   without the tools: run nothing
  footlight inspect plugins/weather --json | jq .tools[].inputSchema

A folder is only built if you agree, or with --yes: building runs native code. What belongs to another
host, such as Extism or Spin, is named with its imports and exports.")]
pub(crate) struct Inspect {
    /// An installed plugin, a component file, or a crate folder to build
    plugin: PathBuf,
    /// Do not run the plugin; leaves out the tools, which only the plugin can list
    #[arg(long = "static")]
    is_static: bool,
}

/// Everything that is known about a plugin.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Inspection {
    #[serde(serialize_with = "data::serialize_path")]
    pub(crate) path: PathBuf,
    /// The size in bytes.
    pub(crate) size: u64,
    /// `sha256:` and 64 digits.
    pub(crate) digest: String,
    /// Why it is no plugin for this host, such as a component for another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_a_plugin: Option<String>,
    /// The embedded manifest; a plugin without one has no powers.
    pub(crate) manifest: Option<Manifest>,
    /// The powers that the manifest asks for.
    pub(crate) powers: Vec<String>,
    /// The secrets that the manifest declares.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) secrets: Vec<InspectedSecret>,
    /// The tools, unless the plugin was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tools: Option<Vec<InspectedTool>>,
    /// The plugin's instructions for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instructions: Option<String>,
    /// How many bytes of instructions and tools the model is sent with every step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes_per_step: Option<usize>,
    /// The declared widget types, unless the plugin was not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) widgets: Option<Vec<WidgetType>>,
    pub(crate) imports: Vec<String>,
    pub(crate) exports: Vec<String>,
}

/// A secret that a plugin asks for, and where its value is kept.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InspectedSecret {
    pub(crate) name: String,
    /// Where the value is kept; none if there is no value.
    pub(crate) store: Option<SecretsStore>,
}

/// A tool as the plugin describes it.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InspectedTool {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) input_schema: Value,
    /// The traits as a JSON object.
    pub(crate) traits: Value,
}

impl Inspect {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        let argument = PluginArgument::typed(&self.plugin);
        let source = plugin_source::resolve(&argument, BuildCause::Inspected, data, ui)?;
        let mut inspection = match &source.installed {
            Some(bytes) => Inspection::of(&source.component, bytes)?,
            None => Inspection::read(&source.component)?,
        };
        inspection.find_secrets(data)?;
        let not_a_plugin = inspection.not_a_plugin.clone();
        if !self.is_static && not_a_plugin.is_none() {
            let plugin = PluginHost::bare(data)?.load_source(&source, ui)?;
            inspection.tools = Some(host::tools(&plugin));
            inspection.instructions = plugin.instructions().map(str::to_owned);
            inspection.bytes_per_step = Some(plugin.bytes_per_step());
            inspection.widgets = Some(plugin.widgets().to_vec());
        }
        match ui.json {
            true => ui.print_json(&inspection)?,
            false => ui.print(&inspection.text(ui))?,
        }
        match not_a_plugin {
            Some(why) => bail!("`{}`: {why}", display_path(&source.component)),
            None => Ok(Exit::Done),
        }
    }
}

impl Inspection {
    /// Parses a component without running it.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let named = || format!("`{}`", display_path(path));
        let bytes = bounded_file::read(path, footlight::MAX_BYTES);
        let bytes = bytes.with_context(|| format!("cannot read {}", named()))?;
        Self::of(path, &bytes)
    }

    /// Parses the bytes of a component.
    fn of(path: &Path, bytes: &[u8]) -> Result<Self> {
        let named = || format!("`{}`", display_path(path));
        let survey = footlight::survey(bytes).with_context(named)?;
        let powers = survey.manifest.as_ref().map(Manifest::powers);
        // Without any export it may be the beginning of a plugin.
        let not_a_plugin = survey.check_contract().err();
        let not_a_plugin = not_a_plugin.filter(|why| *why != InvalidPluginError::NoTools);
        Ok(Self {
            path: path.to_owned(),
            size: bytes.len() as u64,
            digest: format!("sha256:{}", Digest::of(bytes)),
            not_a_plugin: not_a_plugin.map(|why| why.to_string()),
            powers: powers.unwrap_or_default(),
            manifest: survey.manifest,
            secrets: Vec::new(),
            tools: None,
            instructions: None,
            bytes_per_step: None,
            widgets: None,
            imports: survey.imports,
            exports: survey.exports,
        })
    }

    /// Finds out which declared secrets have a value.
    fn find_secrets(&mut self, data: &Data) -> Result<()> {
        let Some(manifest) = self.manifest.as_ref().filter(|m| !m.secrets.is_empty()) else {
            return Ok(());
        };
        let file = SecretsFile::peek(data)?;
        let mut names: Vec<&str> = manifest.secrets.iter().map(|s| s.name.as_str()).collect();
        names.dedup();
        let secret = |name: &str| InspectedSecret {
            name: name.to_owned(),
            store: (file.as_ref())
                .and_then(|file| file.find(&manifest.id, name))
                .map(StoredSecret::store),
        };
        self.secrets = names.into_iter().map(secret).collect();
        Ok(())
    }

    /// Formats the inspection for a terminal.
    pub(crate) fn text(&self, ui: &Ui) -> String {
        let head = |text: &str| ui.styled_out(Emphasis::Bold, text);
        let mut out = String::new();
        let mut say = |line: &str| {
            out.push_str(line.trim_end());
            out.push('\n');
        };
        match &self.manifest {
            Some(manifest) => {
                say(&head(&format!("{} {}", manifest.id, manifest.version)));
                say(&filter::line(&manifest.description, 300));
                let more = [&manifest.homepage, &manifest.license];
                for more in more.into_iter().flatten() {
                    say(&filter::line(more, 300));
                }
            }
            None if self.not_a_plugin.is_some() => say(&head("no plugin for Footlight")),
            None => say(&head("a plugin without a manifest")),
        }
        say("");
        if self.not_a_plugin.is_some() {
            say(&head("Exports"));
            for export in &self.exports {
                say(&format!("  {}", filter::line(export, 200)));
            }
        } else if self.powers.is_empty() {
            say("It asks for no powers: it can only compute, show output and ask questions.");
        } else {
            say(&head("With your approval it may"));
            for power in &self.powers {
                say(&format!("  {}", filter::line(power, 400)));
            }
        }
        if let Some(manifest) = &self.manifest {
            for InspectedSecret { name, store } in &self.secrets {
                let id = &manifest.id;
                say(&match store {
                    Some(store) => {
                        let store = store.as_str();
                        format!("Your secret `{name}` has a value, in the {store}.")
                    }
                    None => format!(
                        "Your secret `{name}` has no value; set it with: footlight secrets set {id} {name}"
                    ),
                });
            }
        }
        if let Some(manifest) = &self.manifest {
            say(&format!("A call may use {}.", limits(manifest)));
        }
        if let Some(tools) = &self.tools {
            say("");
            say(&head(if tools.len() == 1 { "Tool" } else { "Tools" }));
            for tool in tools {
                tool.say(ui, &mut say);
            }
        }
        if let Some(instructions) = &self.instructions {
            say("");
            say(&head("Instructions for the model"));
            for line in filter::clean(instructions).lines() {
                say(&format!("  {line}"));
            }
        }
        if let Some(bytes) = self.bytes_per_step {
            let size = format_size(bytes as u64);
            say("");
            say(&format!(
                "Every step sends {size} of instructions and tools to the model."
            ));
        }
        say("");
        say(&head("Imports"));
        for import in &self.imports {
            say(&format!("  {}", filter::line(import, 200)));
        }
        say("");
        let (size, path) = (format_size(self.size), self.path.to_string_lossy());
        say(&format!(
            "{size}  {}  {}",
            self.digest,
            filter::clean(&path)
        ));
        out
    }
}

impl InspectedTool {
    fn say(&self, ui: &Ui, say: &mut dyn FnMut(&str)) {
        let name = ui.styled_out(Emphasis::Green, &filter::line(&self.name, 60));
        let description = filter::line(&self.description, 400);
        say(&format!("  {name}: {description}"));
        let lines = SchemaNode::new(&self.input_schema).lines();
        let widths = lines.iter().map(|(name, _)| name.chars().count());
        let width = widths.max().unwrap_or(0);
        for (name, words) in &lines {
            say(&format!("    {name:width$}  {words}"));
        }
        let traits = traits(&self.traits);
        if !traits.is_empty() {
            let traits = ui.styled_out(Emphasis::Dim, &format!("({traits})"));
            say(&format!("    {traits}"));
        }
    }
}

/// Describes the traits. They are claims of the plugin, not facts.
fn traits(traits: &Value) -> String {
    let known = [
        ("readOnly", "read-only"),
        ("destructive", "destructive"),
        ("idempotent", "idempotent"),
        ("openWorld", "reaches other systems"),
        ("asks", "may ask questions"),
    ];
    let set = known.iter().filter(|(name, _)| traits[*name] == true);
    let mut words: Vec<&str> = set.map(|(_, words)| *words).collect();
    match traits["approval"].as_str() {
        Some("always") => words.push("needs approval every time"),
        Some("assess") => words.push("may need approval"),
        _ => {}
    }
    if traits["requests"].is_array() {
        words.push("requests approval itself");
    }
    let audience = traits["audience"].as_array();
    if audience.is_some_and(|audience| audience.iter().all(|who| who == "user")) {
        words.push("for widgets only");
    }
    words.join(", ")
}

fn limits(manifest: &Manifest) -> String {
    let limits = &manifest.limits;
    let mib = |bytes: u64| match bytes {
        0..1_048_576 => format!("{} KiB", bytes / 1024),
        _ => format!("{} MiB", bytes / 1_048_576),
    };
    format!(
        "{} of memory, {:?} of CPU time, {:?} in total, {} of output",
        mib(limits.memory),
        limits.active_time,
        limits.wall_time,
        mib(limits.output)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugin_source::component::with_manifest;
    use serde_json::json;
    use std::fs;

    const MANIFEST: &str = r#"
[plugin]
id = "weather"
version = "0.1.0"
api = "0.1"
description = "Forecasts"
[[net]]
host = "api.open-meteo.com"
"#;

    fn inspection(manifest: Option<&str>) -> Inspection {
        let mut bytes = wasm_encoder::Component::new().finish();
        if let Some(manifest) = manifest {
            (bytes, _) = with_manifest(&bytes, manifest).expect("packs");
        }
        let file = tempfile::NamedTempFile::new().expect("a file for the test");
        fs::write(file.path(), bytes).expect("is written");
        let mut inspection = Inspection::read(file.path()).expect("is a component");
        inspection.path = "weather.wasm".into();
        inspection
    }

    #[test]
    fn powers_tools_and_size_are_described() {
        let mut inspection = inspection(Some(MANIFEST));
        inspection
            .imports
            .push("wasi:io/poll@0.2.0\u{1b}[2J".into());
        inspection.tools = Some(vec![InspectedTool {
            name: "forecast".into(),
            description: "Shows the forecast.\u{202e}".into(),
            input_schema: json!({ "properties": { "city": { "type": "string" }, "d": { "type": "integer" } }, "required": ["city"] }),
            traits: json!({ "readOnly": true, "asks": true, "audience": ["model"] }),
        }]);
        inspection.instructions = Some("Ask first.\u{1b}[2J\nThen look.".into());
        inspection.bytes_per_step = Some(2_300);
        let digest = inspection.digest.clone();
        assert!(
            digest.len() == 71 && digest.starts_with("sha256:"),
            "{digest}"
        );
        assert_eq!(
            inspection.text(&Ui::silent()),
            format!(
                "weather 0.1.0
Forecasts

With your approval it may
  reach api.open-meteo.com (GET)
A call may use 64 MiB of memory, 10s of CPU time, 120s in total, 16 MiB of output.

Tool
  forecast: Shows the forecast.
    city  text, required
    d     whole number
    (read-only, may ask questions)

Instructions for the model
  Ask first.
  Then look.

Every step sends 2.3 KB of instructions and tools to the model.

Imports
  wasi:io/poll@0.2.0

{} bytes  {digest}  weather.wasm
",
                inspection.size
            )
        );
    }

    #[test]
    fn plugin_without_a_manifest_has_no_powers() {
        let inspection = inspection(None);
        let text = inspection.text(&Ui::silent());
        assert!(
            text.starts_with("a plugin without a manifest\n\nIt asks for no powers"),
            "{text}"
        );
        let json = serde_json::to_value(&inspection).expect("serialises");
        assert_eq!(json["manifest"], Value::Null);
        assert_eq!(json.get("tools"), None);
    }
}
