//! Questions of a plugin or the model to a person.
//!
//! A [`Question`] has a prompt and [`Field`]s; each field has a [`Control`]. A plugin sends the
//! fields as a JSON array, and the host checks and completes them with `Question::parse`. The ask
//! item of the record, the frames of a live connection and the model's built-in tool call the same
//! array `widgets`.
//!
//! A field is required unless it says `required: false`, but a person can always skip the whole
//! question. A surface fills `default` in beforehand; it is never an answer by itself.
//!
//! Invariant: nothing here checks an answer, so that a guest that only asks stays small.
//!
//! To add a control: [`Control`], its constructor here, its check in `answer/check.rs`, and its
//! bounds in `question/parse.rs`.

#[cfg(feature = "host")]
mod parse;

#[cfg(feature = "host")]
pub use parse::{MAX_FIELDS, MAX_OPTIONS, MAX_PROMPT, NO_PROMPT, QuestionError, is_field_name};

mod choice;

pub use choice::Choice;

use crate::builder::setters;
use crate::word::words;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// A prompt and the fields to answer it with. Without fields it asks for Yes or No.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Question {
    /// The question, in Markdown.
    pub prompt: String,
    /// The fields.
    #[serde(default)]
    pub fields: Vec<Field>,
}

impl Question {
    /// Creates a question without fields, which asks for Yes or No.
    pub fn new(prompt: impl Into<String>) -> Self {
        Self {
            prompt: prompt.into(),
            fields: Vec::new(),
        }
    }

    /// Adds a field.
    #[must_use]
    pub fn field(mut self, field: Field) -> Self {
        self.fields.push(field);
        self
    }
}

words! {
    /// The input element of a field.
    pub enum Control {
        /// One button for each option; a press answers.
        Buttons = "buttons",
        /// Yes or No, or the options given. Always a single choice.
        Confirm = "confirm",
        /// A drop-down list.
        Select = "select",
        /// A list in which one option can be marked.
        Radio = "radio",
        /// A list in which any number of options can be marked.
        Checkbox = "checkbox",
        /// One line of text.
        Text = "text",
        /// Several lines of text.
        Textarea = "textarea",
        /// A number.
        Number = "number",
        /// A day, `YYYY-MM-DD`.
        Date = "date",
        /// Text that is neither shown nor recorded, such as a password.
        Secret = "secret",
    }
}

impl Control {
    /// Parses a control; `text_input` is an alias of `text`.
    #[must_use]
    pub fn read(word: &str) -> Self {
        match word {
            "text_input" => Self::Text,
            word => Self::from(word),
        }
    }

    /// Reports whether the control offers options.
    #[must_use]
    pub fn has_options(&self) -> bool {
        matches!(
            self,
            Self::Buttons | Self::Confirm | Self::Select | Self::Radio | Self::Checkbox
        )
    }
}

/// One field of a question.
///
/// Each control has a constructor; the other methods refine the field:
///
/// ```
/// use footlight_vocabulary::question::Field;
/// let city = Field::select("city").label("Which one?").options(["Springfield, MA", "Springfield, IL"]);
/// assert_eq!(
///     serde_json::to_string(&city)?,
///     r#"{"name":"city","type":"select","label":"Which one?","options":["Springfield, MA","Springfield, IL"]}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Field {
    /// The field's name in the answer: `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`, unique in its question.
    /// The host names a field without one: a single field `answer`, several `field1`, `field2`
    /// and so on.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The input element.
    #[serde(rename = "type", deserialize_with = "control")]
    pub control: Control,
    /// The label beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// A line of explanation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The options. Only `confirm` can omit them and then has Yes and No.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<Choice>>,
    /// The value that a surface fills in beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// `false` makes the field optional.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Whether the person can type an answer that is not an option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<bool>,
    /// Whether several options can be chosen, for `select` and `buttons`. With `checkbox` that is
    /// always possible, with `radio` and `confirm` never.
    #[serde(
        default,
        alias = "multiSelect",
        skip_serializing_if = "Option::is_none"
    )]
    pub multiple: Option<bool>,
    /// The placeholder of an empty input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    /// The least number, the first day, or the fewest characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<Value>,
    /// The greatest number, the last day, or the most characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<Value>,
    /// Whether a `number` must be whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integer: Option<bool>,
    /// A regular expression as a hint for surfaces. The host does not run it, because an untrusted
    /// expression can take exponential time; the plugin checks the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Members this version does not know.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

macro_rules! constructors {
    ($($(#[$doc:meta])* $name:ident = $control:ident;)+) => {
        $(
            $(#[$doc])*
            pub fn $name(name: impl Into<String>) -> Self {
                Self::new(name, Control::$control)
            }
        )+
    };
}

impl Field {
    /// Creates a field with this control.
    pub fn new(name: impl Into<String>, control: Control) -> Self {
        Self {
            name: name.into(),
            control,
            label: None,
            help: None,
            options: None,
            default: None,
            required: None,
            other: None,
            multiple: None,
            placeholder: None,
            min: None,
            max: None,
            integer: None,
            pattern: None,
            extra: Map::new(),
        }
    }

    constructors! {
        /// A button for each option.
        buttons = Buttons;
        /// Yes or No.
        confirm = Confirm;
        /// A drop-down list for one option, or several with [`multiple`](Self::multiple).
        select = Select;
        /// A list for one option.
        radio = Radio;
        /// A list for any number of options.
        checkbox = Checkbox;
        /// One line of text.
        text = Text;
        /// Several lines of text.
        textarea = Textarea;
        /// A number.
        number = Number;
        /// A day.
        date = Date;
        /// Text that is neither shown nor recorded.
        secret = Secret;
    }

    setters! {
        /// Sets the label.
        label => label: String;
        /// Sets a line of explanation.
        help => help: String;
        /// Sets the placeholder of an empty input.
        placeholder => placeholder: String;
        /// Sets a regular expression as a hint for surfaces; the host does not check it.
        pattern => pattern: String;
        /// `false` makes the field optional.
        required => required: bool;
        /// `true` lets the person type an answer that is not an option.
        other => other: bool;
        /// `true` lets the person choose several options.
        multiple => multiple: bool;
        /// `true` requires an integer.
        integer => integer: bool;
        /// Sets the value that a surface fills in beforehand.
        default => default: Value;
        /// Sets the least number, the first day, or the fewest characters.
        min => min: Value;
        /// Sets the greatest number, the last day, or the most characters.
        max => max: Value;
    }

    /// Sets the options.
    #[must_use]
    pub fn options<C: Into<Choice>>(mut self, options: impl IntoIterator<Item = C>) -> Self {
        self.options = Some(options.into_iter().map(Into::into).collect());
        self
    }

    /// Returns the options.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        self.options.as_deref().unwrap_or_default()
    }

    /// Reports whether several options can be chosen.
    #[must_use]
    pub fn is_multiple(&self) -> bool {
        match self.control {
            Control::Checkbox => true,
            Control::Select | Control::Buttons => self.multiple == Some(true),
            _ => false,
        }
    }

    /// Reports whether the field must be answered.
    #[must_use]
    pub fn is_required(&self) -> bool {
        self.required != Some(false)
    }
}

fn control<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Control, D::Error> {
    let word = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
    Ok(Control::read(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> Field {
        serde_json::from_value(value).expect("a field")
    }

    fn written(field: &Field) -> Value {
        serde_json::to_value(field).expect("serialises")
    }

    #[test]
    fn members_that_were_not_given_are_not_on_the_wire() {
        assert_eq!(
            written(&Field::text("city")),
            json!({ "name": "city", "type": "text" })
        );
        assert_eq!(
            written(
                &Field::number("days")
                    .integer(true)
                    .min(1)
                    .max(14)
                    .default(5)
                    .required(false)
            ),
            json!({ "name": "days", "type": "number", "integer": true, "min": 1, "max": 14,
                    "default": 5, "required": false })
        );
    }

    #[test]
    fn members_and_controls_this_version_does_not_know_survive() {
        let sent = json!({ "name": "a", "type": "slider", "ticks": [1, 2], "label": "Hm" });
        let field = read(sent.clone());
        assert_eq!(field.control, Control::Other("slider".into()));
        assert_eq!(written(&field), sent);
    }

    #[test]
    fn text_input_and_multi_select_are_read_by_their_other_names() {
        assert_eq!(read(json!({ "type": "text_input" })).control, Control::Text);
        assert!(read(json!({ "type": "select", "multiSelect": true })).is_multiple());
    }

    #[test]
    fn confirm_and_radio_are_single_whatever_they_say() {
        assert!(!Field::confirm("a").multiple(true).is_multiple());
        assert!(!Field::radio("a").multiple(true).is_multiple());
        assert!(Field::checkbox("a").is_multiple());
    }

    #[test]
    fn every_constructor_makes_the_control_of_its_name() {
        let made = [
            Field::buttons("f"),
            Field::confirm("f"),
            Field::select("f"),
            Field::radio("f"),
            Field::checkbox("f"),
            Field::text("f"),
            Field::textarea("f"),
            Field::number("f"),
            Field::date("f"),
            Field::secret("f"),
        ];
        let words: Vec<_> = made.iter().map(|field| field.control.as_str()).collect();
        assert_eq!(words, Control::KNOWN);
    }
}
