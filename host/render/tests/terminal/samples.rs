//! Samples of everything that can be drawn in a terminal, by name.

#[path = "samples/items.rs"]
mod items;

use footlight_render::lower::Lower;
use footlight_render::view::{
    Ansi, Button, Cut, Inline, Log, LogLevel, LogLine, Press, Progress, Span, Style, Tone, Unit,
    View,
};
use footlight_vocabulary::item::Item;
use footlight_vocabulary::normalise::normalise;
use serde_json::{Value, json};

/// A single grey pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";

/// Lowers a result.
fn result(value: Value) -> View {
    let result = normalise(value).expect("a result");
    Lower::default().result(&result)
}

/// Lowers a component tree as a widget of a plugin.
fn widget(tree: Value) -> View {
    footlight_vocabulary::component::check(&tree).expect("a tree that can be shown");
    item(json!({
        "type": "widget", "id": "wid_1", "call": "call_1", "widget": "todo.list", "data": {},
        "fallback": "", "view": tree, "start": "2026-11-16T05:06:07Z",
    }))
}

/// Lowers an item together with the call that it belongs to.
fn item(mut value: Value) -> View {
    let call: Item = serde_json::from_value(json!({
        "type": "tool", "id": "call_1", "function": "todo.show", "input": {},
        "result": { "type": "success", "output": null }, "start": "2026-11-16T05:06:07Z",
        "position": { "turn": 0, "step": 0, "call": 1, "n": 0 },
    }))
    .expect("an item");
    value["position"] = json!({ "turn": 0, "step": 0, "call": 1, "n": 1 });
    let item: Item = serde_json::from_value(value).expect("an item");
    let mut views = Lower::default().items(&[call, item]);
    views.pop().expect("as many views as items")
}

/// Returns all samples.
pub(crate) fn all() -> Vec<(&'static str, View)> {
    let mut samples = kinds();
    samples.extend(charts());
    samples.extend(components());
    samples.extend(items::all());
    samples
}

fn kinds() -> Vec<(&'static str, View)> {
    vec![
        (
            "text",
            result(json!({ "kind": "text", "data": { "content":
            "Lines stay as they are:\n  two spaces,\n\tand a tab. A line that is longer than the terminal goes on below, wherever it is full, because nothing may be lost.\n\n日本語のテキストも、幅を数えて折り返します。" } })),
        ),
        (
            "markdown",
            View::column(Lower::default().markdown(MARKDOWN)),
        ),
        (
            "code",
            result(json!({ "kind": "code", "data": { "language": "rust",
            "content": "/// Says hello.\nfn main() {\n    let name = \"Ada\"; // who\n    println!(\"Hello, {name}! {}\", 40 + 2);\n}\n" } })),
        ),
        (
            "file",
            result(
                json!({ "kind": "file_content", "data": { "path": "src/greet.py", "size": 120,
            "content": "import sys\n\n\ndef greet(name: str) -> str:\n    return f\"Hello, {name}! This line is long enough to be broken on most terminals, surely.\"\n" } }),
            ),
        ),
        (
            "diff",
            result(json!({ "kind": "diff", "data": { "path": "src/lib.rs",
            "original": "use std::fmt;\n\nfn one() -> u8 {\n    1\n}\n\nfn two() -> u8 {\n    2\n}\n",
            "modified": "use std::fmt;\n\nfn one() -> u16 {\n    // More room.\n    1\n}\n\nfn two() -> u8 {\n    2\n}\n\nfn three() {}\n" } })),
        ),
        (
            "files",
            result(
                json!({ "kind": "file_list", "data": { "path": "/work", "entries": [
            { "name": "src", "type": "directory" },
            { "name": "Cargo.toml", "type": "file", "size": 1234, "modified": "2026-11-16T05:06:07Z" },
            { "name": "latest", "type": "symlink" } ] } }),
            ),
        ),
        (
            "table",
            result(json!({ "kind": "table", "data": {
            "columns": [
                { "key": "city", "label": "City" },
                { "key": "people", "label": "People", "type": "number", "align": "right" },
                { "key": "note", "label": "Note" },
                { "key": "capital", "label": "Capital", "type": "boolean", "align": "center" } ],
            "rows": [
                { "city": "Oslo", "people": 717710, "note": "by the fjord", "capital": true },
                { "city": "東京", "people": 14264798, "note": "the largest metropolitan area of the world, by most ways of counting it", "capital": true },
                { "city": "تل أبيب", "people": 474530, "note": "right to left", "capital": false },
                { "city": "👩‍👩‍👧 Family", "people": 3, "capital": false } ] } })),
        ),
        (
            "wide table",
            result(json!({ "kind": "table", "data": {
            "columns": (0..14).map(|n| json!({ "key": format!("c{n}"), "label": format!("Column {n}") })).collect::<Vec<_>>(),
            "rows": [ (0..14).map(|n| (format!("c{n}"), json!(format!("value number {n}")))).collect::<serde_json::Map<_, _>>() ] } })),
        ),
        (
            "tree",
            result(json!({ "kind": "structured", "data": {
            "name": "footlight", "version": 1, "tags": ["wasm", "tools"], "empty": {}, "none": null,
            "nested": { "deep": { "deeper": true, "text": "a value that is so long that it must go on in the next line, below where it began" } } } })),
        ),
        (
            "image",
            result(
                json!({ "kind": "image", "mimeType": "image/png", "data": { "base64": PNG, "alt": "a grey pixel" } }),
            ),
        ),
        (
            "remote image",
            result(
                json!({ "kind": "image", "mimeType": "image/png", "data": { "url": "https://example.org/cat.png", "alt": "a cat" } }),
            ),
        ),
        (
            "facts",
            result(json!({ "kind": "facts", "data": { "facts": [
            { "label": "Status", "value": "running" },
            { "label": "Started", "value": "2026-11-16T05:06:07Z", "type": "date" },
            { "label": "Home page", "value": "https://example.org/start", "type": "url" },
            { "label": "Description", "value": "Something with a good many words, so that it needs more than one line on most terminals, and certainly on this one." },
            { "label": "A label that is too long for a column of labels", "value": 12345, "type": "number" } ] } })),
        ),
        (
            "list",
            result(json!({ "kind": "list", "data": { "items": [
            { "text": "Plain" },
            { "text": "With a detail", "detail": "which goes below, smaller" },
            { "text": "With a link", "url": "https://example.org/list" } ] } })),
        ),
        (
            "log",
            View::Log(Log {
                cut: Cut::of(1200, Unit::Lines),
                lines: vec![
                    log(
                        "05:06:07",
                        LogLevel::Info,
                        Inline::plain("listening on 127.0.0.1:8080"),
                    ),
                    log(
                        "05:06:08",
                        LogLevel::Warn,
                        Inline::plain(
                            "the disk is nearly full: only a few megabytes are left on the volume, which is not much",
                        ),
                    ),
                    log(
                        "05:06:09",
                        LogLevel::Error,
                        Inline {
                            spans: vec![
                                Span::styled(
                                    "FAILED",
                                    Style {
                                        bold: true,
                                        color: Some(Ansi::new(1)),
                                        ..Style::default()
                                    },
                                ),
                                Span::plain(" to start"),
                            ],
                        },
                    ),
                ],
            }),
        ),
        (
            "link",
            result(
                json!({ "kind": "link", "data": { "url": "https://example.org/read/me", "title": "The manual", "description": "All there is to know." } }),
            ),
        ),
        (
            "hints",
            result(
                json!({ "kind": "text", "summary": "Ten lines, of which three are asked for",
            "data": { "content": (1..=10).map(|n| format!("line {n}")).collect::<Vec<_>>().join("\n") }, "display": { "maxHeight": 3 } }),
            ),
        ),
        (
            "folded",
            result(
                json!({ "kind": "text", "summary": "Only this line", "data": { "content": "a\nb\nc" }, "display": { "collapsed": true } }),
            ),
        ),
        (
            "unknown kind",
            result(
                json!({ "kind": "acme.timeline", "data": [ { "at": "09:00", "what": "start" }, { "at": "17:00", "what": "end" } ] }),
            ),
        ),
    ]
}

fn log(time: &str, level: LogLevel, text: Inline) -> LogLine {
    LogLine {
        time: Some(time.to_owned()),
        level: Some(level),
        text,
    }
}

fn charts() -> Vec<(&'static str, View)> {
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    let highs = [12.0, 14.5, 9.0, -2.0, 7.25, 11.0, 16.0];
    let lows = [3.0, 5.0, 1.0, -8.0, -1.0, 2.0, 6.0];
    let rows: Vec<Value> = (0..7)
        .map(|n| json!({ "day": days[n], "high": highs[n], "low": lows[n], "rain": n * n, "sun": 9 - n }))
        .collect();
    let chart = |kind: &str, keys: &[&str], stack: bool| {
        let series: Vec<Value> = keys
            .iter()
            .map(|key| {
                let mut one = json!({ "type": kind, "dataKey": key, "label": key });
                if stack {
                    one["stack"] = json!("all");
                }
                one
            })
            .collect();
        widget(json!({ "type": "Card", "children": [{
            "type": "Chart", "data": rows, "series": series, "xAxis": { "dataKey": "day" },
        }] }))
    };
    let kind = |kind: &str, keys: &[&str]| {
        result(json!({ "kind": "chart", "data": {
            "type": kind, "title": "The week", "x": { "key": "day" }, "rows": rows,
            "series": keys.iter().map(|key| json!({ "key": key, "label": key })).collect::<Vec<_>>(),
        } }))
    };
    vec![
        ("chart bar", chart("bar", &["rain"], false)),
        (
            "chart bars below zero",
            chart("bar", &["high", "low"], false),
        ),
        ("chart stacked bars", chart("bar", &["rain", "sun"], true)),
        ("chart line", chart("line", &["high", "low"], false)),
        ("chart area", chart("area", &["rain"], false)),
        ("chart scatter", kind("scatter", &["high"])),
        ("chart pie", kind("pie", &["rain"])),
    ]
}

fn components() -> Vec<(&'static str, View)> {
    let action = json!({ "type": "save", "payload": {} });
    vec![
        (
            "card",
            widget(
                json!({ "type": "Card", "status": { "text": "Reminders", "icon": "check" }, "children": [
            { "type": "Title", "value": "Water the plants" },
            { "type": "Text", "value": "Every other day, in the evening, when the sun is no longer on them." },
            { "type": "Row", "children": [
                { "type": "Badge", "label": "due", "color": "warning" },
                { "type": "Badge", "label": "home" },
                { "type": "Spacer" },
                { "type": "Caption", "value": "since Monday" } ] },
            { "type": "Divider" },
            { "type": "Row", "children": [
                { "type": "Col", "children": [ { "type": "Caption", "value": "Last" }, { "type": "Text", "value": "14 November" } ] },
                { "type": "Col", "children": [ { "type": "Caption", "value": "Next" }, { "type": "Text", "value": "16 November" } ] } ] },
            { "type": "Row", "children": [
                { "type": "Button", "label": "Done", "style": "primary", "onClickAction": action },
                { "type": "Button", "label": "Later", "onClickAction": action },
                { "type": "Button", "label": "Never", "color": "danger", "disabled": true, "onClickAction": action } ] } ],
            "confirm": { "label": "Save", "action": action }, "cancel": { "label": "Discard", "action": action } }),
            ),
        ),
        (
            "form",
            widget(
                json!({ "type": "Card", "children": [ { "type": "Form", "onSubmitAction": action, "children": [
            { "type": "Label", "value": "Your name", "fieldName": "name" },
            { "type": "Input", "name": "name", "required": true, "placeholder": "Ada Lovelace" },
            { "type": "Textarea", "name": "note", "defaultValue": "Some text" },
            { "type": "Select", "name": "size", "options": [ { "value": "s", "label": "Small" }, { "value": "l", "label": "Large" } ], "defaultValue": "l" },
            { "type": "RadioGroup", "name": "colour", "options": [ { "value": "r", "label": "Red" }, { "value": "g", "label": "Green" } ] },
            { "type": "Checkbox", "name": "agree", "label": "I agree", "defaultChecked": true },
            { "type": "DatePicker", "name": "when" },
            { "type": "Button", "label": "Send", "submit": true } ] } ] }),
            ),
        ),
        (
            "list view",
            widget(json!({ "type": "ListView", "limit": 2, "children": [
            { "type": "ListViewItem", "onClickAction": action, "children": [ { "type": "Text", "value": "First" }, { "type": "Caption", "value": "the one" } ] },
            { "type": "ListViewItem", "onClickAction": action, "children": [ { "type": "Text", "value": "Second" } ] },
            { "type": "ListViewItem", "children": [ { "type": "Text", "value": "Third" } ] } ] })),
        ),
        (
            "rows",
            widget(json!({ "type": "Card", "children": [
            { "type": "Row", "children": [
                { "type": "Icon", "name": "mail" },
                { "type": "Col", "children": [
                    { "type": "Text", "value": "A message whose subject is long enough to need a second line beside its icon and its badge, on most terminals" },
                    { "type": "Caption", "value": "ann@example.org" } ] },
                { "type": "Badge", "label": "new", "color": "discovery" } ] },
            { "type": "Row", "justify": "between", "children": [
                { "type": "Text", "value": "Total" }, { "type": "Text", "value": "1,234.00" } ] },
            { "type": "Row", "justify": "end", "children": [
                { "type": "Button", "label": "Open", "onClickAction": action } ] },
            { "type": "Table", "children": [
                { "type": "Table.Row", "header": true, "children": [
                    { "type": "Table.Cell", "children": [{ "type": "Text", "value": "Item" }] },
                    { "type": "Table.Cell", "align": "end", "children": [{ "type": "Text", "value": "Price" }] } ] },
                { "type": "Table.Row", "children": [
                    { "type": "Table.Cell", "children": [{ "type": "Text", "value": "Tea" }] },
                    { "type": "Table.Cell", "align": "end", "children": [{ "type": "Text", "value": "3.50" }] } ] } ] } ] })),
        ),
        (
            "progress",
            View::column(vec![
                View::Progress(Progress {
                    label: Some("Download".into()),
                    part: Some(0.42),
                    words: Some("42/100".into()),
                }),
                View::Progress(Progress {
                    label: Some("Thinking".into()),
                    part: None,
                    words: None,
                }),
                View::Progress(Progress {
                    label: None,
                    part: Some(1.0),
                    words: None,
                }),
            ]),
        ),
        (
            "buttons",
            View::column(vec![
                View::Button(button("Save", 1)),
                View::Button(Button {
                    disabled: true,
                    ..button("Delete", 2)
                }),
                View::Button(Button {
                    press: None,
                    submit: true,
                    ..button("Send", 3)
                }),
            ]),
        ),
    ]
}

fn button(label: &str, number: usize) -> Button {
    Button {
        label: label.to_owned(),
        icon: None,
        tone: Tone::Plain,
        primary: false,
        disabled: false,
        submit: false,
        press: Some(Press {
            number,
            path: format!("children[{number}]"),
            form: None,
            ..Press::default()
        }),
    }
}

const MARKDOWN: &str = "\
# Title of the whole

A paragraph with **bold**, *italic*, ~~struck~~, `code` and a [link](https://example.org/docs). It is \
long enough to be broken into several lines on any terminal of ordinary width.

## Lists

- one
- two, which has so much to say that it does not fit on one line of an ordinary terminal at all
  - nested
    - deeper
- three

1. first
2. second

- [x] done
- [ ] to do

### Others

> A quote of somebody
> else, with `code`.

```sh
cargo run --release -- run plugins/weather \"What will the weather be?\"
```

| Left | Centre | Right |
| :--- | :---: | ---: |
| a | b | 1 |
| longer | `x` | 1000 |

---

The end.
";
