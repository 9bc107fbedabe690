//! Prompts for one field of a question.
//!
//! [`ask`] repeats the prompt until the answer is valid or the input ends. `Question::check` alone
//! decides what is valid; this module only interprets a line: a number selects an option, an empty
//! line the default.

use super::{PromptTerminal, read_line};
use footlight_render::filter;
use footlight_vocabulary::answer::AnswerError;
use footlight_vocabulary::question::{Choice, Control, Field, Question};
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Prompts for a field. Returns `None` if the person skips the question by ending the input.
/// `who` gets the answer.
pub(super) fn ask(
    field: &Field,
    who: &str,
    terminal: &mut PromptTerminal,
) -> io::Result<Option<Value>> {
    describe(field, &mut terminal.output)?;
    if field.control == Control::Secret {
        let warning = format!(
            "what you type next goes to {who}; footlight itself never asks for a password or key"
        );
        terminal.render.width = (terminal.size)().0;
        let warning = terminal.render.host_note(&warning);
        terminal.output.write_card(&warning)?;
    }
    loop {
        let value = match field.control {
            Control::Secret => secret(field, terminal)?,
            Control::Textarea => paragraph(field, terminal)?,
            _ => {
                write!(terminal.output, "{}: ", hint(field))?;
                terminal.output.flush()?;
                let line = read_line(terminal.input.as_mut(), &mut terminal.output)?;
                line.map(|line| match line.trim() {
                    "" => fallback(field),
                    _ => chosen(field, &line),
                })
            }
        };
        let Some(value) = value else {
            writeln!(terminal.output, "(skipped)")?;
            return Ok(None);
        };
        match problem(field, &value) {
            None => return Ok(Some(value)),
            Some(problem) => writeln!(terminal.output, "  {problem}")?,
        }
    }
}

/// Returns why a value is invalid.
pub(super) fn problem(field: &Field, value: &Value) -> Option<String> {
    let alone = Question::new("").field(field.clone());
    let given = Map::from_iter([(field.name.clone(), value.clone())]);
    let checked = alone.check(Value::Object(given));
    let words = |error: AnswerError| filter::clean(&error.to_string()).into_owned();
    checked.err().map(words)
}

/// Interprets typed text as a value.
pub(super) fn chosen(field: &Field, text: &str) -> Value {
    if !field.control.has_options() {
        return text.into();
    }
    if !field.is_multiple() {
        return pick(field, text).into();
    }
    // The name of an option may contain a comma.
    if named(field, text).is_some() {
        return Value::Array(vec![pick(field, text).into()]);
    }
    let parts = text.split(',').filter(|part| !part.trim().is_empty());
    parts.map(|part| Value::from(pick(field, part))).collect()
}

/// Finds an option by its value, label, number, or a prefix of Yes and No.
fn pick(field: &Field, text: &str) -> String {
    if let Some(choice) = named(field, text) {
        return choice.value.clone();
    }
    let choices = field.choices();
    let text = text.trim();
    let number = text.parse::<usize>().ok().filter(|_| is_numbered(field));
    let by_number = number.and_then(|number| choices.get(number.checked_sub(1)?));
    let by_letter = || {
        let letters = text.to_lowercase();
        let begins = |choice: &&Choice| choice.value.to_lowercase().starts_with(&letters);
        let found: Vec<&Choice> = choices.iter().filter(begins).collect();
        match found.as_slice() {
            [only] if field.control == Control::Confirm && !text.is_empty() => Some(*only),
            _ => None,
        }
    };
    match by_number.or_else(by_letter) {
        Some(choice) => choice.value.clone(),
        None => text.to_owned(),
    }
}

fn named<'a>(field: &'a Field, text: &str) -> Option<&'a Choice> {
    let choices = || field.choices().iter();
    let text = text.trim();
    let alike = |known: &str| known.trim().to_lowercase() == text.to_lowercase();
    choices()
        .find(|choice| choice.value.trim() == text)
        .or_else(|| choices().find(|choice| choice.shown().trim() == text))
        .or_else(|| choices().find(|choice| alike(&choice.value) || alike(choice.shown())))
}

/// Reports whether options are numbered: not if one is a number itself, nor for Yes and No.
fn is_numbered(field: &Field) -> bool {
    let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
    let odd = |choice: &Choice| is_number(&choice.value) || is_number(choice.shown());
    field.control != Control::Confirm && !field.choices().iter().any(odd)
}

/// Returns the value of an empty line.
fn fallback(field: &Field) -> Value {
    field.default.clone().unwrap_or(Value::Null)
}

fn describe(field: &Field, output: &mut dyn Write) -> io::Result<()> {
    for (text, most) in [(&field.label, 200), (&field.help, 400)] {
        if let Some(text) = text {
            writeln!(output, "  {}", filter::line(text, most))?;
        }
    }
    if !field.control.has_options() || field.control == Control::Confirm {
        return Ok(());
    }
    for (at, choice) in field.choices().iter().enumerate() {
        let mark = match is_numbered(field) {
            true => format!("{}) ", at + 1),
            false => "- ".to_owned(),
        };
        let mut line = format!("    {mark}{}", filter::line(choice.shown(), 120));
        if let Some(said) = &choice.description {
            line.push_str(&format!("  {}", filter::line(said, 120)));
        }
        if choice.recommended == Some(true) {
            line.push_str("  (recommended)");
        }
        if choice.disabled == Some(true) {
            line.push_str("  (disabled)");
        }
        writeln!(output, "{line}")?;
    }
    Ok(())
}

/// Returns the hint before the input.
fn hint(field: &Field) -> String {
    let mut hint = match &field.control {
        Control::Confirm => {
            let names = field.choices().iter();
            let names = names.map(|choice| filter::line(choice.shown(), 60));
            names.collect::<Vec<_>>().join(" / ")
        }
        control if control.has_options() && field.is_multiple() => {
            "choose any, separated by commas".to_owned()
        }
        control if control.has_options() && field.other == Some(true) => {
            "choose one, or write your own".to_owned()
        }
        control if control.has_options() => "choose one".to_owned(),
        Control::Number if field.integer == Some(true) => "a whole number".to_owned(),
        Control::Number => "a number".to_owned(),
        Control::Date => "a date, YYYY-MM-DD".to_owned(),
        Control::Secret => "not shown as you type".to_owned(),
        Control::Textarea => "end with a line that is only a dot".to_owned(),
        _ => match &field.placeholder {
            Some(text) => format!("such as {}", filter::line(text, 60)),
            None => "answer".to_owned(),
        },
    };
    let default = field.default.as_ref();
    match default.filter(|_| field.control != Control::Secret) {
        Some(Value::String(text)) => hint.push_str(&format!(" [{}]", filter::line(text, 60))),
        Some(value) if !value.is_null() => {
            hint.push_str(&format!(" [{}]", filter::line(&value.to_string(), 60)));
        }
        _ if !field.is_required() => hint.push_str(" (optional)"),
        _ => {}
    }
    format!("  {hint}")
}

fn secret(field: &Field, terminal: &mut PromptTerminal) -> io::Result<Option<Value>> {
    let _hidden = (terminal.hide)()?;
    write!(terminal.output, "{}: ", hint(field))?;
    terminal.output.flush()?;
    match (terminal.secret)() {
        Ok(text) => {
            // The secret is not echoed, but the line feed is.
            terminal.output.echoed("");
            Ok(Some(text.into()))
        }
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads lines up to a single dot or the end of input.
fn paragraph(field: &Field, terminal: &mut PromptTerminal) -> io::Result<Option<Value>> {
    writeln!(terminal.output, "{}:", hint(field))?;
    let mut lines: Vec<String> = Vec::new();
    loop {
        match read_line(terminal.input.as_mut(), &mut terminal.output)? {
            Some(line) if line == "." => break,
            Some(line) => lines.push(line),
            None if lines.is_empty() => return Ok(None),
            None => break,
        }
    }
    Ok(Some(match lines.join("\n") {
        text if text.is_empty() => fallback(field),
        text => text.into(),
    }))
}
