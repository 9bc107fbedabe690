//! Recognises what a JSON value is, or several lines of them.

mod events;

use crate::suggest::{counted, quoted_list};
use anyhow::{Result, anyhow, bail};
use footlight_render::detail::{Detail, ViewBuilder};
use footlight_render::lower::{Lower, WidgetRef};
use footlight_render::transcript::TurnTranscript;
use footlight_render::view::{Tone, View};
use footlight_vocabulary::component::{self, ROOTS};
use footlight_vocabulary::event::Status;
use footlight_vocabulary::item::{self, Content, Item};
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::question::Question;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Something to draw.
#[derive(Debug)]
pub(super) enum Drawable {
    View(Box<View>),
    Turns(Vec<TurnTranscript>),
}

impl Drawable {
    fn view(view: View) -> Self {
        Self::View(Box::new(view))
    }
}

fn one_turn(items: Vec<Item>) -> Drawable {
    Drawable::Turns(vec![turn(items, None)])
}

/// Wraps items in a finished turn.
fn turn(items: Vec<Item>, prompt: Option<String>) -> TurnTranscript {
    TurnTranscript {
        prompt,
        is_press: false,
        items,
        results_last: false,
        status: Some(Status::Done),
    }
}

/// Describes a JSON syntax error with its position.
fn syntax(error: &serde_json::Error) -> anyhow::Error {
    let said = error.to_string();
    let what = said.split(" at line ").next().unwrap_or(&said);
    anyhow!("line {}, column {}: {what}", error.line(), error.column())
}

/// Parses the values of a text: one, or the lines of `--json`.
pub(super) fn parse(text: &str) -> Result<Vec<Value>> {
    let values = serde_json::Deserializer::from_str(text).into_iter();
    let values: Vec<Value> = values
        .collect::<serde_json::Result<_>>()
        .map_err(|error| syntax(&error))?;
    if values.is_empty() {
        bail!("there is nothing to draw: the file is empty");
    }
    Ok(values)
}

/// Reads values, and describes what they were taken for.
pub(super) fn read_all(mut values: Vec<Value>) -> Result<(String, Drawable)> {
    match values.len() {
        1 => read(values.remove(0)),
        _ => events::read(values),
    }
}

/// Reads a value, and describes what it was taken for.
fn read(value: Value) -> Result<(String, Drawable)> {
    match value {
        Value::Array(list) if !list.is_empty() && list.iter().all(is_item) => {
            let items = items(list, "")?;
            Ok((counted(items.len(), "item"), one_turn(items)))
        }
        Value::Object(members) => object(members),
        value => result(value),
    }
}

fn object(mut members: Map<String, Value>) -> Result<(String, Drawable)> {
    let word = |members: &Map<String, Value>, name: &str| {
        members.get(name).and_then(Value::as_str).map(str::to_owned)
    };
    if let Some(Value::Array(given)) = members.get_mut("turns") {
        let turns = turns(std::mem::take(given))?;
        return Ok((counted(turns.len(), "turn"), Drawable::Turns(turns)));
    }
    match (word(&members, "type").as_deref(), members.get_mut("output")) {
        (Some("turn_finished"), Some(Value::Array(output))) => {
            let items = items(std::mem::take(output), "output")?;
            let what = format!("a turn with {}", counted(items.len(), "item"));
            return Ok((what, one_turn(items)));
        }
        (Some("put"), _) => {
            return an_item(members.shift_remove("item").unwrap_or_default(), "item");
        }
        (Some(kind), _) if ROOTS.contains(&kind) => return tree(Value::Object(members)),
        (Some(kind), _) if component::spec(kind).is_some() => bail!(
            "`type`: a component tree has one of {} at its root, not `{kind}`",
            quoted_list(ROOTS.iter().copied())
        ),
        _ => {}
    }
    if is_item(&Value::Object(members.clone())) {
        return an_item(Value::Object(members), "");
    }
    if word(&members, "widget").is_some() {
        return widget(&members);
    }
    let asks = word(&members, "prompt").or_else(|| word(&members, "text"));
    if asks.is_some() && !members.contains_key("kind") {
        let question = Question::from_model(Value::Object(members));
        let question = question.map_err(|error| anyhow!("{error}"))?;
        let fields = counted(question.fields.len(), "field");
        let view = in_full().question(&question);
        return Ok((format!("a question with {fields}"), Drawable::view(view)));
    }
    result(Value::Object(members))
}

/// Lowers everything that there is.
fn in_full() -> Lower<'static> {
    Lower::default().within(Detail::Full.limits())
}

fn tree(tree: Value) -> Result<(String, Drawable)> {
    component::check(&tree).map_err(|problems| anyhow!("{problems}"))?;
    let view = in_full().component(&tree);
    Ok(("a component tree".to_owned(), Drawable::view(view)))
}

fn widget(members: &Map<String, Value>) -> Result<(String, Drawable)> {
    let text = |name: &str| match members.get(name) {
        Some(Value::String(text)) => Ok(text.as_str()),
        Some(_) => Err(anyhow!("`{name}` is not text")),
        None => Err(anyhow!("`{name}` is missing")),
    };
    let view = members.get("view").filter(|view| !view.is_null());
    if let Some(view) = view {
        component::check(view).map_err(|problems| anyhow!("in `view`: {problems}"))?;
    }
    let widget = WidgetRef {
        from: None,
        widget: text("widget")?,
        data: members.get("data").unwrap_or(&Value::Null),
        fallback: text("fallback")?,
        view,
        invalid_data: members.get("invalidData") == Some(&Value::Bool(true)),
    };
    let what = format!("a widget of the type `{}`", widget.widget);
    let view = in_full().widget(widget);
    Ok((what, Drawable::view(view)))
}

/// A result, or any value that a tool may return.
fn result(value: Value) -> Result<(String, Drawable)> {
    let whole = value.clone();
    match normalise(value) {
        Ok(result) => {
            let is_plain = result.data == whole;
            if is_plain && let (Some(kind), Some(_)) = (whole.get("kind"), whole.get("data")) {
                bail!(
                    "`kind`: {kind} is not a kind: use lower-case letters, digits and `_`, with dots between words"
                );
            }
            let what = match is_plain {
                true => "a plain value, drawn as a tool's result would be".to_owned(),
                false => format!("a result of the kind `{}`", result.kind.as_str()),
            };
            let view = ViewBuilder::default().result(&result, Detail::Full);
            Ok((what, Drawable::view(view)))
        }
        Err(failed) => {
            let view = View::notice(Tone::Danger, failed.message);
            Ok(("a tool's failure".to_owned(), Drawable::view(view)))
        }
    }
}

/// Reports whether the `type` is that of an item.
fn is_item(value: &Value) -> bool {
    let kind = value.get("type").and_then(Value::as_str);
    kind.is_some_and(|kind| Content::KNOWN.contains(&kind))
}

fn an_item(value: Value, place: &str) -> Result<(String, Drawable)> {
    let item = parse_item(value, place)?;
    let what = format!("an item of the type `{}`", item.content.type_name());
    Ok((what, one_turn(vec![item])))
}

fn items(list: Vec<Value>, place: &str) -> Result<Vec<Item>> {
    let read = |(at, value)| parse_item(value, &format!("{place}[{at}]"));
    list.into_iter().enumerate().map(read).collect()
}

/// Parses an item and fills in the fields that authors leave out.
fn parse_item(mut value: Value, place: &str) -> Result<Item> {
    let place = match place {
        "" => String::new(),
        place => format!("`{place}`: "),
    };
    let Value::Object(members) = &mut value else {
        bail!("{place}not an item");
    };
    let position = json!({ "turn": 1, "step": 1, "call": 1, "n": 0 });
    for (name, usual) in [
        ("id", json!("item")),
        ("call", json!("call")),
        ("start", json!("1970-01-01T00:00:00Z")),
        ("position", position),
    ] {
        members.entry(name).or_insert(usual);
    }
    if let Some(view) = members.get("view").filter(|view| !view.is_null()) {
        component::check(view).map_err(|problems| anyhow!("{place}in `view`: {problems}"))?;
    }
    serde_json::from_value(value.clone()).map_err(|error| {
        let why = content(&value).unwrap_or(error);
        anyhow!("{place}{why}")
    })
}

/// Returns what is wrong with an item of its `type`.
fn content(value: &Value) -> Option<serde_json::Error> {
    match value["type"].as_str()? {
        "text" => item::Text::deserialize(value).err(),
        "tool" => item::Tool::deserialize(value).err(),
        "widget" => item::Widget::deserialize(value).err(),
        "ask" => item::Ask::deserialize(value).err(),
        "output" => item::Output::deserialize(value).err(),
        "notice" => item::Notice::deserialize(value).err(),
        _ => None,
    }
}

fn turns(list: Vec<Value>) -> Result<Vec<TurnTranscript>> {
    let mut turns = Vec::new();
    for (at, mut value) in list.into_iter().enumerate() {
        let prompt = value.get("prompt").and_then(Value::as_str);
        let prompt = prompt.map(str::to_owned);
        let output = match value.get_mut("output").map(Value::take) {
            Some(Value::Array(output)) => output,
            None | Some(Value::Null) => Vec::new(),
            Some(_) => bail!("`turns[{at}].output` is not a list"),
        };
        let items = items(output, &format!("turns[{at}].output"))?;
        turns.push(turn(items, prompt));
    }
    Ok(turns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_recognised() {
        let text = json!({ "type": "text", "text": "Hi" });
        for (value, expected) in [
            (
                json!({ "kind": "text", "data": { "content": "x" } }),
                "a result of the kind `text`",
            ),
            (
                json!({ "kind": "diff", "path": "a", "modified": "x" }),
                "a result of the kind `diff`",
            ),
            (json!("x"), "a result of the kind `text`"),
            (
                json!([{ "a": 1 }]),
                "a plain value, drawn as a tool's result would be",
            ),
            (
                json!({ "success": false, "error": "no" }),
                "a tool's failure",
            ),
            (
                json!({ "widget": "w", "data": 1, "fallback": "x" }),
                "a widget of the type `w`",
            ),
            (
                json!({ "type": "Card", "children": [] }),
                "a component tree",
            ),
            (json!({ "prompt": "Well?" }), "a question with 1 field"),
            (text.clone(), "an item of the type `text`"),
            (json!([text, text]), "2 items"),
            (
                json!({ "type": "turn_finished", "output": [text] }),
                "a turn with 1 item",
            ),
            (
                json!({ "type": "put", "rev": 0, "item": text }),
                "an item of the type `text`",
            ),
            (
                json!({ "turns": [{ "prompt": "a", "output": [text] }] }),
                "1 turn",
            ),
        ] {
            let (what, _) = read(value.clone()).unwrap_or_else(|error| panic!("{value}: {error}"));
            assert_eq!(what, expected, "{value}");
        }
    }

    #[test]
    fn errors_name_their_position() {
        for (value, expected) in [
            (
                json!({ "type": "Card", "children": [{ "type": "Text" }] }),
                "`children[0]",
            ),
            (
                json!({ "type": "Text", "value": "x" }),
                "`type`: a component tree has one of `Card`",
            ),
            (json!({ "widget": "w", "data": 1 }), "`fallback` is missing"),
            (
                json!({ "widget": "w", "data": 1, "fallback": 2 }),
                "`fallback` is not text",
            ),
            (
                json!({ "prompt": "Well?", "fields": [{ "type": "select" }] }),
                "options",
            ),
            (
                json!([{ "type": "text", "text": "a" }, { "type": "text" }]),
                "`[1]`: missing field `text`",
            ),
            (
                json!({ "turns": [{ "output": [{ "type": "tool" }] }] }),
                "`turns[0].output[0]`: missing field",
            ),
            (
                json!({ "kind": "Not A Kind", "data": 1 }),
                "`kind`: \"Not A Kind\" is not a kind",
            ),
        ] {
            let error = read(value.clone()).expect_err("is wrong").to_string();
            assert!(error.contains(expected), "{value}: {error}");
        }
        let error = serde_json::from_str::<Value>("{\n  \"a\": }").expect_err("is none");
        assert_eq!(
            syntax(&error).to_string(),
            "line 2, column 8: expected value"
        );
    }
}
