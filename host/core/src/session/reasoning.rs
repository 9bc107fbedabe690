//! The reasoning of one step: streamed while it is written, kept with the step.
//!
//! Invariant: at most [`MAX_BYTES`] of a step's reasoning are streamed and kept, and the item says how
//! many bytes are missing. No model is sent an item, so reasoning never becomes part of a request; what
//! a provider wants back of it travels in [`ModelPart::Opaque`](crate::model::ModelPart::Opaque).

use super::driver::new_item;
use super::mint;
use crate::call::stage::now;
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::item::{Content, Item, ItemId, Position, Reasoning, Timestamp};
use serde_json::Map;

/// How many bytes of a step's reasoning are kept.
const MAX_BYTES: usize = 64 << 10;

/// Reasoning of a step that has begun.
#[derive(Debug)]
pub(super) struct StepReasoning {
    id: ItemId,
    text: String,
    omitted_bytes: u64,
    start: Timestamp,
    /// When the model did something else; none while it reasons.
    end: Option<Timestamp>,
}

impl StepReasoning {
    pub(super) fn begin() -> Self {
        Self {
            id: ItemId::from(mint("rsn")),
            text: String::new(),
            omitted_bytes: 0,
            start: now(),
            end: None,
        }
    }

    /// Adds a piece, and returns the event that tells followers of it; none if nothing of it is kept.
    pub(super) fn push(&mut self, piece: &str) -> Option<EventBody> {
        self.end = None;
        // Once a piece was shortened, the text has to end there.
        let room = match self.omitted_bytes {
            0 => MAX_BYTES - self.text.len(),
            _ => 0,
        };
        let kept = &piece[..piece.floor_char_boundary(room)];
        self.omitted_bytes += (piece.len() - kept.len()) as u64;
        self.text.push_str(kept);
        (!kept.is_empty()).then(|| self.delta(kept))
    }

    /// Ends the reasoning, because the model does something else. Returns the event that says so; none if
    /// it had ended.
    pub(super) fn end(&mut self) -> Option<EventBody> {
        if self.end.is_some() {
            return None;
        }
        self.end = Some(now());
        Some(self.delta(""))
    }

    fn delta(&self, piece: &str) -> EventBody {
        EventBody::ReasoningDelta {
            item: self.id.clone(),
            rev: 0,
            delta: piece.to_owned(),
            start: self.start,
            end: self.end,
        }
    }

    /// Returns the item of the record.
    pub(super) fn into_item(self, position: Position) -> Item {
        let reasoning = Reasoning {
            text: self.text,
            omitted_bytes: self.omitted_bytes,
            extra: Map::new(),
        };
        let mut item = new_item(
            self.id.as_str().to_owned(),
            Content::Reasoning(reasoning),
            position,
        );
        // The streamed text was revision 0.
        item.rev = 1;
        item.start = self.start;
        item.end = self.end.or_else(|| Some(now()));
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(pieces: &[&str]) -> (String, u64, usize) {
        let mut reasoning = StepReasoning::begin();
        let streamed = pieces.iter().filter_map(|piece| reasoning.push(piece));
        let streamed = streamed.map(|event| match event {
            EventBody::ReasoningDelta { delta, .. } => delta.len(),
            other => panic!("{other:?}"),
        });
        let streamed = streamed.sum();
        let item = reasoning.into_item(Position::default());
        let Content::Reasoning(kept) = item.content else {
            panic!("it is reasoning");
        };
        (kept.text, kept.omitted_bytes, streamed)
    }

    #[test]
    fn what_exceeds_the_limit_is_counted_to_the_byte() {
        let long = "x".repeat(MAX_BYTES - 1);
        // The second piece fits in half only, and a character is not cut.
        let (text, omitted, streamed) = kept(&[&long, "\u{e9}", "y"]);
        assert_eq!((text.len(), omitted, streamed), (long.len(), 3, long.len()));
        let (text, omitted, streamed) = kept(&["Hm", ", ", "yes."]);
        assert_eq!((text.as_str(), omitted, streamed), ("Hm, yes.", 0, 8));
    }

    #[test]
    fn reasoning_ends_once_and_can_continue() {
        let mut reasoning = StepReasoning::begin();
        let ends = |event: Option<EventBody>| match event {
            Some(EventBody::ReasoningDelta { end, .. }) => Some(end.is_some()),
            _ => None,
        };
        assert_eq!(ends(reasoning.push("a")), Some(false));
        assert_eq!(ends(reasoning.end()), Some(true));
        assert_eq!(ends(reasoning.end()), None);
        assert_eq!(ends(reasoning.push("b")), Some(false));
        assert_eq!(ends(reasoning.end()), Some(true));
    }
}
