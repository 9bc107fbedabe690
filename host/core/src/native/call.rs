//! A call of a native tool, as its handler sees it.

use crate::call::approval::ApprovalGate;
use crate::call::event::Failure;
use crate::call::question::Asked;
use crate::call::stage::Stage;
use crate::plugin::Plugin;
use crate::policy::Caller;
use crate::sandbox::bindings::footlight::plugin::approval::Refusal;
use crate::sandbox::bindings::footlight::plugin::display_widget::{DisplayError, Widget as Wire};
use crate::sandbox::imports::display_widget;
use crate::sandbox::limits::Caps;
use footlight_vocabulary::escape::cut;
use footlight_vocabulary::event::EventBody;
use footlight_vocabulary::failure::FailureCode;
use footlight_vocabulary::item::{CallId, SessionId};
use footlight_vocabulary::question::Question;
use footlight_vocabulary::widget::Widget;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A call of a native tool: its input, who it is for, and what it can do while it runs.
///
/// What a handler shows, asks and requests is recorded and limited as it is for a plugin. Once the call is
/// cancelled, everything fails with [`StageError::Cancelled`]; a handler that has not returned two seconds
/// later is dropped.
pub struct NativeCall {
    pub(crate) stage: Arc<Stage>,
    pub(crate) plugin: Plugin,
    pub(crate) approval: ApprovalGate,
    pub(crate) caller: Caller,
    pub(crate) input: Value,
}

/// Why the host did not do what a handler asked of it. With `?` it becomes the failure of the call.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StageError {
    /// The input is not what the handler reads it as.
    #[error("the input does not fit: {0}")]
    InvalidInput(String),
    /// The call was cancelled.
    #[error("the call was cancelled")]
    Cancelled,
    /// Nobody can be asked.
    #[error("nobody can be asked")]
    NoPerson,
    /// Nobody replied in time.
    #[error("nobody replied in time")]
    Expired,
    /// The person skipped the question.
    #[error("the person chose not to answer")]
    Skipped,
    /// The action was not approved, perhaps with words of the person or of policy.
    #[error("not approved{}", .0.as_ref().map(|words| format!(": {words}")).unwrap_or_default())]
    Denied(Option<String>),
    /// The tool does not [declare](super::NativeTool::action) the action.
    #[error("the action is not declared")]
    Undeclared,
    /// The widget was removed.
    #[error("the widget was removed")]
    Removed,
    /// A limit of the call is reached, or the request is malformed.
    #[error("{0}")]
    Refused(String),
}

impl From<StageError> for Failure {
    fn from(error: StageError) -> Self {
        let code = match error {
            StageError::InvalidInput(_) => FailureCode::InvalidInput,
            StageError::Cancelled => FailureCode::Cancelled,
            StageError::NoPerson | StageError::Expired => FailureCode::NoPerson,
            StageError::Denied(_) => FailureCode::Denied,
            StageError::Skipped
            | StageError::Undeclared
            | StageError::Removed
            | StageError::Refused(_) => FailureCode::Other,
        };
        Failure::new(code, error.to_string())
    }
}

impl NativeCall {
    /// Returns the id of the call.
    #[must_use]
    pub fn id(&self) -> &CallId {
        &self.stage.call
    }

    /// Returns the session of the call. A plugin only sees an alias of it.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.stage.session
    }

    /// Returns the person that the call is for, by the name in [`Settings::person`]. A plugin only sees an alias
    /// of it.
    ///
    /// [`Settings::person`]: field@crate::Settings::person
    #[must_use]
    pub fn person(&self) -> &str {
        &self.stage.person
    }

    /// Returns who made the call.
    #[must_use]
    pub fn caller(&self) -> Caller {
        self.caller
    }

    /// Returns the person's language, as a BCP 47 tag.
    #[must_use]
    pub fn locale(&self) -> &str {
        &self.stage.identity.locale
    }

    /// Returns the person's time zone, as an IANA name.
    #[must_use]
    pub fn timezone(&self) -> &str {
        &self.stage.identity.timezone
    }

    /// Returns the input, which fits the schema.
    #[must_use]
    pub fn input(&self) -> &Value {
        &self.input
    }

    /// Reads the input as a type of its own.
    ///
    /// # Errors
    /// When the type accepts less than the schema.
    pub fn arguments<T: DeserializeOwned>(&self) -> Result<T, StageError> {
        T::deserialize(&self.input).map_err(|error| StageError::InvalidInput(error.to_string()))
    }

    /// Reports whether the call was cancelled.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.stage.is_cancelled()
    }

    /// Returns once the call is cancelled.
    pub async fn cancelled(&self) {
        self.stage.cancelled().await;
    }

    /// Reports how far the call has come. Reports are throttled, and the last one always arrives.
    pub fn progress(&self, message: &str, done: Option<u64>, total: Option<u64>) {
        if !self.is_cancelled() {
            self.stage.progress(EventBody::Progress {
                call: self.stage.call.clone(),
                message: cut(message, Caps::PROGRESS).to_owned(),
                done,
                total,
            });
        }
    }

    /// Shows a widget to the person.
    ///
    /// # Errors
    /// When it is too large, there are too many, or the call was cancelled.
    pub fn show(&self, widget: impl Into<Widget>) -> Result<ShownWidget, StageError> {
        let (content, bytes) = read(&self.stage, &self.plugin, widget.into())?;
        let shown = self.stage.show(content, bytes).map_err(DisplayError::from);
        let (stage, plugin) = (Arc::clone(&self.stage), self.plugin.clone());
        let id = shown.map_err(refused)?;
        Ok(ShownWidget { stage, plugin, id })
    }

    /// Asks the person and waits for the answer, by the names of the fields. The time limit of the call does
    /// not run meanwhile.
    ///
    /// # Errors
    /// When the question is malformed, nobody answers, or the call was cancelled.
    pub async fn ask(&self, question: Question) -> Result<Map<String, Value>, StageError> {
        self.check_cancelled()?;
        let fields = serde_json::to_value(&question.fields);
        let fields = fields.map_err(|error| StageError::Refused(error.to_string()))?;
        let question = Question::parse(&question.prompt, fields);
        let question = question.map_err(|error| StageError::Refused(error.to_string()))?;
        match self.stage.ask(question, None).await {
            Asked::Answer(answer) => Ok(answer.values()),
            Asked::Skipped => Err(StageError::Skipped),
            Asked::Nobody => Err(StageError::NoPerson),
            Asked::Expired => Err(StageError::Expired),
            Asked::Cancelled => Err(StageError::Cancelled),
            Asked::TooOften => Err(StageError::Refused(Asked::TOO_OFTEN.to_owned())),
        }
    }

    /// Requests approval of a [declared](super::NativeTool::action) action. Policy decides, and perhaps has
    /// the person decide, who sees the subject word for word.
    ///
    /// # Errors
    /// When it is not approved, or the call was cancelled.
    pub async fn approve(
        &self,
        action: &str,
        subject: &str,
        reason: &str,
    ) -> Result<(), StageError> {
        self.check_cancelled()?;
        let approved =
            self.approval
                .approve_action(&self.stage, None, action, subject, reason, None);
        match approved.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(refusal)) => Err(match refusal {
                Refusal::Cancelled => StageError::Cancelled,
                Refusal::Nobody(_) => StageError::NoPerson,
                Refusal::Expired => StageError::Expired,
                Refusal::Undeclared => StageError::Undeclared,
                Refusal::Denied(words) => StageError::Denied(words),
                Refusal::Other(why) => StageError::Refused(why),
            }),
            Err(fault) => Err(StageError::Refused(fault.word().to_owned())),
        }
    }

    fn check_cancelled(&self) -> Result<(), StageError> {
        match self.is_cancelled() {
            true => Err(StageError::Cancelled),
            false => Ok(()),
        }
    }
}

impl std::fmt::Debug for NativeCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Without the input, which can be private.
        f.debug_struct("NativeCall")
            .field("id", self.id())
            .finish_non_exhaustive()
    }
}

/// A widget that a native tool has shown. It stays when this is dropped.
pub struct ShownWidget {
    stage: Arc<Stage>,
    plugin: Plugin,
    id: String,
}

impl ShownWidget {
    /// Replaces the widget in place.
    ///
    /// # Errors
    /// When it is too large, was removed, or the call was cancelled.
    pub fn update(&self, widget: impl Into<Widget>) -> Result<(), StageError> {
        let (content, bytes) = read(&self.stage, &self.plugin, widget.into())?;
        display_widget::update(&self.stage, &self.id, content, bytes).map_err(refused)
    }

    /// Removes the widget.
    ///
    /// # Errors
    /// When it was removed before, or the call was cancelled.
    pub fn remove(self) -> Result<(), StageError> {
        if self.stage.is_cancelled() {
            return Err(StageError::Cancelled);
        }
        match self.stage.remove(&self.id) {
            true => Ok(()),
            false => Err(StageError::Removed),
        }
    }
}

/// Checks a widget as that of a plugin. Returns it with its size.
fn read(
    stage: &Stage,
    plugin: &Plugin,
    widget: Widget,
) -> Result<(footlight_vocabulary::item::Widget, usize), StageError> {
    if stage.is_cancelled() {
        return Err(StageError::Cancelled);
    }
    let parts = widget.into_parts();
    let parts = parts.map_err(|error| StageError::Refused(error.to_string()))?;
    let widget = Wire {
        widget: parts.widget,
        data: parts.data,
        fallback: parts.fallback,
        view: parts.view,
    };
    display_widget::read(stage, plugin, &widget).map_err(refused)
}

fn refused(error: DisplayError) -> StageError {
    match error {
        DisplayError::Gone => StageError::Removed,
        DisplayError::TooMany(most) => {
            StageError::Refused(format!("a call can show at most {most} widgets"))
        }
        DisplayError::TooLarge(most) => {
            StageError::Refused(format!("the widget is too large; the most is {most} bytes"))
        }
        DisplayError::Other(why) => StageError::Refused(why),
    }
}
