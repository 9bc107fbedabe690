//! Threads, items and stream events as a ChatKit client reads them.
//!
//! As in the official server, what is absent is left out and what has a default is written. Only what
//! this server sends is here.

use footlight_vocabulary::item::{SessionId, Timestamp};
use serde::Serialize;
use serde_json::{Map, Value};

/// A thread with some of its items.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Thread {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    pub(super) id: SessionId,
    pub(super) created_at: Timestamp,
    pub(super) status: ThreadStatus,
    /// None: a picture of another site would tell that site who looks, and when.
    pub(super) allowed_image_domains: [&'static str; 0],
    pub(super) metadata: Map<String, Value>,
    pub(super) items: Page<ThreadItem>,
}

/// The state of a thread.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum ThreadStatus {
    Active,
}

/// A part of a list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Page<T> {
    pub(super) data: Vec<T>,
    pub(super) has_more: bool,
    /// The last entry, if there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<String>,
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Self {
            data: Vec::new(),
            has_more: false,
            after: None,
        }
    }
}

/// An item of a thread.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct ThreadItem {
    pub(super) id: String,
    pub(super) thread_id: SessionId,
    pub(super) created_at: Timestamp,
    #[serde(flatten)]
    pub(super) content: ItemContent,
}

/// The part of an item that depends on its `type`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ItemContent {
    UserMessage {
        content: [UserContent; 1],
        attachments: [(); 0],
        inference_options: InferenceOptions,
    },
    AssistantMessage {
        content: Vec<OutputText>,
    },
    Widget {
        /// A component tree that passes the official types.
        widget: Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        copy_text: Option<String>,
    },
    Workflow {
        workflow: Workflow,
    },
}

/// The words of the person.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum UserContent {
    InputText { text: String },
}

/// No choice of model or tool.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct InferenceOptions {}

/// Text of the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename = "output_text")]
pub(super) struct OutputText {
    annotations: [(); 0],
    text: String,
}

impl OutputText {
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self {
            annotations: [],
            text: text.into(),
        }
    }
}

/// Steps that a client folds together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Workflow {
    #[serde(rename = "type")]
    pub(super) kind: WorkflowKind,
    pub(super) tasks: [Task; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) summary: Option<Summary>,
    pub(super) expanded: bool,
}

/// The kind of a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum WorkflowKind {
    Custom,
    Reasoning,
}

/// What a client shows of a folded workflow.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Summary {
    Titled {
        title: String,
        icon: &'static str,
    },
    Timed {
        /// The seconds that it took.
        duration: u64,
    },
}

/// The kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TaskKind {
    Custom,
    Thought,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Task {
    #[serde(rename = "type")]
    pub(super) kind: TaskKind,
    pub(super) status_indicator: Indicator,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) title: Option<String>,
    /// Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) content: Option<String>,
}

/// Whether a step goes on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Indicator {
    None,
    Loading,
    Complete,
}

/// An event of a stream.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "type")]
pub(super) enum StreamEvent {
    #[serde(rename = "thread.created")]
    ThreadCreated { thread: Thread },
    #[serde(rename = "thread.updated")]
    ThreadUpdated { thread: Thread },
    #[serde(rename = "thread.item.added")]
    ItemAdded { item: ThreadItem },
    #[serde(rename = "thread.item.updated")]
    ItemUpdated { item_id: String, update: ItemUpdate },
    #[serde(rename = "thread.item.done")]
    ItemDone { item: ThreadItem },
    #[serde(rename = "thread.item.removed")]
    ItemRemoved { item_id: String },
    #[serde(rename = "thread.item.replaced")]
    ItemReplaced { item: ThreadItem },
    #[serde(rename = "stream_options")]
    StreamOptions { stream_options: StreamOptions },
    #[serde(rename = "progress_update")]
    Progress { text: String },
    #[serde(rename = "notice")]
    Notice { level: NoticeLevel, message: String },
    #[serde(rename = "error")]
    Error {
        code: ErrorCode,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        allow_retry: bool,
    },
}

impl StreamEvent {
    /// Returns an error that says what is wrong.
    pub(super) fn error(message: impl Into<String>, allow_retry: bool) -> Self {
        Self::Error {
            code: ErrorCode::Custom,
            message: Some(message.into()),
            allow_retry,
        }
    }

    /// Returns the error of a turn that has failed, for which the client has words of its own.
    pub(super) fn failed() -> Self {
        Self::Error {
            code: ErrorCode::Stream,
            message: None,
            allow_retry: true,
        }
    }

    /// Returns the frame of the event: no name, no id, and nothing after the last one.
    pub(super) fn frame(&self) -> String {
        format!(
            "data: {}\n\n",
            serde_json::to_string(self).unwrap_or_default()
        )
    }
}

/// What a client may do with a stream.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct StreamOptions {
    pub(super) allow_cancel: bool,
}

/// The level of a notice.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum NoticeLevel {
    Info,
    Warning,
    Danger,
}

/// The code of an error.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) enum ErrorCode {
    /// The turn has failed.
    #[serde(rename = "stream.error")]
    Stream,
    /// What the message says.
    #[serde(rename = "custom")]
    Custom,
}

/// A change of an item that is not complete.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type")]
pub(super) enum ItemUpdate {
    #[serde(rename = "assistant_message.content_part.added")]
    PartAdded {
        content_index: u32,
        content: OutputText,
    },
    #[serde(rename = "assistant_message.content_part.text_delta")]
    PartDelta { content_index: u32, delta: String },
    #[serde(rename = "assistant_message.content_part.done")]
    PartDone {
        content_index: u32,
        content: OutputText,
    },
    #[serde(rename = "widget.streaming_text.value_delta")]
    WidgetText {
        component_id: String,
        delta: String,
        done: bool,
    },
    #[serde(rename = "widget.root.updated")]
    WidgetRoot { widget: Value },
    #[serde(rename = "workflow.task.updated")]
    TaskUpdated { task_index: u32, task: Task },
}

/// The answer to an action that asks no model.
#[derive(Debug, Serialize)]
pub(super) struct SyncAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) updated_item: Option<ThreadItem>,
}
