//! Fixtures for everything that can be drawn: ordinary, empty and hostile.

mod items;

use footlight_render::lower::Lower;
use footlight_render::view::View;
use footlight_vocabulary::item::Item;
use footlight_vocabulary::question::Question;
use footlight_vocabulary::result::SemanticResult;
use serde_json::{Value, json};

/// A single grey pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";

/// A string that tries to escape from its context.
pub(crate) const HOSTILE: &str = "</script></style></textarea></title>--><script>alert(1)</script>\"'><img src=x \
     onerror=alert(1)>\u{202e}\u{1b}]0;t\u{7}\u{1b}[2J{{x}} [l](javascript:alert(1)) `|` # &lt;\n- x\n```";

/// The input of a fixture.
#[derive(Clone)]
pub(crate) enum Given {
    Result(Value),
    Component(Value),
    Question(Value),
    Item(Value),
}

impl Given {
    pub(crate) fn view(&self) -> View {
        let lower = Lower::default();
        match self {
            Self::Result(value) => {
                let result: SemanticResult =
                    serde_json::from_value(value.clone()).expect("a result");
                lower.result(&result)
            }
            Self::Component(value) => lower.component(value),
            Self::Question(value) => {
                let question: Question = serde_json::from_value(value.clone()).expect("a question");
                lower.question(&question)
            }
            Self::Item(value) => {
                let item: Item = serde_json::from_value(value.clone()).expect("an item");
                lower.item_from(&item, Some("weather"))
            }
        }
    }

    /// Replaces every string that a plugin can choose by [`HOSTILE`].
    pub(crate) fn hostile(&self) -> Self {
        match self {
            Self::Result(value) => Self::Result(poisoned(value)),
            Self::Component(value) => Self::Component(poisoned(value)),
            Self::Question(value) => Self::Question(poisoned(value)),
            Self::Item(value) => Self::Item(poisoned(value)),
        }
    }
}

/// Members that determine the type of a value, which must stay valid.
const NAMES: &[&str] = &[
    "type",
    "kind",
    "key",
    "dataKey",
    "xAxis",
    "id",
    "call",
    "start",
    "end",
    "expires",
    "at",
    "decision",
    "state",
    "limit",
    "children_kind",
    "reason",
    "level",
    "preferredView",
    "direction",
    "inputType",
    "encoding",
];

fn poisoned(value: &Value) -> Value {
    match value {
        Value::String(_) => HOSTILE.into(),
        Value::Array(list) => list.iter().map(poisoned).collect(),
        Value::Object(members) => members
            .iter()
            .map(|(name, inner)| {
                let kept = NAMES.contains(&name.as_str()) && inner.is_string();
                (
                    name.clone(),
                    if kept { inner.clone() } else { poisoned(inner) },
                )
            })
            .collect(),
        other => other.clone(),
    }
}

/// Returns all fixtures with their names.
pub(crate) fn all() -> Vec<(&'static str, Given)> {
    let results = results()
        .into_iter()
        .map(|(name, value)| (name, Given::Result(value)));
    let components = items::components()
        .into_iter()
        .map(|(name, value)| (name, Given::Component(value)));
    let others = items::questions().into_iter().chain(items::items());
    results.chain(components).chain(others).collect()
}

/// Returns the fixture with this name.
pub(crate) fn named(name: &str) -> Given {
    let fixture = all().into_iter().find(|(known, _)| *known == name);
    fixture.unwrap_or_else(|| panic!("no fixture {name}")).1
}

fn results() -> Vec<(&'static str, Value)> {
    vec![
        (
            "text",
            json!({"kind": "text", "data": {"content": "Hello,\n  world & <b>all</b>"}}),
        ),
        (
            "text_empty",
            json!({"kind": "text", "data": {"content": ""}}),
        ),
        (
            "markdown",
            json!({"kind": "markdown", "data": {"content": MARKDOWN}}),
        ),
        (
            "code",
            json!({"kind": "code", "data": {"content": "fn main() {\n    println!(\"{}\", 42); // hi\n}", "language": "rust", "path": "src/main.rs"}}),
        ),
        (
            "diff",
            json!({"kind": "diff", "summary": "Fix the greeting", "data": {
            "path": "src/greet.rs", "original": "one\ntwo\nthree\n\nfive\n", "modified": "one\n2\nthree\n\n\nfive\n"}}),
        ),
        (
            "diff_hunks",
            json!({"kind": "diff", "data": {"path": "a.txt", "hunks": [
            {"oldStart": 3, "oldLines": 2, "newStart": 3, "newLines": 2, "lines": [" same", "-old", "+new"]}]}}),
        ),
        (
            "diff_none",
            json!({"kind": "diff", "data": {"path": "a.txt", "original": "x\n", "modified": "x\n"}}),
        ),
        (
            "diff_new",
            json!({"kind": "diff", "data": {"path": "b.toml", "modified": "a = 1\n", "isNew": true}}),
        ),
        (
            "file_content",
            json!({"kind": "file_content", "data": {"path": "Cargo.toml", "content": "[package]\nname = \"x\"\n", "size": 5000}}),
        ),
        (
            "file_content_bytes",
            json!({"kind": "file_content", "data": {"path": "a.bin", "content": "AAEC", "encoding": "base64"}}),
        ),
        (
            "file_list",
            json!({"kind": "file_list", "data": {"path": "/src", "truncated": true, "entries": [
            {"name": "lib.rs", "type": "file", "size": 1500, "modified": "2026-11-16T05:06:07Z"},
            {"name": "bin", "type": "directory"}, {"name": "latest", "type": "symlink"}]}}),
        ),
        (
            "file_list_empty",
            json!({"kind": "file_list", "data": {"path": "/tmp", "entries": []}}),
        ),
        (
            "table",
            json!({"kind": "table", "summary": "Two days for Oslo", "display": {"maxHeight": 12, "priority": 2}, "data": {
            "columns": [{"key": "day", "label": "Day"}, {"key": "max", "label": "Max", "type": "number"},
                {"key": "rain", "type": "boolean", "align": "center"}, {"key": "more", "type": "url"}, {"key": "at", "type": "date"}],
            "rows": [{"day": "Mon | Tue", "max": 12345.5, "rain": true, "more": "https://example.org/a?b=1&c=2", "at": "2026-11-16"},
                {"day": "Wed\nThu", "rain": false}]}}),
        ),
        (
            "table_empty",
            json!({"kind": "table", "data": {"columns": [{"key": "a"}], "rows": []}}),
        ),
        (
            "image",
            json!({"kind": "image", "mimeType": "image/png", "data": {"base64": PNG, "alt": "One grey pixel"}}),
        ),
        (
            "image_remote",
            json!({"kind": "image", "mimeType": "image/png", "data": {"url": "https://example.org/cat.png", "alt": "A cat"}}),
        ),
        (
            "image_svg",
            json!({"kind": "image", "mimeType": "image/svg+xml", "data": {"base64": "PHN2Zy8+", "alt": "A plan"}}),
        ),
        (
            "structured",
            json!({"kind": "structured", "display": {"fieldTypes": {"home": "url", "size": "number"}}, "data": {
            "name": "Ada", "home": "https://example.org", "size": 1234567, "tags": ["a", "b"], "none": null, "empty": {}, "deep": {"er": [1, {"x": true}]}}}),
        ),
        (
            "structured_raw",
            json!({"kind": "structured", "display": {"preferredView": "raw"}, "data": {"a": [1, 2]}}),
        ),
        ("chart_bar", chart("bar")),
        ("chart_line", chart("line")),
        ("chart_area", chart("area")),
        (
            "chart_scatter",
            json!({"kind": "chart", "data": {"type": "scatter", "x": {"key": "x"}, "series": [{"key": "y"}],
            "rows": [{"x": 1.5, "y": 3}, {"x": 2, "y": -4}, {"x": 9, "y": null}]}}),
        ),
        ("chart_pie", chart("pie")),
        (
            "chart_empty",
            json!({"kind": "chart", "data": {"type": "bar", "title": "None", "x": {"key": "x"}, "series": [], "rows": []}}),
        ),
        (
            "facts",
            json!({"kind": "facts", "data": {"facts": [
            {"label": "City", "value": "Oslo"}, {"label": "People", "value": 717710, "type": "number"}, {"label": "Parts", "value": {"a": 1}}]}}),
        ),
        (
            "facts_empty",
            json!({"kind": "facts", "data": {"facts": []}}),
        ),
        (
            "list",
            json!({"kind": "list", "data": {"ordered": true, "items": [
            {"text": "First", "detail": "the best\nof all", "url": "https://example.org"}, {"text": "Second", "url": "javascript:alert(1)"}]}}),
        ),
        ("list_empty", json!({"kind": "list", "data": {"items": []}})),
        (
            "log",
            json!({"kind": "log", "data": {"lines": [
            {"time": "05:06:07", "level": "warn", "text": "\u{1b}[1;31mdisk\u{1b}[0m is \u{1b}[42mfull\u{1b}[0m \u{1b}[2J"},
            {"level": "error", "text": "gone"}, {"text": "plain"}]}}),
        ),
        ("log_empty", json!({"kind": "log", "data": {"lines": []}})),
        (
            "link",
            json!({"kind": "link", "data": {"url": "https://example.org/x", "title": "Read me", "description": "All there is"}}),
        ),
        (
            "link_refused",
            json!({"kind": "link", "data": {"url": "javascript:alert(1)"}}),
        ),
        (
            "unknown_kind",
            json!({"kind": "acme.timeline", "data": {"events": [1]}}),
        ),
        (
            "unknown_rows",
            json!({"kind": "acme.rows", "summary": "Rows", "data": [{"a": 1, "b": "x"}, {"a": 2}]}),
        ),
        (
            "collapsed",
            json!({"kind": "text", "summary": "Long", "display": {"collapsed": true}, "data": {"content": "body"}}),
        ),
        (
            "hidden",
            json!({"kind": "text", "summary": "secret", "display": {"preferredView": "hidden"}, "data": {"content": "secret"}}),
        ),
    ]
}

const MARKDOWN: &str = "# Title\n\nSome *em* and **bold** ~~gone~~ `code` [link](https://example.org) \
    [bad](javascript:alert(1)) ![pic](https://evil.example/x.png)<b>raw</b>\nnext\\\nbroken\n\n> quote\n> > deeper\n\n\
    1. one\n2. two\n   - [x] done\n   - [ ] open\n\n```rust\nlet x = 1;\n```\n\n| a | b |\n|:--|--:|\n| 1 \\| 2 | `x` |\n\n---\n\n<div onclick=\"x\">block</div>\n";

fn chart(kind: &str) -> Value {
    json!({"kind": "chart", "data": {"type": kind, "title": "This week", "x": {"key": "day", "label": "Day"},
        "series": [{"key": "max", "label": "Highest, °C"}, {"key": "min"}],
        "rows": [{"day": "Mon", "max": 21.5, "min": 9}, {"day": "Tue", "max": 19, "min": -3}, {"day": "Wed", "max": null, "min": 4}]}})
}
