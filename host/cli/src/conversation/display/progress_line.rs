//! The progress line: a spinner with the running calls.

use footlight_render::filter;
use footlight_vocabulary::item::{CallResult, ItemId, PendingReason, Tool};
use serde_json::Value;
use std::time::Instant;

/// The frames of the spinner.
const FRAMES: [char; 8] = ['⠋', '⠙', '⠸', '⢰', '⣠', '⣄', '⡆', '⠇'];

/// The running calls.
pub(super) struct ProgressLine {
    calls: Vec<RunningCall>,
    /// The start of the current wait for the model.
    idle: Instant,
    frame: usize,
}

struct RunningCall {
    id: ItemId,
    line: String,
    since: Instant,
    is_pending: bool,
}

impl Default for ProgressLine {
    fn default() -> Self {
        Self {
            calls: Vec::new(),
            idle: Instant::now(),
            frame: 0,
        }
    }
}

impl ProgressLine {
    pub(super) fn start(&mut self, id: &ItemId, tool: &Tool) {
        let is_pending = matches!(
            &tool.result,
            CallResult::Pending {
                reason: PendingReason::Approval | PendingReason::Waiting
            }
        );
        match self.calls.iter_mut().find(|call| call.id == *id) {
            Some(call) => call.is_pending = is_pending,
            None => self.calls.push(RunningCall {
                id: id.clone(),
                line: call_text(tool),
                since: Instant::now(),
                is_pending,
            }),
        }
    }

    /// Replaces the text of a call with its progress message.
    pub(super) fn set_message(&mut self, id: &ItemId, message: String) {
        if let Some(call) = self.calls.iter_mut().find(|call| call.id == *id) {
            call.line = message;
        }
    }

    pub(super) fn end(&mut self, id: &ItemId) {
        self.idle = Instant::now();
        self.calls.retain(|call| call.id != *id);
    }

    /// Restarts the time of waiting for the model.
    pub(super) fn model_spoke(&mut self) {
        self.idle = Instant::now();
    }

    /// Turns the spinner.
    pub(super) fn advance(&mut self) {
        self.frame += 1;
    }

    /// Returns the line. `otherwise` names what is waited for while no call runs.
    pub(super) fn line(&self, otherwise: &str) -> Option<String> {
        let frame = FRAMES[self.frame % FRAMES.len()];
        let (line, since) = match self.calls.as_slice() {
            [] if otherwise.is_empty() => return None,
            [] => (otherwise.to_owned(), self.idle),
            [call] if call.is_pending => (format!("{} waits for a person", call.line), call.since),
            [call] => (call.line.clone(), call.since),
            [first, rest @ ..] => (
                format!("{} and {} more", first.line, rest.len()),
                first.since,
            ),
        };
        let (line, seconds) = (filter::line(&line, 200), since.elapsed().as_secs_f64());
        Some(format!("{frame} {line} {seconds:.1} s"))
    }
}

/// Formats a call, such as `weather.forecast city="Oslo" days=5`.
fn call_text(tool: &Tool) -> String {
    let pairs = match &tool.input {
        Value::Object(pairs) => {
            let pairs = pairs.iter();
            pairs
                .map(|(name, value)| format!(" {name}={value}"))
                .collect()
        }
        other => format!(" {other}"),
    };
    filter::line(&format!("{}{pairs}", tool.function), 180)
}
