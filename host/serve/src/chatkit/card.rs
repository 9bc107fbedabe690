//! Cards that the server makes itself, and their parts.

use super::tree::safe_markdown;
use footlight_render::filter::{clean, line, visible};
use serde_json::{Value, json};

/// The most characters of a label.
const MAX_LABEL: usize = 300;

/// Returns a card.
pub(super) fn card(children: Vec<Value>) -> Value {
    json!({ "type": "Card", "size": "md", "children": children })
}

/// Returns text that a person or a plugin wrote, as it is. Texts of one card have different ids.
pub(super) fn text(id: &str, value: &str) -> Value {
    json!({ "type": "Text", "id": id, "value": clean(value) })
}

/// Returns text that a person decides about: what deceives the eye is shown by its number.
pub(super) fn exact_text(id: &str, value: &str) -> Value {
    json!({ "type": "Text", "id": id, "value": visible(value) })
}

/// Returns Markdown without pictures and HTML.
pub(super) fn markdown(id: &str, value: &str) -> Value {
    json!({ "type": "Markdown", "id": id, "value": safe_markdown(value) })
}

/// Returns a line of explanation.
pub(super) fn caption(value: &str) -> Value {
    json!({ "type": "Caption", "value": label(value) })
}

/// Returns a title.
pub(super) fn title(value: &str) -> Value {
    json!({ "type": "Title", "value": label(value), "size": "sm" })
}

/// Returns a label for a state.
pub(super) fn badge(value: &str, color: &str) -> Value {
    json!({ "type": "Badge", "label": label(value), "color": color })
}

/// Returns a row.
pub(super) fn row(children: Vec<Value>) -> Value {
    json!({ "type": "Row", "gap": 2, "wrap": "wrap", "align": "center", "children": children })
}

/// Returns a button with an action.
pub(super) fn button(value: &str, color: &str, action: Value) -> Value {
    json!({ "type": "Button", "label": label(value), "color": color, "onClickAction": action })
}

/// Returns one line of at most 300 characters.
pub(super) fn label(value: &str) -> String {
    line(value, MAX_LABEL)
}
