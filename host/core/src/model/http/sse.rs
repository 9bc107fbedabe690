//! An incremental parser of server-sent events.
//!
//! It follows the HTML standard: lines end in CR, LF or both, a leading BOM and comments are
//! skipped, and the `data` lines of an event are joined. Ids and `retry` are ignored, because a
//! model's stream is never resumed.
//!
//! Invariant: the size of a line and of an event is limited.

#[cfg(test)]
mod tests;

/// The longest line, in bytes.
pub(super) const LINE: usize = 1 << 20;
/// The largest data of one event, in bytes.
pub(super) const EVENT: usize = 16 << 20;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// The type, `message` by default.
    pub(crate) name: String,
    /// The data, lines joined by LF.
    pub(crate) data: String,
}

/// The parser.
#[derive(Debug, Default)]
pub(crate) struct Sse {
    line: Vec<u8>,
    name: String,
    data: String,
    /// Whether the event has a `data` line, even an empty one.
    has_data: bool,
    /// Whether the last byte was CR: an LF after it ends the same line.
    after_cr: bool,
    /// Whether the first line was read: only it can start with a BOM.
    begun: bool,
}

/// A line or an event was longer than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a line or an event of the stream is longer than allowed")]
pub(crate) struct SseError;

impl Sse {
    /// Takes bytes in pieces of any size and returns the events they complete.
    pub(crate) fn push(&mut self, mut bytes: &[u8]) -> Result<Vec<Event>, SseError> {
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

    /// Parses the line that has just ended.
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
            // A comment has an empty field name.
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
