//! `footlight call`: calls one tool without a model.

pub(crate) mod input;

use crate::case::record::{RecordedCall, Recording};
use crate::commands::call::input::Origin;
use crate::config::Uses;
use crate::conversation::display::{AnswerSource, Display};
use crate::conversation::host::{self, PluginHost};
use crate::conversation::session::OutputFlags;
use crate::conversation::transcript::Format;
use crate::data::{self, Data};
use crate::exit::{Exit, ExitError};
use crate::plugin_source::{self, BuildCause, PluginArgument};
use crate::power::PowerFlags;
use crate::terminal::prompt::{Person, PreparedAnswers};
use crate::terminal::ui::Ui;
use crate::trace::TraceFlags;
use anyhow::Result;
use clap::Args;
use footlight_render::detail::ViewBuilder;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The largest input of a tool that is read from a file or stdin, in bytes.
const MAX_INPUT: usize = 16 << 20;

/// Call one tool of a plugin, without a model.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight call plugins/weather forecast city=Oslo days=3
  footlight call hello.wasm name=Ada                   the tool name is optional if there is only one
  footlight call todo.wasm add '{\"text\":\"Buy milk\"}'
  footlight call todo.wasm add @item.json due=2026-11-20
  footlight call weather.wasm forecast city=Springfield --answer place='Springfield, MA'
  footlight call mail.wasm send to=ada@example.com --allow mail.send --no-input
  footlight call files.wasm list --dir /data=docs:ro
  footlight call . forecast city=Oslo --record cases/oslo.toml    a test of it: `footlight test`
  footlight call . forecast city=Oslo --log=info --trace   what it logs, and its calls to the host

Input, typed by the tool's schema:
  days=3            a number if the schema says so; text if it says nothing
  tags=a tags=b     a list; also tags='[\"a\",\"b\"]'
  place.city=Oslo   a nested member
  days:=3           raw JSON
  {json} @file -    the whole input; later pairs override its members

What the plugin keeps for the person is stored in the data folder; what it keeps for the session
ends with the call.
The result goes to stdout; progress, questions and, when stdout is piped, widgets go to stderr.
With --json, every event is a line; the last one is {\"type\":\"turn_finished\",…,\"output\":[items]}.")]
pub(crate) struct Call {
    /// An installed plugin, a component file, or a crate folder to build
    plugin: PathBuf,
    /// The tool name and its input
    #[arg(value_name = "TOOL | KEY=VALUE | {JSON} | @FILE | -")]
    words: Vec<String>,
    /// Record the call as a case of `footlight test`: a new file, such as cases/oslo.toml
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write the whole call to stdout in this format, not only the result
    #[arg(long, value_name = "FORMAT", value_enum)]
    output: Option<Format>,
    #[command(flatten)]
    script: PreparedAnswers,
    #[command(flatten)]
    powers: PowerFlags,
    #[command(flatten)]
    outputs: OutputFlags,
    #[command(flatten)]
    trace: TraceFlags,
}

impl Call {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        let mut recording = match &self.record {
            Some(file) => Some(Recording::begin(file, &self.powers)?),
            None => None,
        };
        let uses = Uses {
            settings: true,
            ..Uses::default()
        };
        self.powers.check()?;
        let config = self.outputs.config(uses, ui)?;
        let argument = PluginArgument::typed(&self.plugin);
        let source = plugin_source::resolve(&argument, BuildCause::Named, data, ui)?;
        let mut loaded = match &recording {
            Some(recording) => PluginHost::for_recording(&config, data, recording.simulation())?,
            None => PluginHost::new(&config, data)?,
        };
        loaded.watch(self.trace);
        let plugin = loaded.load_source(&source, ui)?;
        let mut script = self.script.for_plugins(&loaded.known_plugins())?;
        script.grant(loaded.grant(&self.powers, ui)?);
        let tools = host::tools(&plugin);
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let (name, words) = input::choose_tool(&names, &self.words)?;
        let schema = tools
            .iter()
            .find(|tool| tool.name == name)
            .map(|tool| &tool.input_schema);
        let input = input::parse_input(words, schema.unwrap_or(&Value::Null), &mut read)?;

        let show = Display::new(ui, AnswerSource::Call, ViewBuilder::default());
        let mut show = show.with_format(self.output);
        let mut person = Person::at(ui, script);
        if let Some(recording) = &mut recording {
            recording.watch(&loaded, &plugin, config.settings.get(plugin.id()))?;
        }
        let called = (name, &input);
        let outcome = loaded.call(&plugin, name, input.clone(), &mut show, &mut person, ui)?;
        let is_unattended = person.was_unavailable();
        let exit = person.check_all_used(show.finish(is_unattended)?, ui)?;
        let (Some(recording), Some(outcome)) = (recording, outcome) else {
            return Ok(exit);
        };
        if is_unattended {
            return Err(ExitError::needs_person(
                "nothing is recorded, because nobody could be asked: answer with --answer and --allow",
            ));
        }
        let of = RecordedCall {
            plugin: &plugin,
            source: &source,
            called,
        };
        match recording.finish(&loaded, &of, &outcome, data, ui)? {
            true => Ok(exit),
            false => Ok(Exit::Error),
        }
    }
}

fn read(origin: Origin<'_>) -> Result<String> {
    match origin {
        Origin::File(path) => data::read_text(Path::new(path), MAX_INPUT),
        Origin::Stdin => data::read_text(Path::new("-"), MAX_INPUT),
    }
}
