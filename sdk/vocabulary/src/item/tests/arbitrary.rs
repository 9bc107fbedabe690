//! Arbitrary JSON for property tests, made of known words so that it passes the first checks.

use proptest::prelude::*;
use serde_json::Value;

const NAMES: &[&str] = &[
    "type",
    "name",
    "label",
    "options",
    "default",
    "required",
    "other",
    "multiple",
    "min",
    "max",
    "integer",
    "value",
    "values",
    "prompt",
    "text",
    "widgets",
    "id",
    "position",
    "turn",
    "step",
    "call",
    "n",
    "rev",
    "start",
    "end",
    "function",
    "input",
    "result",
    "output",
    "error",
    "reason",
    "verdict",
    "decision",
    "at",
    "widget",
    "data",
    "fallback",
    "state",
    "title",
    "kind",
    "mimeType",
    "size",
    "expires",
    "level",
    "seq",
    "session",
    "item",
    "delta",
    "omittedBytes",
    "message",
    "status",
    "origin",
    "payload",
    "request_id",
    "approved",
    "always",
    "remember",
    "skip",
];

const WORDS: &[&str] = &[
    "buttons",
    "confirm",
    "select",
    "radio",
    "checkbox",
    "text",
    "textarea",
    "number",
    "date",
    "secret",
    "text_input",
    "tool",
    "widget",
    "ask",
    "output",
    "notice",
    "success",
    "error",
    "pending",
    "turn_started",
    "turn_finished",
    "put",
    "remove",
    "text_delta",
    "reasoning",
    "reasoning_delta",
    "progress",
    "ask_request",
    "ask_response",
    "approval_request",
    "approval_response",
    "a",
    "b",
    "a, b",
    "Yes",
    "2024-02-29",
    "2026-11-16T01:52:35.123Z",
    "out_1_abc123",
    "12",
    "",
    " ",
    "deny",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => prop::sample::select(WORDS).prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(Value::Null),
    ]
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let name = prop::sample::select(NAMES).prop_map(str::to_owned);
    prop::collection::btree_map(name, inner, 0..8)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

/// Any JSON value.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            object(inner),
        ]
    })
}

/// An object whose `type` is a known word.
pub(crate) fn any_object() -> impl Strategy<Value = Value> {
    (prop::sample::select(WORDS), object(any_json())).prop_map(|(word, mut object)| {
        object["type"] = word.into();
        object
    })
}
