//! Reads cases from TOML.
//!
//! Every value is text, so that nothing of TOML that JSON lacks (dates, `nan`, `inf`) can become something
//! else on the way.

use super::{FAILURES, VERDICTS};
use crate::case::{Answer, Case, Decision, Exchange, Expected, MAX_ENTRIES};
use anyhow::{Result, anyhow};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use footlight::HttpResponse;
use footlight_vocabulary::toml_reader::{self, Checked, Table, TomlError, find_word, listed};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use toml::de::DeValue;

const KEYS: [&str; 14] = [
    "tool",
    "input",
    "clock",
    "seed",
    "locale",
    "timezone",
    "settings",
    "allow-net",
    "secrets",
    "state",
    "answer",
    "verdict",
    "http",
    "expect",
];

const HTTP_KEYS: [&str; 10] = [
    "method",
    "url",
    "headers",
    "body",
    "body-base64",
    "error",
    "status",
    "response-headers",
    "response",
    "response-base64",
];

/// Parses a case.
pub(crate) fn parse(text: &str) -> Result<Case> {
    read(text).map_err(|error| {
        let (line, _) = toml_reader::position(text, error.at.start);
        anyhow!("line {line}: {error}")
    })
}

fn read(text: &str) -> Checked<Case> {
    let document = toml_reader::parse(text)?;
    let file = Table::document("a case", &document, &KEYS)?;
    let or = |key: &str, default: &str| -> Checked<String> {
        Ok(optional(&file, key)?.unwrap_or_else(|| default.to_owned()))
    };
    let expect = file.table("expect", "[expect]", &["record", "state"])?;
    Ok(Case {
        tool: required(&file, "tool", "\"TOOL\"")?,
        input: {
            file.require_value("input", "'{}'")?;
            object(&file, "input")?.unwrap_or_default()
        },
        clock: {
            let example = "\"2026-11-18T12:00:00.000Z\"";
            let clock = required(&file, "clock", example)?;
            let wrong = |_| file.error_at("clock", format!("`clock` is a time such as {example}"));
            clock.parse().map_err(wrong)?
        },
        seed: {
            file.require_value("seed", "1")?;
            number(&file, "seed")?.unwrap_or_default()
        },
        locale: or("locale", "en")?,
        timezone: or("timezone", "Etc/UTC")?,
        settings: object(&file, "settings")?.unwrap_or_default(),
        allow_net: texts(&file, "allow-net")?,
        secrets: texts(&file, "secrets")?,
        state: state(&file)?,
        answers: each(&file, "answer", "[[answer]]", &["values", "reply"], answer)?,
        verdicts: {
            let keys = ["decision", "words"];
            each(&file, "verdict", "[[verdict]]", &keys, decision)?
        },
        exchanges: each(&file, "http", "[[http]]", &HTTP_KEYS, exchange)?,
        expect: expect.map_or_else(|| Ok(Expected::default()), |table| expected(&table))?,
    })
}

/// Reads the tables under a key.
fn each<T>(
    file: &Table<'_>,
    key: &str,
    title: &'static str,
    keys: &[&str],
    read: fn(&Table<'_>) -> Checked<T>,
) -> Checked<Vec<T>> {
    let tables = file.tables(key, title, keys, MAX_ENTRIES)?;
    tables.iter().map(read).collect()
}

fn state(file: &Table<'_>) -> Checked<BTreeMap<String, Value>> {
    let Some(value) = file.value("state") else {
        return Ok(BTreeMap::new());
    };
    let DeValue::Table(entries) = value.get_ref() else {
        return Err(file.error_at(
            "state",
            "`state` is a table: write [state] above its values",
        ));
    };
    if entries.len() > MAX_ENTRIES {
        let message = format!("more than {MAX_ENTRIES} [state] values; list fewer");
        return Err(file.error_at("state", message));
    }
    let values = entries.iter().map(|(key, value)| {
        let value = json(
            &format!("state.{}", toml_reader::quoted(key.get_ref())),
            value,
        )?;
        Ok((key.get_ref().to_string(), value))
    });
    values.collect()
}

fn answer(table: &Table<'_>) -> Checked<Answer> {
    match (
        object(table, "values")?,
        optional(table, "reply")?.as_deref(),
    ) {
        (Some(values), None) => Ok(Answer::Values(values)),
        (None, Some("skip")) => Ok(Answer::Skip),
        (None, Some("nobody")) => Ok(Answer::Nobody),
        _ => Err(table.error("an [[answer]] has `values`, or `reply` as \"skip\" or \"nobody\"")),
    }
}

fn decision(table: &Table<'_>) -> Checked<Decision> {
    let word = required(table, "decision", "\"once\"")?;
    let unknown = || {
        let message = "the `decision` of a [[verdict]] is deny, once, session, always or nobody";
        table.error_at("decision", message)
    };
    Ok(Decision {
        verdict: find_word(&VERDICTS, &word).ok_or_else(unknown)?,
        words: optional(table, "words")?,
    })
}

fn exchange(table: &Table<'_>) -> Checked<Exchange> {
    let answer = match (number(table, "status")?, optional(table, "error")?) {
        (Some(status), None) => Ok(HttpResponse::new(
            status,
            headers(table, "response-headers")?,
            body(table, "response", "response-base64")?,
        )),
        (None, Some(word)) => {
            let unknown = || {
                let words = listed(FAILURES.iter().map(|(word, _)| *word));
                table.error_at("error", format!("`error` is one of {words}"))
            };
            Err(find_word(&FAILURES, &word).ok_or_else(unknown)?)
        }
        _ => return Err(table.error("an [[http]] has either `status` or `error`")),
    };
    Ok(Exchange {
        method: required(table, "method", "\"GET\"")?,
        url: required(table, "url", "\"https://api.example.com/\"")?,
        headers: headers(table, "headers")?,
        body: body(table, "body", "body-base64")?,
        answer,
    })
}

fn expected(table: &Table<'_>) -> Checked<Expected> {
    let record = match table.value("record") {
        None => Vec::new(),
        Some(value) => match json("expect.record", value)? {
            Value::Array(items) => items,
            _ => return Err(table.error_at("record", "`expect.record` is a JSON list of items")),
        },
    };
    let state = object(table, "state")?.map(|members| members.into_iter().collect());
    Ok(Expected { record, state })
}

fn headers(table: &Table<'_>, key: &str) -> Checked<Vec<(String, String)>> {
    let header = |line: String| match line.split_once(": ") {
        Some((name, value)) => Ok((name.to_ascii_lowercase(), value.to_owned())),
        None => Err(table.error_at(key, "a header is written \"name: value\"")),
    };
    texts(table, key)?.into_iter().map(header).collect()
}

fn body(table: &Table<'_>, key: &str, encoded: &str) -> Checked<Vec<u8>> {
    match (optional(table, key)?, optional(table, encoded)?) {
        (text, None) => Ok(text.unwrap_or_default().into_bytes()),
        (None, Some(base64)) => BASE64_STANDARD
            .decode(base64.trim())
            .map_err(|_| table.error_at(encoded, format!("`{encoded}` is not base64"))),
        (Some(_), Some(_)) => {
            let message = format!("`{key}` and `{encoded}` exclude each other; remove one");
            Err(table.error_at(encoded, message))
        }
    }
}

/// Reads a whole number.
fn number<T: TryFrom<i64>>(table: &Table<'_>, key: &str) -> Checked<Option<T>> {
    let Some(value) = table.value(key) else {
        return Ok(None);
    };
    let number = match value.get_ref() {
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
        _ => None,
    };
    let wrong = || table.error_at(key, format!("`{key}` must be a whole number, such as 200"));
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(wrong).map(Some)
}

fn required(table: &Table<'_>, key: &str, example: &str) -> Checked<String> {
    string(key, table.require_value(key, example)?)
}

fn optional(table: &Table<'_>, key: &str) -> Checked<Option<String>> {
    let value = table.value(key);
    value.map(|value| string(key, value)).transpose()
}

fn texts(table: &Table<'_>, key: &str) -> Checked<Vec<String>> {
    match table.value(key).map(|value| value.get_ref()) {
        None => Ok(Vec::new()),
        Some(DeValue::Array(values)) => values.iter().map(|value| string(key, value)).collect(),
        Some(_) => Err(table.error_at(key, format!("`{key}` must be a list of texts"))),
    }
}

/// Reads a JSON object in a text.
fn object(table: &Table<'_>, key: &str) -> Checked<Option<Map<String, Value>>> {
    let Some(value) = table.value(key) else {
        return Ok(None);
    };
    match json(key, value)? {
        Value::Object(members) => Ok(Some(members)),
        _ => Err(table.error_at(key, format!("`{key}` is a JSON object"))),
    }
}

fn json(key: &str, value: &toml_reader::Value<'_>) -> Checked<Value> {
    let not_json = |error| TomlError::new(value.span(), format!("`{key}` is not JSON: {error}"));
    serde_json::from_str::<Value>(&string(key, value)?).map_err(not_json)
}

/// Reads a text with all of its characters, in contrast to [`toml_reader::Text`].
fn string(key: &str, value: &toml_reader::Value<'_>) -> Checked<String> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.to_string()),
        other => {
            let found = other.type_str();
            let message =
                format!("`{key}` is of type {found}; write it as text, in quotation marks");
            Err(TomlError::new(value.span(), message))
        }
    }
}
