//! Input components.

use super::{ComponentBuilder, Props};
use crate::lower::{cut, is, list, text};
use crate::view::{Choice, Control, Cut, Field, Unit};
use serde_json::Value;

/// The maximum number of options of a field.
const MAX_OPTIONS: usize = 500;

impl ComponentBuilder<'_> {
    pub(super) fn field(&self, kind: &str, props: &Props<'_>) -> Field {
        let control = match kind {
            "Textarea" => Control::Textarea,
            "Select" => Control::Select,
            "RadioGroup" => Control::Radio,
            "Checkbox" => Control::Checkbox,
            "DatePicker" => Control::Date,
            _ => match props.text("inputType") {
                Some("number") => Control::Number,
                Some("email") => Control::Email,
                Some("password") => Control::Secret,
                Some("tel") => Control::Tel,
                Some("url") => Control::Url,
                _ => Control::Text,
            },
        };
        let value = match control {
            Control::Checkbox => props.is("defaultChecked").then_some("true"),
            Control::Secret => None,
            _ => props.text("defaultValue"),
        };
        let options = list(props.value, "options");
        let shown = options.iter().take(MAX_OPTIONS);
        let name = props.text("name").unwrap_or("");
        let words = |name| props.text(name).map(cut::name);
        Field {
            label: words("label")
                .or_else(|| self.labels.get(name).cloned())
                .or_else(|| words("ariaLabel")),
            options: shown.filter_map(|one| choice(one, value)).collect(),
            more_options: Cut::of(options.len().saturating_sub(MAX_OPTIONS), Unit::Options),
            value: value.map(str::to_owned),
            placeholder: words("placeholder"),
            required: props.is("required"),
            disabled: props.is("disabled"),
            min: words("min"),
            max: words("max"),
            press: self.press(props, "onChangeAction"),
            ..Field::new(name, control)
        }
    }

    /// Lowers a text that can be edited in place.
    pub(super) fn editable(&self, props: &Props<'_>) -> Field {
        let editable = &props.value["editable"];
        Field {
            value: props.text("value").map(str::to_owned),
            placeholder: text(editable, "placeholder").map(cut::name),
            required: is(editable, "required"),
            ..Field::new(text(editable, "name").unwrap_or(""), Control::Text)
        }
    }
}

fn choice(option: &Value, chosen: Option<&str>) -> Option<Choice> {
    let value = text(option, "value")?;
    Some(Choice {
        value: value.to_owned(),
        label: cut::name(text(option, "label").unwrap_or(value)),
        description: text(option, "description").map(cut::name),
        recommended: false,
        disabled: is(option, "disabled"),
        chosen: chosen == Some(value),
    })
}
