//! Sessions as documents: what `GET /api/sessions/{id}/export` and the command line write.
//!
//! Small text and raster images are embedded. Other outputs are left out.

use footlight::store::{OutputRow, Snapshot, Store, StoreError, TurnRow};
use footlight_render::transcript::{TurnTranscript, mark_expired};
use footlight_vocabulary::event::Origin;
use footlight_vocabulary::item::{CallResult, Content, Item, ItemId, Timestamp, Tool};
use footlight_vocabulary::kinds::Image;
use footlight_vocabulary::result::SemanticResult;
use serde_json::{Map, Value, json};

/// The most bytes of a text, of an image, and of everything that is embedded.
const MAX_TEXT: u64 = 64 << 10;
const MAX_IMAGE: u64 = 512 << 10;
const MAX_TOTAL: u64 = 32 << 20;

/// How many bytes of an output are read at once.
const CHUNK: usize = 256 << 10;

/// What became of an output in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedding {
    /// The item.
    pub item: ItemId,
    /// The title, in the plugin's words.
    pub title: String,
    /// The media type and the size; none if the output has expired.
    pub content: Option<(String, u64)>,
    /// Why the content is left out; none if it is embedded.
    pub left_out: Option<&'static str>,
}

/// Returns the turns of a session, as they are now.
#[must_use]
pub fn turns(snapshot: &Snapshot, now: Timestamp) -> Vec<TurnTranscript> {
    let turn = |turn: &TurnRow| {
        let items = snapshot.items.iter();
        let own = items.filter(|item| item.position.turn == turn.n);
        let mut items: Vec<Item> = own.cloned().collect();
        mark_expired(&mut items, now);
        let mut steps = snapshot.steps.iter().filter(|step| step.turn == turn.n);
        TurnTranscript {
            prompt: Some(turn.prompt.clone()),
            is_press: turn.origin == Origin::Action,
            items,
            results_last: turn.origin == Origin::Action && !turn.asks_model
                || steps.all(|step| step.model == footlight_offline::NAME),
            status: turn.status.clone(),
        }
    };
    let kept = snapshot.turns.iter().filter(|turn| !turn.retracted);
    kept.map(turn).collect()
}

/// Adds the content of small outputs to a snapshot, each as an item after its output.
///
/// # Errors
/// When the store fails.
pub async fn embed(
    store: &dyn Store,
    snapshot: &mut Snapshot,
    now: Timestamp,
) -> Result<Vec<Embedding>, StoreError> {
    let rows = store.outputs(Some(&snapshot.session.id), now).await?;
    let (mut embeddings, mut room) = (Vec::new(), MAX_TOTAL);
    for item in std::mem::take(&mut snapshot.items) {
        let mut embedded = None;
        if let Content::Output(output) = &item.content {
            let row = rows.iter().find(|row| row.id == item.id);
            let content = match row {
                Some(row) => content(store, row, &mut room, now).await?,
                None => Err("expired"),
            };
            embeddings.push(Embedding {
                item: item.id.clone(),
                title: output.title.clone(),
                content: row.map(|row| (row.mime_type.clone(), row.size)),
                left_out: content.as_ref().err().copied(),
            });
            embedded = content.ok().map(|content| content_item(&item, content));
        }
        snapshot.items.push(item);
        snapshot.items.extend(embedded);
    }
    Ok(embeddings)
}

/// Returns the content of an output as a result to draw, or why it is left out.
async fn content(
    store: &dyn Store,
    row: &OutputRow,
    room: &mut u64,
    now: Timestamp,
) -> Result<Result<Value, &'static str>, StoreError> {
    let essence = row.mime_type.split(';').next().unwrap_or_default().trim();
    let is_picture = ["image/png", "image/jpeg", "image/gif", "image/webp"].contains(&essence);
    let is_text = essence.starts_with("text/") || essence == "application/json";
    match (is_picture, is_text) {
        (true, _) if row.size > MAX_IMAGE => return Ok(Err("too large")),
        (_, true) if row.size > MAX_TEXT => return Ok(Err("too large")),
        (false, false) => return Ok(Err("neither text nor a raster image")),
        _ if row.size > *room => return Ok(Err("the document is too large")),
        _ => {}
    }
    let mut bytes = Vec::new();
    while (bytes.len() as u64) < row.size {
        let offset = bytes.len() as u64;
        let part = store.read_output(&row.session, &row.id, offset, CHUNK, now);
        match part.await? {
            Some(part) if !part.is_empty() => bytes.extend(part),
            _ => return Ok(Err("expired")),
        }
    }
    *room -= row.size;
    let content = match (is_picture, String::from_utf8(bytes)) {
        (false, Ok(text)) => Some(json!({
            "kind": "text", "data": { "content": text }, "display": { "preferredView": "code" },
        })),
        (false, Err(_)) => None,
        (true, read) => {
            let bytes = read.map_or_else(|error| error.into_bytes(), String::into_bytes);
            let picture = Image::bytes(&bytes, essence, row.title.as_str());
            let picture = SemanticResult::of(picture).and_then(serde_json::to_value);
            picture.ok()
        }
    };
    Ok(content.ok_or("not valid text"))
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
        extra: Map::new(),
    });
    item.end = None;
    item
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight::store::SessionRow;
    use footlight_vocabulary::event::Status;

    #[test]
    fn a_turn_that_was_retracted_is_not_written() {
        let start = Timestamp::from_millis(0);
        let mut snapshot = Snapshot::new(SessionRow::new("ses_1".into(), start));
        for (n, retracted) in [(1, false), (2, true), (3, false)] {
            let id = format!("turn_{n}").as_str().into();
            let mut turn = TurnRow::new(n, id, format!("prompt {n}"), Origin::Person, start);
            turn.retracted = retracted;
            turn.status = Some(Status::Done);
            snapshot.turns.push(turn);
        }
        let prompts: Vec<_> = turns(&snapshot, start)
            .into_iter()
            .filter_map(|turn| turn.prompt)
            .collect();
        assert_eq!(prompts, ["prompt 1", "prompt 3"]);
    }
}
