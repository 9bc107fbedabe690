//! Huge data is truncated on every surface, with an exact count of the rest.

use footlight_render::html::Html;
use footlight_render::lower::{Limits, Lower};
use footlight_render::markdown::markdown;
use footlight_render::markup::to_html;
use footlight_render::view::View;
use footlight_vocabulary::kind::Kind;
use footlight_vocabulary::result::SemanticResult;
use serde_json::{Value, json};

/// The maximum size of the output for one result, in bytes.
const MOST: usize = 4_000_000;

fn drawn(kind: &str, data: Value) -> (String, String) {
    let result = SemanticResult::new(Kind::parse(kind).expect("a kind"), data);
    let view = Lower::default().result(&result);
    let html = to_html(&Html::default().draw(&view));
    let text = markdown(&view);
    assert!(html.len() < MOST, "{kind}: {} bytes of HTML", html.len());
    assert!(
        text.len() < MOST,
        "{kind}: {} bytes of Markdown",
        text.len()
    );
    (html, text)
}

#[test]
fn a_hundred_thousand_rows_are_cut_with_their_count() {
    let rows: Vec<Value> = (0..100_000)
        .map(|n| json!({"n": n, "name": format!("row {n}")}))
        .collect();
    let (html, text) = drawn(
        "table",
        json!({"columns": [{"key": "n"}, {"key": "name"}], "rows": rows}),
    );
    for shown in [html, text] {
        assert!(shown.contains("row 999") && !shown.contains("row 1000"));
        assert!(shown.contains("… 99,000 more rows"));
    }
}

#[test]
fn five_megabytes_of_text_are_cut_with_their_count() {
    let one_line = "x".repeat(5_000_000);
    for kind in ["text", "markdown", "code"] {
        let (html, _) = drawn(kind, json!({"content": one_line.clone()}));
        assert!(html.contains("… 4,800,000 more characters"), "{kind}");
    }
    let lines = "a line of text\n".repeat(300_000);
    let (html, _) = drawn("text", json!({"content": lines}));
    assert!(html.contains("… 295,000 more lines"));
    let (html, _) = drawn("structured", json!(one_line));
    assert!(html.contains("4,998,000 more characters"));
}

#[test]
fn wide_deep_and_long_data_of_every_kind_stays_bounded() {
    let long = "é".repeat(100_000);
    let row: serde_json::Map<String, Value> = (0..5_000)
        .map(|n| (format!("k{n}"), json!(long[..200])))
        .collect();
    drawn("acme.wide", json!(vec![row.clone(); 50]));
    drawn("structured", json!(vec![row; 50]));
    // Deeper than parsed JSON can be: a value may also be built by code.
    let deep = || (0..1_000).fold(json!("end"), |inner, _| Value::Array(vec![inner]));
    drawn("structured", deep());
    drawn("acme.deep", deep());
    let mut fact = json!({"label": "deep"});
    fact["value"] = deep();
    drawn("facts", json!({"facts": [fact]}));
    let many = |value: Value| vec![value; 20_000];
    drawn(
        "facts",
        json!({"facts": many(json!({"label": "l", "value": long[..4_000]}))}),
    );
    drawn(
        "list",
        json!({"items": many(json!({"text": long[..4_000], "detail": long[..4_000]}))}),
    );
    drawn(
        "log",
        json!({"lines": many(json!({"text": "\u{1b}[31mx\u{1b}[0m".repeat(100)}))}),
    );
    drawn(
        "file_list",
        json!({"path": long, "entries": many(json!({"name": long[..1_000], "type": "file"}))}),
    );
    drawn(
        "chart",
        json!({"type": "line", "x": {"key": "x"}, "rows": many(json!({"x": 1, "y": 2})),
        "series": vec![json!({"key": "y", "label": long}); 200]}),
    );
    let (html, _) = drawn(
        "diff",
        json!({"path": "a", "original": "a\nb\n".repeat(200_000), "modified": "a\nc\n".repeat(200_000)}),
    );
    assert!(html.contains("more lines"));
}

#[test]
fn markdown_that_nests_or_opens_without_end_stays_bounded() {
    // Patterns that are known to be hard for Markdown parsers.
    for pattern in [
        "[", "![", "> ", "- ", "*a ", "`", "<", "|a", "[a](", "\\", "&#", "~~", "- > ", "1. ",
    ] {
        let text = pattern.repeat(200_000 / pattern.len());
        drawn("markdown", json!({ "content": text }));
    }
    drawn(
        "markdown",
        json!({ "content": "| a | b |\n|---|---|\n".to_owned() + &"| x | y |\n".repeat(20_000) }),
    );
    drawn("markdown", json!({ "content": "[x]: /y\n".repeat(20_000) }));
}

#[test]
fn a_log_shows_its_last_lines() {
    let lines: Vec<Value> = (0..5_000)
        .map(|n| json!({"text": format!("line {n}.")}))
        .collect();
    let (html, _) = drawn("log", json!({ "lines": lines }));
    assert!(html.contains("line 4999.") && !html.contains("line 3999."));
    assert!(html.contains("… 4000 more lines"));
}

#[test]
fn a_table_of_empty_cells_is_bounded_without_limits() {
    let columns: Vec<Value> = (0..1_000).map(|n| json!({"key": n.to_string()})).collect();
    let rows = vec![json!({}); 5_000];
    let data = json!({"columns": columns, "rows": rows});
    let result = SemanticResult::new(Kind::parse("table").expect("a kind"), data);
    let everything = Limits {
        rows: usize::MAX,
        columns: usize::MAX,
        text: usize::MAX,
        ..Limits::default()
    };
    let View::Frame(frame) = Lower::default().within(everything).result(&result) else {
        panic!("a result is framed");
    };
    let View::Table(table) = *frame.body else {
        panic!("a table");
    };
    assert_eq!(table.rows.len(), 500);
    assert_eq!(table.more_rows.map(|cut| cut.count), Some(4_500));
}
