//! Prompts for one field of a question.
//!
//! [`ask`] repeats the prompt until the answer is valid or the input ends. An empty line is the default.
//! At a terminal that can redraw a line, options are chosen with the arrow keys too.

use super::choice_line::ChoiceLine;
use super::choices::{chosen, is_numbered, problem};
use super::{PromptTerminal, read_line};
use footlight_render::filter;
use footlight_vocabulary::question::{Control, Field};
use serde_json::Value;
use std::io::{self, Write};

/// The columns that the name of an option has behind the hint, at least.
const ROOM_TO_CHOOSE: usize = 24;

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
            _ => line(field, terminal)?.map(|line| match line.trim() {
                "" => fallback(field),
                _ => chosen(field, &line),
            }),
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

/// Reads a line; `None` at the end of input.
fn line(field: &Field, terminal: &mut PromptTerminal) -> io::Result<Option<String>> {
    let output = &mut terminal.output;
    let edit = terminal.edit.as_mut();
    let Some(edit) = edit.filter(|_| field.control.has_options()) else {
        write!(output, "{}: ", hint(field))?;
        output.flush()?;
        return read_line(terminal.input.as_mut(), output);
    };
    let _hidden = (terminal.hide)()?;
    let hint = format!("{} (or arrow keys): ", hint(field));
    let room = (terminal.size)().0.saturating_sub(hint.chars().count());
    match room < ROOM_TO_CHOOSE {
        // The line stays in one row.
        true => write!(output, "{}\n    ", hint.trim_end())?,
        false => write!(output, "{hint}")?,
    }
    output.flush()?;
    edit(output, &mut ChoiceLine::new(field))
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
        Some(Value::String(text)) => {
            let mut choices = field.choices().iter();
            let chosen = choices.find(|choice| choice.value == *text);
            let shown = chosen.map_or(text.as_str(), |choice| choice.shown());
            hint.push_str(&format!(" [{}]", filter::line(shown, 60)));
        }
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
    (terminal.arm)();
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
