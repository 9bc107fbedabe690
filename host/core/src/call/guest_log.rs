//! What a plugin writes for its author: its log, and what it prints. Bounded, and only kept.

use crate::sandbox::limits::Caps;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The notes of one call.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes(Arc<Mutex<Kept>>);

#[derive(Debug, Default)]
struct Kept {
    lines: Vec<String>,
    left_out: usize,
    printed: Vec<u8>,
    unprinted: usize,
}

impl Notes {
    pub(crate) fn write(&self, level: &str, message: &str) {
        let kept = &mut *self.lock();
        if kept.lines.len() >= Caps::LOG_LINES {
            kept.left_out += 1;
            return;
        }
        let message = cut(message, Caps::LOG_LINE);
        // After the caps: a flood must not reach the embedder's log either.
        tracing::debug!(target: "footlight::plugin", level, message);
        kept.lines.push(format!("{level}: {message}"));
    }

    pub(crate) fn print(&self, bytes: &[u8]) {
        let kept = &mut *self.lock();
        let room = Caps::STDIO
            .saturating_sub(kept.printed.len())
            .min(bytes.len());
        kept.printed.extend_from_slice(&bytes[..room]);
        kept.unprinted += bytes.len() - room;
    }

    /// Everything, with a line on what was left out.
    pub(crate) fn take(&self) -> Vec<String> {
        let kept = std::mem::take(&mut *self.lock());
        let mut lines = kept.lines;
        if kept.left_out > 0 {
            lines.push(format!("{} more messages were left out", kept.left_out));
        }
        lines.extend(
            String::from_utf8_lossy(&kept.printed)
                .lines()
                .map(|line| format!("printed: {line}")),
        );
        if kept.unprinted > 0 {
            lines.push(format!(
                "{} more printed bytes were left out",
                kept.unprinted
            ));
        }
        lines
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// At most so many bytes of a text, cut between characters.
pub(crate) fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_kept_up_to_its_cap_and_counted_beyond() {
        let notes = Notes::default();
        (0..5_000).for_each(|n| notes.write("info", &format!("line {n}")));
        notes.print(&vec![b'x'; 2 * Caps::STDIO]);
        let lines = notes.take();
        assert_eq!(lines.len(), Caps::LOG_LINES + 3);
        assert_eq!(lines[Caps::LOG_LINES], "4000 more messages were left out");
        assert_eq!(
            lines.last().map(String::as_str),
            Some("65536 more printed bytes were left out")
        );
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let notes = Notes::default();
        notes.write("info", &"é".repeat(Caps::LOG_LINE));
        assert_eq!(notes.take()[0].len(), "info: ".len() + Caps::LOG_LINE);
    }
}
