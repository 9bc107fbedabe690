//! What is going on: the line that moves while a person waits.

use footlight_render::filter;
use footlight_vocabulary::item::{CallResult, ItemId, PendingReason, Tool};
use serde_json::Value;
use std::time::Instant;

/// What turns while something goes on.
const FRAMES: [char; 8] = ['⠋', '⠙', '⠸', '⢰', '⣠', '⣄', '⡆', '⠇'];

/// The calls that go on, and since when.
pub(super) struct Running {
    calls: Vec<One>,
    /// Since when nothing but the model was waited for.
    idle: Instant,
    frame: usize,
}

struct One {
    id: ItemId,
    line: String,
    since: Instant,
    waits: bool,
}

impl Default for Running {
    fn default() -> Self {
        Self {
            calls: Vec::new(),
            idle: Instant::now(),
            frame: 0,
        }
    }
}

impl Running {
    pub(super) fn begins(&mut self, id: &ItemId, tool: &Tool) {
        let waits = matches!(
            &tool.result,
            CallResult::Pending {
                reason: PendingReason::Approval | PendingReason::Waiting
            }
        );
        match self.calls.iter_mut().find(|one| one.id == *id) {
            Some(one) => one.waits = waits,
            None => self.calls.push(One {
                id: id.clone(),
                line: call(tool),
                since: Instant::now(),
                waits,
            }),
        }
    }

    /// A call says how far it is.
    pub(super) fn says(&mut self, id: &ItemId, message: String) {
        if let Some(one) = self.calls.iter_mut().find(|one| one.id == *id) {
            one.line = message;
        }
    }

    pub(super) fn ends(&mut self, id: &ItemId) {
        self.idle = Instant::now();
        self.calls.retain(|one| one.id != *id);
    }

    /// The model has said something.
    pub(super) fn speaks(&mut self) {
        self.idle = Instant::now();
    }

    /// The line that moves; `otherwise` is who is waited for when no call goes on.
    pub(super) fn line(&mut self, otherwise: &str) -> Option<String> {
        self.frame += 1;
        let frame = FRAMES[self.frame % FRAMES.len()];
        let (line, since) = match self.calls.as_slice() {
            [] if otherwise.is_empty() => return None,
            [] => (otherwise.to_owned(), self.idle),
            [one] if one.waits => (format!("{} waits for a person", one.line), one.since),
            [one] => (one.line.clone(), one.since),
            [first, rest @ ..] => (
                format!("{} and {} more", first.line, rest.len()),
                first.since,
            ),
        };
        let line = filter::line(&line, 200);
        Some(format!(
            "{frame} {line} {:.1} s",
            since.elapsed().as_secs_f64()
        ))
    }
}

/// `weather.forecast city="Oslo" days=5`.
fn call(tool: &Tool) -> String {
    let pairs = match &tool.input {
        Value::Object(pairs) => pairs
            .iter()
            .map(|(name, value)| format!(" {name}={value}"))
            .collect::<String>(),
        other => format!(" {other}"),
    };
    filter::line(&format!("{}{pairs}", tool.function), 180)
}
