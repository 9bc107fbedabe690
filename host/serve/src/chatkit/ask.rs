//! Questions as cards: a form while they are open, then what was answered.
//!
//! A field's value arrives as `f0`, `f1` and so on, an option by its number, and each of several options
//! as a checkbox `f0_2`: a name or a value of the asker does not become a name on the wire. ChatKit has
//! no control for several options. It has one for days, whose value depends on the zone of the page;
//! a day is therefore typed.

use super::card::{badge, button, caption, card, label, markdown, row, text};
use super::press::Pressed;
use footlight_render::lower::Lower;
use footlight_render::view::View;
use footlight_vocabulary::item::{Ask, AskState, Content, Item, RequestId};
use footlight_vocabulary::question::{Choice, Control, Field, Question};
use serde_json::{Map, Value, json};

/// Returns the card of a question.
pub(super) fn ask_card(item: &Item, ask: &Ask) -> Value {
    let mut children = vec![markdown("prompt", &ask.prompt)];
    if ask.state != AskState::Open {
        children.extend(settled(item, ask));
        return card(children);
    }
    let request = RequestId::from(item.id.as_str());
    let skip = Pressed::Skip {
        request: request.clone(),
    };
    let skip = button("Skip", "secondary", skip.settling_action());
    if let [field] = ask.widgets.as_slice()
        && is_pressed(field)
    {
        children.extend(field.label.as_deref().map(caption));
        children.extend(field.help.as_deref().map(caption));
        let options = field.choices().iter().enumerate();
        let mut buttons: Vec<Value> = options
            .map(|(n, choice)| option_button(&request, n, choice))
            .collect();
        buttons.push(skip);
        children.push(row(buttons));
        return card(children);
    }
    for (n, field) in ask.widgets.iter().enumerate() {
        children.extend(controls(n, field));
    }
    let answer = Pressed::Answer {
        request,
        option: None,
    };
    let mut answer = button("Answer", "primary", answer.settling_action());
    answer["submit"] = true.into();
    // The action of a form is that of its confirmation: a button that submits has none of its own.
    let action = answer["onClickAction"].take();
    answer
        .as_object_mut()
        .map(|answer| answer.shift_remove("onClickAction"));
    children.push(row(vec![answer, skip]));
    let form = json!({ "type": "Form", "direction": "col", "gap": 2,
        "onSubmitAction": action, "children": children });
    card(vec![form])
}

/// Reports whether a field is answered by a press on one of its options.
fn is_pressed(field: &Field) -> bool {
    let is_one = matches!(field.control, Control::Buttons | Control::Confirm);
    is_one && !field.is_multiple() && field.other != Some(true)
}

fn option_button(request: &RequestId, option: usize, choice: &Choice) -> Value {
    let pressed = Pressed::Answer {
        request: request.clone(),
        option: Some(option),
    };
    let color = match choice.recommended {
        Some(true) => "primary",
        _ => "secondary",
    };
    let mut button = button(choice.shown(), color, pressed.settling_action());
    if choice.disabled == Some(true) {
        button["disabled"] = true.into();
    }
    button
}

/// Returns the components of a field.
fn controls(n: usize, field: &Field) -> Vec<Value> {
    let name = format!("f{n}");
    let shown = field.label.as_deref().unwrap_or(&field.name);
    let mut out = vec![json!({ "type": "Label", "value": label(shown), "fieldName": name })];
    out.extend(field.help.as_deref().map(caption));
    let default = field.default.as_ref();
    let is_default = |choice: &Choice| match default {
        Some(Value::Array(values)) => values.iter().any(|it| *it == *choice.value),
        Some(value) => *value == *choice.value,
        None => false,
    };
    let choices = field.choices();
    if field.is_multiple() {
        out.extend(choices.iter().enumerate().map(|(at, choice)| {
            json!({ "type": "Checkbox", "name": format!("{name}_{at}"), "label": described(choice),
                "defaultChecked": is_default(choice), "disabled": choice.disabled == Some(true) })
        }));
    } else if field.control.has_options() {
        let kind = match field.control {
            Control::Select => "Select",
            _ => "RadioGroup",
        };
        let options = choices.iter().enumerate().map(|(at, choice)| {
            json!({ "value": at.to_string(), "label": described(choice),
                "disabled": choice.disabled == Some(true) })
        });
        let options: Value = options.collect();
        let mut control = json!({ "type": kind, "name": name, "options": options });
        if let Some(at) = choices.iter().position(is_default) {
            control["defaultValue"] = at.to_string().into();
        }
        out.push(control);
    } else {
        out.push(input(&name, field));
    }
    if field.other == Some(true) {
        out.push(json!({ "type": "Input", "name": format!("{name}_other"),
            "placeholder": "or something else" }));
    }
    out
}

/// Returns the component that a text, number, day or secret is typed into.
fn input(name: &str, field: &Field) -> Value {
    let (kind, of) = match field.control {
        Control::Textarea => ("Textarea", None),
        Control::Number => ("Input", Some("number")),
        Control::Secret => ("Input", Some("password")),
        _ => ("Input", Some("text")),
    };
    let mut control = json!({ "type": kind, "name": name, "required": field.is_required() });
    if let Some(of) = of {
        control["inputType"] = of.into();
    }
    let hint = match field.control {
        Control::Date => Some("YYYY-MM-DD"),
        _ => field.placeholder.as_deref(),
    };
    if let Some(hint) = hint {
        control["placeholder"] = label(hint).into();
    }
    let default = match &field.default {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    if let Some(default) = default.filter(|_| field.control != Control::Secret) {
        control["defaultValue"] = footlight_render::filter::clean(&default).into();
    }
    control
}

fn described(choice: &Choice) -> String {
    match &choice.description {
        Some(description) => label(&format!("{} ({description})", choice.shown())),
        None => label(choice.shown()),
    }
}

/// Returns what became of a question.
fn settled(item: &Item, ask: &Ask) -> Vec<Value> {
    let color = match ask.state {
        AskState::Answered => "success",
        _ => "secondary",
    };
    let mut out = vec![badge(ask.state.as_str(), color)];
    let view = Lower::default().item(&Item {
        content: Content::Ask(ask.clone()),
        ..item.clone()
    });
    // With the labels of the chosen options, and without secrets.
    if let View::Ask(drawn) = view
        && let Some(response) = drawn.response
    {
        out.push(text("response", &response));
    }
    out
}

/// Returns what a form's values answer: a value for each field that was filled in. None if a press names
/// an option that the question does not have.
pub(super) fn answer(
    question: &Question,
    option: Option<usize>,
    payload: &Map<String, Value>,
) -> Option<Value> {
    if let Some(option) = option {
        let [field] = question.fields.as_slice() else {
            return None;
        };
        let choice = field.choices().get(option)?;
        let value = Value::from(choice.value.as_str());
        return Some(Value::Object(Map::from_iter([(field.name.clone(), value)])));
    }
    let mut values = Map::new();
    for (n, field) in question.fields.iter().enumerate() {
        let given = |name: String| payload.get(&name).filter(|value| !value.is_null());
        let typed = |name: String| {
            let value = given(name)?;
            (value.as_str() != Some("")).then(|| value.clone())
        };
        let name = format!("f{n}");
        let other = typed(format!("{name}_other")).filter(|_| field.other == Some(true));
        let value = if field.is_multiple() {
            let choices = field.choices().iter().enumerate();
            let is_chosen = |at: usize| given(format!("{name}_{at}")) == Some(&Value::Bool(true));
            let chosen = choices.filter(|(at, _)| is_chosen(*at));
            let chosen = chosen.map(|(_, choice)| Value::from(choice.value.as_str()));
            Some(chosen.chain(other).collect())
        } else if field.control.has_options() {
            let chosen = typed(name).map(|at| {
                let at = at.as_str().and_then(|at| at.parse::<usize>().ok());
                at.and_then(|at| field.choices().get(at))
            });
            match (other, chosen) {
                (Some(other), _) => Some(other),
                (None, Some(chosen)) => Some(chosen?.value.as_str().into()),
                (None, None) => None,
            }
        } else {
            typed(name)
        };
        values.extend(value.map(|value| (field.name.clone(), value)));
    }
    Some(Value::Object(values))
}

#[cfg(test)]
mod tests;
