//! The requests of a ChatKit client.
//!
//! Unknown members are ignored, as the official server ignores them; a member of the wrong type is an
//! error. The body is bounded before it is parsed, and each list and number here where it is used.

use crate::problem::Problem;
use crate::route::is_id;
use footlight_vocabulary::item::{ItemId, SessionId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

/// How many entries a page has by default, and at most.
const PAGE: usize = 20;
const MAX_PAGE: usize = 100;

/// A request, by its `type`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "params")]
pub(crate) enum ChatKitRequest {
    /// Starts a thread with a message.
    #[serde(rename = "threads.create")]
    CreateThread(CreateThread),
    /// Adds a message to a thread.
    #[serde(rename = "threads.add_user_message")]
    AddUserMessage(AddUserMessage),
    /// Answers a call of a tool that the page runs.
    #[serde(rename = "threads.add_client_tool_output")]
    AddClientToolOutput(InThread),
    /// Answers an item of the type `structured_input`.
    #[serde(rename = "threads.add_structured_input")]
    AddStructuredInput(OfItem),
    /// Answers a message again, in place of what followed it.
    #[serde(rename = "threads.retry_after_item")]
    RetryAfterItem(OfItem),
    /// Presses something in a widget, then asks the model.
    #[serde(rename = "threads.custom_action")]
    CustomAction(CustomAction),
    /// Presses something in a widget, and asks no model.
    #[serde(rename = "threads.sync_custom_action")]
    SyncCustomAction(CustomAction),
    /// Reads a thread with its first items.
    #[serde(rename = "threads.get_by_id")]
    GetThread(InThread),
    /// Lists threads.
    #[serde(rename = "threads.list")]
    ListThreads(PageOf),
    /// Changes the title of a thread.
    #[serde(rename = "threads.update")]
    UpdateThread(UpdateThread),
    /// Deletes a thread.
    #[serde(rename = "threads.delete")]
    DeleteThread(InThread),
    /// Lists the items of a thread.
    #[serde(rename = "items.list")]
    ListItems(ListItems),
    /// Says what the person thinks of items.
    #[serde(rename = "items.feedback")]
    Feedback(Feedback),
    /// Announces a file.
    #[serde(rename = "attachments.create")]
    CreateAttachment(Unsupported),
    /// Deletes a file.
    #[serde(rename = "attachments.delete")]
    DeleteAttachment(Unsupported),
    /// Turns speech into text.
    #[serde(rename = "input.transcribe")]
    Transcribe(Unsupported),
}

/// The parameters of a request that is not carried out, whatever they are.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Unsupported {}

/// The parameters of `threads.create`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CreateThread {
    pub(super) input: UserInput,
}

/// The parameters of `threads.add_user_message`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct AddUserMessage {
    pub(super) thread_id: ThreadId,
    pub(super) input: UserInput,
}

/// The parameters of a request that names a thread.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct InThread {
    pub(super) thread_id: ThreadId,
}

/// The parameters of a request that names an item of a thread.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct OfItem {
    pub(super) thread_id: ThreadId,
    pub(super) item_id: String,
}

/// The parameters of an action.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CustomAction {
    pub(super) thread_id: ThreadId,
    /// The item that was pressed. The action names it as well.
    #[serde(default)]
    pub(super) item_id: Option<String>,
    pub(super) action: ActionInput,
}

/// An action as a widget of ours carries it, with the values of the form around it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ActionInput {
    /// Always `press`.
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// The token of the action, and the values by field.
    #[serde(default)]
    pub(super) payload: Option<Map<String, Value>>,
}

/// The parameters of `threads.update`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct UpdateThread {
    pub(super) thread_id: ThreadId,
    pub(super) title: String,
}

/// The parameters of `items.list`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ListItems {
    pub(super) thread_id: ThreadId,
    #[serde(flatten)]
    pub(super) page: PageOf,
}

/// The part of a list that is asked for.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct PageOf {
    /// How many entries; 20 by default, and 100 at most.
    #[serde(default)]
    pub(super) limit: Option<u32>,
    #[serde(default)]
    pub(super) order: Order,
    /// The last entry of the page before.
    #[serde(default)]
    pub(super) after: Option<String>,
}

impl PageOf {
    /// Returns the first page, oldest entry first.
    pub(super) fn first() -> Self {
        Self {
            limit: None,
            order: Order::Asc,
            after: None,
        }
    }

    /// Returns how many entries the page has at most.
    pub(super) fn size(&self) -> usize {
        match self.limit {
            None | Some(0) => PAGE,
            Some(limit) => usize::try_from(limit).unwrap_or(MAX_PAGE).min(MAX_PAGE),
        }
    }
}

/// The order of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Order {
    /// The oldest first.
    Asc,
    /// The newest first.
    #[default]
    Desc,
}

/// The parameters of `items.feedback`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Feedback {
    pub(super) thread_id: ThreadId,
    pub(super) item_ids: Vec<String>,
    pub(super) kind: FeedbackKind,
}

/// What the person thinks.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FeedbackKind {
    /// It was good.
    Positive,
    /// It was not.
    Negative,
}

/// A message of the person.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct UserInput {
    content: Vec<InputContent>,
    #[serde(default)]
    attachments: Vec<String>,
    /// What the person has marked in the thread.
    #[serde(default)]
    pub(super) quoted_text: Option<String>,
    #[serde(default)]
    inference_options: InferenceOptions,
}

/// A part of a message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
enum InputContent {
    /// Text.
    InputText {
        /// The text.
        text: String,
    },
    /// Something that the page knows, by its name.
    InputTag {
        /// The name.
        text: String,
    },
}

/// A choice of model and tool.
#[derive(Debug, Default, Deserialize, JsonSchema)]
struct InferenceOptions {
    #[serde(default)]
    tool_choice: Option<Value>,
    #[serde(default)]
    model: Option<String>,
}

impl UserInput {
    /// Returns the person's words.
    ///
    /// # Errors
    /// When the message wants what this server does not have: files, and a choice of model or tool.
    /// Ignoring that would answer another message than the person sent.
    pub(super) fn words(&self) -> Result<String, Problem> {
        if !self.attachments.is_empty() {
            return Err(Problem::unsupported("a message here has no attachments"));
        }
        let options = &self.inference_options;
        if options.model.is_some() || options.tool_choice.is_some() {
            return Err(Problem::unsupported(
                "model and tools are chosen by the server; leave `inference_options` empty",
            ));
        }
        let parts = self.content.iter().map(|part| match part {
            InputContent::InputText { text } | InputContent::InputTag { text } => text.as_str(),
        });
        let words = parts.collect::<Vec<_>>().join(" ");
        crate::sessions::check_prompt(&words)?;
        Ok(words)
    }
}

/// The id of a thread, which is that of a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct ThreadId(String);

impl ThreadId {
    /// Returns the session. What is not spelled like an id is answered like an unknown one.
    pub(super) fn session(&self) -> Result<SessionId, Problem> {
        match is_id(&self.0) {
            true => Ok(SessionId::from(self.0.as_str())),
            false => Err(Problem::not_found()),
        }
    }
}

/// Returns the id of an item, if it is spelled like one.
pub(super) fn item_id(text: &str) -> Result<ItemId, Problem> {
    match is_id(text) {
        true => Ok(ItemId::from(text)),
        false => Err(Problem::not_found()),
    }
}
