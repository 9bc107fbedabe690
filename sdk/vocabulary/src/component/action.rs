//! Actions: what happens when a person presses, changes or submits something.
//!
//! An action names a tool of the same plugin. Pressing it makes the host run an ordinary, policed
//! call of that tool with the payload and the values of the form around it.
//!
//! Invariant: an action has no text of its own to confirm with. Whether a press needs leave is the
//! host's decision, in the host's words.

use super::declare::{described, either, shape};
use super::prop::Prop;
use super::token::{Handler, LoadingBehavior};
#[cfg(feature = "host")]
use crate::function::is_id;
use serde::Serialize;
#[cfg(feature = "host")]
use serde_json::Value;

shape! {
    /// A call of a tool, ready to be made.
    Action (
        /// The name of a tool of the same plugin.
        tool = "type": ToolName,
    )
    /// Who hears of it; the server unless said otherwise.
    handler = "handler": Handler,
    /// What shows that it is under way.
    loading_behavior = "loadingBehavior": LoadingBehavior,
    /// Whether it waits for the answer under way to end; `false` lets it be pressed meanwhile.
    streaming = "streaming": bool,
}

described!(Action = Action);

impl Action {
    /// What the tool is called with. A form's values are added to it where a name is free.
    ///
    /// A payload that cannot be written as JSON comes out when the tree is serialised.
    pub fn payload(mut self, payload: impl Serialize) -> Self {
        self.put("payload", Prop::json(&payload));
        self
    }
}

/// Reading one, on the host.
#[cfg(feature = "host")]
impl Action {
    /// Reads an action; `None` if it is not an object with a tool's name in `type`.
    #[must_use]
    pub fn read(value: &Value) -> Option<Self> {
        let members = value.as_object()?;
        let tool = members.get("type")?.as_str()?;
        is_id(tool).then(|| Self(members.clone().into()))
    }

    /// The tool it names.
    #[must_use]
    pub fn tool(&self) -> &str {
        self.member("type").and_then(Value::as_str).unwrap_or("")
    }

    /// What the tool is called with; `null` when nothing was given.
    #[must_use]
    pub fn input(&self) -> &Value {
        self.member("payload").unwrap_or(&Value::Null)
    }

    /// Who hears of it.
    #[must_use]
    pub fn heard_by(&self) -> Handler {
        match self.member("handler").and_then(Value::as_str) {
            Some(word) => word.into(),
            None => Handler::Server,
        }
    }

    /// Whether it waits for the answer under way to end.
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
        /// What the button says.
        label = "label": String,
        /// What pressing it does.
        action = "action": Action,
    )
}

described!(CardAction = Object(CardAction::SHAPE));

either! {
    /// A tool's name: `^[a-z][a-z0-9_]{0,30}$` without `__`.
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
