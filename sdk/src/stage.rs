//! What a running tool can do beyond computing: all of it is a method of [`Stage`].
//!
//! A tool that wants none of this simply has no `stage` argument.

use crate::ask::{Answers, UniqueLabels};
use crate::backend::Backend;
use crate::config::Config;
use crate::output::{Output, OutputWriter};
use crate::shown::{Shown, parts};
use crate::state::{Scope, State};
use crate::{
    ApprovalError, AskError, DisplayError, Failure, FailureCode, HttpError, OutputError, Request,
    Response, Result,
};
use footlight_vocabulary::question::Field;
use footlight_vocabulary::widget::Widget;
use serde::Serialize;
use std::fmt;

#[cfg(target_family = "wasm")]
pub use crate::bindings::footlight::plugin::stage::Stage;
#[cfg(not(target_family = "wasm"))]
pub use crate::testing::Stage;

/// How much a log message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Every step.
    Trace,
    /// For finding a fault.
    Debug,
    /// Worth knowing.
    Info,
    /// Something is off, and the call goes on.
    Warn,
    /// Something went wrong.
    Error,
}

/// A request for leave, see [`Stage::approve`].
///
/// ```
/// # use footlight_sdk::prelude::*;
/// let request = Approval::new("mail.send")
///     .subject("ada@example.com")
///     .reason("She asked for the minutes.")
///     .details(&["Minutes of Monday", "2 pages"]);
/// ```
#[derive(Debug)]
pub struct Approval {
    action: String,
    subject: String,
    reason: String,
    details: Option<serde_json::Result<String>>,
}

impl Approval {
    /// Leave for `action`, which `plugin.toml` lists under `[[approval]]`.
    pub fn new(action: impl Into<String>) -> Self {
        Self {
            action: action.into(),
            subject: String::new(),
            reason: String::new(),
            details: None,
        }
    }

    /// What a standing yes will cover, word for word, such as the address mail is sent to.
    #[must_use]
    pub fn subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = subject.into();
        self
    }

    /// Why, shown to the person as the plugin's own words.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }

    /// More for the person to weigh: anything that serialises.
    #[must_use]
    pub fn details(mut self, details: &impl Serialize) -> Self {
        self.details = Some(serde_json::to_string(details));
        self
    }
}

/// # Being seen
impl Stage {
    /// Shows a widget below those this call has shown. The model never sees it. A bare
    /// [`Card`](crate::component::Card) is a widget too.
    ///
    /// The handle changes the widget later; dropping it leaves the widget as it is. If the call
    /// fails, the widget is withdrawn. A widget's data may have 256 KiB, its view 50,000 bytes, and
    /// a call may show 100 of them.
    ///
    /// # Errors
    /// When the widget is too large, one too many, or its data cannot be written as JSON.
    pub fn show(&self, widget: impl Into<Widget>) -> Result<Shown, DisplayError> {
        Ok(Shown(Backend::show(self, parts(widget)?)?))
    }

    /// Says what is being done. Cheap: call it as often as you like.
    pub fn progress(&self, message: impl AsRef<str>) {
        self.report(message.as_ref(), None, None);
    }

    /// Says what is being done and how far it has come.
    pub fn progress_of(&self, message: impl AsRef<str>, done: u64, total: u64) {
        self.report(message.as_ref(), Some(done), Some(total));
    }

    /// Stores content for the person that the model does not see, and answers its id.
    ///
    /// # Errors
    /// When it is too large or the quota is used up.
    pub fn output(&self, output: Output, content: impl AsRef<[u8]>) -> Result<String, OutputError> {
        let writer = self.begin_output(output)?;
        writer.write_bytes(content.as_ref())?;
        writer.finish()
    }

    /// Begins an output that is written piece by piece.
    ///
    /// # Errors
    /// When the quota is used up.
    pub fn begin_output(&self, output: Output) -> Result<OutputWriter, OutputError> {
        output.begin(self)
    }

    /// Reads at most `length` bytes of an output of this session, or of an attachment.
    ///
    /// # Errors
    /// When there is no such output in this session, or it has expired.
    pub fn read_output(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, OutputError> {
        self.read(id, offset, length)
    }

    /// Writes to the log that the plugin's author reads. Neither the person nor the model sees it.
    pub fn log(&self, level: Level, message: impl AsRef<str>) {
        self.write_log(level, message.as_ref());
    }
}

/// # Asking the person
impl Stage {
    /// Puts a question with any number of fields and waits for the answers.
    ///
    /// ```
    /// # use footlight_sdk::prelude::*;
    /// # fn tool(stage: &Stage) -> Result<String> {
    /// let answers = stage.ask(
    ///     "How shall I book it?",
    ///     [Field::select("class").options(["second", "first"]), Field::number("seats").min(1).max(9)],
    /// )?;
    /// let seats: u8 = answers.read("seats")?;
    /// # Ok(format!("{seats}"))
    /// # }
    /// ```
    ///
    /// # Errors
    /// When nobody can be reached, the person skips the question, or it is malformed.
    pub fn ask(
        &self,
        prompt: impl AsRef<str>,
        fields: impl IntoIterator<Item = Field>,
    ) -> Result<Answers, AskError> {
        let fields: Vec<Field> = fields.into_iter().collect();
        let fields =
            serde_json::to_string(&fields).map_err(|error| AskError::Invalid(error.to_string()))?;
        Answers::parse(&Backend::ask(self, prompt.as_ref(), &fields)?)
    }

    /// Asks Yes or No.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn confirm(&self, prompt: impl AsRef<str>) -> Result<bool, AskError> {
        let answers = self.ask(prompt, [Field::confirm("answer")])?;
        Ok(answers.text("answer").is_some_and(|answer| answer == "Yes"))
    }

    /// Lets the person choose one of `options`, shown by their [`Display`](fmt::Display) form.
    ///
    /// # Errors
    /// As [`ask`](Self::ask); no options at all is a malformed question.
    pub fn choose<'a, T: fmt::Display>(
        &self,
        prompt: impl AsRef<str>,
        options: &'a [T],
    ) -> Result<&'a T, AskError> {
        let choices = UniqueLabels::of(options);
        let answers = self.ask(prompt, [Field::select("choice").options(choices.labels())])?;
        let chosen = answers
            .text("choice")
            .and_then(|label| choices.index(label));
        chosen
            .and_then(|index| options.get(index))
            .ok_or_else(|| AskError::Other("the answer is none of the options".to_owned()))
    }

    /// Requests leave for one operation that `plugin.toml` guards with this action, and waits.
    ///
    /// # Errors
    /// The refusal. The operation must not be tried then: the host would stop it anyway.
    pub fn approve(&self, approval: Approval) -> Result<(), ApprovalError> {
        let details = approval
            .details
            .transpose()
            .map_err(|error| ApprovalError::Other(error.to_string()))?;
        self.request(
            &approval.action,
            &approval.subject,
            &approval.reason,
            details.as_deref(),
        )
    }
}

/// # Acting
impl Stage {
    /// Sends one HTTP request to a host that `plugin.toml` lists and the person granted.
    ///
    /// # Errors
    /// When it is not granted or nothing came back. A status such as 404 is a response.
    pub fn http(&self, request: Request) -> Result<Response, HttpError> {
        self.fetch(request)
    }

    /// The plugin's own small drawer of data.
    #[must_use]
    pub fn state(&self, scope: Scope) -> State {
        State(self.bucket(scope))
    }

    /// The person's settings for this plugin.
    ///
    /// # Errors
    /// When a setting without a default is not set.
    pub fn config<C: Config>(&self) -> Result<C> {
        C::parse(&self.settings())
    }

    /// Ends a long tool early once the person has cancelled: call it with `?` between steps.
    ///
    /// # Errors
    /// When the call was cancelled.
    pub fn ensure_not_cancelled(&self) -> Result<()> {
        if self.is_cancelled() {
            Err(Failure::new(
                FailureCode::Cancelled,
                "the call was cancelled",
            ))
        } else {
            Ok(())
        }
    }
}
