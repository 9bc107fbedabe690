//! Input fields, buttons and their actions.

use super::{Cut, Tone};

/// An action of a component tree, as it is attached to what triggers it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Press {
    /// The number of the action in its component tree, from 1, in the order of
    /// [`find_actions`](footlight_vocabulary::component::find_actions).
    pub number: usize,
    /// The path of the action in the component tree, such as `children[1].onClickAction`. The host
    /// looks the action up there; the tool's name and the payload never reach a surface.
    pub path: String,
    /// The path of the form whose values are submitted; empty if the root is the form.
    pub form: Option<String>,
    /// A hash of the tool: equal for actions that call the same one.
    pub tool: u64,
    /// A hash of the tool and the payload: equal for actions that do the same.
    pub digest: u64,
}

/// A button.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Button {
    /// The label.
    pub label: String,
    /// The name of an icon, before the label or instead of it.
    pub icon: Option<String>,
    /// The meaning expressed by its colour.
    pub tone: Tone,
    /// Whether it is the default choice.
    pub primary: bool,
    /// Whether it cannot be pressed.
    pub disabled: bool,
    /// Whether it submits the enclosing form.
    pub submit: bool,
    /// The action when it is pressed.
    pub press: Option<Press>,
}

/// An input field of a component tree or a question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Field {
    /// The name under which the form submits the value.
    pub name: String,
    /// The label. In a component tree, a separate component may provide it.
    pub label: Option<String>,
    /// A line of explanation.
    pub help: Option<String>,
    /// The control that the person uses.
    pub control: Control,
    /// The available options.
    pub options: Vec<Choice>,
    /// The number of options left out.
    pub more_options: Option<Cut>,
    /// The initial value. For a single checkbox, `true` means checked.
    pub value: Option<String>,
    /// The hint shown while the field is empty.
    pub placeholder: Option<String>,
    /// Whether the field must be filled in.
    pub required: bool,
    /// Whether the field cannot be changed.
    pub disabled: bool,
    /// Whether the person may type an answer that is not among the options.
    pub other: bool,
    /// The minimum: a number, a date or a length in characters.
    pub min: Option<String>,
    /// The maximum: a number, a date or a length in characters.
    pub max: Option<String>,
    /// The action when the value changes.
    pub press: Option<Press>,
}

impl Field {
    /// Creates a field with a name and a control.
    pub fn new(name: impl Into<String>, control: Control) -> Self {
        Self {
            name: name.into(),
            control,
            ..Self::default()
        }
    }
}

/// The control of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Control {
    /// A single-line text input.
    #[default]
    Text,
    /// A multi-line text input.
    Textarea,
    /// A number input.
    Number,
    /// A date input.
    Date,
    /// An input for a mail address.
    Email,
    /// An input for a telephone number.
    Tel,
    /// An input for a URL.
    Url,
    /// A password input; its value is never shown.
    Secret,
    /// A drop-down list with one choice.
    Select,
    /// Radio buttons: one choice.
    Radio,
    /// A group of checkboxes: any number of choices.
    CheckboxGroup,
    /// A single checkbox.
    Checkbox,
    /// One button per option; pressing a button answers the question.
    Buttons,
    /// A drop-down list with any number of choices.
    SelectMany,
}

/// An option of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// The value that the form submits.
    pub value: String,
    /// The label.
    pub label: String,
    /// A line of explanation.
    pub description: Option<String>,
    /// Whether the option is marked as recommended.
    pub recommended: bool,
    /// Whether the option cannot be chosen.
    pub disabled: bool,
    /// Whether the option is chosen initially.
    pub chosen: bool,
}
