//! The script of a stage: the requests that it expects, and the reply to each.

use crate::{HttpError, Response};
use serde_json::Value;
use std::fmt;

/// A request of a tool that needs a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// The question with this prompt.
    Ask(String),
    /// The approval request for this action.
    Approval(String),
    /// The HTTP request with this method and URL.
    Http(String),
}

/// The reply to a request.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// The answer: a value, or an object of values.
    Answer(Value),
    /// The person skips the question.
    Skip,
    /// No person can be reached.
    Nobody,
    /// The person approves.
    Approve,
    /// The person denies, with this comment.
    Deny(String),
    /// The host refuses: the manifest does not list the action.
    Undeclared,
    /// The server's response.
    Response(Response),
    /// The request fails.
    HttpError(HttpError),
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ask(prompt) => write!(f, "the question {prompt:?}"),
            Self::Approval(action) => write!(f, "the approval request for {action:?}"),
            Self::Http(request) => write!(f, "the request {request:?}"),
        }
    }
}

/// The unused lines of a script. Equal lines are used in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Script(Vec<(Line, Reply)>);

impl Script {
    pub(super) fn push(&mut self, line: Line, reply: Reply) {
        self.0.push((line, reply));
    }

    /// Reports whether there is a reply to a line.
    pub(super) fn has(&self, line: &Line) -> bool {
        self.find(line).is_some()
    }

    /// Returns the next reply to a line.
    pub(super) fn find(&self, line: &Line) -> Option<&Reply> {
        let reply = self.0.iter().find(|(expected, _)| expected == line);
        reply.map(|(_, reply)| reply)
    }

    /// Removes the first matching line and returns its reply.
    ///
    /// # Panics
    /// If the script has no matching line: a test should know what its tool requests.
    pub(super) fn play(&mut self, line: &Line) -> Reply {
        match self.0.iter().position(|(expected, _)| expected == line) {
            Some(index) => self.0.remove(index).1,
            None => panic!("the script has no reply to {line}; it has replies to: {self}"),
        }
    }

    pub(super) fn take_unused(&mut self) -> Vec<String> {
        let lines = std::mem::take(&mut self.0).into_iter();
        lines.map(|(line, _)| line.to_string()).collect()
    }
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("nothing");
        }
        for (index, (line, _)) in self.0.iter().enumerate() {
            write!(f, "{}{line}", if index > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}
