//! `footlight sessions export`: a conversation as one file that does nothing.
//!
//! Stored content is put into the file where it is small and can be shown as it is: text, and pictures
//! that are pixels. Everything else is left out; which, is said.

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

/// The largest text and the largest picture that go into the file, in bytes.
const TEXT: u64 = 64 << 10;
const PICTURE: u64 = 512 << 10;

/// Writes a session to a file, or to stdout.
pub(crate) fn export(
    opened: &OpenStore,
    snapshot: &Snapshot,
    format: Format,
    to: Option<&Path>,
    overwrites: bool,
    ui: &Ui,
) -> Result<()> {
    let session = &snapshot.session;
    let rows = opened.wait(opened.store.outputs(Some(&session.id), now()))?;
    let mut turns = Vec::new();
    for turn in &snapshot.turns {
        let own = snapshot
            .items
            .iter()
            .filter(|item| item.position.turn == turn.n);
        let mut items = Vec::new();
        for item in own {
            items.push(item.clone());
            if let Content::Output(output) = &item.content {
                let row = rows.iter().find(|row| row.id == item.id);
                let (content, why) = embedded(opened, row)?;
                let title = filter::line(&output.title, 80);
                ui.note(&format!("{} {title}: {why}", item.id));
                items.extend(content.map(|content| stands_in(item, content)));
            }
        }
        turns.push(TurnTranscript {
            prompt: Some(turn.prompt.clone()),
            items,
            status: turn.status.clone(),
        });
    }
    let title = match session.title.is_empty() {
        true => session.id.as_str(),
        false => &session.title,
    };
    let mut builder = ViewBuilder::default();
    let text = document(
        &turns,
        &mut builder,
        format,
        title,
        Some(session.id.as_str()),
    );
    match to {
        None => ui.print(&text)?,
        Some(path) => {
            data::write(path, text.as_bytes(), overwrites)?;
            let length = format_size(text.len() as u64);
            ui.note(&format!("{}  {length}", data::display_path(path)));
        }
    }
    Ok(())
}

/// The content of an output as a result that can be drawn, and what is said of it.
fn embedded(opened: &OpenStore, row: Option<&OutputRow>) -> Result<(Option<Value>, String)> {
    let Some(row) = row else {
        return Ok((None, "left out, it has expired".to_owned()));
    };
    let mime = row.mime_type.as_str();
    let essence = mime.split(';').next().unwrap_or_default().trim();
    let is_picture = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&essence);
    let is_text = essence.starts_with("text/") || essence == "application/json";
    let length = format_size(row.size);
    let left_out = |why: &str| {
        let mime = filter::line(mime, 60);
        Ok((None, format!("left out, {why} ({mime}, {length})")))
    };
    match (is_picture, is_text) {
        (true, _) if row.size > PICTURE => return left_out("it is too large"),
        (_, true) if row.size > TEXT => return left_out("it is too large"),
        (false, false) => return left_out("it is neither text nor a picture of pixels"),
        _ => {}
    }
    let bytes = outputs::read(opened, row)?;
    let content = match (is_picture, String::from_utf8(bytes)) {
        (false, Ok(text)) => json!({ "kind": "text", "data": { "content": text },
                                     "display": { "preferredView": "code" } }),
        (false, Err(_)) => return left_out("it is not the text that it says it is"),
        (true, read) => {
            let bytes = read.map_or_else(|error| error.into_bytes(), String::into_bytes);
            let picture = Image::bytes(&bytes, essence, row.title.as_str());
            serde_json::to_value(SemanticResult::of(picture)?)?
        }
    };
    Ok((Some(content), format!("in the file ({length})")))
}

/// The content of an output, as the result of a call that shows it.
fn stands_in(output: &Item, content: Value) -> Item {
    let mut item = output.clone();
    item.content = Content::Tool(Tool {
        function: format!("output.{}", output.id),
        input: Value::Null,
        result: CallResult::Success { output: content },
        verdict: None,
        verdicts: Vec::new(),
        model_id: None,
        extra: serde_json::Map::new(),
    });
    item.end = None;
    item
}
