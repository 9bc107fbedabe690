//! What a person can fill in and press.

use super::{Cut, Tone};

/// Something to press: an action of a component tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    /// Its number among the actions of the tree, from 1, in the order of
    /// [`find_actions`](footlight_vocabulary::component::find_actions): what `/do 2` means.
    pub number: usize,
    /// Its place in the tree, such as `children[1].onClickAction`. The host finds the action
    /// there; the tool's name and the payload never leave it.
    pub path: String,
    /// The path of the form whose values go with it; empty if the root is the form.
    pub form: Option<String>,
}

/// A button.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Button {
    /// What it says.
    pub label: String,
    /// The name of an icon before the label, or alone.
    pub icon: Option<String>,
    /// What its colour says.
    pub tone: Tone,
    /// Whether it is the one to press if in doubt.
    pub primary: bool,
    /// Whether it cannot be pressed.
    pub disabled: bool,
    /// Whether it submits the form around it.
    pub submit: bool,
    /// What pressing it does. Without it the button does nothing of its own.
    pub press: Option<Press>,
}

/// Something to fill in: of a component tree, or of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// What the form calls it.
    pub name: String,
    /// What stands beside it. A component tree may have a label elsewhere.
    pub label: Option<String>,
    /// A line of explanation.
    pub help: Option<String>,
    /// What the person touches.
    pub control: Control,
    /// What can be chosen.
    pub options: Vec<Choice>,
    /// How many options were left out.
    pub more_options: Option<Cut>,
    /// What is filled in beforehand. For a [`Control::Tick`], `true` is ticked.
    pub value: Option<String>,
    /// Shown where nothing has been filled in yet.
    pub placeholder: Option<String>,
    /// Whether it may not go unanswered.
    pub required: bool,
    /// Whether it cannot be changed.
    pub disabled: bool,
    /// Whether the person may type an answer that is not among the options.
    pub other: bool,
    /// The least number, the first day, or the fewest characters.
    pub min: Option<String>,
    /// The greatest number, the last day, or the most characters.
    pub max: Option<String>,
    /// What changing it does.
    pub press: Option<Press>,
}

impl Field {
    /// A field of which no more is known than its name and its control.
    pub fn new(name: impl Into<String>, control: Control) -> Self {
        Self {
            name: name.into(),
            label: None,
            help: None,
            control,
            options: Vec::new(),
            more_options: None,
            value: None,
            placeholder: None,
            required: false,
            disabled: false,
            other: false,
            min: None,
            max: None,
            press: None,
        }
    }
}

/// What the person touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// One line of text.
    Text,
    /// Several lines of text.
    Textarea,
    /// A number.
    Number,
    /// A day.
    Date,
    /// A mail address.
    Email,
    /// A telephone number.
    Tel,
    /// A web address.
    Url,
    /// Text that is not shown.
    Secret,
    /// One of a list that folds away.
    Select,
    /// One of a list.
    Radio,
    /// Any of a list.
    Checkbox,
    /// A single box to tick.
    Tick,
    /// A button for each option; pressing it answers.
    Buttons,
    /// Any of a list that folds away.
    SelectMany,
}

/// Something that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What the form submits.
    pub value: String,
    /// What the person reads.
    pub label: String,
    /// A line of explanation.
    pub description: Option<String>,
    /// Whether it is marked as the one to prefer.
    pub recommended: bool,
    /// Whether it cannot be chosen.
    pub disabled: bool,
    /// Whether it is chosen beforehand.
    pub chosen: bool,
}
