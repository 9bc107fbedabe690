//! Components a person acts on: buttons, forms and their fields.

use super::Node;
use super::action::Action;
use super::declare::{component, described, shape};
use super::layout::boxed;
use super::prop::Prop;
use super::shape::{Color, Dimension, IconName, Inset, Outline};
use super::token::{
    Alignment, ButtonColor, ButtonIconSize, ButtonStyle, ControlSize, ControlVariant, Direction,
    GutterSize, InputType, InputVariant, Justification, Radius, Side, TextAlign, TextSize, Weight,
    Wrap,
};

component! {
    /// A button.
    Button = "Button" [] ()
    /// Whether it submits the form around it.
    submit = "submit": bool,
    /// What it says.
    label = "label": String,
    /// What pressing it does.
    on_click_action = "onClickAction": Action,
    /// An icon before the label, or alone.
    icon_start = "iconStart": IconName,
    /// An icon after the label.
    icon_end = "iconEnd": IconName,
    /// A preset.
    style = "style": ButtonStyle,
    /// How large the icons are.
    icon_size = "iconSize": ButtonIconSize,
    /// What its colour says.
    color = "color": ButtonColor,
    /// How it is filled.
    variant = "variant": ControlVariant,
    /// How large it is.
    size = "size": ControlSize,
    /// Whether its ends are fully round.
    pill = "pill": bool,
    /// Whether it is as wide as high.
    uniform = "uniform": bool,
    /// Whether it takes the whole width.
    block = "block": bool,
    /// Whether it cannot be pressed.
    disabled = "disabled": bool,
}

boxed! {
    /// A box whose fields are submitted together.
    Form = "Form" [Node] ()
    /// What submitting does.
    on_submit_action = "onSubmitAction": Action,
    /// The way children are laid out.
    direction = "direction": Direction,
}

component! {
    /// A line of text to fill in.
    Input = "Input" [] (
        /// The name of the form's field; dots nest.
        name = "name": String,
    )
    /// What it takes.
    input_type = "inputType": InputType,
    /// What it starts with.
    default_value = "defaultValue": String,
    /// Whether it must not be empty.
    required = "required": bool,
    /// A regular expression that the text must match.
    pattern = "pattern": String,
    /// What is shown while it is empty.
    placeholder = "placeholder": String,
    /// Whether password managers may fill it in.
    allow_autofill_extensions = "allowAutofillExtensions": bool,
    /// Whether all of it is selected when it appears.
    auto_select = "autoSelect": bool,
    /// Whether it has the focus when it appears.
    auto_focus = "autoFocus": bool,
    /// Whether it cannot be changed.
    disabled = "disabled": bool,
    /// How it is filled.
    variant = "variant": InputVariant,
    /// How large it is.
    size = "size": ControlSize,
    /// The room at its edges.
    gutter_size = "gutterSize": GutterSize,
    /// Whether its ends are fully round.
    pill = "pill": bool,
}

component! {
    /// Lines of text to fill in.
    Textarea = "Textarea" [] (
        /// The name of the form's field; dots nest.
        name = "name": String,
    )
    /// What it starts with.
    default_value = "defaultValue": String,
    /// Whether it must not be empty.
    required = "required": bool,
    /// A regular expression that the text must match.
    pattern = "pattern": String,
    /// What is shown while it is empty.
    placeholder = "placeholder": String,
    /// Whether all of it is selected when it appears.
    auto_select = "autoSelect": bool,
    /// Whether it has the focus when it appears.
    auto_focus = "autoFocus": bool,
    /// Whether it cannot be changed.
    disabled = "disabled": bool,
    /// How it is filled.
    variant = "variant": InputVariant,
    /// How large it is.
    size = "size": ControlSize,
    /// The room at its edges.
    gutter_size = "gutterSize": GutterSize,
    /// How many lines it shows at first.
    rows = "rows": u32,
    /// Whether it grows and shrinks with its text.
    auto_resize = "autoResize": bool,
    /// How many lines it grows to.
    max_rows = "maxRows": u32,
    /// Whether password managers may fill it in.
    allow_autofill_extensions = "allowAutofillExtensions": bool,
}

component! {
    /// One choice from a list that unfolds.
    Select = "Select" [] (
        /// The name of the form's field; dots nest.
        name = "name": String,
        /// What can be chosen.
        options = "options": Choices,
    )
    /// What changing it does.
    on_change_action = "onChangeAction": Action,
    /// What is shown while nothing is chosen.
    placeholder = "placeholder": String,
    /// The value chosen at first.
    default_value = "defaultValue": String,
    /// How it is filled.
    variant = "variant": ControlVariant,
    /// How large it is.
    size = "size": ControlSize,
    /// Whether its ends are fully round.
    pill = "pill": bool,
    /// Whether it takes the whole width.
    block = "block": bool,
    /// Whether the choice can be taken back.
    clearable = "clearable": bool,
    /// Whether it cannot be changed.
    disabled = "disabled": bool,
    /// Whether the list can be searched; by default, when it is long.
    searchable = "searchable": bool,
}

component! {
    /// One choice from a few that are all in view.
    RadioGroup = "RadioGroup" [] (
        /// The name of the form's field; dots nest.
        name = "name": String,
    )
    /// What can be chosen.
    options = "options": Choices,
    /// What a screen reader calls it; the field's name by default.
    aria_label = "ariaLabel": String,
    /// What changing it does.
    on_change_action = "onChangeAction": Action,
    /// The value chosen at first.
    default_value = "defaultValue": String,
    /// The way the choices are laid out.
    direction = "direction": Direction,
    /// Whether it cannot be changed.
    disabled = "disabled": bool,
    /// Whether something must be chosen.
    required = "required": bool,
}

component! {
    /// A box to tick.
    Checkbox = "Checkbox" [] (
        /// The name of the form's field; dots nest.
        name = "name": String,
    )
    /// What stands beside the box.
    label = "label": String,
    /// Whether it is ticked at first.
    default_checked = "defaultChecked": bool,
    /// What changing it does.
    on_change_action = "onChangeAction": Action,
    /// Whether it cannot be changed.
    disabled = "disabled": bool,
    /// Whether it must be ticked.
    required = "required": bool,
}

component! {
    /// A date to pick.
    DatePicker = "DatePicker" [] (
        /// The name of the form's field; dots nest.
        name = "name": String,
    )
    /// What changing it does.
    on_change_action = "onChangeAction": Action,
    /// What is shown while no date is picked.
    placeholder = "placeholder": String,
    /// The date picked at first, ISO 8601.
    default_value = "defaultValue": String,
    /// The earliest date, ISO 8601.
    min = "min": String,
    /// The latest date, ISO 8601.
    max = "max": String,
    /// How it is filled.
    variant = "variant": ControlVariant,
    /// How large it is.
    size = "size": ControlSize,
    /// The side on which the calendar opens.
    side = "side": Side,
    /// Where the calendar stands at its control.
    align = "align": TextAlign,
    /// Whether its ends are fully round.
    pill = "pill": bool,
    /// Whether it takes the whole width.
    block = "block": bool,
    /// Whether the date can be taken back.
    clearable = "clearable": bool,
    /// Whether it cannot be changed.
    disabled = "disabled": bool,
}

component! {
    /// The name of a field, in words.
    Label = "Label" [] (
        /// The text.
        value = "value": String,
        /// The name of the form's field it belongs to.
        field_name = "fieldName": String,
    )
    /// How large the text is.
    size = "size": TextSize,
    /// How heavy the type is.
    weight = "weight": Weight,
    /// Where the text stands in its line.
    text_align = "textAlign": TextAlign,
    /// A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
    color = "color": Color,
}

shape! {
    /// Something to choose.
    Choice (
        /// What the form submits; always text.
        value = "value": String,
        /// What the person reads.
        label = "label": String,
    )
    /// Whether it cannot be chosen.
    disabled = "disabled": bool,
    /// A second line below the label.
    description = "description": String,
}

impl From<&str> for Choice {
    fn from(word: &str) -> Self {
        Self::new(word, word)
    }
}

impl From<String> for Choice {
    fn from(word: String) -> Self {
        Self::new(word.clone(), word)
    }
}

impl<V: Into<String>, L: Into<String>> From<(V, L)> for Choice {
    fn from((value, label): (V, L)) -> Self {
        Self::new(value, label)
    }
}

/// What can be chosen: a list of words, of `(value, label)`, or of [`Choice`]s.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices(Prop);

impl<C: Into<Choice>> FromIterator<C> for Choices {
    fn from_iter<I: IntoIterator<Item = C>>(choices: I) -> Self {
        Self(Prop::list(
            choices.into_iter().map(|choice| choice.into().into()),
        ))
    }
}

impl<C: Into<Choice>> From<Vec<C>> for Choices {
    fn from(choices: Vec<C>) -> Self {
        choices.into_iter().collect()
    }
}

impl<C: Into<Choice>, const N: usize> From<[C; N]> for Choices {
    fn from(choices: [C; N]) -> Self {
        choices.into_iter().collect()
    }
}

impl From<Choices> for Prop {
    fn from(choices: Choices) -> Self {
        choices.0
    }
}

described!(Choices = List(&Object(Choice::SHAPE)));

#[cfg(test)]
mod tests {
    use super::super::*;
    use serde_json::json;

    #[test]
    fn a_form_is_written_as_chatkit_reads_it() {
        let form = Form::new()
            .on_submit_action(Action::new("save").payload(json!({ "id": 1 })))
            .direction(Direction::Col)
            .child(Label::new("Unit", "unit"))
            .child(Select::new("unit", [("c", "Celsius"), ("f", "Fahrenheit")]).clearable(true))
            .child(
                RadioGroup::new("day")
                    .options(vec!["mon", "tue"])
                    .required(true),
            )
            .child(
                Input::new("city")
                    .input_type(InputType::Text)
                    .gutter_size("xs"),
            )
            .child(Textarea::new("note").auto_resize(true).max_rows(5))
            .child(Checkbox::new("mail").label("By mail").default_checked(true))
            .child(DatePicker::new("from").min("2026-01-01").side(Side::Top))
            .child(
                Button::new()
                    .submit(true)
                    .label("Save")
                    .icon_end("check")
                    .color("success"),
            );
        assert_eq!(
            serde_json::to_value(form.node()).expect("serialises"),
            json!({
                "type": "Form", "direction": "col",
                "onSubmitAction": { "type": "save", "payload": { "id": 1 } },
                "children": [
                    { "type": "Label", "value": "Unit", "fieldName": "unit" },
                    { "type": "Select", "name": "unit", "clearable": true, "options": [
                        { "value": "c", "label": "Celsius" }, { "value": "f", "label": "Fahrenheit" }
                    ] },
                    { "type": "RadioGroup", "name": "day", "required": true, "options": [
                        { "value": "mon", "label": "mon" }, { "value": "tue", "label": "tue" }
                    ] },
                    { "type": "Input", "name": "city", "inputType": "text", "gutterSize": "xs" },
                    { "type": "Textarea", "name": "note", "autoResize": true, "maxRows": 5 },
                    { "type": "Checkbox", "name": "mail", "label": "By mail", "defaultChecked": true },
                    { "type": "DatePicker", "name": "from", "min": "2026-01-01", "side": "top" },
                    { "type": "Button", "submit": true, "label": "Save", "iconEnd": "check", "color": "success" }
                ]
            })
        );
    }
}
