//! Entries of the record: calls, widgets with their sender, stored content.

use super::{Field, Image, Inline, Tone, View};

/// A call of a tool and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The item's id.
    pub id: String,
    /// Plugin and tool, such as `weather.forecast`.
    pub function: String,
    /// What it was called with, on one line: `city="Oslo" days=5`.
    pub input: Inline,
    /// How it stands.
    pub state: CallState,
    /// What a person decided about it and about what it did, in words.
    pub verdicts: Vec<String>,
    /// How long it took, in milliseconds.
    pub millis: Option<u64>,
    /// What it returned, or why it came to nothing.
    pub body: Box<View>,
}

/// How it stands with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallState {
    /// It returned.
    Done,
    /// It came to nothing.
    Failed,
    /// A person, or a rule, said no.
    Denied,
    /// It was stopped before it ended.
    Interrupted,
    /// It waits for its turn.
    Queued,
    /// It waits for a person: a verdict or an answer.
    Waiting,
    /// It runs.
    Running,
}

impl CallState {
    /// The state in a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Denied => "denied",
            Self::Interrupted => "interrupted",
            Self::Queued => "queued",
            Self::Waiting => "needs you",
            Self::Running => "running",
        }
    }

    /// What its colour says.
    #[must_use]
    pub fn tone(self) -> Tone {
        match self {
            Self::Done => Tone::Success,
            Self::Failed | Self::Denied => Tone::Danger,
            Self::Interrupted | Self::Waiting => Tone::Warning,
            Self::Queued => Tone::Muted,
            Self::Running => Tone::Info,
        }
    }
}

/// A widget and who shows it. A surface draws something around it that no plugin can draw, and
/// names the plugin where there is something to press.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The item's id, where it is one.
    pub id: Option<String>,
    /// The item's revision.
    pub rev: u64,
    /// The widget's type.
    pub widget: String,
    /// The plugin it is from.
    pub from: Option<String>,
    /// How it is drawn.
    pub body: Box<View>,
}

/// Stored content that can be fetched until it expires.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The id, `out_<millis>_<6 letters or digits>`.
    pub id: String,
    /// What the person reads above it.
    pub title: String,
    /// What a surface draws it as, such as `file`.
    pub kind: String,
    /// Its media type.
    pub mime_type: String,
    /// How many bytes it has.
    pub size: u64,
    /// Until when it can be fetched, formatted.
    pub expires: String,
    /// The picture, where it is one that can be shown.
    pub image: Option<Image>,
}

impl Output {
    /// Where it can be fetched, on our own origin.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/api/outputs/{}", self.id)
    }
}

/// A question to the person and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The item's id, where it is one.
    pub id: Option<String>,
    /// The plugin that asks.
    pub from: Option<String>,
    /// What is asked.
    pub prompt: Vec<View>,
    /// What there is to fill in; never empty.
    pub fields: Vec<Field>,
    /// How it stands.
    pub state: AskState,
    /// The answer as text, without secrets.
    pub response: Option<String>,
}

/// How it stands with a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskState {
    /// It can be answered.
    Open,
    /// It was.
    Answered,
    /// The person chose not to.
    Skipped,
    /// Nobody did in time.
    Expired,
    /// The call ended without it, or something this version does not know.
    Closed,
}

impl AskState {
    /// The state in a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Answered => "answered",
            Self::Skipped => "skipped",
            Self::Expired => "expired",
            Self::Closed => "closed",
        }
    }
}
