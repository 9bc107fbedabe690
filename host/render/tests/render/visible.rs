//! The text that a person must see of each fixture, on every surface.

use super::fixtures;
use super::promises::everywhere;
use super::snapshots::REVIEWED;
use footlight_render::lower::{Limits, Lower};
use footlight_vocabulary::result::SemanticResult;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Fixtures without a snapshot, with text that every surface shows.
const VISIBLE: &[(&str, &[&str])] = &[
    ("text", &["Hello,", "world", "all"]),
    ("text_empty", &["(empty)"]),
    ("diff_hunks", &["a.txt", "+1", "-1", "same", "old", "new"]),
    ("diff_none", &["a.txt", "no changes"]),
    ("diff_new", &["b.toml", "new", "+1", "-0", "a = 1"]),
    ("file_content", &["Cargo.toml", "package", "of 5 KB"]),
    ("file_content_bytes", &["a.bin", "3 bytes"]),
    (
        "file_list",
        &[
            "/src",
            "lib.rs",
            "1.5 KB",
            "2026-11-16 05:06 UTC",
            "bin/",
            "latest@",
            "There are more than were listed.",
        ],
    ),
    ("file_list_empty", &["/tmp", "(empty folder)"]),
    ("table_empty", &["a", "(no rows)"]),
    ("image_remote", &["A cat", "https://example.org/cat.png"]),
    ("image_svg", &["A plan", "SVG pictures are not shown"]),
    ("structured_raw", &["1", "2"]),
    (
        "chart_line",
        &["This week", "Highest, °C", "min", "Mon", "Wed"],
    ),
    (
        "chart_area",
        &["This week", "Highest, °C", "min", "Mon", "Wed"],
    ),
    ("chart_scatter", &["y", "1.5", "-4"]),
    ("chart_pie", &["This week", "Mon", "Tue"]),
    ("chart_empty", &["None (no points)"]),
    ("facts_empty", &["(no facts)"]),
    ("list_empty", &["(no items)"]),
    ("log_empty", &["(no lines)"]),
    ("link", &["Read me", "example.org", "All there is"]),
    ("link_refused", &["javascript:alert(1)"]),
    ("unknown_kind", &["Custom result (acme.timeline)", "events"]),
    ("unknown_rows", &["Rows", "x", "1", "2"]),
    ("hidden", &[]),
    ("card_empty", &[]),
    ("basic", &["a", "b"]),
    ("boxes", &["in", "moves"]),
    ("component_markdown", &["bold", "raw"]),
    ("component_image", &["Stored", "Elsewhere", "Inline"]),
    ("component_chart", &["A", "Mon"]),
    ("component_table", &["Head", "N", "x", "y", "1", "wide"]),
    ("component_unknown", &["inside", "smells of rain"]),
    ("component_invalid", &["This view cannot be shown"]),
    ("question_confirm", &["delete", "Yes", "No"]),
    ("item_text", &["rain"]),
    (
        "item_tool_failed",
        &["mail.send", "denied", "no such address"],
    ),
    ("item_tool_pending", &["mail.send", "needs you"]),
    ("item_widget_fallback", &["Rain in Oslo"]),
    ("item_widget_blank", &["weather-now"]),
    ("item_ask", &["Which?", "a", "b"]),
    ("item_ask_answered", &["Which?", "a"]),
    ("item_unknown", &["hologram", "depth", "3"]),
];

#[test]
fn every_fixture_has_a_snapshot_or_a_row_in_the_table() {
    for (name, _) in fixtures::all() {
        let listed = VISIBLE.iter().any(|(known, _)| *known == name);
        assert!(listed != REVIEWED.contains(&name), "{name}");
    }
}

#[test]
fn every_surface_shows_the_text_of_a_fixture() {
    for (name, expected) in VISIBLE {
        for (surface, text) in everywhere(&fixtures::named(name).view()) {
            for words in *expected {
                assert!(
                    text.contains(words),
                    "{words:?} of {name} on {surface}: {text}"
                );
            }
        }
    }
}

#[test]
fn a_hidden_result_is_hidden_on_every_surface() {
    for (surface, text) in everywhere(&fixtures::named("hidden").view()) {
        assert_eq!(text, "", "{surface}");
    }
}

proptest! {
    #[test]
    fn every_cell_is_shown_or_counted(
        cells in proptest::collection::vec(proptest::collection::vec("[a-z]{1,6}", 3), 1..12),
        most in 1..12_usize,
    ) {
        let row = |row: &Vec<String>| json!({"a": row[0], "b": row[1], "c": row[2]});
        let rows: Vec<Value> = cells.iter().map(row).collect();
        let table = json!({"kind": "table", "data": {
            "columns": [{"key": "a"}, {"key": "b"}, {"key": "c"}], "rows": rows}});
        let table: SemanticResult = serde_json::from_value(table).expect("a result");
        let limits = Limits { rows: most, ..Limits::default() };
        let view = Lower::default().within(limits).result(&table);
        for (surface, text) in everywhere(&view) {
            for cell in cells.iter().take(most).flatten() {
                prop_assert!(text.contains(cell.as_str()), "{} on {}: {}", cell, surface, text);
            }
            let left = cells.len().saturating_sub(most);
            prop_assert_eq!(text.contains(&format!("… {left} more row")), left > 0, "{}", text);
        }
    }
}
