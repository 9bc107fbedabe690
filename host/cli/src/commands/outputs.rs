//! `footlight outputs`: lists and shows content that plugins stored for the person.

use crate::conversation::host::now;
use crate::data::{self, Data, OpenStore, resolve_prefix};
use crate::exit::{Exit, ExitError};
use crate::plugin_source::format_size;
use crate::terminal::pager;
use crate::terminal::ui::{Emphasis, OutStream, Ui, draw};
use anyhow::{Context, Result};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use clap::{Args, Subcommand};
use footlight::store::OutputRow;
use footlight_render::detail::{Detail, ViewBuilder};
use footlight_render::filter;
use footlight_vocabulary::result::SemanticResult;
use serde_json::{Value, json};
use std::path::PathBuf;

/// How many bytes are read at a time.
const CHUNK: usize = 1 << 20;

/// List and show stored outputs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  footlight outputs list
  footlight outputs show out_4f1c                  show text at a terminal
  footlight outputs show out_4f1c > chart.png      write the raw bytes
  footlight outputs show out_4f1c --to chart.png
  footlight outputs show out_4f1c --json | jq -r .text")]
pub(crate) struct Outputs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List outputs that have not expired
    List,
    /// Show or save the content of an output
    Show {
        /// The output id, or a prefix of it
        id: String,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
        /// Overwrite an existing file
        #[arg(long, requires = "to")]
        force: bool,
    },
}

impl Outputs {
    pub(crate) fn run(&self, data: &Data, ui: &Ui) -> Result<Exit> {
        let opened = OpenStore::new(data)?;
        let rows = opened.wait(opened.store.outputs(None, now()))?;
        match &self.command {
            Command::List => list(&rows, ui)?,
            Command::Show { id, to, force } => {
                // The message is the same for unknown and expired outputs.
                let none = "there is no output `{}`, or it has expired; `footlight outputs list` shows all";
                let row = resolve_prefix(&rows, |row| row.id.as_str(), id, none)?;
                let bytes = read(&opened, row)?;
                match to {
                    Some(path) => {
                        data::write(path, &bytes, *force)?;
                        data::say_written(path, row.size, ui)?;
                    }
                    None if ui.json => ui.print_json(&with_content(row, &bytes)?)?,
                    None => show(row, &bytes, ui)?,
                }
            }
        }
        Ok(Exit::Done)
    }
}

fn list(rows: &[OutputRow], ui: &Ui) -> Result<()> {
    let none = "no outputs; they expire some time after the call that made them";
    Ok(ui.print_rows(rows, none, |row| {
        let left = time_left((row.expires.millis() - now().millis()).max(0) / 60_000);
        format!(
            "{}  {}  {}  {}  {left} left",
            ui.styled_out(Emphasis::Bold, row.id.as_str()),
            filter::line(&row.title, 80),
            filter::line(&row.mime_type, 60),
            format_size(row.size)
        )
    })?)
}

/// Formats minutes in the largest fitting unit.
fn time_left(minutes: i64) -> String {
    match minutes {
        0..120 => format!("{minutes} min"),
        120..2_880 => format!("{} h", minutes / 60),
        _ => format!("{} days", minutes / 1_440),
    }
}

/// Reads the whole content of an output.
pub(crate) fn read(opened: &OpenStore, row: &OutputRow) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < row.size {
        let offset = bytes.len() as u64;
        let part = opened
            .store
            .read_output(&row.session, &row.id, offset, CHUNK, now());
        match opened.wait(part)? {
            Some(part) if !part.is_empty() => bytes.extend(part),
            _ => return Err(ExitError::usage("the output has just expired")),
        }
    }
    Ok(bytes)
}

fn show(row: &OutputRow, bytes: &[u8], ui: &Ui) -> Result<()> {
    if !ui.stdout_is_terminal() {
        return Ok(ui.bytes(bytes)?);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            let view = ViewBuilder::default().result(&as_result(row, text)?, Detail::Full);
            let drawing = draw(&ui.terminal(OutStream::Stdout), &view);
            Ok(pager::show(ui, &drawing.text)?)
        }
        Err(_) => Err(ExitError::usage(format!(
            "the output is {}, not text; write it to a file with --to FILE",
            filter::line(&row.mime_type, 60)
        ))),
    }
}

/// Returns an output as JSON with its content: as text, or as base64 if it is not text.
fn with_content(row: &OutputRow, bytes: &[u8]) -> Result<Value> {
    let mut value = serde_json::to_value(row)?;
    match std::str::from_utf8(bytes) {
        Ok(text) => value["text"] = text.into(),
        Err(_) => value["base64"] = BASE64_STANDARD.encode(bytes).into(),
    }
    Ok(value)
}

/// Wraps text in a result, by its media type, so that it can be drawn.
fn as_result(row: &OutputRow, text: &str) -> Result<SemanticResult> {
    let essence = row.mime_type.split(';').next().unwrap_or_default().trim();
    let json = match essence {
        "application/json" => serde_json::from_str::<Value>(text).ok(),
        _ => None,
    };
    let result = match (essence, json) {
        (_, Some(value)) => json!({ "kind": "structured", "data": value }),
        ("text/markdown", _) => json!({ "kind": "markdown", "data": { "content": text } }),
        _ => json!({ "kind": "text", "data": { "content": text } }),
    };
    serde_json::from_value(result).context("cannot draw the output")
}
