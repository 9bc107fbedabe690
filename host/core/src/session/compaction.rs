//! Compaction: summarizes older messages when the model's context window fills up.
//!
//! Nothing is lost: the rows stay, and a summary is a row that replaces older ones in what the
//! model is sent. A call is never separated from its result.

use super::driver::Driver;
use super::projection::{self, Transcript};
use crate::model::{Delta, Message, ModelErrorKind, ModelPart, Part, Request};
use crate::store::{Batch, StoreError, Summary};
use std::sync::Arc;

/// How full the window can get before older steps are summarized.
const MAX_FILL: f64 = 0.8;

/// How many of the last steps are never summarized.
const KEPT_STEPS: usize = 4;

/// How many summaries are made before one step.
const MAX_ROUNDS: usize = 8;

/// The bytes of a token, roughly.
const BYTES_PER_TOKEN: usize = 4;

const SUMMARY_PROMPT: &str = "Sum up what was said above for yourself, so that you can go on without it: what the \
person wants, what was found out (names, numbers, ids), what was done, and what is still open. Words only.";

/// The outcome of a summary.
enum SummaryOutcome {
    Text(String),
    /// The messages are too long for the model; fewer may not be.
    TooLong,
    /// No summary, and no reason to try again.
    Nothing,
}

impl Driver {
    /// Summarizes older steps if the window is nearly full.
    pub(super) async fn compact_if_full(&self) -> Result<(), StoreError> {
        let Some(window) = self.settings.model.window() else {
            return Ok(());
        };
        let is_full = || {
            let size = size_of(&self.session.state().transcript().messages) / BYTES_PER_TOKEN;
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let is_full = size as f64 > window as f64 * MAX_FILL;
            is_full
        };
        // Several rounds, because presses add calls without asking the model.
        for _ in 0..MAX_ROUNDS {
            if !is_full() || !self.compact().await? {
                break;
            }
        }
        Ok(())
    }

    /// Commits a summary of all but the last steps, or of as many as the model can read at once.
    /// Returns `false` if that does not help.
    pub(super) async fn compact(&self) -> Result<bool, StoreError> {
        let open: Vec<(u32, u32)> = {
            let state = self.session.state();
            let from = state.summary.as_ref();
            let from = from.map_or((0, 0), |old| (old.turn, old.step));
            let steps = state.kept_steps().map(|row| (row.turn, row.step));
            steps.filter(|at| *at > from).collect()
        };
        let mut count = open.len().saturating_sub(KEPT_STEPS);
        while count > 0 {
            let (turn, step) = open[count];
            match self.summarize_before((turn, step)).await {
                SummaryOutcome::Text(text) => {
                    let summary = Some(Summary { turn, step, text });
                    self.commit(Batch {
                        summary,
                        ..Batch::default()
                    })
                    .await?;
                    return Ok(true);
                }
                SummaryOutcome::TooLong => count /= 2,
                SummaryOutcome::Nothing => break,
            }
        }
        Ok(false)
    }

    /// Has the model summarize everything before a step.
    async fn summarize_before(&self, upto: (u32, u32)) -> SummaryOutcome {
        let messages = {
            let mut older = self.session.state().clone();
            older.turns.retain(|turn| (turn.n, 1) < upto);
            older.steps.retain(|step| (step.turn, step.step) < upto);
            Arc::unwrap_or_clone(Transcript::of(&older).messages)
        };
        let window = self.settings.model.window();
        let tokens = (size_of(&messages) / BYTES_PER_TOKEN) as u64;
        if window.is_some_and(|window| tokens > window) {
            return SummaryOutcome::TooLong;
        }
        if messages.len() < 2 {
            return SummaryOutcome::Nothing;
        }
        self.summarize(messages).await
    }

    async fn summarize(&self, mut messages: Vec<Message>) -> SummaryOutcome {
        let ask = Part::Text {
            text: SUMMARY_PROMPT.to_owned(),
        };
        match messages.last_mut() {
            Some(Message::Person { content }) => content.push(ask),
            _ => messages.push(Message::Person { content: vec![ask] }),
        }
        let mut stream = self.settings.model.step(Request {
            messages: messages.into(),
            ..Request::default()
        });
        loop {
            match stream.next().await {
                Some(Ok(Delta::Finished(finished))) => {
                    let words = projection::words(&finished.parts);
                    let is_blank = words.trim().is_empty();
                    return if is_blank {
                        SummaryOutcome::Nothing
                    } else {
                        SummaryOutcome::Text(words)
                    };
                }
                Some(Ok(_)) => {}
                Some(Err(error)) if error.kind == ModelErrorKind::TooLong => {
                    return SummaryOutcome::TooLong;
                }
                Some(Err(error)) => {
                    tracing::warn!(%error, "what was said before could not be summed up");
                    return SummaryOutcome::Nothing;
                }
                None => return SummaryOutcome::Nothing,
            }
        }
    }
}

/// Estimates how many bytes the model reads.
fn size_of(messages: &[Message]) -> usize {
    let part = |part: &Part| match part {
        Part::Text { text } => text.len(),
        // Models charge images by their dimensions, not by their bytes.
        Part::Image { .. } => 4_000,
    };
    let spoken = |spoken: &ModelPart| match spoken {
        ModelPart::Text { text } => text.len(),
        ModelPart::Call(call) => call.arguments.len() + call.name.len(),
        ModelPart::Opaque { part, .. } => part.len(),
    };
    let message = |message: &Message| -> usize {
        match message {
            Message::Person { content } => content.iter().map(part).sum(),
            Message::Model { parts } => parts.iter().map(spoken).sum(),
            Message::Results { results } => results
                .iter()
                .flat_map(|result| &result.content)
                .map(part)
                .sum(),
        }
    };
    messages.iter().map(message).sum()
}
