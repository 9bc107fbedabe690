//! `footlight sessions export`: writes a session to a single file without scripts.
//!
//! Small text and raster images are embedded. Other outputs are left out, with a note for each.

use crate::conversation::host::now;
use crate::conversation::transcript::Format;
use crate::data::{self, OpenStore};
use crate::plugin_source::format_size;
use crate::terminal::ui::Ui;
use anyhow::Result;
use footlight::store::Snapshot;
use footlight_render::detail::ViewBuilder;
use footlight_render::filter;
use footlight_render::transcript::document;
use footlight_serve::export::{Embedding, embed, turns};
use serde_json::json;
use std::path::Path;

/// Writes a session to a file, or to stdout.
pub(crate) fn export(
    opened: &OpenStore,
    mut snapshot: Snapshot,
    format: Format,
    to: Option<&Path>,
    overwrites: bool,
    ui: &Ui,
) -> Result<()> {
    for embedding in opened.wait(embed(&*opened.store, &mut snapshot, now()))? {
        ui.note(&note(&embedding));
    }
    let turns = turns(&snapshot, now());
    let (id, title) = (snapshot.session.id.as_str(), &snapshot.session.title);
    let title = if title.is_empty() { id } else { title };
    let mut builder = ViewBuilder::default();
    let text = document(&turns, &mut builder, format.into(), title, Some(id));
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

/// Says what became of an output.
fn note(embedding: &Embedding) -> String {
    let (item, title) = (&embedding.item, filter::line(&embedding.title, 80));
    let what = match (&embedding.content, embedding.left_out) {
        (Some((_, size)), None) => format!("embedded ({})", format_size(*size)),
        (Some((mime, size)), Some(why)) => {
            let mime = filter::line(mime, 60);
            format!("left out: {why} ({mime}, {})", format_size(*size))
        }
        (None, why) => format!("left out: {}", why.unwrap_or("expired")),
    };
    format!("{item} {title}: {what}")
}
