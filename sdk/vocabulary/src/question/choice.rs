//! Options of a field.

use crate::builder::{from_each, setters};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// An option of a field.
///
/// Serialized as a plain string if it has only a value. Deserialized from a string, a number (its
/// digits are the value), or an object; without `value`, its `label` is the value.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The value in the answer.
    pub value: String,
    /// The text for the person, if not the value.
    pub label: Option<String>,
    /// A line of explanation.
    pub description: Option<String>,
    /// Whether the option is marked as recommended.
    pub recommended: Option<bool>,
    /// Whether the option is shown but cannot be chosen.
    pub disabled: Option<bool>,
    /// Members this version does not know.
    pub extra: Map<String, Value>,
}

impl Choice {
    /// Creates an option with this value, which is also the text for the person.
    pub fn new(value: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            label: None,
            description: None,
            recommended: None,
            disabled: None,
            extra: Map::new(),
        }
    }

    setters! {
        /// Sets the text for the person.
        label => label: String;
        /// Sets a line of explanation.
        description => description: String;
        /// Marks the option as recommended.
        recommended => recommended: bool;
        /// Shows the option without letting it be chosen.
        disabled => disabled: bool;
    }

    /// Returns the text for the person: the label, else the value.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.value)
    }
}

from_each!(Choice: &str, String, &String; value => Self::new(value));

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if *self == Self::new(&self.value) {
            return serializer.serialize_str(&self.value);
        }
        let text = |text: &Option<String>| text.as_deref().map(Value::from);
        let known = [
            ("value", Some(Value::from(self.value.as_str()))),
            ("label", text(&self.label)),
            ("description", text(&self.description)),
            ("recommended", self.recommended.map(Value::from)),
            ("disabled", self.disabled.map(Value::from)),
        ];
        let known = known
            .iter()
            .filter_map(|(name, value)| Some((*name, value.as_ref()?)));
        let extra = self.extra.iter();
        let extra = extra.map(|(name, value)| (name.as_str(), value));
        serializer.collect_map(known.chain(extra))
    }
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Long {
            value: Option<Value>,
            label: Option<String>,
            description: Option<String>,
            recommended: Option<bool>,
            disabled: Option<bool>,
            #[serde(flatten)]
            extra: Map<String, Value>,
        }
        let given = Value::deserialize(deserializer)?;
        if let Some(value) = as_text(&given) {
            return Ok(Self::new(value));
        }
        if !given.is_object() {
            return Err(D::Error::custom("an option is a string or an object"));
        }
        let long: Long = serde_json::from_value(given).map_err(D::Error::custom)?;
        let value = match (&long.value, &long.label) {
            (Some(value), _) => as_text(value)
                .ok_or_else(|| D::Error::custom("the `value` of an option is a string"))?,
            (None, Some(label)) => label.clone(),
            (None, None) => {
                return Err(D::Error::custom("an option needs a `value` or a `label`"));
            }
        };
        Ok(Self {
            label: long.label.filter(|label| *label != value),
            value,
            description: long.description,
            recommended: long.recommended,
            disabled: long.disabled,
            extra: long.extra,
        })
    }
}

/// Reads a number as its digits: models write options as `[1, 2, 3]`.
fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Choice {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Choice".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "An option: a plain string, or a value with what goes with it.",
            "anyOf": [
                { "type": ["string", "number"] },
                {
                    "type": "object",
                    "properties": {
                        "value": { "type": ["string", "number"] },
                        "label": { "type": "string" },
                        "description": { "type": "string" },
                        "recommended": { "type": "boolean" },
                        "disabled": { "type": "boolean" },
                    },
                    "anyOf": [{ "required": ["value"] }, { "required": ["label"] }],
                },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn round(value: Value) -> Value {
        let choice: Choice = serde_json::from_value(value).expect("an option");
        serde_json::to_value(choice).expect("serialises")
    }

    #[test]
    fn option_with_nothing_but_a_value_is_written_as_a_string() {
        assert_eq!(round(json!("a")), json!("a"));
        assert_eq!(round(json!({ "value": "a" })), json!("a"));
        assert_eq!(round(json!(3)), json!("3"));
    }

    #[test]
    fn option_with_only_a_label_has_it_for_its_value() {
        assert_eq!(
            round(json!({ "label": "Oslo", "description": "in Norway", "recommended": true })),
            json!({ "value": "Oslo", "description": "in Norway", "recommended": true })
        );
    }

    #[test]
    fn members_this_version_does_not_know_survive() {
        let sent = json!({ "value": "a", "label": "A", "icon": "star" });
        assert_eq!(round(sent.clone()), sent);
    }

    #[test]
    fn option_without_value_and_label_is_refused() {
        for wrong in [json!({}), json!(null), json!([]), json!({ "value": true })] {
            assert!(
                serde_json::from_value::<Choice>(wrong.clone()).is_err(),
                "{wrong}"
            );
        }
    }
}
