//! The text or the reasoning that a model is writing, as a page draws it: again and again while it grows.
//!
//! A tree is drawn at most ten times a second, and less often where drawing takes longer, so that
//! one long answer keeps no more than a tenth of a processor busy for each client.

use crate::markup::{Markup, Painter};
use footlight_vocabulary::item::{ItemId, Timestamp};
use std::time::{Duration, Instant};

/// The least time between two drawings.
const INTERVAL: Duration = Duration::from_millis(100);

/// How many times as long as it took to draw passes until the next drawing.
const REST: u32 = 10;

/// The most bytes of text that are drawn while it grows. The item that is put in the end has the rest.
const MAX_TEXT: usize = 1 << 20;

/// What a model is writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Written {
    Text,
    /// Reasoning, which took this many milliseconds; none while it goes on.
    Reasoning(Option<u64>),
}

impl Written {
    pub(super) fn reasoning(start: Timestamp, end: Option<Timestamp>) -> Self {
        let millis = end.map(|end| end.millis() - start.millis());
        Self::Reasoning(millis.map(|millis| u64::try_from(millis).unwrap_or(0)))
    }
}

/// The text of one item so far.
#[derive(Debug)]
pub(super) struct OpenText {
    pub(super) item: ItemId,
    text: String,
    written: Written,
    /// Whether there is text that was not drawn yet.
    is_new: bool,
    /// When it is drawn again at the earliest.
    next: Instant,
}

impl OpenText {
    pub(super) fn new(item: ItemId) -> Self {
        Self {
            item,
            text: String::new(),
            written: Written::Text,
            is_new: false,
            next: Instant::now(),
        }
    }

    /// Adds text. The end of reasoning is drawn at once, because text follows.
    pub(super) fn push(&mut self, delta: &str, written: Written) {
        if let Written::Reasoning(Some(_)) = written {
            self.is_new = true;
            self.next = Instant::now();
        }
        self.written = written;
        if self.text.len() + delta.len() <= MAX_TEXT {
            self.text.push_str(delta);
            self.is_new = true;
        }
    }

    /// Returns when the text is to be drawn; none if it has not changed.
    pub(super) fn due(&self) -> Option<Instant> {
        self.is_new.then_some(self.next)
    }

    /// Draws the text if it is time to.
    pub(super) fn draw(&mut self, painter: &Painter, now: Instant) -> Option<Markup> {
        if self.due().is_none_or(|due| due > now) {
            return None;
        }
        let started = Instant::now();
        let markup = match self.written {
            Written::Text => painter.text(&self.text),
            Written::Reasoning(millis) => painter.thought(&self.text, millis),
        };
        self.is_new = false;
        self.next = now + INTERVAL.max(started.elapsed() * REST);
        Some(markup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_drawn_ten_times_a_second_and_its_last_state_always() {
        let painter = Painter::default();
        let mut text = OpenText::new(ItemId::from("itm_1"));
        let start = Instant::now();
        let (mut drawn, mut last) = (0, None);
        for millis in 0..1_000 {
            text.push("word ", Written::Text);
            if let Some(markup) = text.draw(&painter, start + Duration::from_millis(millis)) {
                (drawn, last) = (drawn + 1, Some(markup));
            }
        }
        assert!((1..=10).contains(&drawn), "{drawn}");
        assert_ne!(last, Some(painter.text(&text.text)));
        let due = text.due().expect("there is more");
        assert_eq!(text.draw(&painter, due), Some(painter.text(&text.text)));
        assert_eq!(text.due(), None);
    }

    #[test]
    fn the_end_of_reasoning_is_drawn_at_once() {
        let painter = Painter::default();
        let mut text = OpenText::new(ItemId::from("itm_1"));
        text.push("Hm", Written::Reasoning(None));
        let first = text.draw(&painter, Instant::now());
        assert_eq!(first, Some(painter.thought("Hm", None)));
        text.push(", yes", Written::Reasoning(None));
        assert_eq!(text.draw(&painter, Instant::now()), None, "too soon");
        text.push("", Written::Reasoning(Some(12_000)));
        let last = text.draw(&painter, Instant::now());
        assert_eq!(last, Some(painter.thought("Hm, yes", Some(12_000))));
    }

    #[test]
    fn text_beyond_the_limit_is_not_kept() {
        let mut text = OpenText::new(ItemId::from("itm_1"));
        for _ in 0..100 {
            text.push(&"x".repeat(64 << 10), Written::Text);
        }
        assert!(text.text.len() <= MAX_TEXT);
    }
}
