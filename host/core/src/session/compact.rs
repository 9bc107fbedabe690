//! Making room: what was said before is summarised when the model can no longer read all of it.
//!
//! Nothing is lost: the rows stay, and a summary is a row of its own that stands for older ones in
//! what the model is sent. A call is never parted from its result.

use super::driver::Driver;
use super::projection::{self, Said};
use crate::model::{Delta, Message, Part, Request, Spoken};
use crate::store::{Batch, StoreError, Summary};
use std::future::poll_fn;
use std::sync::Arc;

/// How much of the window may be filled before room is made.
const FULL: f64 = 0.8;

/// How many of the last steps are sent whole, whatever is made shorter.
const KEPT: usize = 4;

/// About how many bytes a token has.
const BYTES: usize = 4;

const ASK: &str = "Sum up what was said above for yourself, so that you can go on without it: what the \
person wants, what was found out (names, numbers, ids), what was done, and what is still open. Words only.";

impl Driver {
    /// Makes room if the model could soon not read all of it.
    pub(super) async fn make_room(&self) -> Result<(), StoreError> {
        let Some(window) = self.session.settings.model.window() else {
            return Ok(());
        };
        let size = weight(&self.session.book().said().messages) / BYTES;
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        if size as f64 > window as f64 * FULL {
            self.shorten().await?;
        }
        Ok(())
    }

    /// Puts down a summary of everything but the last steps; `false` if that would not help.
    pub(super) async fn shorten(&self) -> Result<bool, StoreError> {
        let (upto, messages) = {
            let book = self.session.book();
            let from = book
                .summary
                .as_ref()
                .map_or((0, 0), |old| (old.turn, old.step));
            let mut open = book
                .steps
                .iter()
                .rev()
                .filter(|row| (row.turn, row.step) > from);
            let Some(first) = open.nth(KEPT - 1) else {
                return Ok(false);
            };
            let upto = (first.turn, first.step);
            let mut older = book.clone();
            older.turns.retain(|turn| (turn.n, 1) < upto);
            older.steps.retain(|step| (step.turn, step.step) < upto);
            let said = Said::of(&older);
            (upto, Arc::unwrap_or_clone(said.messages))
        };
        if messages.len() < 2 {
            return Ok(false);
        }
        let Some(text) = self.sum_up(messages).await else {
            return Ok(false);
        };
        let summary = Summary {
            turn: upto.0,
            step: upto.1,
            text,
        };
        self.commit(Batch {
            summary: Some(summary),
            ..Batch::default()
        })
        .await?;
        Ok(true)
    }

    async fn sum_up(&self, mut messages: Vec<Message>) -> Option<String> {
        let ask = Part::Text {
            text: ASK.to_owned(),
        };
        match messages.last_mut() {
            Some(Message::Person { content }) => content.push(ask),
            _ => messages.push(Message::Person { content: vec![ask] }),
        }
        let mut stream = self.session.settings.model.step(Request {
            messages: messages.into(),
            ..Request::default()
        });
        loop {
            match poll_fn(|context| stream.as_mut().poll_next(context)).await {
                Some(Ok(Delta::Finished(finished))) => {
                    let words = projection::words(&finished.parts);
                    return (!words.trim().is_empty()).then_some(words);
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => {
                    tracing::warn!(%error, "what was said before could not be summed up");
                    return None;
                }
                None => return None,
            }
        }
    }
}

/// About how many bytes the model reads.
fn weight(messages: &[Message]) -> usize {
    let part = |part: &Part| match part {
        Part::Text { text } => text.len(),
        // Pictures are charged by their size on the screen, whatever their bytes.
        Part::Image { .. } => 4_000,
    };
    let spoken = |spoken: &Spoken| match spoken {
        Spoken::Text { text } => text.len(),
        Spoken::Call(call) => call.arguments.len() + call.name.len(),
        Spoken::Opaque { part, .. } => part.len(),
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
