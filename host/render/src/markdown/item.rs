//! Calls, questions and fields.

use super::inline::{self, Context, escaped};
use super::{Blocks, markdown_all, quoted};
use crate::format;
use crate::view::{Ask, AskState, Button, Call, Control, Field, Thought};

/// Renders a button as `[Send]`, with the number of its action.
pub(super) fn button(button: &Button) -> String {
    let label = match (button.label.as_str(), button.icon.as_deref()) {
        ("", Some(icon)) => icon,
        ("", None) => "Press",
        (label, _) => label,
    };
    let label = escaped(label, Context::Line);
    match &button.press {
        Some(press) if !button.disabled => format!("\\[{}: {label}\\]", press.number),
        _ => format!("\\[{label}\\]"),
    }
}

impl Blocks {
    /// Quotes the reasoning of a model, so that nobody takes it for the answer.
    pub(super) fn thought(&mut self, thought: &Thought) {
        let body = markdown_all(&thought.body);
        let block = format!("*{}*\n\n{body}", thought.label());
        self.push(quoted(block.trim_end()));
    }

    pub(super) fn call(&mut self, call: &Call) {
        let function = inline::code(&call.function, Context::Line);
        let input = inline::inline(&call.input, Context::Line);
        let gap = if input.is_empty() { "" } else { " " };
        let mut notes = vec![call.state.name().to_owned()];
        notes.extend(call.millis.map(format::duration));
        let more = call.notes.iter();
        notes.extend(more.map(|note| escaped(note, Context::Line)));
        self.push(format!("{function}{gap}{input} ({})", notes.join(", ")));
        self.view(&call.body);
    }

    pub(super) fn ask(&mut self, ask: &Ask) {
        self.views(&ask.prompt);
        if ask.state == AskState::Open {
            for field in &ask.fields {
                self.field(field);
            }
            return;
        }
        self.push(match &ask.response {
            Some(response) => format!("{}: {}", ask.state_name(), escaped(response, Context::Line)),
            None => format!("({})", ask.state_name()),
        });
    }

    pub(super) fn field(&mut self, field: &Field) {
        let name = field.label.as_deref().unwrap_or(&field.name);
        let mut line = escaped(name, Context::Line);
        let what = match field.control {
            Control::Text => "text",
            Control::Textarea => "lines of text",
            Control::Number => "a number",
            Control::Date => "a date",
            Control::Email => "a mail address",
            Control::Tel => "a telephone number",
            Control::Url => "a web address",
            Control::Secret => "not shown",
            Control::Select | Control::Radio | Control::Buttons => "choose one",
            Control::CheckboxGroup | Control::SelectMany => "choose any",
            Control::Checkbox => "yes or no",
        };
        let must = if field.required {
            ""
        } else {
            ", may be left out"
        };
        line.push_str(&format!(" ({what}{must})"));
        // A chosen value is marked in the list of options.
        let value = field.value.as_deref().filter(|value| !value.is_empty());
        if let Some(value) = value.filter(|_| field.options.is_empty()) {
            line.push_str(&format!(": {}", escaped(value, Context::Line)));
        }
        if let Some(help) = &field.help {
            line.push_str(&format!("\\\n{}", escaped(help, Context::Line)));
        }
        self.push(line);
        let option = |choice: &crate::view::Choice| {
            let mut text = escaped(&choice.label, Context::Line);
            if choice.recommended {
                text.push_str(" (recommended)");
            }
            if choice.chosen {
                text.push_str(" (chosen)");
            }
            if let Some(description) = &choice.description {
                text.push_str(&format!(": {}", escaped(description, Context::Line)));
            }
            text
        };
        let options: Vec<String> = field.options.iter().map(option).collect();
        self.push_list(None, &options, true);
        self.cut(field.more_options);
    }
}
