//! `footlight sessions export`: writes a session to a single file without scripts.
//!
//! Small text and raster images are embedded. Other outputs are left out, with a note for each.

use crate::commands::outputs;
use crate::conversation::host::now;
use crate::conversation::transcript::{Format, TurnTranscript, document};
use crate::conversation::views::ViewBuilder;
use crate::data::{self, OpenStore};
use crate::plugin_source::format_size;
use crate::terminal::ui::Ui;
use anyhow::Result;
use footlight::store::{OutputRow, Snapshot};
use footlight_render::filter;
use footlight_vocabulary::item::{CallResult, Content, Item, Tool};
use footlight_vocabulary::kinds::Image;
use footlight_vocabulary::result::SemanticResult;
use serde_json::{Value, json};
use std::path::Path;

/// The maximum size of an embedded text, in bytes.
const MAX_TEXT: u64 = 64 << 10;
/// The maximum size of an embedded image, in bytes.
const MAX_IMAGE: u64 = 512 << 10;

/// Writes a session to a file, or to stdout.
pub(crate) fn export(
    opened: &OpenStore,
    mut snapshot: Snapshot,
    format: Format,
    to: Option<&Path>,
    overwrites: bool,
    ui: &Ui,
) -> Result<()> {
    let rows = opened.wait(opened.store.outputs(Some(&snapshot.session.id), now()))?;
    for item in std::mem::take(&mut snapshot.items) {
        let mut embedded_item = None;
        if let Content::Output(output) = &item.content {
            let row = rows.iter().find(|row| row.id == item.id);
            let (content, why) = embedded(opened, row)?;
            let title = filter::line(&output.title, 80);
            ui.note(&format!("{} {title}: {why}", item.id));
            embedded_item = content.map(|content| content_item(&item, content));
        }
        snapshot.items.push(item);
        snapshot.items.extend(embedded_item);
    }
    let turns = TurnTranscript::all(&snapshot, now());
    let (id, title) = (snapshot.session.id.as_str(), &snapshot.session.title);
    let title = if title.is_empty() { id } else { title };
    let text = document(&turns, &mut ViewBuilder::default(), format, title, Some(id));
    match to {
        None if ui.json => ui.print_json(&json!({ "id": id, "document": text }))?,
        None => ui.print(&text)?,
        Some(path) => {
            data::write(path, text.as_bytes(), overwrites)?;
            data::say_written(path, text.len() as u64, ui)?;
        }
    }
    Ok(())
}

/// Returns the content of an output as a result to draw, and a note about it.
fn embedded(opened: &OpenStore, row: Option<&OutputRow>) -> Result<(Option<Value>, String)> {
    let Some(row) = row else {
        return Ok((None, "left out: expired".to_owned()));
    };
    let mime = row.mime_type.as_str();
    let essence = mime.split(';').next().unwrap_or_default().trim();
    let is_picture = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&essence);
    let is_text = essence.starts_with("text/") || essence == "application/json";
    let length = format_size(row.size);
    let left_out = |why: &str| {
        let mime = filter::line(mime, 60);
        Ok((None, format!("left out: {why} ({mime}, {length})")))
    };
    match (is_picture, is_text) {
        (true, _) if row.size > MAX_IMAGE => return left_out("too large"),
        (_, true) if row.size > MAX_TEXT => return left_out("too large"),
        (false, false) => return left_out("neither text nor a raster image"),
        _ => {}
    }
    let bytes = outputs::read(opened, row)?;
    let content = match (is_picture, String::from_utf8(bytes)) {
        (false, Ok(text)) => json!({ "kind": "text", "data": { "content": text },
                                     "display": { "preferredView": "code" } }),
        (false, Err(_)) => return left_out("not valid text"),
        (true, read) => {
            let bytes = read.map_or_else(|error| error.into_bytes(), String::into_bytes);
            let picture = Image::bytes(&bytes, essence, row.title.as_str());
            serde_json::to_value(SemanticResult::of(picture)?)?
        }
    };
    Ok((Some(content), format!("embedded ({length})")))
}

/// Makes an item that shows the content of an output as the result of a call.
fn content_item(output: &Item, content: Value) -> Item {
    let mut item = output.clone();
    item.content = Content::Tool(Tool {
        function: format!("output.{}", output.id),
        input: Value::Null,
        result: CallResult::Success { output: content },
        verdict: None,
        verdicts: Vec::new(),
        powers: Vec::new(),
        model_id: None,
        extra: serde_json::Map::new(),
    });
    item.end = None;
    item
}
