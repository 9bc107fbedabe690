//! Assembles `reasoning_details` from their fragments.
//!
//! Each chunk carries an array of them. The texts of one block are joined; everything else is kept
//! byte for byte.

use super::Decoded;
use super::budget::{Budget, room};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

/// The details so far.
#[derive(Debug, Default)]
pub(super) struct Details {
    all: Vec<Box<RawValue>>,
    /// The block that the next text may continue; it is not in `all` yet.
    open: Option<Map<String, Value>>,
}

impl Details {
    pub(super) fn add(&mut self, piece: Box<RawValue>, budget: &mut Budget) -> Decoded {
        budget.spend(piece.get().len())?;
        let texts: Option<Map<String, Value>> = serde_json::from_str(piece.get()).ok();
        let texts = texts.filter(|piece| field(piece).is_some());
        let Some(texts) = texts else {
            self.close();
            room(self.all.len())?;
            self.all.push(piece);
            return Ok(());
        };
        match &mut self.open {
            Some(open) if same(open, &texts) => join(open, texts),
            _ => {
                self.close();
                room(self.all.len())?;
                self.open = Some(texts);
            }
        }
        Ok(())
    }

    fn close(&mut self) {
        let open = self.open.take();
        self.all
            .extend(open.and_then(|open| to_raw_value(&open).ok()));
    }

    pub(super) fn all(&mut self) -> &[Box<RawValue>] {
        self.close();
        &self.all
    }
}

/// Returns the field whose text is split into fragments.
fn field(piece: &Map<String, Value>) -> Option<&'static str> {
    match piece.get("type")?.as_str()? {
        "reasoning.text" => Some("text"),
        "reasoning.summary" => Some("summary"),
        _ => None,
    }
}

fn same(open: &Map<String, Value>, piece: &Map<String, Value>) -> bool {
    open.get("type") == piece.get("type") && open.get("index") == piece.get("index")
}

fn join(open: &mut Map<String, Value>, piece: Map<String, Value>) {
    let growing = field(open);
    for (key, value) in piece {
        match (open.get_mut(&key), value) {
            (_, Value::Null) => {}
            (Some(Value::String(text)), Value::String(more)) if growing == Some(key.as_str()) => {
                text.push_str(&more);
            }
            // The signature comes with the last fragment.
            (_, value) => {
                open.insert(key, value);
            }
        }
    }
}
