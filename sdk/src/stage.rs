//! The methods of [`Stage`]: everything that a running tool can do beyond computing.

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
use std::path::PathBuf;

#[cfg(target_family = "wasm")]
pub use crate::bindings::footlight::plugin::stage::Stage;
#[cfg(not(target_family = "wasm"))]
pub use crate::testing::Stage;

/// The severity of a message of [`Stage::log`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Step-by-step detail.
    Trace,
    /// Information for debugging.
    Debug,
    /// Normal events.
    Info,
    /// A problem that does not stop the call.
    Warn,
    /// An error.
    Error,
}

/// A request for the person's approval of one operation, see [`Stage::approve`].
///
/// The host asks, in its own words: `subject` is what the action applies to, and `reason` and `details`
/// are quoted as the plugin's words.
///
/// ```
/// # use footlight_sdk::prelude::*;
/// let request = Approval::new("mail.send")
///     .subject("ada@example.com")
///     .reason("She asked for the minutes.")
///     .details(&["Minutes of Monday", "2 pages"]);
/// ```
#[derive(Debug)]
#[must_use]
pub struct Approval {
    pub(crate) action: String,
    pub(crate) subject: String,
    pub(crate) reason: String,
    details: Option<serde_json::Result<String>>,
}

impl Approval {
    /// Creates a request for `action`, which `plugin.toml` lists under `[[approval]]`.
    pub fn new(action: impl Into<String>) -> Self {
        Self {
            action: action.into(),
            subject: String::new(),
            reason: String::new(),
            details: None,
        }
    }

    /// Sets what the action applies to, such as the recipient of a mail. A remembered approval covers
    /// exactly this text.
    pub fn subject(mut self, subject: impl Into<String>) -> Self {
        self.subject = subject.into();
        self
    }

    /// Sets the reason, shown to the person as the plugin's own words.
    pub fn reason(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }

    /// Sets further information for the person's decision: any value that serialises.
    pub fn details(mut self, details: &impl Serialize) -> Self {
        self.details = Some(serde_json::to_string(details));
        self
    }
}

/// # Showing and storing
impl Stage {
    /// Shows a widget below those that this call has already shown. The model never sees it. A bare
    /// [`Card`](crate::ui::Card) is a widget too.
    ///
    /// The returned handle can change the widget; dropping the handle has no effect. If the call
    /// fails, the host removes the widget. A widget can have 256 KiB of data and a view of 50,000
    /// bytes, and a call can show 100 widgets.
    ///
    /// # Errors
    /// If the widget is too large, there are too many, or the data cannot be serialised to JSON.
    pub fn show(&self, widget: impl Into<Widget>) -> Result<Shown, DisplayError> {
        Ok(Shown(Backend::show(self, parts(widget)?)?))
    }

    /// Reports the current activity. Cheap enough for tight loops.
    pub fn progress(&self, message: impl AsRef<str>) {
        self.report(message.as_ref(), None, None);
    }

    /// Reports the current activity and how much of it is done.
    pub fn progress_of(&self, message: impl AsRef<str>, done: u64, total: u64) {
        self.report(message.as_ref(), Some(done), Some(total));
    }

    /// Stores content for the person that the model does not see, and returns the output's id.
    ///
    /// # Errors
    /// If the content is too large or the quota is exhausted.
    pub fn output(&self, output: Output, content: impl AsRef<[u8]>) -> Result<String, OutputError> {
        let writer = self.begin_output(output)?;
        writer.write_bytes(content.as_ref())?;
        writer.finish()
    }

    /// Begins an output that is written in pieces.
    ///
    /// # Errors
    /// If the quota is exhausted.
    pub fn begin_output(&self, output: Output) -> Result<OutputWriter, OutputError> {
        output.begin(self)
    }

    /// Reads at most `length` bytes of an output of this session, or of an attachment.
    ///
    /// # Errors
    /// If the session has no such output, or the output has expired.
    pub fn read_output(&self, id: &str, offset: u64, length: u32) -> Result<Vec<u8>, OutputError> {
        self.read(id, offset, length)
    }

    /// Writes to the log for the plugin's author. Neither the person nor the model sees it.
    pub fn log(&self, level: Level, message: impl AsRef<str>) {
        self.write_log(level, message.as_ref());
    }
}

/// # Asking the person
impl Stage {
    /// Asks a question with any number of fields and waits for the answers.
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
    /// If no person can be reached, the person skips the question, or the question is malformed.
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

    /// Asks a yes-or-no question and reports whether the person chose Yes.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn confirm(&self, prompt: impl AsRef<str>) -> Result<bool, AskError> {
        let answers = self.ask(prompt, [Field::confirm("answer")])?;
        Ok(answers.text("answer").is_some_and(|answer| answer == "Yes"))
    }

    /// Lets the person choose one of `options`, labelled with their [`Display`](fmt::Display) form.
    ///
    /// # Errors
    /// As [`ask`](Self::ask). An empty list of options makes the question malformed.
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
        let chosen = chosen.and_then(|index| options.get(index));
        chosen.ok_or_else(|| AskError::Other("the answer is none of the options".to_owned()))
    }

    /// Requests approval for one operation that `plugin.toml` guards with this action, and waits for
    /// the decision.
    ///
    /// # Errors
    /// If approval is not given. The tool must not attempt the operation: the host would block it.
    pub fn approve(&self, mut approval: Approval) -> Result<(), ApprovalError> {
        let details = approval.details.take().transpose();
        let details = details.map_err(|error| ApprovalError::Other(error.to_string()))?;
        self.request(&approval, details.as_deref())
    }
}

/// # Acting
impl Stage {
    /// Sends one HTTP request to a host that `plugin.toml` lists and the person granted.
    ///
    /// # Errors
    /// If the request is not granted or there is no response. A status such as 404 is a response.
    pub fn http(&self, request: Request) -> Result<Response, HttpError> {
        self.fetch(request)
    }

    /// Returns the folder that the person granted for a path of `plugin.toml`, such as `/data`; files in
    /// it are opened with `std::fs`. In a component this is the path itself; in a native test it is the
    /// folder that [`testing`](mod@crate::testing) binds with `with_folder`.
    #[must_use]
    pub fn folder(&self, path: &str) -> PathBuf {
        Backend::folder(self, path)
    }

    /// Returns the plugin's own key-value state.
    #[must_use]
    pub fn state(&self, scope: Scope) -> State {
        State(self.bucket(scope))
    }

    /// Returns the person's settings for this plugin.
    ///
    /// # Errors
    /// If a setting without a default is not set.
    pub fn config<C: Config>(&self) -> Result<C> {
        C::parse(&self.settings())
    }

    /// Fails if the call was cancelled. A long-running tool calls this with `?` between steps.
    ///
    /// # Errors
    /// If the person has cancelled the call.
    pub fn ensure_not_cancelled(&self) -> Result<()> {
        if !self.is_cancelled() {
            return Ok(());
        }
        let message = "the call was cancelled";
        Err(Failure::new(FailureCode::Cancelled, message))
    }
}
