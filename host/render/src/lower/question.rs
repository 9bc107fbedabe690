//! Questions and their fields.

use super::{Lower, cut};
use crate::view::{Ask, AskState, Choice, Control, Cut, Field, Unit, View};
use footlight_vocabulary::question::{self, Question};
use serde_json::Value;

/// The maximum number of fields, and of options of a field; the vocabulary rejects longer
/// questions.
const MAX_FIELDS: usize = 100;
const MAX_OPTIONS: usize = 500;

impl Lower<'_> {
    /// Lowers an open question.
    pub fn question(&self, question: &Question) -> View {
        View::Ask(self.ask(&question.prompt, &question.fields))
    }

    pub(super) fn ask(&self, prompt: &str, fields: &[question::Field]) -> Ask {
        let mut drawn: Vec<Field> = fields.iter().take(MAX_FIELDS).map(field).collect();
        if drawn.is_empty() {
            // A question without fields asks for yes or no.
            drawn.push(field(&question::Field::confirm("answer")));
        }
        // The prompt describes a single field; several fields each need a visible label.
        let single = drawn.len() == 1;
        for field in &mut drawn {
            field.label.get_or_insert_with(|| match single {
                true => "Answer".to_owned(),
                false => cut::name(&field.name),
            });
        }
        Ask {
            id: None,
            from: None,
            prompt: self.markdown(prompt),
            fields: drawn,
            state: AskState::Open,
            response: None,
        }
    }
}

fn field(given: &question::Field) -> Field {
    use question::Control as Given;
    let many = given.is_multiple();
    let control = match &given.control {
        Given::Buttons if !many => Control::Buttons,
        Given::Confirm => Control::Buttons,
        Given::Select if !many => Control::Select,
        Given::Select => Control::SelectMany,
        Given::Radio => Control::Radio,
        Given::Buttons | Given::Checkbox => Control::CheckboxGroup,
        Given::Textarea => Control::Textarea,
        Given::Number => Control::Number,
        Given::Date => Control::Date,
        Given::Secret => Control::Secret,
        Given::Text | Given::Other(_) => Control::Text,
    };
    let chosen = |value: &str| match &given.default {
        Some(Value::Array(list)) => list.iter().any(|one| one == value),
        Some(Value::String(one)) => one == value,
        _ => false,
    };
    let choice = |choice: &question::Choice| Choice {
        value: choice.value.clone(),
        label: cut::name(choice.shown()),
        description: choice.description.as_deref().map(cut::name),
        recommended: choice.recommended == Some(true),
        disabled: choice.disabled == Some(true),
        chosen: chosen(&choice.value),
    };
    let yes_no = [question::Choice::new("Yes"), question::Choice::new("No")];
    let options = match (&given.control, given.choices()) {
        (Given::Confirm, []) => &yes_no[..],
        (_, options) => options,
    };
    let word = |value: &Option<Value>| match value {
        Some(Value::String(text)) => Some(cut::short(text, 2_000)),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let text = |text: &Option<String>| text.as_deref().map(|text| cut::short(text, 2_000));
    Field {
        label: text(&given.label),
        help: text(&given.help),
        options: options.iter().take(MAX_OPTIONS).map(choice).collect(),
        more_options: Cut::of(options.len().saturating_sub(MAX_OPTIONS), Unit::Options),
        // A secret never has an initial value.
        value: word(&given.default).filter(|_| control != Control::Secret),
        placeholder: text(&given.placeholder),
        required: given.is_required(),
        other: given.other == Some(true),
        min: word(&given.min),
        max: word(&given.max),
        ..Field::new(given.name.as_str(), control)
    }
}
