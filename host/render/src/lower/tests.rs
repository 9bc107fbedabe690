//! Tests of precedence, degradation and formatting.

mod items;
mod kinds;

use super::*;
use crate::view::{Content, View};
use footlight_vocabulary::result::SemanticResult;
use serde_json::{Value, json};

fn read(value: Value) -> SemanticResult {
    serde_json::from_value(value).expect("a result")
}

/// Returns the caption and the body of a result.
fn drawn(value: Value) -> (Option<String>, View) {
    match Lower::default().result(&read(value)) {
        View::Frame(frame) => (frame.caption, *frame.body),
        other => (None, other),
    }
}

fn body(value: Value) -> View {
    drawn(value).1
}

/// Returns the name of a view's variant, for tables of expectations.
fn name(view: &View) -> String {
    let debug = format!("{view:?}");
    debug.split(['(', ' ', '{']).next().unwrap_or("").to_owned()
}

#[test]
fn a_known_kind_is_drawn_by_its_own_renderer_whatever_the_hints() {
    let hinted = |view: &str| json!({"kind": "table", "data": {"columns": [{"key": "a"}], "rows": [{"a": 1}]}, "display": {"preferredView": view}});
    for view in ["text", "tree", "raw", "image", "sparkles"] {
        assert_eq!(name(&body(hinted(view))), "Table", "{view}");
    }
}

#[test]
fn hidden_hides_every_kind() {
    for kind in ["text", "table", "structured", "acme.x"] {
        let result = json!({"kind": kind, "data": {"content": "secret"}, "summary": "secret", "display": {"preferredView": "hidden"}});
        assert_eq!(
            Lower::default().result(&read(result)),
            View::Hidden,
            "{kind}"
        );
    }
    // A registered renderer does not change that.
    let mut registry = Registry::default();
    registry.kind("acme.x", |_| Some(View::text("drawn")));
    let hidden = read(json!({"kind": "acme.x", "data": 1, "display": {"preferredView": "hidden"}}));
    assert_eq!(
        Lower::default().with(&registry).result(&hidden),
        View::Hidden
    );
}

#[test]
fn an_unknown_kind_follows_the_hint_then_the_media_type_then_the_shape() {
    let rows = json!([{"a": 1}, {"a": 2}]);
    for (data, hint, mime, expected) in [
        (json!("x"), Some("text"), None, "Text"),
        (json!("fn"), Some("code"), None, "Code"),
        (json!("# x"), Some("markdown"), None, "Text"),
        (rows.clone(), Some("tree"), None, "Tree"),
        (rows.clone(), Some("raw"), None, "Code"),
        (
            json!({"path": "a", "original": "x", "modified": "y"}),
            Some("diff"),
            None,
            "Diff",
        ),
        (
            json!("https://example.org/x.png"),
            Some("image"),
            None,
            "Image",
        ),
        // The hint beats the media type.
        (json!("{}"), Some("text"), Some("application/json"), "Text"),
        (json!("x"), None, Some("text/html"), "Text"),
        (
            json!("https://example.org/x.png"),
            None,
            Some("image/png"),
            "Image",
        ),
        (rows.clone(), None, Some("application/json"), "Tree"),
        (rows.clone(), None, Some("application/pdf"), "Table"),
        // An unknown hint is ignored.
        (rows.clone(), Some("sparkles"), None, "Table"),
        (rows, None, None, "Table"),
        (json!("x"), None, None, "Text"),
        (json!({"a": 1}), None, None, "Code"),
        (json!([1, 2]), None, None, "Code"),
        (json!(null), None, None, "Code"),
    ] {
        let mut result = json!({"kind": "acme.thing", "data": data});
        if let Some(hint) = hint {
            result["display"] = json!({"preferredView": hint});
        }
        if let Some(mime) = mime {
            result["mimeType"] = mime.into();
        }
        assert_eq!(name(&body(result.clone())), expected, "{result}");
    }
}

#[test]
fn what_does_not_fit_the_view_that_was_asked_for_is_a_tree() {
    for (hint, data) in [
        ("table", json!([])),
        ("table", json!("x")),
        ("table", json!([1, 2])),
        ("table", json!([{"a": 1}, 2])),
        ("table", json!({"columns": 1, "rows": []})),
        ("text", json!({"a": 1})),
        ("markdown", json!([1])),
        ("code", json!(7)),
        ("diff", json!({"no": "path"})),
        ("image", json!({"no": "address"})),
    ] {
        let result = json!({"kind": "acme.x", "data": data, "display": {"preferredView": hint}});
        assert_eq!(name(&body(result.clone())), "Tree", "{result}");
    }
}

#[test]
fn data_that_does_not_fit_its_kind_is_drawn_as_what_it_is() {
    for (kind, data, expected) in [
        ("text", json!({"content": 7}), "Code"),
        (
            "table",
            json!({"columns": [{"key": "a"}], "rows": [1]}),
            "Code",
        ),
        ("diff", json!({"path": "x"}), "Code"),
        ("chart", json!({"type": "bar"}), "Code"),
        ("list", json!({"items": [{"no": "text"}]}), "Code"),
        ("image", json!({}), "Code"),
        ("log", json!("plain"), "Text"),
        ("facts", json!([{"label": "x"}]), "Table"),
    ] {
        assert_eq!(
            name(&body(json!({"kind": kind, "data": data}))),
            expected,
            "{kind}"
        );
    }
}

#[test]
fn the_reader_is_told_what_a_result_is() {
    let caption = |value| drawn(value).0;
    assert_eq!(
        caption(json!({"kind": "acme.x", "data": 1})).as_deref(),
        Some("Custom result (acme.x)")
    );
    assert_eq!(
        caption(json!({"kind": "acme.x", "data": 1, "summary": "One"})).as_deref(),
        Some("One")
    );
    assert_eq!(
        caption(json!({"kind": "facts", "data": {"facts": []}, "summary": "None"})).as_deref(),
        Some("None")
    );
    assert_eq!(caption(json!({"kind": "structured", "data": {}})), None);
}

fn table(value: Value) -> crate::view::Table {
    match body(value) {
        View::Table(table) => table,
        other => panic!("not a table: {other:?}"),
    }
}

fn texts(row: &[crate::view::Cell]) -> Vec<String> {
    row.iter()
        .map(|cell| match &cell.content {
            Content::Inline(inline) => inline.to_text(),
            Content::Block(_) => "block".to_owned(),
        })
        .collect()
}

fn headers(table: &crate::view::Table) -> Vec<String> {
    let header = |column: &crate::view::Column| match &column.header {
        Content::Inline(inline) => inline.to_text(),
        Content::Block(_) => "block".to_owned(),
    };
    table.columns.iter().map(header).collect()
}

#[test]
fn a_table_has_its_headers_from_its_columns_or_its_first_row() {
    let typed = table(json!({"kind": "table", "data": {
        "columns": [{"key": "b", "label": "Bee", "align": "right"}, {"key": "a"}],
        "rows": [{"a": 1, "b": "x", "c": "unseen"}, {}]}}));
    assert_eq!(headers(&typed), ["Bee", "a"]);
    assert_eq!(typed.columns[0].align, crate::view::Align::End);
    assert_eq!(texts(&typed.rows[0]), ["x", "1"]);
    assert_eq!(texts(&typed.rows[1]), ["", ""]);
    let untyped =
        table(json!({"kind": "acme.rows", "data": [{"x": 1, "y": {"deep": true}}, {"z": 3}]}));
    assert_eq!(headers(&untyped), ["x", "y"]);
    assert_eq!(texts(&untyped.rows[0]), ["1", r#"{"deep":true}"#]);
}

#[test]
fn fields_are_formatted_by_their_types() {
    let typed = table(
        json!({"kind": "acme.rows", "data": [{"n": 1234567, "w": "2026-11-16T05:06:07Z", "u": "https://example.org", "b": true}],
        "display": {"fieldTypes": {"n": "number", "w": "date", "u": "url", "b": "boolean"}}}),
    );
    assert_eq!(
        texts(&typed.rows[0]),
        [
            "1,234,567",
            "2026-11-16 05:06 UTC",
            "https://example.org",
            "yes"
        ]
    );
    let View::Tree(tree) = body(
        json!({"kind": "structured", "data": {"n": 1234567}, "display": {"fieldTypes": {"n": "number"}}}),
    ) else {
        panic!("not a tree")
    };
    assert_eq!(tree.root.children[0].value.to_text(), "1,234,567");
}

#[test]
fn hints_are_kept_beside_the_body() {
    let View::Frame(frame) = Lower::default()
        .result(&read(json!({"kind": "text", "data": {"content": "x"},
        "display": {"collapsed": true, "maxHeight": 7, "priority": 1.5, "language": "rust"}})))
    else {
        panic!("not framed")
    };
    assert_eq!(
        (frame.collapsed, frame.max_height, frame.priority),
        (true, Some(7), Some(1.5))
    );
}
