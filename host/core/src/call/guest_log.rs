//! The log of a guest: its log messages and what it prints. Both are bounded, and kept for the
//! plugin's author.
//!
//! Invariant: nothing is kept that a guest wrote after it was told a secret. A panic message, for
//! example, quotes the guest's memory.

use crate::sandbox::limits::Caps;
use crate::sync::lock;
use footlight_vocabulary::escape::cut;
use std::sync::{Arc, Mutex};

/// The log of one call.
#[derive(Debug, Clone, Default)]
pub(crate) struct GuestLog(Arc<Mutex<LogBuffer>>);

#[derive(Debug, Default)]
struct LogBuffer {
    lines: Vec<String>,
    dropped_lines: usize,
    printed: Vec<u8>,
    dropped_bytes: usize,
    /// Whether the guest was told a secret.
    sealed: bool,
}

impl GuestLog {
    pub(crate) fn write(&self, level: &str, message: &str) {
        let buffer = &mut *lock(&self.0);
        if buffer.sealed {
            return;
        }
        if buffer.lines.len() >= Caps::LOG_LINES {
            buffer.dropped_lines += 1;
            return;
        }
        let message = cut(message, Caps::LOG_LINE);
        // After the cap, so that a flood does not reach the embedder's log either.
        tracing::debug!(target: "footlight::plugin", level, message);
        buffer.lines.push(format!("{level}: {message}"));
    }

    pub(crate) fn print(&self, bytes: &[u8]) {
        let buffer = &mut *lock(&self.0);
        if buffer.sealed {
            return;
        }
        let room = Caps::STDIO
            .saturating_sub(buffer.printed.len())
            .min(bytes.len());
        buffer.printed.extend_from_slice(&bytes[..room]);
        buffer.dropped_bytes += bytes.len() - room;
    }

    /// Keeps nothing from now on: the guest is about to get a secret.
    pub(crate) fn seal(&self) {
        lock(&self.0).sealed = true;
    }

    pub(crate) fn is_sealed(&self) -> bool {
        lock(&self.0).sealed
    }

    /// Takes all lines, and a line on how many were left out.
    pub(crate) fn take(&self) -> Vec<String> {
        let buffer = std::mem::take(&mut *lock(&self.0));
        let mut lines = buffer.lines;
        if buffer.dropped_lines > 0 {
            lines.push(format!(
                "{} more messages were left out",
                buffer.dropped_lines
            ));
        }
        lines.extend(
            String::from_utf8_lossy(&buffer.printed)
                .lines()
                .map(|line| format!("printed: {line}")),
        );
        if buffer.dropped_bytes > 0 {
            lines.push(format!(
                "{} more printed bytes were left out",
                buffer.dropped_bytes
            ));
        }
        if buffer.sealed {
            lines.push("the rest is left out, because the call was told a secret".to_owned());
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_kept_up_to_its_cap_and_counted_beyond() {
        let guest_log = GuestLog::default();
        (0..5_000).for_each(|n| guest_log.write("info", &format!("line {n}")));
        guest_log.print(&vec![b'x'; 2 * Caps::STDIO]);
        let lines = guest_log.take();
        assert_eq!(lines.len(), Caps::LOG_LINES + 3);
        assert_eq!(lines[Caps::LOG_LINES], "4000 more messages were left out");
        assert_eq!(
            lines.last().map(String::as_str),
            Some("65536 more printed bytes were left out")
        );
    }

    #[test]
    fn nothing_is_kept_after_a_secret_was_told() {
        let guest_log = GuestLog::default();
        guest_log.write("info", "before");
        guest_log.seal();
        guest_log.write("info", "hunter2");
        guest_log.print(b"panicked at hunter2");
        let lines = guest_log.take();
        let left_out = "the rest is left out, because the call was told a secret";
        assert_eq!(lines, ["info: before", left_out]);
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let guest_log = GuestLog::default();
        guest_log.write("info", &"é".repeat(Caps::LOG_LINE));
        assert_eq!(guest_log.take()[0].len(), "info: ".len() + Caps::LOG_LINE);
    }
}
