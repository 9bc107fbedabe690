//! `script:<file>`: a model that says what a file tells it to.
//!
//! For tests and demonstrations: the file lists steps, and each is what a model would stream. Steps
//! without `when` are taken in order; one with `when` is taken whenever it matches. See
//! [`ScriptStep`] for what a step may say.
//!
//! ```yaml
//! steps:
//!   - text: [Let me, " look."]
//!     calls:
//!       - tool: weather.forecast
//!         input: { city: Oslo }
//!   - text: It will rain.
//! ```
//!
//! Invariant: which step comes next is found from the request alone, so a restarted process goes on
//! where the old one was, and one script serves any number of sessions.

mod format;
mod play;
mod position;
mod write;

pub use format::{
    ScriptCall, ScriptCondition, ScriptError, ScriptFault, ScriptFinish, ScriptStep, ScriptUsage,
};

use super::{Finished, Model, ModelError, ModelErrorKind, Request, Step};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The largest script, in bytes.
pub const MAX_SCRIPT: usize = 4 * 1024 * 1024;

/// A model that says what a file tells it to.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    name: String,
    steps: Vec<ScriptStep>,
}

impl Script {
    /// Reads a script from a file.
    ///
    /// # Errors
    /// ScriptCondition the file cannot be read, is too large, or is no script; the message says in which line.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScriptError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let failed = |error: std::io::Error| ScriptError::new(&name, error);
        let mut text = String::new();
        let most = MAX_SCRIPT as u64 + 1;
        let file = File::open(path).map_err(failed)?;
        file.take(most).read_to_string(&mut text).map_err(failed)?;
        Self::parse(&name, &text)
    }

    /// Reads a script; `name` is what its errors call it.
    ///
    /// # Errors
    /// ScriptCondition it is no script; the message says in which line.
    pub fn parse(name: &str, text: &str) -> Result<Self, ScriptError> {
        Ok(Self {
            name: format!("script:{name}"),
            steps: format::read(name, text)?,
        })
    }

    /// What it says, step by step.
    #[must_use]
    pub fn steps(&self) -> &[ScriptStep] {
        &self.steps
    }

    /// Makes a script that says again what a model said: each step as it finished, in order.
    ///
    /// What only another wire understands is left out, since no script could say it; and calls stand
    /// after the words of their step.
    #[must_use]
    pub fn write<'a>(recorded: impl IntoIterator<Item = (&'a Request, &'a Finished)>) -> String {
        write::write(recorded)
    }
}

impl Model for Script {
    fn name(&self) -> &str {
        &self.name
    }

    fn step(&self, request: Request) -> Step {
        match position::find(&self.steps, &request.messages) {
            Some(at) => play::play(&self.steps[at], &request),
            None => {
                let ordered = self.steps.iter().filter(|step| step.when.is_none()).count();
                super::ready::ready(vec![Err(ModelError {
                    kind: ModelErrorKind::Refused,
                    message: format!(
                        "`{}` has run out: its {ordered} steps in order were taken and no `when` matches; add a step",
                        self.name
                    ),
                })])
            }
        }
    }
}

#[cfg(test)]
mod tests;
