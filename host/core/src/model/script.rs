//! A model that plays a script, for tests and demonstrations.
//!
//! The file lists steps, each of which is one answer. Steps without `when` are taken in order; one
//! with `when` is taken whenever it matches. `format::ScriptStep` describes a step.
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
//! Invariant: the next step depends on the request alone, so a restarted process continues where
//! the old one stopped, and one script serves any number of sessions.

mod format;
mod play;
mod position;
mod write;

pub use format::ScriptError;
use format::ScriptStep;

use super::{Finished, Model, ModelError, ModelErrorKind, Request, Step};
use crate::bounded_file;
use std::path::Path;

/// A model that plays a script.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    name: String,
    steps: Vec<ScriptStep>,
}

impl Script {
    /// The size of the largest script in bytes.
    pub const MAX_BYTES: usize = 4 << 20;

    /// Loads a script from a file.
    ///
    /// # Errors
    /// When the file cannot be read, is too large, or is not a script; the message names the line.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, ScriptError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let failed = |error: std::io::Error| ScriptError::new(&name, error);
        let text = bounded_file::read_to_string(path, Self::MAX_BYTES).map_err(failed)?;
        Self::parse(&name, &text)
    }

    /// Parses a script; `name` stands for it in errors.
    ///
    /// # Errors
    /// When it is not a script; the message names the line.
    pub fn parse(name: &str, text: &str) -> Result<Self, ScriptError> {
        Ok(Self {
            name: format!("script:{name}"),
            steps: format::read(name, text)?,
        })
    }

    /// Writes a script that repeats recorded answers in order.
    ///
    /// Opaque parts are left out, and the calls of a step follow its text.
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
                let message = format!(
                    "`{}` has run out: its {ordered} steps in order were taken and no `when` matches; add a step",
                    self.name
                );
                Step::failed(ModelError::new(ModelErrorKind::Refused, message))
            }
        }
    }
}

#[cfg(test)]
mod tests;
