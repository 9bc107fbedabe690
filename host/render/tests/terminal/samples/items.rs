//! Samples: session items.

use super::item;
use footlight_render::view::{Address, Inline, Role, Span, Style, Text, View};
use serde_json::{Value, json};

pub(super) fn all() -> Vec<(&'static str, View)> {
    let start = "2026-11-16T05:06:07Z";
    let call = |result: Value| {
        item(
            json!({ "type": "tool", "id": "call_2", "function": "weather.forecast",
            "input": { "city": "Oslo", "days": 5 }, "result": result, "start": start, "end": "2026-11-16T05:06:08.200Z" }),
        )
    };
    let ask = |state: &str, response: Value| {
        item(
            json!({ "type": "ask", "id": "ask_1", "call": "call_1", "prompt": "Which **environment** shall it go to?", "state": state,
            "widgets": [
                { "name": "env", "type": "radio", "control": "radio", "label": "Environment", "required": true, "options": [
                    { "value": "staging", "label": "Staging", "description": "nobody sees it", "recommended": true },
                    { "value": "production", "label": "Production", "description": "everybody does" } ] },
                { "name": "why", "type": "text", "control": "text", "label": "Reason", "placeholder": "a word or two", "help": "It is kept with the release." },
                { "name": "go", "type": "buttons", "control": "buttons", "label": "Go?", "options": ["Yes", "No"] } ],
            "response": response, "start": start }),
        )
    };
    vec![
        (
            "call",
            call(
                json!({ "type": "success", "output": { "kind": "facts", "data": { "facts": [{ "label": "Sky", "value": "clear" }] } } }),
            ),
        ),
        (
            "call failed",
            call(json!({ "type": "error", "error": "no such city; try `Oslo, NO`" })),
        ),
        (
            "call running",
            call(json!({ "type": "pending", "reason": "running" })),
        ),
        (
            "call waiting",
            call(json!({ "type": "pending", "reason": "approval" })),
        ),
        ("ask open", ask("open", Value::Null)),
        ("ask answered", ask("answered", json!("Production"))),
        ("ask skipped", ask("skipped", Value::Null)),
        (
            "output",
            item(
                json!({ "type": "output", "id": "out_1700000000000_abc123", "call": "call_1", "title": "Report", "kind": "file",
            "mimeType": "text/csv", "size": 12345, "expires": "2026-11-16T05:36:07Z", "start": start }),
            ),
        ),
        (
            "notice",
            item(
                json!({ "type": "notice", "id": "not_1", "level": "warning", "text": "The plugin `todo` asked for more than it may have.", "start": start }),
            ),
        ),
        (
            "widget fallback",
            item(
                json!({ "type": "widget", "id": "wid_2", "call": "call_1", "widget": "acme.gauge", "data": { "value": 4 },
            "fallback": "The gauge stands at 4 of 10.", "start": start }),
            ),
        ),
        (
            "link styles",
            View::Text(Text::new(
                Role::Body,
                Inline {
                    spans: vec![
                        Span::plain("See "),
                        Span {
                            text: "the docs".into(),
                            style: Style::default(),
                            link: Address::parse("https://example.org/docs"),
                            math: None,
                        },
                        Span::plain(", "),
                        Span {
                            text: "https://example.org/".into(),
                            style: Style::default(),
                            link: Address::parse("https://example.org/"),
                            math: None,
                        },
                        Span::plain(" or "),
                        Span {
                            text: "ann@example.org".into(),
                            style: Style::default(),
                            link: Address::parse("mailto:ann@example.org"),
                            math: None,
                        },
                        Span::plain("."),
                    ],
                },
            )),
        ),
    ]
}
