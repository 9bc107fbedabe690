//! Buttons, forms and their fields.

use super::Node;
use super::action::Action;
use super::declare::{component, either, shape};
use super::layout::boxed;
use super::prop::Prop;
use super::shape::{Color, Dimension, IconName, Inset, Outline};
use super::token::{
    Alignment, ButtonColor, ButtonIconSize, ButtonStyle, ControlSize, ControlVariant, Direction,
    GutterSize, InputType, InputVariant, Justification, Radius, Side, TextAlign, TextSize, Weight,
    Wrap,
};

/// Declares a field of a form: `Name = "Type" (required props beside the name) optional`.
macro_rules! field {
    ($(#[doc = $about:literal])+ $name:ident = $kind:literal ($($required:tt)*) $($own:tt)*) => {
        component! {
            $(#[doc = $about])+
            $name = $kind [] (
                /// The field's name in the form; a dot nests objects.
                name = "name": String,
                $($required)*
            )
            $($own)*
            /// Whether the field is disabled.
            disabled = "disabled": bool,
        }
    };
}

/// Declares a text field.
macro_rules! text_field {
    ($($own:tt)*) => {
        field! {
            $($own)*
            /// The initial value.
            default_value = "defaultValue": String,
            /// Whether the field is required.
            required = "required": bool,
            /// A regular expression that the text must match.
            pattern = "pattern": String,
            /// The placeholder of an empty field.
            placeholder = "placeholder": String,
            /// Whether password managers can fill the field.
            allow_autofill_extensions = "allowAutofillExtensions": bool,
            /// Whether the text is selected when the field appears.
            auto_select = "autoSelect": bool,
            /// Whether the field has the focus when it appears.
            auto_focus = "autoFocus": bool,
            /// The fill.
            variant = "variant": InputVariant,
            /// The size.
            size = "size": ControlSize,
            /// The size of the gutter.
            gutter_size = "gutterSize": GutterSize,
        }
    };
}

component! {
    /// A button.
    Button = "Button" [] ()
    /// Whether a press submits the form around the button.
    submit = "submit": bool,
    /// The label.
    label = "label": String,
    /// The action of a press.
    on_click_action = "onClickAction": Action,
    /// An icon before the label, or alone.
    icon_start = "iconStart": IconName,
    /// An icon after the label.
    icon_end = "iconEnd": IconName,
    /// The preset.
    style = "style": ButtonStyle,
    /// The size of the icons.
    icon_size = "iconSize": ButtonIconSize,
    /// The meaning of the colour.
    color = "color": ButtonColor,
    /// The fill.
    variant = "variant": ControlVariant,
    /// The size.
    size = "size": ControlSize,
    /// Whether the ends are fully rounded.
    pill = "pill": bool,
    /// Whether width and height are equal.
    uniform = "uniform": bool,
    /// Whether it takes the full width.
    block = "block": bool,
    /// Whether the button is disabled.
    disabled = "disabled": bool,
}

boxed! {
    /// A box of fields that are submitted together.
    Form = "Form" [Node] ()
    /// The action of submitting the form.
    on_submit_action = "onSubmitAction": Action,
    /// The direction of the layout.
    direction = "direction": Direction,
}

text_field! {
    /// A text field of one line.
    Input = "Input" ()
    /// The type of the input.
    input_type = "inputType": InputType,
    /// Whether the ends are fully rounded.
    pill = "pill": bool,
}

text_field! {
    /// A text field of several lines.
    Textarea = "Textarea" ()
    /// The initial number of lines.
    rows = "rows": u32,
    /// Whether the field resizes with its text.
    auto_resize = "autoResize": bool,
    /// The most lines when it resizes.
    max_rows = "maxRows": u32,
}

field! {
    /// A drop-down list.
    Select = "Select" (
        /// The options.
        options = "options": Choices,
    )
    /// The action of a change.
    on_change_action = "onChangeAction": Action,
    /// The placeholder while nothing is chosen.
    placeholder = "placeholder": String,
    /// The initial value.
    default_value = "defaultValue": String,
    /// The fill.
    variant = "variant": ControlVariant,
    /// The size.
    size = "size": ControlSize,
    /// Whether the ends are fully rounded.
    pill = "pill": bool,
    /// Whether it takes the full width.
    block = "block": bool,
    /// Whether the choice can be cleared.
    clearable = "clearable": bool,
    /// Whether the list can be searched; by default if it is long.
    searchable = "searchable": bool,
}

field! {
    /// A group of radio buttons.
    RadioGroup = "RadioGroup" ()
    /// The options.
    options = "options": Choices,
    /// The label for screen readers; the field's name by default.
    aria_label = "ariaLabel": String,
    /// The action of a change.
    on_change_action = "onChangeAction": Action,
    /// The initial value.
    default_value = "defaultValue": String,
    /// The direction of the layout.
    direction = "direction": Direction,
    /// Whether the field is required.
    required = "required": bool,
}

field! {
    /// A checkbox.
    Checkbox = "Checkbox" ()
    /// The label.
    label = "label": String,
    /// Whether the box is checked initially.
    default_checked = "defaultChecked": bool,
    /// The action of a change.
    on_change_action = "onChangeAction": Action,
    /// Whether the box must be checked.
    required = "required": bool,
}

field! {
    /// A date picker.
    DatePicker = "DatePicker" ()
    /// The action of a change.
    on_change_action = "onChangeAction": Action,
    /// The placeholder while no date is chosen.
    placeholder = "placeholder": String,
    /// The initial date, in ISO 8601.
    default_value = "defaultValue": String,
    /// The earliest date, in ISO 8601.
    min = "min": String,
    /// The latest date, in ISO 8601.
    max = "max": String,
    /// The fill.
    variant = "variant": ControlVariant,
    /// The size.
    size = "size": ControlSize,
    /// The side on which the calendar opens.
    side = "side": Side,
    /// The alignment of the calendar with its control.
    align = "align": TextAlign,
    /// Whether the ends are fully rounded.
    pill = "pill": bool,
    /// Whether it takes the full width.
    block = "block": bool,
    /// Whether the date can be cleared.
    clearable = "clearable": bool,
}

component! {
    /// The label of a field.
    Label = "Label" [] (
        /// The text.
        value = "value": String,
        /// The name of the field that the label belongs to.
        field_name = "fieldName": String,
    )
    /// The size of the text.
    size = "size": TextSize,
    /// The weight of the font.
    weight = "weight": Weight,
    /// The alignment of the text.
    text_align = "textAlign": TextAlign,
    /// A token such as `secondary` or `danger`, a primitive, a CSS colour, or one per theme.
    color = "color": Color,
}

shape! {
    /// An option.
    Choice (
        /// The submitted value, always a string.
        value = "value": String,
        /// The text for the person.
        label = "label": String,
    )
    /// Whether the option is disabled.
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

either! {
    /// Options: a list of strings, of `(value, label)`, or of [`Choice`]s.
    Choices; List(&Object(Choice::SHAPE))
}

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
