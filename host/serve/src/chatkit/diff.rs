//! What a client is sent when a widget has changed: the text that was added, or the whole tree.
//!
//! The rules are those of the official server's `diff_widget`. Text that only grew, in a `Text` or
//! `Markdown` with an `id`, is sent as what was added; any other change sends the root. The official
//! server sends nothing at all for text that grew where it does not look: without an `id`, or in a
//! `Transition`. There this one sends the root.

use super::wire::ItemUpdate;
use serde_json::{Map, Value};

/// The greatest depth that is compared. A checked tree is not deeper.
const MAX_DEPTH: usize = 200;

/// Returns the updates that lead a client from one tree to another.
pub(super) fn diff_widget(before: &Value, after: &Value) -> Vec<ItemUpdate> {
    let mut updates = Vec::new();
    let changed = match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            component(before, after, true, MAX_DEPTH, &mut updates)
        }
        (before, after) => before != after,
    };
    if changed {
        let widget = after.clone();
        return vec![ItemUpdate::WidgetRoot { widget }];
    }
    updates
}

/// Compares two components. Returns whether the root must be sent; otherwise adds what grew.
fn component(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    is_found: bool,
    depth: usize,
    updates: &mut Vec<ItemUpdate>,
) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return true;
    };
    let names = before.keys().chain(after.keys());
    for name in names {
        let (old, new) = (present(before, name), present(after, name));
        if old == new {
            continue;
        }
        let (Some(old), Some(new)) = (old, new) else {
            return true;
        };
        let changed = match (name.as_str(), old, new) {
            ("value", Value::String(old), Value::String(new)) if is_text(before, after) => {
                match (new.strip_prefix(old.as_str()), id(after)) {
                    (Some(delta), Some(id)) if is_found => {
                        let update = ItemUpdate::WidgetText {
                            component_id: id.to_owned(),
                            delta: delta.to_owned(),
                            done: after.get("streaming") != Some(&Value::Bool(true)),
                        };
                        if !updates.contains(&update) {
                            updates.push(update);
                        }
                        false
                    }
                    _ => true,
                }
            }
            ("children", Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
                old.iter().zip(new).any(|pair| match pair {
                    (Value::Object(old), Value::Object(new)) => {
                        component(old, new, is_found, depth, updates)
                    }
                    (old, new) => old != new,
                })
            }
            // A single child is not in a list, where the official server does not look for text.
            ("children", Value::Object(old), Value::Object(new)) => {
                component(old, new, false, depth, updates)
            }
            _ => true,
        };
        if changed {
            return true;
        }
    }
    false
}

/// Returns a member; `null` counts as absent.
fn present<'a>(members: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    members.get(name).filter(|value| !value.is_null())
}

fn is_text(before: &Map<String, Value>, after: &Map<String, Value>) -> bool {
    let kind = after.get("type").and_then(Value::as_str);
    before.get("type") == after.get("type") && matches!(kind, Some("Text" | "Markdown"))
}

fn id(members: &Map<String, Value>) -> Option<&str> {
    let id = members.get("id").and_then(Value::as_str);
    id.filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(value: &str) -> Value {
        json!({ "type": "Text", "id": "t", "value": value, "streaming": true })
    }

    fn card(child: Value) -> Value {
        json!({ "type": "Card", "children": [child] })
    }

    fn deltas(before: Value, after: Value) -> Vec<(String, bool)> {
        let updates = diff_widget(&before, &after).into_iter();
        let delta = |update| match update {
            ItemUpdate::WidgetText { delta, done, .. } => (delta, done),
            other => panic!("not a delta: {other:?}"),
        };
        updates.map(delta).collect()
    }

    #[test]
    fn text_that_grew_is_sent_as_what_was_added() {
        let before = card(text("ab"));
        assert_eq!(
            deltas(before.clone(), card(text("abcé"))),
            [("cé".to_owned(), false)]
        );
        assert_eq!(deltas(before.clone(), before.clone()), []);
        let mut no_streaming = (card(text("a")), card(text("ab")));
        for tree in [&mut no_streaming.0, &mut no_streaming.1] {
            tree["children"][0]["streaming"] = Value::Null;
        }
        assert_eq!(
            deltas(no_streaming.0, no_streaming.1),
            [("b".to_owned(), true)]
        );
    }

    #[test]
    fn any_other_change_sends_the_root() {
        let before = card(text("ab"));
        let mut done = card(text("abc"));
        done["children"][0]["streaming"] = false.into();
        let without_id = |value: &str| card(json!({ "type": "Text", "value": value }));
        let alone = |value: &str| json!({ "type": "Card", "children": [{ "type": "Transition", "children": text(value) }] });
        for (before, after) in [
            (before.clone(), card(text("b"))),
            (before.clone(), done),
            (before.clone(), json!({ "type": "Card", "children": [] })),
            (
                before,
                json!({ "type": "Basic", "children": [text("abc")] }),
            ),
            // The official server would send nothing, and the text would be lost.
            (without_id("a"), without_id("ab")),
            (alone("a"), alone("ab")),
        ] {
            let updates = diff_widget(&before, &after);
            let root = ItemUpdate::WidgetRoot {
                widget: after.clone(),
            };
            assert_eq!(updates, [root], "{after}");
        }
    }
}
