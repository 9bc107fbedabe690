//! Property tests over arbitrary JSON as a result, component tree, widget, question or item, on
//! every surface: drawing succeeds, strings stay text, and the output is bounded.
//!
//! `tests/fuzz/targets/drawing.rs` checks the same for JSON that libFuzzer generates.

use super::allow_list::violations;
use super::fixtures::HOSTILE;
use footlight_render::filter::is_forbidden;
use footlight_render::html::Html;
use footlight_render::lower::{Lower, WidgetRef};
use footlight_render::markdown::markdown;
use footlight_render::markup::{to_html, to_json};
use footlight_render::terminal::{Colour, Terminal};
use footlight_render::view::View;
use footlight_vocabulary::item::Item;
use footlight_vocabulary::normalise::normalise;
use footlight_vocabulary::question::Question;
use footlight_vocabulary::result::SemanticResult;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Generates arbitrary JSON that contains words of the vocabulary.
fn anything() -> impl Strategy<Value = Value> {
    let word = proptest::sample::select(vec![
        HOSTILE,
        "",
        "x",
        "rows",
        "Card",
        "Text",
        "table",
        "javascript:alert(1)",
        "https://example.org",
        "2026-11-16",
        "true",
        "line",
        "base64",
        "\u{0}",
        "data:image/png;base64,AAAA",
        "/api/outputs/out_1_aaaaaa",
        "```",
        "\u{1b}[31m",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
    ];
    let key = proptest::sample::select(vec![
        "content",
        "columns",
        "rows",
        "key",
        "label",
        "type",
        "align",
        "path",
        "entries",
        "name",
        "size",
        "modified",
        "url",
        "base64",
        "alt",
        "facts",
        "value",
        "items",
        "text",
        "detail",
        "lines",
        "time",
        "level",
        "x",
        "series",
        "title",
        "original",
        "modified",
        "hunks",
        "oldStart",
        "oldLines",
        "newStart",
        "newLines",
        "isNew",
        "children",
        "data",
        "kind",
        "status",
        "options",
        "fieldName",
        "src",
        "max",
        "color",
        "language",
        "encoding",
        "truncated",
        "__proto__",
    ]);
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            proptest::collection::vec((key.clone(), inner), 0..6).prop_map(|members| members
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

/// Returns JSON that resembles the data of a known kind.
fn nearly(kind: &str, any: &Value, other: &Value) -> Value {
    match kind {
        "text" | "markdown" | "code" => json!({"content": any, "language": other}),
        "table" => json!({"columns": [{"key": "k", "label": other}], "rows": [any, {"k": any}]}),
        "diff" => json!({"path": "p", "original": any, "modified": other}),
        "chart" => {
            json!({"type": "bar", "x": {"key": "k"}, "series": [{"key": "v"}], "rows": [{"k": other, "v": any}]})
        }
        "facts" => json!({"facts": [{"label": "l", "value": any, "type": other}]}),
        "list" => json!({"items": [{"text": "t", "detail": other, "url": any}]}),
        "log" => json!({"lines": [{"text": "t", "time": other, "level": any}]}),
        "image" => json!({"url": any, "base64": other}),
        "link" => json!({"url": any, "title": other}),
        "file_list" => json!({"path": any, "entries": [{"name": "n", "type": other, "size": any}]}),
        "file_content" => json!({"path": other, "content": any, "size": any}),
        _ => any.clone(),
    }
}

const KINDS: &[&str] = &[
    "text",
    "markdown",
    "code",
    "diff",
    "file_content",
    "file_list",
    "table",
    "image",
    "structured",
    "chart",
    "facts",
    "list",
    "log",
    "link",
    "acme.other",
];

/// Pieces of formulas, and of what is hostile in one.
const MATH: &[&str] = &[
    HOSTILE,
    "x",
    "12",
    "{",
    "}",
    "^",
    "_",
    "'",
    "&",
    "\\\\",
    "$",
    "\n",
    " ",
    "\\frac",
    "\\sqrt[3]",
    "\\left(",
    "\\right)",
    "\\left.",
    "\\sum\\limits",
    "\\text{<b>}",
    "\\mathbb{R}",
    "\\begin{pmatrix}",
    "\\end{pmatrix}",
    "\\begin{cases}",
    "\\end{cases}",
    "\\hat",
    "\\underbrace",
    "\\not=",
    "\\operatorname{javascript:alert(1)}",
    "\\quad",
    "\\alpha",
    "-",
    "\u{202e}",
    "\u{1b}[2J",
];

/// Checks the properties of every drawing.
fn check(view: &View, width: usize) -> Result<(), TestCaseError> {
    let mut terminal = Terminal::new(width);
    terminal.pictures = true;
    let drawing = terminal.draw(view);
    // We isolate right-to-left text ourselves.
    let bare = drawing.text.replace(['\u{2068}', '\u{2069}'], "");
    prop_assert!(!bare.contains(is_forbidden), "{bare:?}");
    prop_assert_eq!(
        drawing.rows(width.max(Terminal::MIN_WIDTH)),
        bare.lines().count()
    );
    for area in &drawing.pictures {
        prop_assert!(area.column + area.columns <= width.max(Terminal::MIN_WIDTH));
        prop_assert!(area.line + area.rows <= bare.lines().count());
    }
    terminal.colour = Colour::True;
    terminal.links = true;
    let coloured = terminal.draw(view);
    prop_assert_eq!(coloured.actions, drawing.actions);
    terminal.plain = true;
    let plain = terminal.draw(view).text;
    let obeyed = |c: char| c != '\n' && c.is_control();
    prop_assert!(!plain.contains(obeyed), "{plain:?}");

    let nodes = Html::default().draw(view);
    let html = to_html(&nodes);
    prop_assert_eq!(violations(&html), Vec::<String>::new(), "{}", html);
    let inert = to_html(&Html::default().inert().draw(view));
    prop_assert_eq!(violations(&inert), Vec::<String>::new(), "{}", inert);
    prop_assert!(!to_json(&nodes).to_string().contains("\"script\""));
    let written = markdown(view);
    prop_assert!(!written.contains(is_forbidden), "{written:?}");
    for size in [coloured.text.len(), html.len(), written.len()] {
        prop_assert!(size < 4_000_000, "{size} bytes");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_json_in_any_kind_draws_and_stays_text(
        kind in proptest::sample::select(KINDS), any in anything(), other in anything(), shaped in any::<bool>(),
        display in anything(), mime in proptest::option::of("(text/(plain|markdown|html)|image/(png|svg\\+xml)|application/json|\\PC{0,8})"),
        summary in proptest::option::of("\\PC{0,20}"), width in 1..210_usize,
    ) {
        let data = if shaped { nearly(kind, &any, &other) } else { any };
        let mut result = json!({"kind": kind, "data": data, "display": display});
        if let Some(mime) = mime {
            result["mimeType"] = mime.into();
        }
        if let Some(summary) = summary {
            result["summary"] = summary.into();
        }
        let result: SemanticResult = serde_json::from_value(result).expect("a result");
        check(&Lower::default().result(&result), width)?;
    }

    #[test]
    fn any_formula_draws_and_stays_text(
        pieces in proptest::collection::vec(proptest::sample::select(MATH), 0..60), width in 1..210_usize,
    ) {
        let source = pieces.concat();
        for text in [format!("a ${source}$ b"), format!("$$\n{source}\n$$"), format!("| a |\n|-|\n| ${source}$ |"), source] {
            check(&View::column(Lower::default().markdown(&text)), width)?;
        }
    }

    #[test]
    fn any_json_as_a_component_draws_and_stays_text(
        kind in proptest::sample::select(footlight_vocabulary::component::COMPONENTS.iter().map(|spec| spec.name).collect::<Vec<_>>()),
        props in proptest::collection::btree_map(
            proptest::sample::select(vec!["value", "label", "name", "options", "src", "alt", "color", "status", "children", "data",
                "series", "xAxis", "max", "size", "confirm", "onClickAction", "fieldName", "editable", "limit", "colSpan"]),
            anything(), 0..6),
        width in 1..210_usize,
    ) {
        // A tree that is not valid becomes a notice, never a failure.
        let mut node = json!({"type": kind});
        for (name, value) in props {
            node[name] = value;
        }
        let tree = json!({"type": "Card", "children": [node]});
        check(&Lower::default().component(&tree), width)?;
        let widget = WidgetRef { from: Some(HOSTILE), widget: HOSTILE, data: &tree, fallback: HOSTILE, view: Some(&tree), invalid_data: false };
        check(&Lower::default().widget(widget), width)?;
    }

    #[test]
    fn any_json_as_an_item_or_a_question_draws_and_stays_text(
        kind in proptest::sample::select(vec!["text", "reasoning", "tool", "widget", "ask", "output", "notice", "hologram"]),
        any in anything(), other in anything(), words in "\\PC{0,20}", width in 1..210_usize,
    ) {
        let field = |control: &str| json!({"name": words, "type": control, "label": words, "help": words, "placeholder": words,
            "options": [words, {"value": "b", "label": words, "description": words}], "default": other, "min": other, "other": true});
        let controls = ["buttons", "confirm", "select", "radio", "checkbox", "text", "textarea", "number", "date", "secret", "dial"];
        let fields: Vec<Value> = controls.iter().map(|control| field(control)).collect();
        // One object that has the members of every item type.
        let content = json!({"type": kind, "id": "out_1763257955123_a1b2c3", "position": {"turn": 1, "step": 1, "call": 1, "n": 0},
            "start": "2026-11-16T05:06:07.000Z", "call": "call_1", "text": words, "function": words, "input": any,
            "result": {"type": "success", "output": other}, "widget": words, "data": any, "fallback": words, "view": other,
            "prompt": words, "widgets": fields, "state": "open", "level": "warning", "title": words, "kind": "image",
            "mimeType": words, "size": 7, "expires": "2026-11-16T05:06:07.000Z"});
        let item: Item = serde_json::from_value(content).expect("an item");
        check(&View::column(Lower::default().items(&[item])), width)?;
        let question = json!({"prompt": words, "fields": fields});
        let question: Question = serde_json::from_value(question).expect("a question");
        check(&Lower::default().question(&question), width)?;
        if let Ok(result) = normalise(any) {
            check(&Lower::default().result(&result), width)?;
        }
    }
}
