//! Tests of the well-known kinds.

use super::*;
use crate::view::{ChartKind, Role, Shape, Source, Unit};

#[test]
fn a_text_is_text_markdown_or_code() {
    let text = |display: Value, mime: &str| {
        body(
            json!({"kind": "text", "mimeType": mime, "display": display, "data": {"content": "*x*"}}),
        )
    };
    let View::Text(plain) = text(json!({}), "text/plain") else {
        panic!("not text")
    };
    assert_eq!(
        (plain.role, plain.inline.to_text().as_str()),
        (Role::Lines, "*x*")
    );
    let View::Text(marked) = text(json!({}), "text/markdown") else {
        panic!("not text")
    };
    assert!(marked.inline.spans[0].style.italic);
    let View::Code(code) = text(
        json!({"preferredView": "code", "language": "Rust"}),
        "text/plain",
    ) else {
        panic!("not code")
    };
    assert_eq!(code.language.as_deref(), Some("rust"));
}

#[test]
fn a_diff_counts_blank_lines_and_pairs_what_changed() {
    let diff = |data: Value| match body(json!({"kind": "diff", "data": data})) {
        View::Diff(diff) => diff,
        other => panic!("not a diff: {other:?}"),
    };
    let two =
        diff(json!({"path": "a.rs", "original": "a\nb\n\nc\n", "modified": "a\nB\n\n\n\nc\n"}));
    assert_eq!(two.counts(), "+3 -1");
    assert_eq!(two.language.as_deref(), Some("rs"));
    let split = two.hunks[0].split();
    let beside = |n: usize| {
        (
            split[n].0.map(|line| line.text.as_str()),
            split[n].1.map(|line| line.text.as_str()),
        )
    };
    assert_eq!(
        (beside(0), beside(1)),
        ((Some("a"), Some("a")), (Some("b"), Some("B")))
    );
    assert_eq!(
        diff(json!({"path": "a", "original": "x", "modified": "x"})).counts(),
        "no changes"
    );
    let new = diff(json!({"path": "a", "modified": "x\n", "isNew": true}));
    assert_eq!(
        (new.counts().as_str(), new.hunks[0].header().as_str()),
        ("+1 -0", "@@ -0,0 +1,1 @@")
    );
    let hunks = diff(
        json!({"path": "a", "hunks": [{"oldStart": 9, "oldLines": 1, "newStart": 9, "newLines": 2,
        "lines": [" x", "-", "+", "\\ No newline at end of file"]}]}),
    );
    assert_eq!(hunks.counts(), "+1 -1");
    assert_eq!(
        (hunks.hunks[0].lines[1].old, hunks.hunks[0].lines[2].new),
        (Some(10), Some(10))
    );
}

#[test]
fn long_texts_are_compared_coarsely_but_counted_right() {
    let many = |middle: &str| format!("same\n{}same\n", format!("{middle}\n").repeat(60_000));
    let View::Diff(diff) = body(
        json!({"kind": "diff", "data": {"path": "a", "original": many("x"), "modified": many("y")}}),
    ) else {
        panic!("not a diff")
    };
    assert_eq!((diff.added, diff.removed), (60_000, 60_000));
    let shown: usize = diff.hunks.iter().map(|hunk| hunk.lines.len()).sum();
    assert_eq!(diff.cut, crate::view::Cut::of(120_002 - shown, Unit::Lines));
}

#[test]
fn files_are_shown_by_their_names() {
    let View::Code(code) =
        body(json!({"kind": "file_content", "data": {"path": "src/a.rs", "content": "x"}}))
    else {
        panic!("not code")
    };
    assert_eq!(
        (code.language.as_deref(), code.path.as_deref()),
        (Some("rs"), Some("src/a.rs"))
    );
    let View::Group(folder) = body(
        json!({"kind": "file_list", "data": {"path": "/x", "truncated": true, "entries": [{"name": "d", "type": "directory"}]}}),
    ) else {
        panic!("not a group")
    };
    let [View::Text(_), View::Table(table), View::Text(_)] = folder.children.as_slice() else {
        panic!("{folder:?}")
    };
    assert_eq!(texts(&table.rows[0]), ["d/"]);
}

#[test]
fn a_picture_is_shown_only_if_it_is_ours_or_a_checked_raster() {
    let source = |data: Value, mime: &str| match body(
        json!({"kind": "image", "mimeType": mime, "data": data}),
    ) {
        View::Image(image) => image.source,
        other => panic!("not a picture: {other:?}"),
    };
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
    assert!(matches!(
        source(json!({"base64": png}), "image/png"),
        Source::Inline(_)
    ));
    assert!(matches!(
        source(
            json!({"url": format!("data:image/png;base64,{png}")}),
            "image/png"
        ),
        Source::Inline(_)
    ));
    assert!(matches!(
        source(
            json!({"url": "/api/outputs/out_1763272000000_a1b2c3"}),
            "image/png"
        ),
        Source::Output { .. }
    ));
    assert!(matches!(
        source(json!({"url": "https://example.org/x.png"}), "image/png"),
        Source::Remote(_)
    ));
    for (url, mime) in [
        ("data:image/svg+xml;base64,PHN2Zy8+", "image/png"),
        ("data:text/html;base64,PHN2Zy8+", "image/png"),
        ("data:image/png,raw", "image/png"),
        ("/api/outputs/../secrets", "image/png"),
        ("//example.org/x.png", "image/png"),
        ("file:///etc/passwd", "image/png"),
        ("javascript:alert(1)", "image/png"),
    ] {
        assert!(
            matches!(source(json!({"url": url}), mime), Source::Refused(_)),
            "{url}"
        );
    }
    assert!(matches!(
        source(json!({"base64": png}), "image/svg+xml"),
        Source::Refused(_)
    ));
}

#[test]
fn a_chart_keeps_gaps_and_knows_a_scale_from_names() {
    let View::Chart(chart) = body(
        json!({"kind": "chart", "data": {"type": "line", "x": {"key": "x"}, "series": [{"key": "y"}, {"key": "z", "type": "area"}],
        "rows": [{"x": 1, "y": 2}, {"x": 3, "y": null, "z": "4.5"}, {"x": 5, "y": "no", "z": 1e308}]}}),
    ) else {
        panic!("not a chart")
    };
    assert_eq!(
        (chart.kind, chart.series[1].kind),
        (ChartKind::Line, ChartKind::Area)
    );
    assert_eq!(chart.x.as_deref(), Some(&[1.0, 3.0, 5.0][..]));
    assert_eq!(chart.series[0].values, [Some(2.0), None, None]);
    assert_eq!(chart.series[1].values, [None, Some(4.5), None]);
}

#[test]
fn a_list_of_results_is_drawn_result_by_result() {
    let View::Group(pieces) = body(json!({"kind": "structured", "data": [
        {"kind": "text", "data": {"content": "one"}}, {"kind": "acme.x", "data": [1]}]}))
    else {
        panic!("not a group")
    };
    assert_eq!(
        pieces.children.iter().map(name).collect::<Vec<_>>(),
        ["Frame", "Frame"]
    );
    // A list of rows that happen to have a `kind` is not a list of results.
    assert_eq!(
        name(&body(
            json!({"kind": "acme.x", "data": [{"kind": "cat", "legs": 4}]})
        )),
        "Table"
    );
}

#[test]
fn a_tree_shows_the_outline_first_and_counts_the_rest() {
    let limits = Limits {
        values: 3,
        ..Limits::default()
    };
    let data = json!({"a": [1, 2, 3], "b": 2});
    let View::Tree(tree) = Lower::default().within(limits).tree(&data, None) else {
        panic!("not a tree")
    };
    let keys: Vec<_> = tree
        .root
        .children
        .iter()
        .filter_map(|node| node.key.as_deref())
        .collect();
    assert_eq!(keys, ["a", "b"]);
    let list = &tree.root.children[0];
    assert_eq!(
        (list.shape, list.children.len()),
        (Shape::Array { len: 3 }, 1)
    );
    assert_eq!(list.more, crate::view::Cut::of(2, Unit::Values));
}
