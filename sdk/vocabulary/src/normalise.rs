//! Conversion of any JSON value into a result.
//!
//! Tools return results, flat results of an older format (`{kind: "diff", path, ...}`), or any
//! other value. [`normalise`] accepts them all; only a value that says itself that the tool failed
//! is an error.
//!
//! Invariant: lossless and idempotent. Every member of a flat result is kept in `data`, or in
//! `extra` if it is a `summary`, `mimeType` or `display` of the wrong type.

use crate::kind::Kind;
use crate::kinds;
use crate::result::SemanticResult;
use serde_json::{Map, Value, json};

/// Converts any value into a result.
///
/// The first rule that applies counts: an object with a valid `kind` and `data` is a result; an
/// object with `success: false` and `error` is a failure; an object in the flat shape of a core
/// kind is a result of that kind; a string is text; anything else is structured data.
///
/// # Errors
/// When the value says that the tool failed.
pub fn normalise(value: Value) -> Result<SemanticResult, ReportedError> {
    let object = match value {
        Value::Object(object) => object,
        Value::String(text) => return Ok(plain("text", json!({ "content": text }))),
        other => return Ok(plain("structured", other)),
    };
    let object = match SemanticResult::from_object(object) {
        Ok(result) => return Ok(result),
        Err(object) => object,
    };
    if let Some(failed) = ReportedError::in_object(&object) {
        return Err(failed);
    }
    Ok(legacy(object).unwrap_or_else(|object| plain("structured", Value::Object(object))))
}

/// The failure that a tool reported as `{success: false, error}`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ReportedError {
    /// The message.
    pub message: String,
}

impl ReportedError {
    fn in_object(object: &Map<String, Value>) -> Option<Self> {
        if object.get("success") != Some(&Value::Bool(false)) {
            return None;
        }
        let error = object.get("error")?;
        let message = match error.get("message").unwrap_or(error) {
            Value::String(message) => message.clone(),
            Value::Null => String::new(),
            _ => error.to_string(),
        };
        let message = match message.trim() {
            "" => "the tool did not say why it failed".to_owned(),
            _ => message,
        };
        Some(Self { message })
    }
}

fn plain(kind: &str, data: Value) -> SemanticResult {
    let kind = Kind::parse(kind).expect("the vocabulary's own kinds fit the pattern");
    SemanticResult::new(kind, data)
}

/// The kinds that were flat. `structured` and `json` always had `data`.
#[rustfmt::skip]
const FLAT: [&str; 6] = ["text", "diff", "file_content", "file_list", "table", "image"];

/// The members of a flat result that are not part of its data.
const BESIDE: [&str; 3] = ["summary", "mimeType", "display"];

/// Converts a flat result; returns any other object unchanged.
fn legacy(object: Map<String, Value>) -> Result<SemanticResult, Map<String, Value>> {
    let kind = object.get("kind").and_then(Value::as_str);
    let Some(kind) = kind.and_then(|kind| Kind::parse(kind).ok()) else {
        return Err(object);
    };
    let mut data = object.clone();
    data.shift_remove("kind");
    let beside = BESIDE
        .iter()
        .filter_map(|name| data.shift_remove_entry(*name));
    let beside: Map<_, _> = beside.collect();
    if kind.as_str() == "file_list" {
        name_entries(&mut data);
    }
    let data = Value::Object(data);
    let has = |name: &str| data[name].is_string();
    let is_flat = FLAT.contains(&kind.as_str()) && kinds::check(kind.as_str(), &data).is_ok();
    if is_flat && (kind.as_str() != "image" || has("url") || has("base64")) {
        Ok(SemanticResult::new(kind, data).with_members(beside))
    } else {
        Err(object)
    }
}

/// Converts the `files` of an older list into `entries`. A list with anything but names stays
/// unchanged.
fn name_entries(data: &mut Map<String, Value>) {
    if data.contains_key("entries") {
        return;
    }
    let Some(Value::Array(files)) = data.get("files") else {
        return;
    };
    let entry = |file: &Value| match file {
        Value::String(name) => {
            let what = match name.ends_with('/') {
                true => "directory",
                false => "file",
            };
            Some(json!({ "name": name, "type": what }))
        }
        Value::Object(entry) if entry.get("name").is_some_and(Value::is_string) => {
            let mut entry = entry.clone();
            entry.entry("type").or_insert_with(|| "file".into());
            Some(Value::Object(entry))
        }
        _ => None,
    };
    if let Some(entries) = files.iter().map(entry).collect::<Option<Vec<_>>>() {
        data.shift_remove("files");
        data.insert("entries".to_owned(), Value::Array(entries));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(sent: Value, expected: Value) {
        let result = normalise(sent).expect("no failure");
        assert_eq!(serde_json::to_value(result).expect("serialises"), expected);
    }

    #[test]
    fn flat_diff_keeps_every_field() {
        check(
            json!({ "kind": "diff", "path": "a", "original": "x", "modified": "y", "isNew": false, "bytesWritten": 1, "summary": "s", "display": { "language": "c" }, "mimeType": "text/x-diff" }),
            json!({ "kind": "diff", "data": { "path": "a", "original": "x", "modified": "y", "isNew": false, "bytesWritten": 1 }, "summary": "s", "display": { "language": "c" }, "mimeType": "text/x-diff" }),
        );
    }

    #[test]
    fn other_flat_core_kinds_become_results() {
        check(
            json!({ "kind": "text", "content": "a" }),
            json!({ "kind": "text", "data": { "content": "a" } }),
        );
        check(
            json!({ "kind": "file_content", "path": "p", "content": "c", "size": 1, "lines": 1 }),
            json!({ "kind": "file_content", "data": { "path": "p", "content": "c", "size": 1, "lines": 1 } }),
        );
        check(
            json!({ "kind": "image", "url": "u", "alt": "a", "mimeType": "image/png" }),
            json!({ "kind": "image", "data": { "url": "u", "alt": "a" }, "mimeType": "image/png" }),
        );
    }

    #[test]
    fn old_file_list_becomes_entries() {
        check(
            json!({ "kind": "file_list", "files": ["a.txt", "src/"], "count": 2 }),
            json!({ "kind": "file_list", "data": { "entries": [{ "name": "a.txt", "type": "file" }, { "name": "src/", "type": "directory" }], "count": 2 } }),
        );
    }

    #[test]
    fn json_is_read_as_structured() {
        check(
            json!({ "kind": "json", "data": [1] }),
            json!({ "kind": "structured", "data": [1] }),
        );
    }

    #[test]
    fn finished_result_is_unchanged() {
        let result =
            json!({ "kind": "acme.x", "data": null, "summary": null, "display": 1, "new": true });
        check(result.clone(), result);
    }

    #[test]
    fn summary_of_the_wrong_type_is_kept_beside_the_data_of_a_flat_result() {
        check(
            json!({ "kind": "text", "content": "a", "summary": 5 }),
            json!({ "kind": "text", "data": { "content": "a" }, "summary": 5 }),
        );
    }

    #[test]
    fn object_that_merely_has_a_kind_is_data() {
        for sent in [
            json!({ "kind": "dog", "name": "Rex" }),
            json!({ "kind": "diff", "path": 5 }),
            json!({ "kind": "text" }),
            json!({ "kind": "markdown", "content": "never was flat" }),
            json!({ "kind": "image", "alt": "no address" }),
            json!({ "kind": "file_list", "files": [5] }),
            json!({ "kind": "Bad-Kind", "data": 1 }),
            json!({ "kind": 5, "data": 1 }),
        ] {
            check(sent.clone(), json!({ "kind": "structured", "data": sent }));
        }
    }

    #[test]
    fn plain_values_become_text_or_structured() {
        check(
            json!("hi"),
            json!({ "kind": "text", "data": { "content": "hi" } }),
        );
        for value in [json!(null), json!(5), json!([1]), json!({ "a": 1 })] {
            check(
                value.clone(),
                json!({ "kind": "structured", "data": value }),
            );
        }
    }

    #[test]
    fn tool_that_says_it_failed_has_failed() {
        for (sent, message) in [
            (json!({ "success": false, "error": "no disk" }), "no disk"),
            (
                json!({ "success": false, "error": { "message": "no disk", "code": 1 } }),
                "no disk",
            ),
            (
                json!({ "success": false, "error": { "code": 1 } }),
                r#"{"code":1}"#,
            ),
            (
                json!({ "success": false, "error": null }),
                "the tool did not say why it failed",
            ),
            (
                json!({ "kind": "diff", "path": "a", "success": false, "error": "read-only" }),
                "read-only",
            ),
        ] {
            assert_eq!(normalise(sent).expect_err("failed").message, message);
        }
        for sent in [
            json!({ "success": true, "error": "x" }),
            json!({ "success": false }),
        ] {
            assert!(normalise(sent).is_ok());
        }
    }

    fn key() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => prop::sample::select(vec![
                "kind", "data", "path", "content", "summary", "mimeType", "display", "files",
                "entries", "count", "columns", "rows", "url", "alt", "name", "type", "success",
                "error", "message", "original", "modified", "isNew", "hunks", "size",
            ])
            .prop_map(str::to_owned),
            1 => ".{0,6}",
        ]
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".{0,8}".prop_map(Value::from),
            prop::sample::select(vec![
                "text",
                "diff",
                "file_content",
                "file_list",
                "table",
                "image",
                "json",
                "structured",
                "acme.x",
                "No",
            ])
            .prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 48, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec((key(), inner), 0..8)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_value_normalises_and_twice_is_the_same_as_once(value in any_value()) {
            if let Ok(once) = normalise(value) {
                let again = serde_json::to_value(&once).expect("serialises");
                prop_assert_eq!(normalise(again), Ok(once));
            }
        }

        #[test]
        fn every_member_of_a_flat_diff_survives(
            path in ".{0,12}",
            modified in ".{0,12}",
            more in prop::collection::btree_map("x_[a-z]{1,6}", any_value(), 0..6),
        ) {
            let mut sent: Map<_, _> = more.into_iter().collect();
            sent.insert("path".into(), path.into());
            sent.insert("modified".into(), modified.into());
            let data = Value::Object(sent.clone());
            sent.insert("kind".into(), "diff".into());
            let result = normalise(Value::Object(sent)).expect("no failure");
            prop_assert_eq!(result.kind.as_str(), "diff");
            prop_assert_eq!(result.data, data);
        }
    }
}
