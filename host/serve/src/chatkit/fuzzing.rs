//! Bodies of the fuzz target, and what tests compare with the official implementation.

use super::diff::diff_widget;
use super::press::Pressed;
use super::request::ChatKitRequest;
use super::tree::{Source, chatkit_tree};
use footlight_vocabulary::component;
use footlight_vocabulary::item::ItemId;
use footlight_vocabulary::json::{self, Limits};
use serde_json::{Value, json};

/// Reads a request as the server does. Returns whether it was accepted.
pub fn request(text: &str) -> bool {
    let Ok(value) = json::parse(text, Limits::default()) else {
        return false;
    };
    let request = serde_json::from_value::<ChatKitRequest>(value);
    if let Ok(ChatKitRequest::CustomAction(action)) = &request
        && let Some(pressed) = action.action.payload.as_ref().and_then(Pressed::read)
    {
        let again = pressed.action();
        let again = again["payload"].as_object().and_then(Pressed::read);
        assert_eq!(again, Some(pressed), "a token has one spelling");
    }
    request.is_ok()
}

/// Returns the tree that a client is sent for a plugin's tree; none if the plugin's is malformed.
pub fn tree(view: &Value) -> Option<Value> {
    component::check(view).ok()?;
    let item = ItemId::from("itm_1");
    Some(chatkit_tree(
        view,
        Source {
            item: &item,
            rev: 1,
        },
    ))
}

/// Returns the updates that lead a client from one tree to another.
pub fn diff(before: &Value, after: &Value) -> Value {
    json!(diff_widget(before, after))
}
