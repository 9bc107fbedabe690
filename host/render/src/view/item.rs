//! Items of a session: calls, widgets, stored content and questions.

use super::{Field, Image, Inline, Tone, View};

pub use footlight_vocabulary::item::AskState;

/// The reasoning of a model, folded to a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought {
    /// The duration in milliseconds; none while the model reasons.
    pub millis: Option<u64>,
    /// Whether a surface that cannot unfold it draws the line alone.
    pub folded: bool,
    /// The reasoning.
    pub body: Vec<View>,
}

impl Thought {
    /// Returns the line: `Thought for 12 s`.
    #[must_use]
    pub fn label(&self) -> String {
        match self.millis.map(|millis| millis / 1000) {
            None => "Thinking".to_owned(),
            Some(0) => "Thought for a moment".to_owned(),
            Some(seconds @ ..60) => format!("Thought for {seconds} s"),
            Some(seconds) => format!("Thought for {} min {} s", seconds / 60, seconds % 60),
        }
    }
}

/// A tool call and its outcome.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The item's id.
    pub id: String,
    /// The plugin and the tool, such as `weather.forecast`.
    pub function: String,
    /// The arguments on one line: `city="Oslo" days=5`.
    pub input: Inline,
    /// The state of the call.
    pub state: CallState,
    /// In words: the approvals and denials that a person gave for the call, what it was denied, and
    /// the files that it wrote.
    pub notes: Vec<String>,
    /// The duration in milliseconds.
    pub millis: Option<u64>,
    /// The result, or the reason of the failure.
    pub body: Box<View>,
}

/// The state of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallState {
    /// The tool returned a result.
    Done,
    /// The call failed.
    Failed,
    /// A person or a policy rule denied the call.
    Denied,
    /// The call was stopped before it ended.
    Interrupted,
    /// The call is queued behind other calls.
    Queued,
    /// The call is pending on a person: an approval or an answer.
    AwaitingPerson,
    /// The tool is running.
    Running,
}

impl CallState {
    /// Returns the state in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Denied => "denied",
            Self::Interrupted => "interrupted",
            Self::Queued => "queued",
            Self::AwaitingPerson => "needs you",
            Self::Running => "running",
        }
    }

    /// Returns the meaning expressed by its colour.
    pub fn tone(self) -> Tone {
        match self {
            Self::Done => Tone::Success,
            Self::Failed | Self::Denied => Tone::Danger,
            Self::Interrupted | Self::AwaitingPerson => Tone::Warning,
            Self::Queued => Tone::Muted,
            Self::Running => Tone::Info,
        }
    }
}

/// A widget and the plugin that shows it. A surface draws a frame around it that no plugin can
/// imitate, and names the plugin.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Widget {
    /// The item's id, if it is part of a session.
    pub id: Option<String>,
    /// The item's revision.
    pub rev: u64,
    /// The type of the widget.
    pub widget: String,
    /// The id of the plugin.
    pub from: Option<String>,
    /// The drawn widget.
    pub body: Box<View>,
}

/// Stored content that can be fetched until it expires.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Output {
    /// The id, `out_<millis>_<6 letters or digits>`.
    pub id: String,
    /// The title.
    pub title: String,
    /// The kind of content, such as `file`.
    pub kind: String,
    /// The media type.
    pub mime_type: String,
    /// The size in bytes.
    pub size: u64,
    /// The formatted time of expiry.
    pub expires: String,
    /// Whether it has expired, so that there is nothing to fetch.
    pub is_expired: bool,
    /// The image, if the content is one that can be shown.
    pub image: Option<Image>,
}

impl Output {
    /// Returns until when the content can be fetched.
    pub(crate) fn until(&self) -> String {
        match self.is_expired {
            true => "expired".to_owned(),
            false => format!("until {}", self.expires),
        }
    }

    /// Returns the title, or the kind of content if the title is blank.
    pub(crate) fn name(&self) -> &str {
        match self.title.trim() {
            "" => &self.kind,
            title => title,
        }
    }

    /// Returns the path under which the content is served on our own origin.
    pub fn path(&self) -> String {
        format!("/api/outputs/{}", self.id)
    }
}

/// A question to the person.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Ask {
    /// The item's id, if it is part of a session.
    pub id: Option<String>,
    /// The id of the plugin that asks.
    pub from: Option<String>,
    /// The text of the question.
    pub prompt: Vec<View>,
    /// The fields to fill in; never empty.
    pub fields: Vec<Field>,
    /// The state of the question.
    pub state: AskState,
    /// The answer as text, without secrets.
    pub response: Option<String>,
}

impl Ask {
    /// Returns the state in a word. A withdrawn question is closed, and so is one in a state that
    /// this version does not know.
    pub fn state_name(&self) -> &str {
        match &self.state {
            AskState::Cancelled | AskState::Other(_) => "closed",
            state => state.as_str(),
        }
    }
}
