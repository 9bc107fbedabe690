//! The log of a guest: its log messages and what it prints. Both are bounded, and kept for the
//! plugin's author. Observers that watch guests are told each line when it is written.
//!
//! Invariant: nothing is kept that a guest wrote after it was told a secret. A panic message, for
//! example, quotes the guest's memory.

use crate::observer::{CallTrace, LogLevel, LogSource};
use crate::sandbox::limits::Caps;
use crate::sync::lock;
use footlight_vocabulary::escape::cut;
use std::sync::{Arc, Mutex};

/// The log of one call.
#[derive(Debug, Clone, Default)]
pub(crate) struct GuestLog {
    buffer: Arc<Mutex<LogBuffer>>,
    trace: Option<Arc<CallTrace>>,
}

#[derive(Debug, Default)]
struct LogBuffer {
    lines: Vec<String>,
    dropped_lines: usize,
    printed: Vec<u8>,
    dropped_bytes: usize,
    /// For observers, what was printed of a line that has not ended: to stdout, and to stderr.
    unfinished: [Vec<u8>; 2],
    /// Whether the guest was told a secret.
    sealed: bool,
}

/// Where a guest prints.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Printed {
    Stdout,
    Stderr,
}

impl Printed {
    const ALL: [Self; 2] = [Self::Stdout, Self::Stderr];

    fn source(self) -> LogSource {
        match self {
            Self::Stdout => LogSource::Stdout,
            Self::Stderr => LogSource::Stderr,
        }
    }
}

impl GuestLog {
    /// Returns a log of which observers are told.
    pub(crate) fn traced(trace: Option<Arc<CallTrace>>) -> Self {
        let buffer = Arc::default();
        Self { buffer, trace }
    }

    /// Returns an empty log for another guest of the same call.
    pub(crate) fn another(&self) -> Self {
        Self::traced(self.trace.clone())
    }

    /// Returns what tells observers about the call, if one watches guests.
    pub(crate) fn trace(&self) -> Option<&Arc<CallTrace>> {
        self.trace.as_ref()
    }

    pub(crate) fn write(&self, level: LogLevel, message: &str) {
        let buffer = &mut *lock(&self.buffer);
        if buffer.sealed {
            return;
        }
        if buffer.lines.len() >= Caps::LOG_LINES {
            buffer.dropped_lines += 1;
            return;
        }
        let message = cut(message, Caps::LOG_LINE);
        // After the cap, so that a flood does not reach the embedder's log either.
        tracing::debug!(target: "footlight::plugin", level = level.as_str(), message);
        buffer.lines.push(format!("{level}: {message}"));
        if let Some(trace) = &self.trace {
            trace.logged(LogSource::Log(level), message);
        }
    }

    pub(crate) fn print(&self, to: Printed, bytes: &[u8]) {
        let buffer = &mut *lock(&self.buffer);
        if buffer.sealed {
            return;
        }
        let room = Caps::STDIO
            .saturating_sub(buffer.printed.len())
            .min(bytes.len());
        let kept = &bytes[..room];
        buffer.printed.extend_from_slice(kept);
        buffer.dropped_bytes += bytes.len() - room;
        let Some(trace) = &self.trace else { return };
        let unfinished = &mut buffer.unfinished[to as usize];
        let mut pieces = kept.split(|byte| *byte == b'\n');
        let last = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            unfinished.extend_from_slice(piece);
            trace_line(trace, to, unfinished);
        }
        unfinished.extend_from_slice(last);
    }

    /// Keeps nothing from now on: the guest is about to get a secret.
    pub(crate) fn seal(&self) {
        let buffer = &mut *lock(&self.buffer);
        self.trace_unfinished(buffer);
        buffer.sealed = true;
        if let Some(trace) = &self.trace {
            trace.seal();
        }
    }

    pub(crate) fn is_sealed(&self) -> bool {
        lock(&self.buffer).sealed
    }

    /// Tells observers the lines that have not ended.
    fn trace_unfinished(&self, buffer: &mut LogBuffer) {
        let Some(trace) = &self.trace else { return };
        for to in Printed::ALL {
            let unfinished = &mut buffer.unfinished[to as usize];
            if !unfinished.is_empty() {
                trace_line(trace, to, unfinished);
            }
        }
    }

    /// Takes all lines, and a line on how many were left out.
    pub(crate) fn take(&self) -> Vec<String> {
        let mut buffer = std::mem::take(&mut *lock(&self.buffer));
        self.trace_unfinished(&mut buffer);
        if let Some(trace) = &self.trace {
            trace.finish(buffer.dropped_lines, buffer.dropped_bytes);
        }
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

/// Tells observers a line and empties it.
fn trace_line(trace: &CallTrace, to: Printed, line: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(line);
    let text = text.strip_suffix('\r').unwrap_or(&text);
    trace.logged(to.source(), cut(text, Caps::LOG_LINE));
    line.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_kept_up_to_its_cap_and_counted_beyond() {
        let guest_log = GuestLog::default();
        (0..5_000).for_each(|n| guest_log.write(LogLevel::Info, &format!("line {n}")));
        guest_log.print(Printed::Stdout, &vec![b'x'; 2 * Caps::STDIO]);
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
        guest_log.write(LogLevel::Info, "before");
        guest_log.seal();
        guest_log.write(LogLevel::Info, "hunter2");
        guest_log.print(Printed::Stderr, b"panicked at hunter2");
        let lines = guest_log.take();
        let left_out = "the rest is left out, because the call was told a secret";
        assert_eq!(lines, ["info: before", left_out]);
    }

    #[test]
    fn a_long_message_is_cut_between_characters() {
        let guest_log = GuestLog::default();
        guest_log.write(LogLevel::Info, &"é".repeat(Caps::LOG_LINE));
        assert_eq!(guest_log.take()[0].len(), "info: ".len() + Caps::LOG_LINE);
    }
}
