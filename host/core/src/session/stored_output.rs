//! The built-in tool with which the model reads part of an output on purpose.
//!
//! What is read is text of a plugin: it passes the filter like any result. A session in which a call had
//! a folder or a host is tainted since that call ended, so reading its outputs adds nothing to that.
//!
//! Invariant: only outputs in the record of the same session are read. Any other id is answered like an
//! expired one.

use super::driver::Driver;
use super::scheduler::BuiltinOutcome;
use crate::call::stage::now;
use crate::store::{CallRow, StoreError};
use footlight_vocabulary::escape::cut;
use footlight_vocabulary::item::{Content, ItemId};
use serde_json::Value;
use std::ops::ControlFlow;

/// The most bytes of an output that the model reads at once.
pub(super) const MAX_READ: usize = 64 << 10;

/// The most bytes of a line that was searched for.
const MAX_FOUND_LINE: usize = 1_000;

/// How many bytes of an output are read from the store at a time.
const CHUNK: usize = 1 << 20;

/// What the model is told of an output that is unknown, expired, or of another session.
const EXPIRED: &str = "this output has expired";

/// The part that the model wants.
#[derive(Debug, PartialEq)]
enum Wanted<'a> {
    /// Bytes from an offset.
    Bytes { offset: u64, length: usize },
    /// Lines, counted from 1.
    Lines { from: u64, count: u64 },
    /// The lines from `from` on that contain a text.
    Containing { text: &'a str, from: u64 },
}

impl<'a> Wanted<'a> {
    fn read(input: &'a Value) -> Self {
        let number = |name: &str| input.get(name).and_then(Value::as_u64);
        let from = number("line").unwrap_or(1).max(1);
        if let Some(text) = input.get("find").and_then(Value::as_str) {
            return Self::Containing { text, from };
        }
        if let Some(offset) = number("offset") {
            let length = number("length").and_then(|length| usize::try_from(length).ok());
            let length = length.unwrap_or(MAX_READ).min(MAX_READ);
            return Self::Bytes { offset, length };
        }
        let count = number("lines").unwrap_or(u64::MAX);
        Self::Lines { from, count }
    }
}

impl Driver {
    /// Runs the tool.
    pub(super) async fn read_stored_output(&self, row: CallRow) -> Result<(), StoreError> {
        let id = row.input.get("id").and_then(Value::as_str).unwrap_or("");
        let id = ItemId::from(id);
        let is_known = {
            let state = self.session.state();
            let item = state.item(&id);
            item.is_some_and(|item| matches!(item.content, Content::Output(_)))
        };
        let read = match is_known {
            true => self.read_part(&id, &Wanted::read(&row.input)).await?,
            false => None,
        };
        let ended = match read {
            Some(Ok(text)) => BuiltinOutcome::success(text),
            Some(Err(NotText)) => BuiltinOutcome::error("this output is not text"),
            None => BuiltinOutcome::error(EXPIRED),
        };
        self.settle_builtin(row, ended, Vec::new()).await
    }

    /// Returns the wanted part of an output; none if it has expired.
    async fn read_part(
        &self,
        id: &ItemId,
        wanted: &Wanted<'_>,
    ) -> Result<Option<Result<String, NotText>>, StoreError> {
        let read = |offset, length| {
            let session = &self.session;
            session
                .store
                .read_output(&session.id, id, offset, length, now())
        };
        if let Wanted::Bytes { offset, length } = *wanted {
            let bytes = read(offset, length).await?;
            return Ok(bytes.map(|bytes| of_bytes(&bytes, offset)));
        }
        let mut lines = Lines::new(wanted);
        let mut offset = 0;
        loop {
            let Some(bytes) = read(offset, CHUNK).await? else {
                return Ok(None);
            };
            if bytes.contains(&0) {
                return Ok(Some(Err(NotText)));
            }
            offset += bytes.len() as u64;
            let is_last = bytes.len() < CHUNK;
            if lines.add(&bytes, is_last).is_break() || is_last {
                return Ok(Some(Ok(lines.finish())));
            }
        }
    }
}

/// The error of an output with bytes that no text has.
struct NotText;

/// Returns bytes as text. Characters that are cut at either end are left out.
fn of_bytes(bytes: &[u8], offset: u64) -> Result<String, NotText> {
    if bytes.contains(&0) {
        return Err(NotText);
    }
    let is_continued = |byte: &&u8| **byte & 0xc0 == 0x80;
    let begin = match offset {
        0 => 0,
        _ => bytes.iter().take(3).take_while(is_continued).count(),
    };
    let bytes = &bytes[begin..];
    let end = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
    Ok(match text.is_empty() {
        true => "(nothing follows)".to_owned(),
        false => text,
    })
}

/// Collects the wanted lines of a text that comes in chunks.
struct Lines<'a> {
    wanted: &'a Wanted<'a>,
    /// The number of the next line.
    next: u64,
    /// The begin of a line whose end has not come yet, at most [`MAX_READ`] bytes of it.
    partial: Vec<u8>,
    text: String,
    /// The line at which reading continues, if there was no room for it.
    continues: Option<u64>,
}

impl<'a> Lines<'a> {
    fn new(wanted: &'a Wanted<'a>) -> Self {
        Self {
            wanted,
            next: 1,
            partial: Vec::new(),
            text: String::new(),
            continues: None,
        }
    }

    /// Adds a chunk. Breaks if no more is needed.
    fn add(&mut self, chunk: &[u8], is_last: bool) -> ControlFlow<()> {
        let mut pieces = chunk.split(|byte| *byte == b'\n').peekable();
        while let Some(piece) = pieces.next() {
            let room = MAX_READ.saturating_sub(self.partial.len());
            self.partial
                .extend_from_slice(&piece[..piece.len().min(room)]);
            let is_whole = pieces.peek().is_some() || (is_last && !self.partial.is_empty());
            if is_whole {
                let line = std::mem::take(&mut self.partial);
                self.line(&String::from_utf8_lossy(&line))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn line(&mut self, line: &str) -> ControlFlow<()> {
        let n = self.next;
        self.next += 1;
        let line = line.strip_suffix('\r').unwrap_or(line);
        let wanted = match self.wanted {
            Wanted::Bytes { .. } => None,
            Wanted::Lines { from, count } => {
                if n >= from.saturating_add(*count) {
                    return ControlFlow::Break(());
                }
                (n >= *from).then(|| line.to_owned())
            }
            Wanted::Containing { text, from } => {
                let is_found = n >= *from && line.contains(text);
                is_found.then(|| format!("{n}: {}", cut(line, MAX_FOUND_LINE)))
            }
        };
        let Some(line) = wanted else {
            return ControlFlow::Continue(());
        };
        if self.text.len() + line.len() + 1 > MAX_READ {
            if !self.text.is_empty() {
                self.continues = Some(n);
                return ControlFlow::Break(());
            }
            // A line that is longer than what is read at once.
            self.continues = Some(n + 1);
            self.text.push_str(cut(&line, MAX_READ));
            return ControlFlow::Break(());
        }
        self.text.push_str(&line);
        self.text.push('\n');
        ControlFlow::Continue(())
    }

    fn finish(self) -> String {
        match (self.continues, self.wanted) {
            (Some(line), _) => format!("{}\n[cut here: read on from line {line}]", self.text),
            (None, Wanted::Containing { .. }) if self.text.is_empty() => {
                "no line contains this text".to_owned()
            }
            (None, _) if self.text.is_empty() => "(nothing follows)".to_owned(),
            (None, _) => self.text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    /// Returns the wanted part of a text that comes in chunks of this size.
    fn part(text: &str, input: &Value, chunk: usize) -> String {
        let wanted = Wanted::read(input);
        let mut lines = Lines::new(&wanted);
        let chunks: Vec<&[u8]> = text.as_bytes().chunks(chunk).collect();
        for (n, chunk) in chunks.iter().enumerate() {
            if lines.add(chunk, n + 1 == chunks.len()).is_break() {
                break;
            }
        }
        lines.finish()
    }

    #[test]
    fn lines_are_read_by_number_and_by_what_they_contain() {
        let text = "one\r\ntwo\nthree\n\nfive";
        for chunk in [1, 2, 7, 100] {
            let part = |input: Value| part(text, &input, chunk);
            assert_eq!(part(json!({ "line": 2, "lines": 2 })), "two\nthree\n");
            assert_eq!(part(json!({ "line": 4 })), "\nfive\n");
            assert_eq!(part(json!({ "line": 6 })), "(nothing follows)");
            assert_eq!(part(json!({ "lines": 0 })), "(nothing follows)");
            assert_eq!(part(json!({ "find": "t" })), "2: two\n3: three\n");
            assert_eq!(part(json!({ "find": "t", "line": 3 })), "3: three\n");
            assert_eq!(part(json!({ "find": "T" })), "no line contains this text");
        }
    }

    #[test]
    fn bytes_are_read_without_halves_of_characters() {
        let text = "aé€b";
        let read = |from: usize, upto: usize| {
            of_bytes(&text.as_bytes()[from..upto], from as u64).unwrap_or_default()
        };
        assert_eq!(read(0, 2), "a");
        assert_eq!(read(2, 6), "€");
        assert_eq!(read(4, 7), "b");
        assert_eq!(read(7, 7), "(nothing follows)");
        assert!(of_bytes(b"PNG\0", 0).is_err());
    }

    #[test]
    fn one_line_that_is_too_long_is_cut_and_the_next_can_be_read() {
        let text = format!("{}\nb\n", "a".repeat(MAX_READ + 10));
        let first = part(&text, &json!({}), 4_096);
        let (read, mark) = first.split_once('\n').expect("a mark");
        assert_eq!(
            (read.len(), mark),
            (MAX_READ, "[cut here: read on from line 2]")
        );
        assert_eq!(part(&text, &json!({ "line": 2 }), 4_096), "b\n");
        let found = part(&text, &json!({ "find": "aa" }), 4_096);
        assert!(found.len() < MAX_FOUND_LINE + 10, "{}", found.len());
    }

    proptest! {
        #[test]
        fn reading_on_gives_every_line_once_and_never_too_much(
            lines in proptest::collection::vec("[a-zé]{0,300}", 1..40),
            times in 1..30_usize,
            chunk in 1..100_000_usize,
        ) {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            let text = format!("{}\n", lines.join("\n")).repeat(times);
            let (mut whole, mut from) = (String::new(), 1);
            for _ in 0..1_000 {
                let read = part(&text, &json!({ "line": from }), chunk);
                prop_assert!(read.len() <= MAX_READ + 100);
                match read.split_once("\n[cut here: read on from line ") {
                    Some((part, next)) => {
                        whole.push_str(part);
                        from = next.trim_end_matches(']').parse::<u64>().expect("a number");
                    }
                    None => {
                        whole.push_str(&read);
                        break;
                    }
                }
            }
            prop_assert_eq!(whole, text);
        }
    }
}
