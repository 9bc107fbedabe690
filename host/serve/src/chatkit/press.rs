//! What a person presses: the action that a client is sent, and what it sends back.
//!
//! On this wire every action is `{type: "press", payload: {token}}`. The token says where something was
//! pressed: the item, its revision and the place in its tree, or a question or approval request and
//! which of its buttons. It is not signed and holds nothing secret, because nothing is taken on its
//! word: the session reads tool and payload from the stored widget at that revision, the store checks
//! an answer or a verdict against the open request, and both belong to the client's person or are
//! answered like what does not exist. So a token works after a restart, and a forged one can press
//! only what its sender could press anyway.
//!
//! A client adds the values of the form around an action to the payload, in which a dot in a name nests
//! objects and existing members stay. A field that is called `token` is therefore sent under another
//! [name](wire_name).

use footlight_vocabulary::component::PlacedField;
use footlight_vocabulary::item::{ItemId, RequestId, Verdict};
use serde_json::{Map, Value, json};
use std::fmt;

/// The type of every action.
pub(super) const PRESS: &str = "press";

/// The member of a payload with the token.
const TOKEN: &str = "token";

/// The longest token. A path has at most one segment for each level of a tree.
const MAX_TOKEN: usize = 2_048;

/// What was pressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Pressed {
    /// An action of a plugin's widget.
    Widget {
        item: ItemId,
        /// The revision that the person saw.
        rev: u64,
        /// The place of the action in the widget's view.
        path: String,
    },
    /// The button that answers a question with what was filled in, or with an option.
    Answer {
        request: RequestId,
        /// The option of the only field.
        option: Option<usize>,
    },
    /// The button that skips a question.
    Skip { request: RequestId },
    /// A verdict on a request for approval.
    Verdict {
        request: RequestId,
        verdict: Verdict,
    },
}

impl Pressed {
    /// Returns the action of a component.
    pub(super) fn action(&self) -> Value {
        json!({ "type": PRESS, "payload": { TOKEN: self.to_string() }, "handler": "server" })
    }

    /// Returns the action of a question's or an approval's button, which can be pressed while the
    /// stream that shows it is open.
    pub(super) fn settling_action(&self) -> Value {
        let mut action = self.action();
        action["streaming"] = false.into();
        action["loadingBehavior"] = "container".into();
        action
    }

    /// Reads the token of a payload; none if it has none that is well-formed.
    pub(super) fn read(payload: &Map<String, Value>) -> Option<Self> {
        let token = payload.get(TOKEN)?.as_str()?;
        Self::parse(token)
    }

    fn parse(token: &str) -> Option<Self> {
        if token.len() > MAX_TOKEN {
            return None;
        }
        let (kind, rest) = token.split_once(' ')?;
        let request = |id: &str| crate::route::is_id(id).then(|| RequestId::from(id));
        match kind {
            "widget" => {
                let (item, rest) = rest.split_once(' ')?;
                let (rev, path) = rest.split_once(' ')?;
                Some(Self::Widget {
                    item: super::request::item_id(item).ok()?,
                    rev: number(rev)?,
                    path: path.to_owned(),
                })
            }
            "answer" => {
                let (id, option) = match rest.split_once(' ') {
                    Some((id, option)) => (id, Some(usize::try_from(number(option)?).ok()?)),
                    None => (rest, None),
                };
                Some(Self::Answer {
                    request: request(id)?,
                    option,
                })
            }
            "skip" => Some(Self::Skip {
                request: request(rest)?,
            }),
            "decide" => {
                let (id, verdict) = rest.split_once(' ')?;
                let verdict = OFFERED.iter().find(|(_, word)| *word == verdict)?.0;
                Some(Self::Verdict {
                    request: request(id)?,
                    verdict,
                })
            }
            _ => None,
        }
    }

    /// Returns the item that it is part of.
    pub(super) fn item(&self) -> &str {
        match self {
            Self::Widget { item, .. } => item.as_str(),
            Self::Answer { request, .. }
            | Self::Skip { request }
            | Self::Verdict { request, .. } => request.as_str(),
        }
    }
}

/// The verdicts that can be given here. A lasting one is given at a terminal, where rules are written.
pub(super) const OFFERED: [(Verdict, &str); 3] = [
    (Verdict::Deny, "deny"),
    (Verdict::Once, "once"),
    (Verdict::Session, "session"),
];

impl fmt::Display for Pressed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Widget { item, rev, path } => write!(f, "widget {item} {rev} {path}"),
            Self::Answer {
                request,
                option: Some(option),
            } => write!(f, "answer {request} {option}"),
            Self::Answer { request, .. } => write!(f, "answer {request}"),
            Self::Skip { request } => write!(f, "skip {request}"),
            Self::Verdict { request, verdict } => {
                let word = OFFERED.iter().find(|(offered, _)| offered == verdict);
                let word = word.map_or("deny", |(_, word)| word);
                write!(f, "decide {request} {word}")
            }
        }
    }
}

/// Reads a number in its only spelling.
fn number(text: &str) -> Option<u64> {
    let number: u64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Returns the name under which a field's value is sent.
pub(super) fn wire_name(name: &str) -> String {
    match name.split('.').next() {
        Some(first) if first.trim_start_matches('_') == TOKEN => format!("_{name}"),
        _ => name.to_owned(),
    }
}

/// Returns the values of a form's fields by their names in the view. What belongs to no field is left
/// out: a client cannot add to an action's input.
pub(super) fn field_values(
    fields: &[PlacedField],
    payload: &Map<String, Value>,
) -> Map<String, Value> {
    let mut values = Map::new();
    for field in fields {
        let name = wire_name(&field.name);
        let nested = || {
            let mut segments = name.split('.');
            let first = payload.get(segments.next()?)?;
            segments.try_fold(first, |value, segment| value.get(segment))
        };
        let value = payload.get(&name).or_else(nested);
        // A password that was left empty is no secret.
        let is_empty = |value: &Value| field.is_secret && value.as_str() == Some("");
        if let Some(value) = value.filter(|value| !value.is_null() && !is_empty(value)) {
            values.insert(field.name.clone(), value.clone());
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use footlight_vocabulary::component::{fields_of, find_actions};

    #[test]
    fn every_token_is_read_as_it_was_written() {
        for pressed in [
            Pressed::Widget {
                item: ItemId::from("itm_1"),
                rev: 7,
                path: "children[1].onClickAction".to_owned(),
            },
            Pressed::Answer {
                request: RequestId::from("call_1_a1"),
                option: None,
            },
            Pressed::Answer {
                request: RequestId::from("call_1_a1"),
                option: Some(12),
            },
            Pressed::Skip {
                request: RequestId::from("call_1_a1"),
            },
            Pressed::Verdict {
                request: RequestId::from("call_1_v1"),
                verdict: Verdict::Session,
            },
        ] {
            let action = pressed.action();
            let payload = action["payload"].as_object().expect("an object");
            assert_eq!(Pressed::read(payload), Some(pressed));
        }
    }

    #[test]
    fn a_token_has_one_spelling_and_promises_nothing_that_lasts() {
        for token in [
            "",
            "widget",
            "widget itm_1 07 x",
            "widget itm_1 +7 x",
            "widget ../x 7 x",
            "answer call_1 -1",
            "answer call_1 1 2",
            "skip ",
            "decide call_1",
            "decide call_1 always",
            "decide call_1 ONCE",
            &format!("widget itm_1 7 {}", "x".repeat(MAX_TOKEN)),
        ] {
            assert_eq!(Pressed::parse(token), None, "{token:?}");
        }
    }

    #[test]
    fn values_are_those_of_fields_however_their_names_nest() {
        let tree = json!({ "type": "Card", "asForm": true,
            "confirm": { "label": "Save", "action": { "type": "save" } },
            "children": [
                { "type": "Input", "name": "todo.title" },
                { "type": "Input", "name": "token" },
                { "type": "Input", "name": "pin", "inputType": "password" },
                { "type": "Checkbox", "name": "mail" } ] });
        let fields = fields_of(&tree, &find_actions(&tree)[0]);
        let payload = json!({ "token": "widget itm_1 0 x", "todo": { "title": "Milk" },
            "_token": "mine", "pin": "", "mail": null, "rights": "all" });
        let values = field_values(&fields, payload.as_object().expect("an object"));
        assert_eq!(
            Value::Object(values),
            json!({ "todo.title": "Milk", "token": "mine" })
        );
        assert_eq!(wire_name("_token.a"), "__token.a");
    }
}
