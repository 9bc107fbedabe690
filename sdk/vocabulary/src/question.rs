//! What a plugin, or the model, asks a person: a prompt and the fields to fill in.
//!
//! A [`Question`] has a prompt and [`Field`]s, and a field has a [`Control`]: what the person
//! touches to answer. A plugin builds fields and sends them as a JSON array; the host checks them
//! with `Question::parse`, which also fills in what was left out. In the record's ask item, in the
//! frames of a live connection and in the model's own way of asking, the same array is called
//! `widgets`: those are these fields, member for member.
//!
//! Two rules hold for every control. A field must be answered unless it says `required: false`;
//! a person who does not want to answer can always skip the whole question. And `default` is what
//! a surface fills in beforehand, never an answer that nobody gave.
//!
//! Invariant: nothing here checks an answer, so that a guest that only asks stays small.
//!
//! To add a control: [`Control`], its constructor here, its check in `answer/check.rs`, and what
//! it may be bounded by in `question/parse.rs`.

#[cfg(feature = "host")]
mod parse;

#[cfg(feature = "host")]
pub use parse::{MAX_FIELDS, MAX_OPTIONS, MAX_PROMPT, NO_PROMPT, QuestionError, is_field_name};

mod choice;

pub use choice::Choice;

use crate::word::words;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// A prompt and the fields to answer it with. No fields asks for Yes or No.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Question {
    /// What is asked, in Markdown.
    pub prompt: String,
    /// What there is to fill in.
    #[serde(default)]
    pub fields: Vec<Field>,
}

impl Question {
    /// A question without fields: Yes or No.
    pub fn new(prompt: impl Into<String>) -> Self {
        Self {
            prompt: prompt.into(),
            fields: Vec::new(),
        }
    }

    /// The same with one more field.
    #[must_use]
    pub fn field(mut self, field: Field) -> Self {
        self.fields.push(field);
        self
    }
}

words! {
    /// What the person touches to answer a field.
    pub enum Control {
        /// One button for each option; pressing it answers.
        Buttons = "buttons",
        /// Yes or No, or the options given. Always a single choice.
        Confirm = "confirm",
        /// A list that folds away.
        Select = "select",
        /// A list with one mark.
        Radio = "radio",
        /// A list with any number of marks.
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
    /// Reads a control's word; `text_input` is `text` by another name.
    #[must_use]
    pub fn read(word: &str) -> Self {
        match word {
            "text_input" => Self::Text,
            word => Self::from(word),
        }
    }

    /// Whether the person picks among options.
    #[must_use]
    pub fn has_options(&self) -> bool {
        matches!(
            self,
            Self::Buttons | Self::Confirm | Self::Select | Self::Radio | Self::Checkbox
        )
    }
}

/// One thing to fill in.
///
/// Made by the constructor that has the control's name, then refined:
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
    /// What the answer calls it: `^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`, unique in its question.
    /// Where it is missing the host gives one: `answer` to a single field, else `field1`,
    /// `field2` and so on by place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What the person touches.
    #[serde(rename = "type", deserialize_with = "control")]
    pub control: Control,
    /// What stands beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// A line of explanation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// What can be chosen. Only `confirm` goes without: it then has Yes and No.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<Choice>>,
    /// What a surface fills in beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// `false` lets it go unanswered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Whether the person may type an answer that is not among the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<bool>,
    /// Whether several options may be chosen: for `select` and `buttons`. A `checkbox` always
    /// lets several be chosen, `radio` and `confirm` never do.
    #[serde(
        default,
        alias = "multiSelect",
        skip_serializing_if = "Option::is_none"
    )]
    pub multiple: Option<bool>,
    /// Shown where nothing has been typed yet.
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
    /// A regular expression for a surface to hint with. The host does not run it: an expression
    /// from a stranger can take for ever, so whoever asked checks the answer.
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

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $name(mut self, text: impl Into<String>) -> Self {
                self.$name = Some(text.into());
                self
            }
        )+
    };
}

macro_rules! switches {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $name(mut self, on: bool) -> Self {
                self.$name = Some(on);
                self
            }
        )+
    };
}

macro_rules! values {
    ($($(#[$doc:meta])* $name:ident;)+) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $name(mut self, value: impl Into<Value>) -> Self {
                self.$name = Some(value.into());
                self
            }
        )+
    };
}

impl Field {
    /// A field with this control and nothing else said.
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
        /// One of a list that folds away, or several with [`multiple`](Self::multiple).
        select = Select;
        /// One of a list.
        radio = Radio;
        /// Any of a list.
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

    texts! {
        /// What stands beside it.
        label;
        /// A line of explanation.
        help;
        /// Shown where nothing has been typed yet.
        placeholder;
        /// A regular expression for a surface to hint with; nothing is refused by it.
        pattern;
    }

    switches! {
        /// `false` lets it go unanswered.
        required;
        /// `true` lets the person type an answer that is not among the options.
        other;
        /// `true` lets several options be chosen.
        multiple;
        /// `true` wants a whole number.
        integer;
    }

    values! {
        /// What is filled in beforehand.
        default;
        /// The least number, the first day, or the fewest characters.
        min;
        /// The greatest number, the last day, or the most characters.
        max;
    }

    /// What can be chosen.
    #[must_use]
    pub fn options<C: Into<Choice>>(mut self, options: impl IntoIterator<Item = C>) -> Self {
        self.options = Some(options.into_iter().map(Into::into).collect());
        self
    }

    /// What can be chosen; empty where nothing was said.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        self.options.as_deref().unwrap_or_default()
    }

    /// Whether several options may be chosen.
    #[must_use]
    pub fn is_multiple(&self) -> bool {
        match self.control {
            Control::Checkbox => true,
            Control::Select | Control::Buttons => self.multiple == Some(true),
            _ => false,
        }
    }

    /// Whether it may not go unanswered.
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
