//! Server-sent events, read as they come.
//!
//! [`Sse::push`] takes bytes in pieces of any size and gives the events that are complete. It
//! follows the HTML standard: lines end in CR, LF or both, a first BOM is skipped, comments are
//! skipped, and several `data` lines make one datum.
//!
//! Invariant: nothing grows without bound. Ids and `retry` are read over: a model's stream is
//! never resumed, it is asked for again.

#[cfg(test)]
mod tests;

use std::fmt;

/// How long a line may be.
pub const LINE: usize = 1 << 20;
/// How much data one event may hold.
pub const EVENT: usize = 16 << 20;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its type; `message` where none was given.
    pub name: String,
    /// Its data, lines joined by LF.
    pub data: String,
}

/// Reads events from bytes.
#[derive(Debug, Default)]
pub struct Sse {
    line: Vec<u8>,
    name: String,
    data: String,
    /// Whether a `data` line was seen: an empty one counts.
    has_data: bool,
    /// Whether the byte before was CR, so that an LF belongs to it.
    after_cr: bool,
    /// Whether the first line is behind us: a BOM can only stand before it.
    begun: bool,
}

/// A line or an event was longer than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SseError;

impl fmt::Display for SseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a line or an event of the stream is longer than allowed")
    }
}

impl std::error::Error for SseError {}

impl Sse {
    /// Takes more bytes and gives the events they complete.
    ///
    /// # Errors
    /// When a line or an event is longer than allowed. The stream is of no use then.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, SseError> {
        let mut events = Vec::new();
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.extend(&bytes[..end])?;
            let cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            if cr {
                self.after_cr = bytes.is_empty();
                bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            }
            events.extend(self.line()?);
        }
        self.extend(bytes)?;
        Ok(events)
    }

    fn extend(&mut self, piece: &[u8]) -> Result<(), SseError> {
        if self.line.len() + piece.len() > LINE {
            return Err(SseError);
        }
        self.line.extend_from_slice(piece);
        Ok(())
    }

    /// Reads the line that has just ended.
    fn line(&mut self) -> Result<Option<Event>, SseError> {
        let line = std::mem::take(&mut self.line);
        let mut text = &*String::from_utf8_lossy(&line);
        if !self.begun {
            self.begun = true;
            text = text.strip_prefix('\u{feff}').unwrap_or(text);
        }
        if text.is_empty() {
            return Ok(self.dispatch());
        }
        let (field, value) = text.split_once(':').unwrap_or((text, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.name),
            "data" => {
                if self.data.len() + value.len() + 1 > EVENT {
                    return Err(SseError);
                }
                if self.has_data {
                    self.data.push('\n');
                }
                self.data.push_str(value);
                self.has_data = true;
            }
            // A comment has an empty name; the rest is not for us.
            _ => {}
        }
        Ok(None)
    }

    fn dispatch(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let data = std::mem::take(&mut self.data);
        std::mem::take(&mut self.has_data).then(|| Event {
            name: if name.is_empty() {
                "message".to_owned()
            } else {
                name
            },
            data,
        })
    }
}
