//! What is going on: the line that moves while a person waits.

use super::item;
use crate::filter;
use footlight_vocabulary::item::{CallResult, ItemId, PendingReason, Tool};
use std::time::{Duration, Instant};

/// What turns while something goes on.
const FRAMES: [char; 8] = ['⠋', '⠙', '⠸', '⢰', '⣠', '⣄', '⡆', '⠇'];

/// The calls that go on, and since when.
pub(super) struct Running {
    calls: Vec<One>,
    ended: Vec<(ItemId, Duration)>,
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
            ended: Vec::new(),
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
                line: item::call(tool),
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
        if let Some(at) = self.calls.iter().position(|one| one.id == *id) {
            let one = self.calls.remove(at);
            self.ended.push((one.id, one.since.elapsed()));
        }
    }

    /// The model has said something.
    pub(super) fn speaks(&mut self) {
        self.idle = Instant::now();
    }

    /// How long a call that is over went on.
    pub(super) fn took(&self, id: &ItemId) -> Option<Duration> {
        let ended = self.ended.iter().find(|(ended, _)| ended == id);
        ended.map(|(_, took)| *took)
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
