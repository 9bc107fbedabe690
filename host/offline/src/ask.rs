//! Asks the person for missing input.
//!
//! The question is a call of the tool that every session offers for questions, so it is recorded,
//! answered and declined like any other.

use super::day::Day;
use super::plan::Planned;
use super::say::code;
use super::slot::{Kind, Slot};
use super::tool::{start, title};
use footlight_vocabulary::question::{
    Control, Field, MAX_FIELDS, MAX_OPTIONS, Question, is_field_name,
};
use serde_json::{Value, json};

/// The tool for questions to the person.
pub(super) const TOOL: &str = "footlight__ask";

/// The longest label of a field, in bytes.
const LONGEST_LABEL: usize = 200;

/// Builds the input of the tool for questions, one field for each slot; `None` if a slot has no
/// fitting control.
pub(super) fn question(planned: &Planned, slots: &[Slot]) -> Option<Value> {
    if slots.is_empty() || slots.len() > MAX_FIELDS {
        return None;
    }
    let fields = slots.iter().enumerate().map(|(at, slot)| field(at, slot));
    let fields: Option<Vec<Field>> = fields.collect();
    let fields = serde_json::to_value(fields?).ok()?;
    let prompt = format!("{} needs this:", code(&title(&planned.tool)));
    // An invalid question is not asked.
    Question::parse(&prompt, fields.clone()).ok()?;
    Some(json!({ "prompt": prompt, "widgets": fields }))
}

fn field(at: usize, slot: &Slot) -> Option<Field> {
    let control = match &slot.kind {
        Kind::Choice(words) if words.len() <= MAX_OPTIONS => Control::Select,
        Kind::Truth => Control::Confirm,
        Kind::Number(_) => Control::Number,
        Kind::Day => Control::Date,
        Kind::Choice(_) | Kind::Text(_) | Kind::List(..) => Control::Text,
        Kind::Other => return None,
    };
    let mut field = Field::new(name(at, slot), control).label(label(slot));
    if let (Kind::Choice(words), Control::Select) = (&slot.kind, &field.control) {
        field = field.options(words.iter().map(String::as_str));
    }
    if let Some(default) = slot.default.as_ref().filter(|value| slot.accepts(value)) {
        match (&field.control, default) {
            (Control::Confirm | Control::Text, _) | (_, Value::Null) => {}
            _ => field = field.default(default.clone()),
        }
    }
    Some(field)
}

/// Returns the name of a slot's field.
fn name(at: usize, slot: &Slot) -> String {
    if is_field_name(&slot.name) {
        slot.name.clone()
    } else {
        format!("field{}", at + 1)
    }
}

/// Returns the first sentence of a slot's description, and what it accepts if that is not obvious.
fn label(slot: &Slot) -> String {
    let said = slot.description.split(". ").next().unwrap_or_default();
    let said = said.trim().trim_end_matches('.');
    let said = if said.is_empty() { &slot.name } else { said };
    let said = start(said, LONGEST_LABEL);
    match slot.kind {
        Kind::Number(_) => format!("{said} ({})", slot.kind.wanted()),
        Kind::List(..) => format!("{said} ({}; put commas between)", slot.kind.wanted()),
        _ => said.to_owned(),
    }
}

/// Puts an answer into a call: the value of the only slot, or one line `name: value` for each.
///
/// # Errors
/// When a slot has no answer, or one that it does not accept.
pub(super) fn answer(
    planned: &mut Planned,
    slots: &[Slot],
    text: &str,
    today: Day,
) -> Result<(), String> {
    for (at, slot) in slots.iter().enumerate() {
        let missing = || format!("`{}` was not answered", slot.name);
        let said = match slots.len() {
            1 => text.to_owned(),
            _ => line(text, &name(at, slot)).ok_or_else(missing)?,
        };
        let value = slot.read(&said, today)?;
        planned.input.insert(slot.name.clone(), value);
        planned.misfits.retain(|name| *name != slot.name);
    }
    Ok(())
}

/// Returns the value after `name:` in an answer of several lines. A value with line breaks is a JSON
/// string there.
fn line(text: &str, name: &str) -> Option<String> {
    let said = text.lines().find_map(|line| {
        let rest = line.strip_prefix(name)?.strip_prefix(':')?;
        Some(rest.trim())
    })?;
    let unquoted = serde_json::from_str(said).ok();
    Some(unquoted.unwrap_or_else(|| said.to_owned()))
}
