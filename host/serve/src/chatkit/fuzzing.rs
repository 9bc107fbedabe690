//! Bodies of the fuzz target, and what tests compare with the official implementation.

use super::diff::diff_widget;
use super::press::Pressed;
use super::request::ChatKitRequest;
use super::tree::{Source, chatkit_tree};
use footlight_vocabulary::component;
use footlight_vocabulary::item::ItemId;
use footlight_vocabulary::json::{self, Limits};
use serde_json::{Value, json};

/// Reads a request and two trees of a plugin, each on a line. A tree that a client is sent has an id for
/// every text, and differs from another if and only if there are updates.
pub fn lines(text: &str) {
    let mut lines = text.splitn(3, '\n');
    request(lines.next().unwrap_or_default());
    let trees = lines.filter_map(|line| serde_json::from_str(line).ok());
    let trees: Vec<Value> = trees.filter_map(|view| tree(&view)).collect();
    for before in &trees {
        has_ids(before);
        for after in &trees {
            let is_same = diff_widget(before, after).is_empty();
            assert_eq!(is_same, before == after, "{before} {after}");
        }
    }
}

fn has_ids(node: &Value) {
    if matches!(node["type"].as_str(), Some("Text" | "Markdown")) {
        let id = node["id"].as_str().unwrap_or_default();
        assert!(!id.is_empty(), "{node}");
    }
    match &node["children"] {
        Value::Array(children) => children.iter().for_each(has_ids),
        child @ Value::Object(_) => has_ids(child),
        _ => {}
    }
}

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
