//! What a test can look at after a tool has run.

use footlight_vocabulary::component;
use serde_json::Value;

/// A widget that the tool showed, in its last state.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ShownWidget {
    /// The widget's type.
    pub widget: String,
    /// The widget's data.
    pub data: Value,
    /// The fallback text.
    pub fallback: String,
    /// The component tree.
    pub view: Option<Value>,
}

impl ShownWidget {
    /// Returns the actions of the view: the tool that each one calls, and its payload.
    #[must_use]
    pub fn actions(&self) -> Vec<(String, Value)> {
        let placed = self.view.iter().flat_map(component::find_actions);
        let parts = placed.map(|placed| {
            let action = &placed.action;
            (action.tool().to_owned(), action.input().clone())
        });
        parts.collect()
    }
}

/// An approval that the tool requested.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RequestedApproval {
    /// The action to approve.
    pub action: String,
    /// The text that a remembered approval covers.
    pub subject: String,
    /// The plugin's reason.
    pub reason: String,
    /// Further information for the decision.
    pub details: Option<Value>,
}

/// A request that the tool sent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SentRequest {
    /// The method.
    pub method: String,
    /// The URL.
    pub url: String,
    /// The headers that the tool wrote.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The names of the secrets that a host adds.
    pub secrets: Vec<String>,
}

/// An output that the tool stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredOutput {
    /// The id that the tool received.
    pub id: String,
    /// The title.
    pub title: String,
    /// The kind.
    pub kind: String,
    /// The media type.
    pub mime_type: String,
    /// The content.
    pub content: Vec<u8>,
}
