//! The lines of a scripted stage: what is expected, and what is said in return.

use crate::{HttpError, Response};
use serde_json::Value;
use std::fmt;

/// Something a tool may do that needs a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// Puts the question with this prompt.
    Ask(String),
    /// Requests leave for this action.
    Approval(String),
    /// Sends the request with this method and URL.
    Http(String),
}

/// What it gets.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// A value, or an object of values.
    Answer(Value),
    /// The question is skipped.
    Skip,
    /// Nobody is there.
    Nobody,
    /// Leave is given.
    Approve,
    /// Leave is refused, with these words.
    Deny(String),
    /// The server's response.
    Response(Response),
    /// No response.
    HttpError(HttpError),
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ask(prompt) => write!(f, "the question {prompt:?}"),
            Self::Approval(action) => write!(f, "a request for leave to {action:?}"),
            Self::Http(request) => write!(f, "the request {request:?}"),
        }
    }
}

/// The lines not used yet. Equal ones are used in the order they were written.
#[derive(Debug, Default)]
pub(super) struct Script(Vec<(Line, Reply)>);

impl Script {
    pub(super) fn push(&mut self, line: Line, reply: Reply) {
        self.0.push((line, reply));
    }

    /// The reply to this line, which is used up.
    ///
    /// # Panics
    /// When nobody scripted it: a test should know what its tool does.
    pub(super) fn play(&mut self, line: &Line) -> Reply {
        match self.0.iter().position(|(expected, _)| expected == line) {
            Some(index) => self.0.remove(index).1,
            None => panic!("the script has no line for {line}; it has {}", self),
        }
    }

    pub(super) fn take_unused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.0)
            .into_iter()
            .map(|(line, _)| line.to_string())
            .collect()
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("none left");
        }
        for (index, (line, _)) in self.0.iter().enumerate() {
            write!(f, "{}{line}", if index > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}
