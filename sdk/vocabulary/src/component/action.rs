//! Actions of components.
//!
//! An action names a tool of the same plugin. When a person presses, changes or submits the
//! component, the host calls that tool with the payload and the values of the enclosing form,
//! under the same policy as any other call.
//!
//! Invariant: an action has no confirmation text. The host decides whether a press needs approval,
//! and asks in its own words.

use super::declare::{described, either, shape};
use super::prop::Prop;
use super::token::{Handler, LoadingBehavior};
#[cfg(feature = "host")]
use crate::function::is_id;
use serde::Serialize;
#[cfg(feature = "host")]
use serde_json::Value;

shape! {
    /// A call of a tool.
    Action (
        /// The name of a tool of the same plugin.
        tool = "type": ToolName,
    )
    /// The handler; the server by default.
    handler = "handler": Handler,
    /// The indicator while the action runs.
    loading_behavior = "loadingBehavior": LoadingBehavior,
    /// Whether the action waits until a running answer ends; `false` allows a press meanwhile.
    streaming = "streaming": bool,
}

described!(Action = Action);

impl Action {
    /// Sets the tool's input. The values of the enclosing form are added under names that are free.
    ///
    /// A payload that does not serialize is reported when the tree is serialized.
    pub fn payload(mut self, payload: impl Serialize) -> Self {
        self.put("payload", Prop::json(&payload));
        self
    }
}

/// The host's side.
#[cfg(feature = "host")]
impl Action {
    /// Reads an action. Returns `None` unless it is an object with the name of a tool in `type`.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        let members = value.as_object()?;
        let tool = members.get("type")?.as_str()?;
        is_id(tool).then(|| Self(members.clone().into()))
    }

    /// Returns the name of the tool.
    #[must_use]
    pub fn tool(&self) -> &str {
        self.member("type").and_then(Value::as_str).unwrap_or("")
    }

    /// Returns the tool's input; `null` if absent.
    #[must_use]
    pub fn input(&self) -> &Value {
        self.member("payload").unwrap_or(&Value::Null)
    }

    /// Returns the handler.
    #[must_use]
    pub fn heard_by(&self) -> Handler {
        match self.member("handler").and_then(Value::as_str) {
            Some(word) => word.into(),
            None => Handler::Server,
        }
    }

    /// Reports whether the action waits until a running answer ends.
    #[must_use]
    pub fn waits(&self) -> bool {
        self.member("streaming").and_then(Value::as_bool) != Some(false)
    }

    fn member(&self, name: &str) -> Option<&Value> {
        self.0.members.get(name)
    }
}

shape! {
    /// A button in a card's footer.
    CardAction (
        /// The label.
        label = "label": String,
        /// The action of a press.
        action = "action": Action,
    )
}

described!(CardAction = Object(CardAction::SHAPE));

either! {
    /// The name of a tool: `^[a-z][a-z0-9_]{0,30}$` without `__`.
    ToolName from &str, String; ToolName
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn action_is_written_as_chatkit_reads_it() {
        let action = Action::new("complete")
            .payload(json!({ "id": 7 }))
            .handler(Handler::Server)
            .loading_behavior("container")
            .streaming(false);
        let node = super::super::Button::new()
            .label("Done")
            .on_click_action(action);
        assert_eq!(
            serde_json::to_value(node.node()).expect("serialises"),
            json!({
                "type": "Button",
                "label": "Done",
                "onClickAction": {
                    "type": "complete", "payload": { "id": 7 }, "handler": "server",
                    "loadingBehavior": "container", "streaming": false
                }
            })
        );
    }

    #[cfg(feature = "host")]
    #[test]
    fn action_is_read_with_chatkits_defaults() {
        let action = Action::read(&json!({ "type": "complete", "new": 1 })).expect("an action");
        assert_eq!(
            (
                action.tool(),
                action.input(),
                action.heard_by(),
                action.waits()
            ),
            ("complete", &Value::Null, Handler::Server, true)
        );
    }
}
