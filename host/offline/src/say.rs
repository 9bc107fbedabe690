//! The texts of the router: which call it makes, why, and the command that does the same.
//!
//! They never claim to have understood. Text from a plugin is quoted as code, so that no markup in
//! it takes effect.

use super::plan::{How, Planned};
use super::slot::{Kind, Slot};
use super::tool::{Tool, start, title};
use footlight_vocabulary::question::is_field_name;
use serde_json::{Map, Value};

/// The longest quoted value or failure, in bytes.
const LONGEST: usize = 200;

/// Describes a call, defaults included, and adds the shell command that does the same:
/// `-> weather.forecast city="Oslo" days=5 (matched by words; no language model)`.
pub(super) fn call(planned: &Planned, slots: &[Slot], how: How) -> String {
    let title = title(&planned.tool);
    let mut said = format!("-> {title}");
    let defaults = slots.iter().filter_map(|slot| {
        let default = slot.default.as_ref().filter(|value| is_scalar(value))?;
        (!planned.input.contains_key(&slot.name)).then_some((&slot.name, default))
    });
    for (name, value) in planned.input.iter().chain(defaults) {
        let value = short(&value.to_string());
        said.push_str(&format!(" {}={value}", one_line(name)));
    }
    said.push_str(&format!(" ({}; no language model)\n", how.words()));
    said.push_str(&code(&command(planned, slots)));
    said
}

/// Announces a question for missing input.
pub(super) fn asking(planned: &Planned, asked: &[String], how: How) -> String {
    let (title, asked) = (title(&planned.tool), asked.join(", "));
    format!(
        "-> {title} needs {asked} ({}; no language model)",
        how.words()
    )
}

/// Lists missing input that nobody can be asked for.
pub(super) fn missing(planned: &Planned, asked: &[Slot]) -> String {
    let title = title(&planned.tool);
    let want = |slot: &Slot| format!("- {}: {}", code(&slot.name), slot.kind.wanted());
    let wants: Vec<String> = asked.iter().map(want).collect();
    format!(
        "{} needs more (no language model is in use):\n{}\n\nWrite for example {}",
        code(&title),
        wants.join("\n"),
        code(&template(&title, asked))
    )
}

/// Says that no tool was called, and lists the nearest ones.
pub(super) fn nothing(tools: &[&Tool<'_>], why: &str) -> String {
    let mut said = format!("{why} (no language model is in use).");
    if !tools.is_empty() {
        let near: Vec<String> = tools.iter().map(|tool| offer(tool)).collect();
        said.push_str(&format!(" The nearest tools:\n{}", near.join("\n")));
    }
    said
}

/// Names a tool with an example prompt.
fn offer(tool: &Tool<'_>) -> String {
    let title = tool.title();
    let example = match tool.spec.examples.first() {
        Some(example) => short(example),
        None => template(&title, tool.slots.iter().filter(|slot| slot.required)),
    };
    format!("- {}: {}", code(&title), code(&example))
}

/// Writes a typed call with a gap for each value.
fn template<'s>(title: &str, slots: impl IntoIterator<Item = &'s Slot>) -> String {
    let gaps = slots.into_iter().map(|slot| format!(" {}=…", slot.name));
    format!("/{title}{}", gaps.collect::<String>())
}

/// Describes a failed call in one line.
pub(super) fn failure(wire: &str, text: &str) -> String {
    // The model reads a failure as JSON; a person reads its message.
    let read = serde_json::from_str::<Value>(text).ok();
    let message = read.as_ref().and_then(|read| read["message"].as_str());
    let mut text = one_line(message.unwrap_or(text));
    if text.is_empty() {
        text.push_str("no reason was given");
    }
    format!("{} failed: {}", title(wire), code(&short(&text)))
}

/// Returns the shell command that makes the same call.
pub(super) fn command(planned: &Planned, slots: &[Slot]) -> String {
    let mut words = vec!["footlight".to_owned(), "call".to_owned()];
    let title = title(&planned.tool);
    words.extend(title.split('.').map(quoted));
    let input = pairs(&planned.input, slots)
        .unwrap_or_else(|| vec![Value::from(planned.input.clone()).to_string()]);
    words.extend(input.iter().map(|word| quoted(word)));
    words.join(" ")
}

/// Writes an input as `key=value` words, if they are unambiguous.
fn pairs(input: &Map<String, Value>, slots: &[Slot]) -> Option<Vec<String>> {
    let mut pairs = Vec::new();
    for (name, value) in input {
        let kind = &slots.iter().find(|slot| slot.name == *name)?.kind;
        if !is_field_name(name) || name.contains('.') {
            return None;
        }
        match (kind, value) {
            (Kind::List(..), Value::Array(values)) if !values.is_empty() => {
                let is_plain = |word: &String| !word.starts_with('[') && !word.is_empty();
                for value in values {
                    let word = word(value).filter(is_plain)?;
                    pairs.push(format!("{name}={word}"));
                }
            }
            (Kind::Other | Kind::List(..), _) => return None,
            (_, value) => pairs.push(format!("{name}={}", word(value)?)),
        }
    }
    Some(pairs)
}

/// Writes a scalar value as one word.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => (!text.contains(char::is_control)).then(|| text.clone()),
        _ => is_scalar(value).then(|| value.to_string()),
    }
}

/// Quotes a word for a POSIX shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Quotes text as Markdown code, with a fence longer than any backticks in it.
pub(super) fn code(text: &str) -> String {
    let text = one_line(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let ticked = text.starts_with('`') || text.ends_with('`');
    let pad = if ticked { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Joins text into one line, without control characters.
fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

fn short(text: &str) -> String {
    let cut = start(text, LONGEST);
    if cut.len() < text.len() {
        format!("{cut}…")
    } else {
        text.to_owned()
    }
}

fn is_scalar(value: &Value) -> bool {
    matches!(value, Value::String(_) | Value::Number(_) | Value::Bool(_))
}
