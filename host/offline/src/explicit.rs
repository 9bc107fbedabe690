//! Parses calls that a person types: `/weather.forecast city=Oslo`, `/forecast {"city":"Oslo"}`.
//!
//! Each line that starts with `/` starts a call. If one call is wrong, none is made, because the
//! person meant them together.

use super::day::Day;
use super::plan::Planned;
use super::slot::{self, Form, Kind, Slot};
use super::tool::Tool;
use serde_json::{Map, Value};

/// The most calls, and bytes, that may be typed at once.
const MAX_CALLS: usize = 16;
const MAX_TEXT: usize = 64 * 1024;

/// Why a typed call cannot be parsed, and the nearest tools.
#[derive(Debug)]
pub(super) struct TypedError {
    pub(super) message: String,
    pub(super) near: Vec<usize>,
}

impl From<String> for TypedError {
    fn from(message: String) -> Self {
        let near = Vec::new();
        Self { message, near }
    }
}

/// Parses the calls of a prompt.
pub(super) fn read(tools: &[Tool<'_>], text: &str, today: Day) -> Result<Vec<Planned>, TypedError> {
    if text.len() > MAX_TEXT {
        return Err(format!("this is too long to be typed; write at most {MAX_TEXT} bytes").into());
    }
    let mut chunks: Vec<String> = Vec::new();
    for line in text.trim().lines() {
        match chunks.last_mut() {
            Some(last) if !line.starts_with('/') => {
                last.push('\n');
                last.push_str(line);
            }
            _ => chunks.push(line.to_owned()),
        }
    }
    let count = chunks.len();
    if count > MAX_CALLS {
        return Err(format!("{count} calls at once are too many; type at most {MAX_CALLS}").into());
    }
    let calls = chunks.iter().map(|chunk| one(tools, &chunk[1..], today));
    calls.collect()
}

fn one(tools: &[Tool<'_>], line: &str, today: Day) -> Result<Planned, TypedError> {
    let end = line.find(|c: char| c.is_whitespace() || c == '{');
    let (name, rest) = line.split_at(end.unwrap_or(line.len()));
    let tool = find(tools, name)?;
    let rest = rest.trim();
    let input = if rest.starts_with('{') {
        // It starts with a brace, so any JSON is an object.
        serde_json::from_str(rest)
            .map_err(|error| format!("the input of `/{name}` is not JSON: {error}"))?
    } else {
        pairs(tool, rest, today).map_err(|problem| format!("`/{}`: {problem}", tool.title()))?
    };
    Ok(Planned {
        tool: tool.spec.name.clone(),
        input,
        misfits: Vec::new(),
    })
}

/// Finds a tool by its name on the wire, with a dot, or without its plugin if that is unique.
fn find<'t, 'a>(tools: &'t [Tool<'a>], name: &str) -> Result<&'t Tool<'a>, TypedError> {
    let wanted = name.to_lowercase().replace('-', "_");
    let is_named = |name: &str| name.to_lowercase() == wanted;
    let whole = |tool: &&Tool<'_>| is_named(&tool.spec.name) || is_named(&tool.title());
    if let Some(tool) = tools.iter().find(whole) {
        return Ok(tool);
    }
    let alone = |at: &usize| is_named(&tools[*at].name);
    let found: Vec<usize> = (0..tools.len()).filter(alone).collect();
    match found.as_slice() {
        [only] => Ok(&tools[*only]),
        [] => {
            let mut near: Vec<usize> = (0..tools.len()).collect();
            let likeness = |at: usize| strsim::sorensen_dice(&wanted, &tools[at].title());
            near.sort_by(|a, b| likeness(*b).total_cmp(&likeness(*a)));
            near.truncate(3);
            let message = format!("there is no tool `{}`", name.replace('`', "'"));
            Err(TypedError { message, near })
        }
        _ => Err(TypedError {
            message: format!("several tools are called `{name}`: name the plugin too"),
            near: found,
        }),
    }
}

/// Parses `key=value` words; words without `=` are the value of the only text slot.
fn pairs(tool: &Tool<'_>, rest: &str, today: Day) -> Result<Map<String, Value>, String> {
    let mut input = Map::new();
    let mut bare: Vec<String> = Vec::new();
    for word in shell_words(rest)? {
        let pair = word.text.split_once('=');
        let pair = pair.filter(|(key, _)| !word.starts_quoted && is_key(key));
        let Some((key, value)) = pair else {
            bare.push(word.text);
            continue;
        };
        let earlier = input.shift_remove(key);
        let (name, value) = match tool.slots.iter().find(|slot| slot.name == key) {
            Some(slot) => (&slot.name, typed(slot, &word, value, earlier, today)?),
            None if slot::is_closed(&tool.spec.input_schema) || !tool.slots.is_empty() => {
                let known: Vec<&str> = tool.slots.iter().map(|slot| slot.name.as_str()).collect();
                return Err(match known.as_slice() {
                    [] => format!("it takes no `{key}`, nor anything else"),
                    known => format!("it takes no `{key}`; known are {}", known.join(", ")),
                });
            }
            None => (&key.to_owned(), value.into()),
        };
        input.insert(name.clone(), value);
    }
    let is_unfit = |slot: &&Slot| input.get(&slot.name).is_some_and(|v| !slot.accepts(v));
    if let Some(slot) = tool.slots.iter().find(is_unfit) {
        return Err(slot.wants());
    }
    if bare.is_empty() {
        return Ok(input);
    }
    let bare = bare.join(" ");
    let is_text = |slot: &&Slot| {
        !input.contains_key(&slot.name)
            && matches!(&slot.kind, Kind::Text(text) if text.form != Form::Foreign)
    };
    let mut missing = tool.slots.iter().filter(|slot| slot.is_missing(&input));
    let slot = match (missing.next(), missing.next()) {
        (None, _) => tool.slots.iter().find(is_text),
        (only, None) => only,
        _ => None,
    };
    let slot = slot.ok_or_else(|| format!("`{bare}` is no `key=value`"))?;
    input.insert(slot.name.clone(), slot.read(&bare, today)?);
    Ok(input)
}

/// Parses a value of a slot. A list is given element by element, or with commas if not quoted.
fn typed(
    slot: &Slot,
    word: &Word,
    text: &str,
    earlier: Option<Value>,
    today: Day,
) -> Result<Value, String> {
    let Kind::List(..) = slot.kind else {
        return match earlier {
            Some(_) => Err(format!("`{}` is given twice", slot.name)),
            None => slot.read(text, today),
        };
    };
    if text.starts_with('[') {
        return serde_json::from_str(text).map_err(|error| format!("`{}`: {error}", slot.name));
    }
    let piece = slot.piece();
    let mut values = match earlier {
        Some(Value::Array(values)) => values,
        _ => Vec::new(),
    };
    let split = || text.split(',').filter(|part| !part.trim().is_empty());
    let parts = match word.is_quoted {
        true => vec![text],
        false => split().collect(),
    };
    for part in parts {
        values.push(piece.read(part, today)?);
    }
    Ok(values.into())
}

fn is_key(key: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    !key.is_empty() && key.chars().all(is_plain)
}

struct Word {
    text: String,
    starts_quoted: bool,
    /// Whether any of it is quoted.
    is_quoted: bool,
}

/// Splits words like a shell: quotes keep spaces, a backslash keeps the next character.
fn shell_words(text: &str) -> Result<Vec<Word>, String> {
    let mut words: Vec<Word> = Vec::new();
    let mut inside = false;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if quote.is_none() && c.is_whitespace() {
            inside = false;
            continue;
        }
        if !inside {
            words.push(Word {
                text: String::new(),
                starts_quoted: matches!(c, '"' | '\''),
                is_quoted: false,
            });
            inside = true;
        }
        let word = words.last_mut().expect("one was just added");
        let text = &mut word.text;
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"') => quote = Some(c),
            // `it's` needs no quotes.
            (None, '\'') if text.is_empty() || text.ends_with('=') => quote = Some(c),
            (None | Some('"'), '\\') => text.extend(chars.next()),
            (_, c) => text.push(c),
        }
        word.is_quoted |= quote.is_some();
    }
    match quote {
        Some(quote) => Err(format!("a `{quote}` is not closed")),
        None => Ok(words),
    }
}
